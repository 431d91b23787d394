// Second step of grouping pairs (a, b) into buckets by the leading bits of a: each slice copies its pairs to
// their buckets. (The first step, countPairs, counts the pairs of each bucket.)
import { PairSortJob } from '../records';

/**
 * Requires that the counts have been replaced by prefix sums. For each slice and bucket, the prefix sum is
 * the index in the output at which the slice stores its next pair of that bucket.
 */
export function movePairs(jobAt: usize, begin: u32, end: u32): void {
  const shift = load<u32>(jobAt, PairSortJob.shift);
  const bucketCount: usize = load<u32>(jobAt, PairSortJob.bucketCount);
  const toA: usize = load<u32>(jobAt, PairSortJob.toAAt);
  const toB: usize = load<u32>(jobAt, PairSortJob.toBAt);
  for (let slice: usize = begin; slice < end; slice++) {
    const record = <usize>load<u32>(jobAt, PairSortJob.slicesAt) + slice * 12;
    const cursors = <usize>load<u32>(jobAt, PairSortJob.countsAt) + slice * bucketCount * 4;
    const listA: usize = load<u32>(record);
    const listB: usize = load<u32>(record, 4);
    const bytes = (<usize>load<u32>(record, 8)) << 2;
    for (let at: usize = 0; at < bytes; at += 4) {
      const a = load<u32>(listA + at);
      const cursor = cursors + ((<usize>(a >> shift)) << 2);
      const to = <usize>load<u32>(cursor);
      store<u32>(cursor, <u32>to + 1);
      store<u32>(toA + (to << 2), a);
      store<u32>(toB + (to << 2), load<u32>(listB + at));
    }
  }
}
