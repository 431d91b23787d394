// Sorts each bucket of pairs (a, b) by a, then by b. All pairs of a bucket have the same leading bits of a,
// so the sort keys hold only the remaining bits of a and all bits of b. Buckets are small enough that the
// radix sort of their keys (least significant digit first) runs within the cache.
import { PairSortJob } from '../records';

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 256;
const HISTOGRAM_BYTES: usize = DIGITS * 4;
const MAX_PASSES: usize = 8;

/**
 * Each slice has an equal share of the pairs, and sorts the buckets that start within its share. (Equal
 * numbers of buckets would not balance the work, since most pairs have a small a.) The scratch memory of a
 * slice is MAX_PASSES histograms, and two arrays of keys with 8 bytes for each pair of the largest bucket.
 */
export function sortBuckets(jobAt: usize, begin: u32, end: u32): void {
  const bucketCount: usize = load<u32>(jobAt, PairSortJob.bucketCount);
  const sliceCount: u64 = load<u32>(jobAt, PairSortJob.sortSliceCount);
  const buckets: usize = load<u32>(jobAt, PairSortJob.bucketsAt);
  const total: u64 = load<u32>(buckets + (bucketCount << 2));
  const shift = load<u32>(jobAt, PairSortJob.shift);
  const keyBytes: usize = load<u32>(jobAt, PairSortJob.keyBytes);
  for (let slice: u64 = begin; slice < end; slice++) {
    const scratch =
      <usize>load<u32>(jobAt, PairSortJob.scratchAt) +
      <usize>slice * (MAX_PASSES * HISTOGRAM_BYTES + 2 * keyBytes);
    const from = <u32>((slice * total) / sliceCount);
    const to = <u32>(((slice + 1) * total) / sliceCount);
    for (let bucket: usize = 0; bucket < bucketCount; bucket++) {
      const first = load<u32>(buckets + (bucket << 2));
      const count = load<u32>(buckets + (bucket << 2), 4) - first;
      if (count != 0 && first >= from && first < to)
        sortBucket(
          jobAt,
          (<usize>first) << 2,
          <usize>count,
          (<u32>bucket) << shift,
          scratch,
          scratch + MAX_PASSES * HISTOGRAM_BYTES,
          keyBytes,
        );
    }
  }
}

function sortBucket(
  jobAt: usize,
  offset: usize,
  count: usize,
  minA: u32,
  histograms: usize,
  keys: usize,
  keyBytes: usize,
): void {
  const bitsB = load<u32>(jobAt, PairSortJob.bitsB);
  const bits = load<u32>(jobAt, PairSortJob.shift) + bitsB;
  const passes = <usize>((bits + DIGIT_BITS - 1) / DIGIT_BITS);
  const a = <usize>load<u32>(jobAt, PairSortJob.toAAt) + offset;
  const b = <usize>load<u32>(jobAt, PairSortJob.toBAt) + offset;
  memory.fill(histograms, 0, passes * HISTOGRAM_BYTES);
  for (let i: usize = 0; i < count; i++) {
    let key = ((<u64>(load<u32>(a + (i << 2)) - minA)) << bitsB) | load<u32>(b + (i << 2));
    store<u64>(keys + (i << 3), key);
    for (let pass: usize = 0; pass < passes; pass++, key >>= DIGIT_BITS) {
      const bucket = histograms + pass * HISTOGRAM_BYTES + ((<usize>(key & (DIGITS - 1))) << 2);
      store<u32>(bucket, load<u32>(bucket) + 8);
    }
  }
  let from = keys;
  let to = keys + keyBytes;
  for (let pass: usize = 0; pass < passes; pass++) {
    const histogram = histograms + pass * HISTOGRAM_BYTES;
    const shift = <u64>pass * DIGIT_BITS;
    let sum = <u32>to;
    for (let d: usize = 0; d < HISTOGRAM_BYTES; d += 4) {
      const bytes = load<u32>(histogram + d);
      store<u32>(histogram + d, sum);
      sum += bytes;
    }
    for (let at = from, end = from + (count << 3); at < end; at += 8) {
      const key = load<u64>(at);
      const place = histogram + ((<usize>((key >> shift) & (DIGITS - 1))) << 2);
      const slot: usize = load<u32>(place);
      store<u32>(place, <u32>slot + 8);
      store<u64>(slot, key);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  const sortedA = <usize>load<u32>(jobAt, PairSortJob.aAt) + offset;
  const sortedB = <usize>load<u32>(jobAt, PairSortJob.bAt) + offset;
  const maskB = ((<u64>1) << bitsB) - 1;
  for (let i: usize = 0; i < count; i++) {
    const key = load<u64>(from + (i << 3));
    store<u32>(sortedA + (i << 2), minA + <u32>(key >> bitsB));
    store<u32>(sortedB + (i << 2), <u32>(key & maskB));
  }
}
