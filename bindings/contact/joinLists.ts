// Joins lists of numbers.

/** Returns the numbers of all lists, in their order. */
export function joinLists(lists: readonly ArrayLike<number>[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let to = 0;
  for (const list of lists) {
    all.set(list, to);
    to += list.length;
  }
  return all;
}
