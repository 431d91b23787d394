// First step of distributing boxes to slabs, which are ranges of coordinates on one axis. Each slice of the
// boxes counts how many of its boxes overlap each slab.

import { SlabJob } from '../records';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';
import { sliceStart } from './boxSlices';
import { cellWithin, slabOf } from './sapBox';

/** Returns the first box of a slice. */
export function sliceFrom(jobAt: usize, slice: u64): u32 {
  return sliceStart(
    load<u32>(jobAt, SlabJob.first),
    load<u32>(jobAt, SlabJob.last),
    load<u32>(jobAt, SlabJob.sliceCount),
    slice,
  );
}

export function countSlabs(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt);
  const slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const axis: usize = load<u8>(jobAt, SlabJob.permutation + 4);
  const origin = load<f32>(jobAt, SlabJob.origin + 4);
  const scale = load<f32>(jobAt, SlabJob.scale + 4);
  for (let slice = begin; slice < end; slice++) {
    const counts =
      <usize>load<u32>(jobAt, SlabJob.countsAt) +
      <usize>slice * <usize>load<u32>(jobAt, SlabJob.countsStride);
    memory.fill(counts, 0, (<usize>(slabCount + 1)) << 2);
    const last = boxes + <usize>sliceFrom(jobAt, <u64>slice + 1) * 24;
    for (let box = boxes + <usize>sliceFrom(jobAt, slice) * 24; box < last; box += 24) {
      if (!isNonEmpty(minCornerOf(box), maxCornerOf(box))) continue;
      // Adds 1 at the first slab of the box, and subtracts 1 after its last slab. The prefix sum below turns
      // these differences into counts.
      const from =
        counts + ((<usize>slabOf(cellWithin(load<f32>(box + axis), origin, scale), slabCount)) << 2);
      store<u32>(from, load<u32>(from) + 1);
      const to =
        counts + ((<usize>slabOf(cellWithin(load<f32>(box + axis, 12), origin, scale), slabCount)) << 2);
      store<u32>(to, load<u32>(to, 4) - 1, 4);
    }
    let sum: u32 = 0;
    for (let slab: usize = 0; slab <= <usize>slabCount; slab++) {
      sum += load<u32>(counts + (slab << 2));
      store<u32>(counts + (slab << 2), sum);
    }
  }
}
