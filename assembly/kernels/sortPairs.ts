// (a, b) pairs, structure of arrays -> the same sorted by a, then b: short lists by rank, long ones by radix.
import { SortJob } from '../layout';

const DIGIT_BITS: u32 = 8;
const BUCKETS: u32 = 256;
/** Lists up to this are sorted by comparing all with all, sixteen at a time: no table is cleared and no branch mispredicted. */
const FEW: u32 = 256;

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

/** The slice is ignored: one list a job, no pair in it twice. */
export function sortPairs(jobAt: usize, begin: u32, end: u32): void {
  const bits = load<u32>(jobAt, SortJob.bitsA) + load<u32>(jobAt, SortJob.bitsB);
  if (load<u32>(jobAt, SortJob.count) <= FEW && bits < 32) sortByRank(jobAt);
  else sortByDigits(jobAt);
}

// A pair's place is how many others are less. Compared are words of both numbers.
function sortByRank(jobAt: usize): void {
  const count = load<u32>(jobAt, SortJob.count), bitsB = load<u32>(jobAt, SortJob.bitsB);
  const a: usize = load<u32>(jobAt, SortJob.aAt), b: usize = load<u32>(jobAt, SortJob.bAt);
  const keys: usize = load<u32>(jobAt, SortJob.spareAAt), ranks: usize = load<u32>(jobAt, SortJob.spareBAt);
  const keysEnd = keys + (<usize>count << 2);
  for (let i: usize = 0; i < <usize>count << 2; i += 16) v128.store(keys + i, v128.or(i32x4.shl(v128.load(a + i), bitsB), v128.load(b + i)));
  for (let i: usize = 0; i < <usize>count << 2; i += 64) {
    const k0 = v128.load(keys + i), k1 = v128.load(keys + i, 16), k2 = v128.load(keys + i, 32), k3 = v128.load(keys + i, 48);
    let r0 = i32x4.splat(0), r1 = r0, r2 = r0, r3 = r0;
    for (let at = keys; at < keysEnd; at += 4) {
      const key = v128.load32_splat(at);
      r0 = i32x4.sub(r0, i32x4.gt_s(k0, key));
      r1 = i32x4.sub(r1, i32x4.gt_s(k1, key));
      r2 = i32x4.sub(r2, i32x4.gt_s(k2, key));
      r3 = i32x4.sub(r3, i32x4.gt_s(k3, key));
    }
    v128.store(ranks + i, r0);
    v128.store(ranks + i, r1, 16);
    v128.store(ranks + i, r2, 32);
    v128.store(ranks + i, r3, 48);
  }
  const maskB = (1 << bitsB) - 1;
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const key = load<u32>(keys + i), to = <usize>load<u32>(ranks + i) << 2;
    store<u32>(a + to, key >> bitsB);
    store<u32>(b + to, key & maskB);
  }
}

function sortByDigits(jobAt: usize): void {
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
