// A report's header -> the sentences around the picture and the table.
import type { ReportHeader } from '../content.js';
import { byId } from './elements.js';
import { count, plural, size } from './format.js';
import { numberCount } from './readContent.js';

const MOST_FILES = 3;

export function describeReport(header: ReportHeader): void {
  const { files, parts, meshes, clashes, trianglePairs, boxPairs, threads, milliseconds, version, madeAt } = header;
  const title = byId('title');
  title.textContent = files.length > MOST_FILES ? `${files.slice(0, MOST_FILES).join(', ')} and ${files.length - MOST_FILES} more` : files.join(', ');
  title.title = files.join('\n');
  const triangles = parts.reduce((sum, { mesh }) => sum + meshes[mesh].indices / 3, 0);
  byId('summary').textContent = `${plural(clashes.length, 'clash')}, ${plural(trianglePairs, 'triangle pair')} in ${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}`;
  const pageBytes = Number(document.querySelector<HTMLMetaElement>('meta[name="page-bytes"]')?.content);
  const date = new Date(madeAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  byId('foot').textContent = `Searched in ${count(Math.round(milliseconds))} ms on ${plural(threads, 'thread')}; ${plural(boxPairs, 'pair')} of overlapping boxes. `
    + `This page has ${size(pageBytes)}; its parts unpack to ${size(4 * numberCount(header))}. pfront ${version}, ${date}.`;
}

/** What stands where the table would be. */
export function describeEmpty({ parts, clashes }: ReportHeader, filter: string): string {
  if (clashes.length > 0) return `No clash has \u201c${filter.trim()}\u201d in a part\u2019s or a file\u2019s name.`;
  if (parts.length === 1) return `No clashes: there is only one part, ${parts[0].name}.`;
  return `No clashes: no two of the ${count(parts.length)} parts share a point.`;
}
