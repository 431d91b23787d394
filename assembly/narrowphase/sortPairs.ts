// Sorts lists of triangle pairs (a, b) by a, then by b. All a's are in one array and all b's in another.
// Short lists are sorted by rank if a pair fits in 31 bits, all other lists by radix sort.
import { MeshRecord, PairRecord, SORT_TABLE_BYTES, SortJob } from '../records';

const DIGIT_BITS: u32 = 8;
const BUCKETS: u32 = 256;
/**
 * Max length of a list that is sorted by rank. This sort compares each entry with every entry, sixteen at a
 * time. It has no table that must be cleared first, and no branches that could be mispredicted.
 */
const MAX_RANK_COUNT: u32 = 256;

// Runs one pass of the radix sort: a stable counting sort by one digit of the keys. Moves the entries at
// `otherAt` along with the keys.
// @ts-ignore: decorator
@inline
function pass(
  keyAt: usize,
  otherAt: usize,
  keyTo: usize,
  otherTo: usize,
  count: u32,
  shift: u32,
  histogram: usize,
): void {
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

/**
 * Sorts the lists of the slices begin <= i < end. No list may contain the same triangle pair twice, because
 * equal pairs have the same rank.
 */
export function sortPairs(jobAt: usize, begin: u32, end: u32): void {
  const offsets: usize = load<u32>(jobAt, SortJob.offsetsAt);
  const pairCount = load<u32>(jobAt, SortJob.pairCount);
  const total: u64 = load<u32>(offsets + ((<usize>pairCount) << 2));
  const sliceCount: u64 = load<u32>(jobAt, SortJob.sliceCount);
  for (let slice: u64 = begin; slice < end; slice++) {
    const spare =
      <usize>load<u32>(jobAt, SortJob.spareAt) + <usize>slice * <usize>load<u32>(jobAt, SortJob.spareBytes);
    const last = firstFrom(offsets, pairCount, <u32>(((slice + 1) * total) / sliceCount));
    for (let i = firstFrom(offsets, pairCount, <u32>((slice * total) / sliceCount)); i < last; i++) {
      const from = load<u32>(offsets + ((<usize>i) << 2));
      const count = load<u32>(offsets + ((<usize>i) << 2), 4) - from;
      if (count > 1) sortList(jobAt, i, from, count, spare);
    }
  }
}

// Returns the index of the first list that begins at `position` or later.
function firstFrom(offsets: usize, pairCount: u32, position: u32): u32 {
  let low: u32 = 0;
  let high = pairCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(offsets + ((<usize>middle) << 2)) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sortList(jobAt: usize, i: u32, from: u32, count: u32, spare: usize): void {
  const a = <usize>load<u32>(jobAt, SortJob.aAt) + ((<usize>from) << 2);
  const b = <usize>load<u32>(jobAt, SortJob.bAt) + ((<usize>from) << 2);
  const pair = <usize>load<u32>(jobAt, SortJob.pairsAt) + <usize>i * PairRecord.SIZE;
  const first = bitsOf(load<u32>(pair, PairRecord.meshA));
  const second = bitsOf(load<u32>(pair, PairRecord.meshB));
  const isSwapped = load<u8>(<usize>load<u32>(jobAt, SortJob.swappedAt) + i) != 0;
  const bitsA = isSwapped ? second : first;
  const bitsB = isSwapped ? first : second;
  const spareA = spare + SORT_TABLE_BYTES;
  const spareB = spareA + ((<usize>load<u32>(jobAt, SortJob.spareBytes) - SORT_TABLE_BYTES) >> 1);
  if (count <= MAX_RANK_COUNT && bitsA + bitsB < 32) sortByRank(a, b, count, bitsB, spareA, spareB);
  else sortByDigits(a, b, count, bitsA, bitsB, spareA, spareB, spare);
}

// Returns the number of bits that suffice for the index of each triangle of a mesh.
function bitsOf(mesh: usize): u32 {
  return 32 - <u32>clz<u32>(max<u32>(load<u32>(mesh, MeshRecord.triangleCount), 2) - 1);
}

// Moves each pair to its rank, which is the number of smaller pairs. Packs a and b of each pair into one key
// of at most 31 bits, so that a single signed comparison orders two pairs.
function sortByRank(a: usize, b: usize, count: u32, bitsB: u32, keys: usize, ranks: usize): void {
  const keysEnd = keys + ((<usize>count) << 2);
  for (let i: usize = 0; i < (<usize>count) << 2; i += 16)
    v128.store(keys + i, v128.or(i32x4.shl(v128.load(a + i), bitsB), v128.load(b + i)));
  for (let i: usize = 0; i < (<usize>count) << 2; i += 64) {
    const k0 = v128.load(keys + i);
    const k1 = v128.load(keys + i, 16);
    const k2 = v128.load(keys + i, 32);
    const k3 = v128.load(keys + i, 48);
    let r0 = i32x4.splat(0);
    let r1 = r0;
    let r2 = r0;
    let r3 = r0;
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
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4) {
    const key = load<u32>(keys + i);
    const to = (<usize>load<u32>(ranks + i)) << 2;
    store<u32>(a + to, key >> bitsB);
    store<u32>(b + to, key & maskB);
  }
}

function sortByDigits(
  a: usize,
  b: usize,
  count: u32,
  bitsA: u32,
  bitsB: u32,
  spareA: usize,
  spareB: usize,
  histogram: usize,
): void {
  const toA = a;
  const toB = b;
  for (let shift: u32 = 0; shift < bitsB; shift += DIGIT_BITS) {
    pass(b, a, spareB, spareA, count, shift, histogram);
    let t = a;
    a = spareA;
    spareA = t;
    t = b;
    b = spareB;
    spareB = t;
  }
  for (let shift: u32 = 0; shift < bitsA; shift += DIGIT_BITS) {
    pass(a, b, spareA, spareB, count, shift, histogram);
    let t = a;
    a = spareA;
    spareA = t;
    t = b;
    b = spareB;
    spareB = t;
  }
  // After an odd number of passes the sorted pairs are in the spare memory.
  if (a == toA) return;
  memory.copy(toA, a, (<usize>count) << 2);
  memory.copy(toB, b, (<usize>count) << 2);
}
