// Splits sorted lists of octants into ranges of keys with about equal cost. Also finds the octants before a
// range that reach into this range.
import { boxLimits } from '../../records/boxLimits.js';
import type { KeyedList } from './listEncoding.js';

const LEVEL_MASK = 2 ** boxLimits.LEVEL_BITS - 1;
/** The fixed cost of listing, sorting, sending and merging one octant, in box tests. */
const OCTANT_COST = 24;

/** A position in the order of all octants: by key, then by box. */
export interface OctantPosition {
  key: number;
  id: number;
}
/** The octants whose position p satisfies from <= p < to. */
export interface OctantRange {
  from: OctantPosition;
  to: OctantPosition;
}

/** The positions before all octants and after all octants. */
export const FIRST: OctantPosition = { key: 0, id: 0 },
  LAST: OctantPosition = { key: 0xffffffff, id: 0 };

/**
 * Returns an upper bound of the keys of an octant's descendants. The bound is less than the key of any octant
 * that follows the descendants.
 */
export const lastDescendantKey = (key: number): number =>
  ((key >>> boxLimits.LEVEL_BITS) + 2 ** (3 * (boxLimits.OCTREE_LEVELS - (key & LEVEL_MASK)))) *
    2 ** boxLimits.LEVEL_BITS -
  2;

/**
 * Returns the index of the first octant at or after a position, or `end` if there is none. Searches the list
 * from index `first` up to, but not including, index `end`. idOf: maps ids of the list to box numbers.
 */
export function lowerBoundOf(
  { keys, ids }: KeyedList,
  { key, id }: OctantPosition,
  idOf: (id: number) => number = own => own,
  first = 0,
  end = keys.length,
): number {
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (keys[middle] < key || (keys[middle] === key && idOf(ids[middle]) < id)) first = middle + 1;
    else end = middle;
  }
  return first;
}

/**
 * Returns the indices of the octants before `start` that contain the octant of a key. `start` is the index of
 * the first octant at or after a position with that key. The octants are in pre-order, so every other octant
 * before `start` ends before the octant of the key begins.
 */
export function ancestorsBefore({ keys }: Pick<KeyedList, 'keys'>, key: number, start: number): number[] {
  const list = { keys: keys as Uint32Array, ids: keys as Uint32Array };
  const ancestors: number[] = [];
  for (let level = 0; level <= (key & LEVEL_MASK); level++) {
    const bits = 3 * (boxLimits.OCTREE_LEVELS - level);
    const code = Math.floor((key >>> boxLimits.LEVEL_BITS) / 2 ** bits) * 2 ** bits;
    const ancestorKey = code * 2 ** boxLimits.LEVEL_BITS + level;
    for (
      let i = lowerBoundOf(list, { key: ancestorKey, id: 0 }, () => 0, 0, start);
      i < start && keys[i] === ancestorKey;
      i++
    )
      ancestors.push(i);
  }
  return ancestors;
}

/** A sample of the octants of one subset of the boxes. Each entry represents `each` octants. */
interface Sample extends KeyedList {
  each: number;
}

/** Returns at most `count` evenly spaced entries of a list. */
export function sampleList({ keys, ids }: KeyedList, count: number): KeyedList {
  const size = Math.min(count, keys.length);
  const at = (i: number): number => Math.floor(((i + 0.5) * keys.length) / size);
  return {
    keys: Uint32Array.from({ length: size }, (_, i) => keys[at(i)]),
    ids: Uint32Array.from({ length: size }, (_, i) => ids[at(i)]),
  };
}

/**
 * Splits the octants into `count` ranges of about equal cost. The cost of an octant is a fixed cost plus one
 * test for each earlier octant that contains it.
 */
export function splitRanges(samples: readonly Sample[], count: number): OctantRange[] {
  const all = samples
    .flatMap(({ keys, ids, each }) => Array.from(keys, (key, i) => ({ key, id: ids[i], each })))
    .sort((p, q) => p.key - q.key || p.id - q.id);
  // The sampled octants that contain the next sampled octant. each: the number of octants that a sampled
  // octant represents.
  const open: { end: number; each: number }[] = [];
  let openOctants = 0;
  let cost = 0;
  const costs = all.map(({ key, each }) => {
    while (open.length > 0 && open.at(-1)!.end < key) openOctants -= open.pop()!.each;
    cost += each * (OCTANT_COST + openOctants);
    open.push({ end: lastDescendantKey(key), each });
    openOctants += each;
    return cost;
  });
  const borders: OctantPosition[] = [];
  let next = 0;
  for (let range = 1; range < count; range++) {
    while (next < all.length && costs[next] <= (range / count) * cost) next++;
    borders.push(next < all.length ? { key: all[next].key, id: all[next].id } : LAST);
  }
  return Array.from({ length: count }, (_, range) => ({
    from: borders[range - 1] ?? FIRST,
    to: borders[range] ?? LAST,
  }));
}
