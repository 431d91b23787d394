// Computes where each slice writes its boxes when boxes are distributed to slabs (or to cells, which are
// treated as slabs). The input is the number of boxes that each slice has in each slab. Each number is
// replaced by a prefix sum: the index at which the slice begins to write its boxes of that slab. If the slabs
// need more than maxCopies copies of boxes in total, and there are several slabs, the number of slabs is
// halved, and the boxes have to be counted again. Runs on one thread: begin and end are ignored.
import { SlabJob } from '../records';

export function offsetSlabs(jobAt: usize, begin: u32, end: u32): void {
  const slabCount: usize = load<u32>(jobAt, SlabJob.slabCount);
  const slabs: usize = load<u32>(jobAt, SlabJob.slabsAt);
  const order: usize = load<u32>(jobAt, SlabJob.orderAt);
  const counts: usize = load<u32>(jobAt, SlabJob.countsAt);
  const stride: usize = load<u32>(jobAt, SlabJob.countsStride);
  const countsEnd = counts + stride * <usize>load<u32>(jobAt, SlabJob.sliceCount);
  let sum: u64 = 0;
  let maxCount: u64 = 0;
  let usedCount: u32 = 0;
  for (let slab: usize = 0; slab < slabCount; slab++) {
    const first = sum;
    store<u32>(slabs + (slab << 2), <u32>first);
    store<u32>(order + (slab << 2), <u32>slab);
    for (let at = counts + (slab << 2); at < countsEnd; at += stride) {
      const count = load<u32>(at);
      store<u32>(at, <u32>sum);
      sum += count;
    }
    maxCount = max(maxCount, sum - first);
    usedCount += u32(sum - first > 1);
  }
  store<u32>(slabs + (slabCount << 2), <u32>sum);
  store<u32>(jobAt, <u32>sum, SlabJob.placeCount);
  store<u32>(jobAt, <u32>maxCount, SlabJob.maxCount);
  store<u32>(jobAt, usedCount, SlabJob.usedCount);
  const isPlanned = slabCount == 1 || sum <= load<u32>(jobAt, SlabJob.maxCopies);
  if (!isPlanned) store<u32>(jobAt, <u32>slabCount >> 1, SlabJob.slabCount);
  store<u32>(jobAt, u32(isPlanned), SlabJob.isPlanned);
}
