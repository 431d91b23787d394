// Saves a copy of the page that contains the current status and comments of the clashes.
import type { ReportContent, Review } from '../content.js';
import { contentBytes } from '../contentBytes.js';
import { dataBlocks } from '../dataBlocks.js';
import { download } from './download.js';

// In all browsers, a call can have this many arguments.
const MAX_ARGUMENTS = 1 << 15;

/** The HTML of a page without its data, as it was before the script changed it. */
export interface PageTemplate {
  /** The HTML before the data. */
  head: Node;
  beforeData: Node[];
  afterData: Node[];
}

/** Copies the page without its data. Call it before the page changes. */
export function copyTemplate(): PageTemplate {
  const isData = (node: Node): boolean => node instanceof Element && node.matches('script.data');
  const nodes = [...document.body.childNodes];
  const [first, last] = [nodes.findIndex(isData), nodes.findLastIndex(isData)];
  const copies = (some: Node[]): Node[] => some.map(node => node.cloneNode(true));
  return {
    head: document.head.cloneNode(true),
    beforeData: copies(nodes.slice(0, first)),
    afterData: copies(nodes.slice(last + 1)),
  };
}

/**
 * Saves a page with the same data and script, and these reviews. The page has the same Content-Security-Policy,
 * whose hashes still match, because the style and the script are unchanged.
 */
export async function savePage(
  template: PageTemplate,
  { header, meshes, contacts }: ReportContent,
  reviews: Record<string, Review>,
): Promise<void> {
  const chunks = [
    `<!doctype html>\n<html lang="en">\n${htmlOf([template.head])}\n<body>\n${htmlOf(template.beforeData)}`,
  ];
  const content: ReportContent = { header: { ...header, reviews }, meshes, contacts };
  for await (const block of dataBlocks(compressed(contentBytes(content)), base64Of)) chunks.push(block);
  const before = new Blob(chunks);
  const foot = (bytes: number): string => `${htmlOf(template.afterData, bytes)}</body>\n</html>\n`;
  const total = before.size + new Blob([foot(0)]).size;
  download(new Blob([before, foot(total)], { type: 'text/html' }), header.files[0], 'html');
}

// Returns the HTML of nodes. If they contain the meta element with the size of the page, `pageBytes` replaces
// its content.
function htmlOf(nodes: Node[], pageBytes?: number): string {
  const box = document.createElement('div');
  box.append(...nodes.map(node => node.cloneNode(true)));
  const size = box.querySelector<HTMLMetaElement>('meta[name=page-bytes]');
  // The number is padded, so that it does not change the size.
  if (size && pageBytes !== undefined) size.content = `${pageBytes}`.padStart(size.content.length);
  return box.innerHTML;
}

async function* compressed(bytes: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.iterator]();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { value, done } = source.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  // Some browsers cannot iterate over streams.
  const reader = stream.pipeThrough(new CompressionStream('gzip')).getReader();
  for (;;) {
    const { value, done } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>;
    if (done) return;
    yield value;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  return btoa(text);
}
