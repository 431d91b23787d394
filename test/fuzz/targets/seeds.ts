// Reads the published malformed files, which the search starts from if they exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

// Tests run in the root of the checkout; the bundle of the worker lies elsewhere, so its own path is no help.
/** Returns the files of a folder of the truth data; none if it does not exist. */
export function dataFiles(folder: string, ending: RegExp): Uint8Array[] {
  const path = `${process.cwd()}/../shared/data/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter(name => ending.test(name))
    .sort()
    .map(name => new Uint8Array(readFileSync(`${path}/${name}`)));
}
