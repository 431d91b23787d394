// A folder of build outputs and what a build has written there -> files of the same kinds that it has not
// written are gone, and folders left empty by that.
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** What builds write; other files in the folder are not theirs. */
const OUTPUT = /\.(js|d\.ts|wasm)$/;

/** written: full names. @returns names of the files that were removed */
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
