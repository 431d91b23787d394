// Chooses items at random, evenly from several groups.
import type { Random } from '../../dist/samples/index.js';

/** Puts the items into random order, in place. @returns the same array */
export function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [items[i], items[other]] = [items[other], items[i]];
  }
  return items;
}

/**
 * Takes accepted items from the groups in turn, one at a time, until there are `count` items or all groups are
 * empty. Skips items for which `isAccepted` returns false.
 */
export function takeRoundRobin<T>(
  groups: readonly Iterator<T>[],
  count: number,
  isAccepted: (item: T) => boolean,
): T[] {
  const chosen: T[] = [];
  let waiting = [...groups];
  while (waiting.length > 0 && chosen.length < count)
    waiting = waiting.filter(group => {
      if (chosen.length === count) return false;
      for (let next = group.next(); !next.done; next = group.next()) {
        if (!isAccepted(next.value)) continue;
        chosen.push(next.value);
        return true;
      }
      return false;
    });
  return chosen;
}
