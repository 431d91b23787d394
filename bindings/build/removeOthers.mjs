// Removes outputs of earlier builds: files of the same kinds that the build has not written, and folders that
// become empty.
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Files that builds write; other files in the folder are kept. */
const OUTPUT = /\.(js|d\.ts|wasm)$/;

/**
 * Removes the other files. written: absolute paths of the files to keep. Returns the paths of the removed
 * files.
 */
export function removeOthers(folder, written) {
  const removed = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = removeOthers(place, written);
      if (below.length > 0 && readdirSync(place).length === 0) rmdirSync(place);
      removed.push(...below);
    } else if (entry.isFile() && OUTPUT.test(entry.name) && !written.has(place)) {
      rmSync(place);
      removed.push(place);
    }
  }
  return removed;
}
