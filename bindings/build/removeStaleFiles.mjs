// Removes outputs of earlier builds that the current build has not written, and then the folders that are
// left empty.
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Matches the names of files that builds write; files with other names are kept. */
const OUTPUT = /\.(js|d\.ts|wasm)$/;

/**
 * Removes every file below `folder` that matches OUTPUT and is not in `written`. Then removes the folders
 * that are left empty. folder: an absolute path. written: a Set of absolute paths. Returns the paths of the
 * removed files.
 */
export function removeStaleFiles(folder, written) {
  const removed = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = removeStaleFiles(place, written);
      if (below.length > 0 && readdirSync(place).length === 0) rmdirSync(place);
      removed.push(...below);
    } else if (entry.isFile() && OUTPUT.test(entry.name) && !written.has(place)) {
      rmSync(place);
      removed.push(place);
    }
  }
  return removed;
}
