// Buckets of pairs with the same leading bits of a -> each sorted by a, then b: a counting sort by the rest of a while the
// bucket is in cache, then the few b of each a.
import { PairSortJob } from '../layout';

const FEW: usize = 24;

export function sortBuckets(jobAt: usize, begin: u32, end: u32): void {
  const bucketCount: u64 = load<u32>(jobAt, PairSortJob.bucketCount), sliceCount: u64 = load<u32>(jobAt, PairSortJob.sortSliceCount);
  const buckets: usize = load<u32>(jobAt, PairSortJob.bucketsAt), shift = load<u32>(jobAt, PairSortJob.shift);
  const fromA: usize = load<u32>(jobAt, PairSortJob.toAAt), fromB: usize = load<u32>(jobAt, PairSortJob.toBAt);
  const toA: usize = load<u32>(jobAt, PairSortJob.aAt), toB: usize = load<u32>(jobAt, PairSortJob.bAt);
  for (let slice: u64 = begin; slice < end; slice++) {
    const counts = <usize>load<u32>(jobAt, PairSortJob.scratchAt) + <usize>slice * load<u32>(jobAt, PairSortJob.scratchStride);
    const last = <usize>((slice + 1) * bucketCount / sliceCount);
    for (let bucket = <usize>(slice * bucketCount / sliceCount); bucket < last; bucket++) {
      const first = load<u32>(buckets + (bucket << 2)), count = load<u32>(buckets + (bucket << 2), 4) - first;
      if (count == 0) continue;
      const offset = <usize>first << 2;
      sortBucket(fromA + offset, fromB + offset, toA + offset, toB + offset, <usize>count << 2, <u32>bucket << shift, <usize>1 << shift, counts);
    }
  }
}

function sortBucket(fromA: usize, fromB: usize, toA: usize, toB: usize, bytes: usize, least: u32, values: usize, counts: usize): void {
  memory.fill(counts, 0, values << 2);
  for (let at: usize = 0; at < bytes; at += 4) {
    const count = counts + (<usize>(load<u32>(fromA + at) - least) << 2);
    store<u32>(count, load<u32>(count) + 4);
  }
  // From counts to where each value's pairs end; a's are written as they are counted.
  let sum: usize = 0;
  for (let value: usize = 0; value < values; value++) {
    const end = sum + <usize>load<u32>(counts + (value << 2));
    store<u32>(counts + (value << 2), <u32>sum);
    for (; sum < end; sum += 4) store<u32>(toA + sum, least + <u32>value);
  }
  for (let at: usize = 0; at < bytes; at += 4) {
    const place = counts + (<usize>(load<u32>(fromA + at) - least) << 2);
    const to = <usize>load<u32>(place);
    store<u32>(place, <u32>to + 4);
    store<u32>(toB + to, load<u32>(fromB + at));
  }
  let begin: usize = 0;
  for (let value: usize = 0; value < values; value++) {
    const end = <usize>load<u32>(counts + (value << 2));
    if (end - begin > 4 * FEW) sortMany(toB + begin, fromB + begin, end - begin);
    else sortFew(toB + begin, toB + end);
    begin = end;
  }
}

// Insertion sort of words.
function sortFew(begin: usize, end: usize): void {
  for (let at = begin + 4; at < end; at += 4) {
    const value = load<u32>(at);
    let to = at;
    for (; to > begin && load<u32>(to - 4) > value; to -= 4) store<u32>(to, load<u32>(to - 4));
    store<u32>(to, value);
  }
}

// Merge sort of words, bottom up from runs of FEW: no more memory than the bucket's own pairs, which are read by now.
function sortMany(words: usize, spare: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 4 * FEW) sortFew(words + at, words + min(at + 4 * FEW, bytes));
  let from = words, to = spare;
  for (let width: usize = 4 * FEW; width < bytes; width <<= 1) {
    for (let at: usize = 0; at < bytes; at += 2 * width) merge(from, to, at, min(at + width, bytes), min(at + 2 * width, bytes));
    const swap = from;
    from = to;
    to = swap;
  }
  if (from != words) memory.copy(words, from, bytes);
}

function merge(from: usize, to: usize, begin: usize, middle: usize, end: usize): void {
  let left = begin, right = middle;
  for (let at = begin; at < end; at += 4) {
    const isLeft = left < middle && (right >= end || load<u32>(from + left) <= load<u32>(from + right));
    store<u32>(to + at, load<u32>(from + (isLeft ? left : right)));
    if (isLeft) left += 4; else right += 4;
  }
}
