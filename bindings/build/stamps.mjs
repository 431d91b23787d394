// Remembers the inputs and outputs of each build step, so that a step runs again only if they have changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './paths.mjs';

const stampsFile = path.join(cacheFolder, 'stamps.json');

/** Returns the sorted paths of the given files and of all files below the given folders. */
export function filesBelow(paths) {
  return paths
    .flatMap(place =>
      statSync(place).isFile()
        ? [place]
        : readdirSync(place, { recursive: true, withFileTypes: true })
            .filter(entry => entry.isFile())
            .map(entry => path.join(entry.parentPath ?? entry.path, entry.name)),
    )
    .sort();
}

/** Returns a hash of the names and contents of files, and of any other text that a build step depends on. */
export function digest(files, ...texts) {
  const hash = createHash('sha256');
  for (const name of files) hash.update(`${name}\0`).update(readFileSync(name)).update('\0');
  for (const text of texts) hash.update(`${text}\0`);
  return hash.digest('hex');
}

function readStamps(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // No build yet, or an incomplete stamp file: everything is built again.
  }
}

const sizeAndTime = place => {
  const { size, mtimeMs } = statSync(place);
  return [size, mtimeMs];
};

/**
 * Returns true if the inputs of the step had this hash when the step last ran, and its outputs have not changed
 * since.
 */
export function isCurrent(step, hash, file = stampsFile) {
  const record = readStamps(file)[step];
  return (
    record?.hash === hash &&
    Object.entries(record.outputs).every(([place, [size, mtimeMs]]) => {
      if (!existsSync(place)) return false;
      const now = sizeAndTime(place);
      return now[0] === size && now[1] === mtimeMs;
    })
  );
}

/** Records that a step has run. outputs: absolute paths of the files that it wrote. */
export function writeStamp(step, hash, outputs, file = stampsFile) {
  mkdirSync(path.dirname(file), { recursive: true });
  const stamps = readStamps(file);
  stamps[step] = { hash, outputs: Object.fromEntries(outputs.map(place => [place, sizeAndTime(place)])) };
  writeFileSync(file, JSON.stringify(stamps));
}

/** Returns the files that a step wrote when it last ran. */
export const outputsOf = (step, file = stampsFile) => Object.keys(readStamps(file)[step]?.outputs ?? {});
