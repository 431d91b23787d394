// Makes the names of parts unique.
import type { MemoryBudget } from './memoryBudget.js';

/**
 * Numbers repeated names: `Bolt`, `Bolt (2)`, `Bolt (3)`.
 * @param budget Counts the new names, which may be long.
 * @throws InvalidFile if the new names exceed the budget
 */
export function uniqueNames(names: string[], budget?: MemoryBudget): string[] {
  const taken = new Set(names);
  const seen = new Map<string, number>();
  return names.map(name => {
    let number = (seen.get(name) ?? 0) + 1;
    let unique = name;
    if (number > 1) {
      budget?.take(2 * name.length, 'the names of its parts');
      while (taken.has((unique = `${name} (${number})`))) number++;
      taken.add(unique);
    }
    seen.set(name, number);
    return unique;
  });
}
