// The hooks of replaceFiles.mjs, which Node runs when a module is imported.
import { readFile } from 'node:fs/promises';

let replaced = {};

export function initialize(data) {
  replaced = data;
}

// The command-line program is a bundle that contains copies of files of dist, so changed files would have no
// effect on it. This hook replaces the bundle by its entry file, which imports the files of dist.
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  return { ...resolved, url: resolved.url.replace(/\/dist\/bin\/pfront\.js$/, '/dist/cli/main.js') };
}

export async function load(url, context, nextLoad) {
  const file = replaced[url.split('?')[0]];
  if (file === undefined) return nextLoad(url, context);
  return { format: 'module', source: await readFile(file, 'utf8'), shortCircuit: true };
}
