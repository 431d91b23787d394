// The hooks of replaceFiles.mjs, which Node runs when a module is imported.
import { readFile } from 'node:fs/promises';

let replaced = {};

export function initialize(data) {
  replaced = data;
}

// The command line is a bundle of files of dist, in which changed files have no effect. This hook replaces the
// bundle by the file from which it was made.
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  return { ...resolved, url: resolved.url.replace(/\/dist\/bin\/pfront\.js$/, '/dist/cli/main.js') };
}

export async function load(url, context, nextLoad) {
  const file = replaced[url.split('?')[0]];
  if (file === undefined) return nextLoad(url, context);
  return { format: 'module', source: await readFile(file, 'utf8'), shortCircuit: true };
}
