// The hooks of replaceFiles.mjs, which Node runs when a module is imported.
import { readFile } from 'node:fs/promises';

let replaced = {};

export function initialize(data) {
  replaced = data;
}

export async function load(url, context, nextLoad) {
  const file = replaced[url.split('?')[0]];
  if (file === undefined) return nextLoad(url, context);
  return { format: 'module', source: await readFile(file, 'utf8'), shortCircuit: true };
}
