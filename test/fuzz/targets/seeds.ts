// Collects the inputs to start from: small files made in memory, and the published malformed files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the files of a folder of the truth data; none if it does not exist. */
export function dataFiles(folder: string, ending: RegExp): Uint8Array[] {
  const path = `${process.cwd()}/../shared/data/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter(name => ending.test(name))
    .sort()
    .map(name => new Uint8Array(readFileSync(`${path}/${name}`)));
}
