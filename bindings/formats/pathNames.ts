// Names parts after the nodes of a file's tree.
import type { MemoryBudget } from './memoryBudget.js';

/**
 * Returns the last name of each path. If several paths have the same last name, the names above it are put
 * before it, as in `hall/door/handle`.
 * @param paths The names of the nodes from the root of the tree to each part; undefined for a node without a
 *   name. If the last name is undefined, the part is named `part`.
 * @param budget Counts the new names, which may be long.
 * @throws InvalidFile if the new names exceed the budget
 */
export function pathNames(paths: readonly (string | undefined)[][], budget?: MemoryBudget): string[] {
  const own = paths.map(path => path.at(-1) ?? 'part');
  const times = new Map<string, number>();
  for (const name of own) times.set(name, (times.get(name) ?? 0) + 1);
  return own.map((name, i) => {
    if (times.get(name) === 1) return name;
    const path = [...paths[i].slice(0, -1).filter(above => above !== undefined), name];
    budget?.take(
      path.reduce((bytes, step) => bytes + 2 * step.length, 0),
      'the names of its parts',
    );
    return path.join('/');
  });
}
