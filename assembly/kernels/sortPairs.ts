// (a, b) pairs, structure of arrays -> the same sorted by a, then b: least-significant-digit radix sort, 8 bits a pass.
import { SortJob } from '../layout';

const DIGIT_BITS: u32 = 8;
const BUCKETS: u32 = 256;

// Stable counting pass on one digit of `key`; the other array travels along.
// @ts-ignore: decorator
@inline function pass(keyAt: usize, otherAt: usize, keyTo: usize, otherTo: usize, count: u32, shift: u32, histogram: usize): void {
  memory.fill(histogram, 0, BUCKETS * 4);
  for (let i: u32 = 0; i < count; i++) {
    const bucket = histogram + (((load<u32>(keyAt + i * 4) >> shift) & (BUCKETS - 1)) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  let sum: u32 = 0;
  for (let d: u32 = 0; d < BUCKETS; d++) {
    const n = load<u32>(histogram + d * 4);
    store<u32>(histogram + d * 4, sum);
    sum += n;
  }
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u32>(keyAt + i * 4);
    const bucket = histogram + (((key >> shift) & (BUCKETS - 1)) << 2);
    const to = load<u32>(bucket);
    store<u32>(bucket, to + 1);
    store<u32>(keyTo + to * 4, key);
    store<u32>(otherTo + to * 4, load<u32>(otherAt + i * 4));
  }
}

/** The slice is ignored: one list a job. */
export function sortPairs(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, SortJob.count);
  const histogram: usize = load<u32>(jobAt, SortJob.histogramAt);
  let a: usize = load<u32>(jobAt, SortJob.aAt);
  let b: usize = load<u32>(jobAt, SortJob.bAt);
  let spareA: usize = load<u32>(jobAt, SortJob.spareAAt);
  let spareB: usize = load<u32>(jobAt, SortJob.spareBAt);
  for (let shift: u32 = 0; shift < load<u32>(jobAt, SortJob.bitsB); shift += DIGIT_BITS) {
    pass(b, a, spareB, spareA, count, shift, histogram);
    let t = a; a = spareA; spareA = t;
    t = b; b = spareB; spareB = t;
  }
  for (let shift: u32 = 0; shift < load<u32>(jobAt, SortJob.bitsA); shift += DIGIT_BITS) {
    pass(a, b, spareA, spareB, count, shift, histogram);
    let t = a; a = spareA; spareA = t;
    t = b; b = spareB; spareB = t;
  }
  // After an odd number of passes the sorted pairs lie in the spare memory.
  if (a == <usize>load<u32>(jobAt, SortJob.aAt)) return;
  memory.copy(<usize>load<u32>(jobAt, SortJob.aAt), a, <usize>count << 2);
  memory.copy(<usize>load<u32>(jobAt, SortJob.bAt), b, <usize>count << 2);
}
