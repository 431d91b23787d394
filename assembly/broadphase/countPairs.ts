// First step of grouping pairs (a, b) into buckets by the leading bits of a: for each slice of the pairs,
// counts how many of its pairs belong in each bucket.
import { PairSortJob } from '../records';

export function countPairs(jobAt: usize, begin: u32, end: u32): void {
  const shift = load<u32>(jobAt, PairSortJob.shift);
  const bucketCount: usize = load<u32>(jobAt, PairSortJob.bucketCount);
  for (let slice: usize = begin; slice < end; slice++) {
    const record = <usize>load<u32>(jobAt, PairSortJob.slicesAt) + slice * 12;
    const counts = <usize>load<u32>(jobAt, PairSortJob.countsAt) + slice * bucketCount * 4;
    memory.fill(counts, 0, bucketCount << 2);
    const a: usize = load<u32>(record);
    const last = a + ((<usize>load<u32>(record, 8)) << 2);
    for (let at = a; at < last; at += 4) {
      const bucket = counts + ((<usize>(load<u32>(at) >> shift)) << 2);
      store<u32>(bucket, load<u32>(bucket) + 1);
    }
  }
}
