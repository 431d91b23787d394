// Runs one round of a parallel merge sort of keys and their values: each Merge record joins two sorted runs
// (Lucchesi, section 6.2, item 3). All slices write equally long ranges of the output, even if the runs differ
// in length. A binary search (co-ranking) finds the position in each run at which a slice's range starts. The
// merge is stable.
import { Merge, RunJob } from '../records';

export function mergeRuns(jobAt: usize, begin: u32, end: u32): void {
  const mergeCount = load<u32>(jobAt, RunJob.mergeCount);
  const sliceCount: u64 = load<u32>(jobAt, RunJob.sliceCount);
  const count: u64 = load<u32>(jobAt, RunJob.count);
  for (let slice: u64 = begin; slice < end; slice++) {
    const first = <u32>((slice * count) / sliceCount);
    const last = <u32>(((slice + 1) * count) / sliceCount);
    for (let i: u32 = 0; i < mergeCount; i++) {
      const merge = <usize>load<u32>(jobAt, RunJob.mergesAt) + <usize>i * Merge.SIZE;
      const to = load<u32>(merge, Merge.to);
      const lengthA = load<u32>(merge, Merge.endA) - load<u32>(merge, Merge.firstA);
      const lengthB = load<u32>(merge, Merge.endB) - load<u32>(merge, Merge.firstB);
      const from = max(first, to);
      const until = min(last, to + lengthA + lengthB);
      if (from < until) mergeSlice(jobAt, merge, from - to, until - from, from, lengthA, lengthB);
    }
  }
}

// Writes a range of one merge: `count` keys and their values, beginning with the key that has rank `rank` in
// the merged run. The range begins at index `to` of the output.
function mergeSlice(
  job: usize,
  merge: usize,
  rank: u32,
  count: u32,
  to: u32,
  lengthA: u32,
  lengthB: u32,
): void {
  const keys: usize = load<u32>(job, RunJob.keysAt);
  const values: usize = load<u32>(job, RunJob.valuesAt);
  const firstA = load<u32>(merge, Merge.firstA);
  const firstB = load<u32>(merge, Merge.firstB);
  const taken = coRank(keys + ((<usize>firstA) << 2), lengthA, keys + ((<usize>firstB) << 2), lengthB, rank);
  let a = (<usize>(firstA + taken)) << 2;
  let b = (<usize>(firstB + rank - taken)) << 2;
  const endA = (<usize>(firstA + lengthA)) << 2;
  const endB = (<usize>(firstB + lengthB)) << 2;
  let toKey = <usize>load<u32>(job, RunJob.toKeysAt) + ((<usize>to) << 2);
  let toValue = <usize>load<u32>(job, RunJob.toValuesAt) + ((<usize>to) << 2);
  const end = toKey + ((<usize>count) << 2);
  for (; toKey < end && a < endA && b < endB; toKey += 4, toValue += 4) {
    const keyA = load<u32>(keys + a);
    const keyB = load<u32>(keys + b);
    const isB = keyB < keyA;
    const step = (<usize>isB) << 2;
    store<u32>(toKey, select(keyB, keyA, isB));
    store<u32>(toValue, load<u32>(values + select(b, a, isB)));
    a += 4 - step;
    b += step;
  }
  const rest = a < endA ? a : b;
  memory.copy(toKey, keys + rest, end - toKey);
  memory.copy(toValue, values + rest, end - toKey);
}

// Returns how many of the `rank` smallest keys of both runs are in run A.
function coRank(a: usize, lengthA: u32, b: usize, lengthB: u32, rank: u32): u32 {
  let low: u32 = rank > lengthB ? rank - lengthB : 0;
  let high = min(rank, lengthA);
  while (low < high) {
    const middle = (low + high) >> 1;
    // If A contributed only `middle` keys, B would contribute rank - middle keys. If A's next key is at most
    // the last of those keys of B, A contributes more than `middle` keys.
    if (load<u32>(a + ((<usize>middle) << 2)) <= load<u32>(b + ((<usize>(rank - 1 - middle)) << 2)))
      low = middle + 1;
    else high = middle;
  }
  return low;
}
