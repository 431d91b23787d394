// Reads the dates of the files of a model.
import { stat } from 'node:fs/promises';

/**
 * Returns a map from the path of each file to the time of its last change, in ISO 8601 and whole seconds. The
 * order of the map is the order in which the paths first occur in `paths`.
 *
 * @throws Errors of the file system.
 */
export async function fileDates(paths: readonly string[]): Promise<Map<string, string>> {
  const dateOf = async (path: string) => `${(await stat(path)).mtime.toISOString().slice(0, 19)}Z`;
  return new Map(
    await Promise.all([...new Set(paths)].map(async path => [path, await dateOf(path)] as const)),
  );
}
