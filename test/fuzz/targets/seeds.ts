// Reads published malformed mesh files. The fuzzer also starts from these files, if they are on this machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

// Finds the folder from the working directory, which is the root of the checkout. The path of this code does
// not help, because it runs in a bundle that is in another folder.
/**
 * Returns the contents of the files in `shared/data/<folder>`, beside the checkout, whose names match
 * `ending`. Returns none if the folder does not exist.
 */
export function dataFiles(folder: string, ending: RegExp): Uint8Array[] {
  const path = `${process.cwd()}/../shared/data/${folder}`;
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter(name => ending.test(name))
    .sort()
    .map(name => new Uint8Array(readFileSync(`${path}/${name}`)));
}
