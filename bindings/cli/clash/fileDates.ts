// Reads the dates of the files of a model.
import { stat } from 'node:fs/promises';

/**
 * Returns the time of the last change of each file, in ISO 8601 and whole seconds.
 *
 * @throws Errors of the file system.
 */
export function fileDates(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map(async path => `${(await stat(path)).mtime.toISOString().slice(0, 19)}Z`));
}
