// Merges lists of pairs into one sorted list. Each list is sorted by a, then by b, and no pair is in two
// lists.

export interface SortedPairs {
  a: Uint32Array;
  b: Uint32Array;
}

/** Merges the lists pairwise, so that each pair is copied about log2(number of lists) times. */
export function mergePairs(lists: readonly SortedPairs[]): SortedPairs {
  if (lists.length === 0) return { a: new Uint32Array(0), b: new Uint32Array(0) };
  if (lists.length === 1) return lists[0];
  const middle = lists.length >> 1;
  return mergeTwo(mergePairs(lists.slice(0, middle)), mergePairs(lists.slice(middle)));
}

function mergeTwo(p: SortedPairs, q: SortedPairs): SortedPairs {
  const countP = p.a.length;
  const countQ = q.a.length;
  const count = countP + countQ;
  const a = new Uint32Array(count);
  const b = new Uint32Array(count);
  for (let i = 0, k = 0, to = 0; to < count; to++) {
    const isP = k === countQ || (i < countP && (p.a[i] < q.a[k] || (p.a[i] === q.a[k] && p.b[i] < q.b[k])));
    const { a: fromA, b: fromB } = isP ? p : q;
    const at = isP ? i++ : k++;
    a[to] = fromA[at];
    b[to] = fromB[at];
  }
  return { a, b };
}
