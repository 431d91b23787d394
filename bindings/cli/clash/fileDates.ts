// Reads the dates of the files of a model.
import { stat } from 'node:fs/promises';

/**
 * Returns the time of the last change of each file by its path, in ISO 8601 and whole seconds. The files are in the
 * order in which they are first named.
 *
 * @throws Errors of the file system.
 */
export async function fileDates(paths: readonly string[]): Promise<Map<string, string>> {
  const dateOf = async (path: string) => `${(await stat(path)).mtime.toISOString().slice(0, 19)}Z`;
  return new Map(
    await Promise.all([...new Set(paths)].map(async path => [path, await dateOf(path)] as const)),
  );
}
