// Bundles the type declarations of the package: one file per public entry point, and further files for
// declarations that several entry points share. Private and @internal members are left out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { pathOf } from './paths.mjs';
import { digest, isCurrent, outputsOf, writeStamp } from './stamps.mjs';

/** Maps each published name to its file in dist. */
const ENTRIES = {
  index: 'index',
  samples: 'samples/index',
  three: 'three/index',
  cluster: 'cluster/index',
  debug: 'debug/index',
  verify: 'verify/index',
  papers: 'papers/index',
  worker: 'runtime/worker',
};

/**
 * Maps each type of the DOM, of Node or of WebAssembly to a structural type with the members that the package
 * needs, because a user's project may lack the declarations of these platforms.
 */
const PLATFORM_TYPES = {
  'WebAssembly.Module': 'object',
  'WebAssembly.Memory': '{ readonly buffer: ArrayBufferLike }',
  URL: '{ readonly href: string }',
  AbortSignal:
    '{ readonly aborted: boolean; throwIfAborted(): void; addEventListener(type: "abort", listener: () => void): void }',
  Worker: '{ postMessage(message: any): void; terminate(): unknown }',
  NodeWorker: '{ postMessage(message: any): void; terminate(): unknown }',
};

const isPrivate = node =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
const isInternal = (node, text) =>
  ts
    .getLeadingCommentRanges(text, node.pos)
    ?.some(({ pos, end }) => text.slice(pos, end).includes('@internal'));
const isMember = node =>
  (ts.isClassElement(node) || ts.isTypeElement(node)) && !(node.name && ts.isPrivateIdentifier(node.name));

// Returns the text that replaces a syntax node, or undefined if the node stays. A private or @internal
// constructor becomes a protected one, so that users cannot call it.
function replacementOf(node, text) {
  if (isMember(node) && (isPrivate(node) || isInternal(node, text)))
    return ts.isConstructorDeclaration(node) ? '\n  protected constructor();' : '';
  return ts.isTypeReferenceNode(node) ? PLATFORM_TYPES[node.typeName.getText()] : undefined;
}

// Returns the text of a declaration file without private and @internal members. Each type in PLATFORM_TYPES
// is replaced by its structural type.
function publicPart(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits = [];
  const visit = node => {
    const replacement = replacementOf(node, text);
    if (replacement === undefined) ts.forEachChild(node, visit);
    else edits.push({ start: isMember(node) ? node.pos : node.getStart(), end: node.end, replacement });
  };
  visit(source);
  return edits
    .reverse()
    .reduce(
      (rest, { start, end, replacement }) => rest.slice(0, start) + replacement + rest.slice(end),
      text,
    );
}

async function bundleInto(folder, names) {
  for (const name of names) {
    const copy = path.join(folder, name);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, publicPart(pathOf('dist', name)));
  }
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, file]) => [name, path.join(folder, `${file}.d.ts`)]),
  );
  const bundle = await rollup({ input, external: /^(three|node:)/, plugins: [dts({ tsconfig: false })] });
  const { output } = await bundle.write({
    dir: pathOf('dist/types'),
    format: 'es',
    banner: '/// <reference lib="esnext.disposable" />',
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `shared-${name.replace('.d', '')}.d.ts`,
  });
  return output.map(({ fileName }) => pathOf('dist/types', fileName));
}

/**
 * Writes dist/types/*.d.ts from the declaration files in `written`, a list of files in dist. Returns the
 * files of dist/types.
 */
export async function bundleDeclarations(written) {
  const files = written.filter(name => name.endsWith('.d.ts'));
  const hash = digest([...files, fileURLToPath(import.meta.url)]);
  if (isCurrent('declarations', hash)) return outputsOf('declarations');
  const folder = mkdtempSync(path.join(tmpdir(), 'declarations-'));
  try {
    const outputs = await bundleInto(
      folder,
      files.map(file => path.relative(pathOf('dist'), file)),
    );
    writeStamp('declarations', hash, outputs);
    return outputs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
