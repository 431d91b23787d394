// Boxes -> per slice how many of them each slab holds. First half of cutting them into slabs.
import { highOf, isBox, lowOf } from '../boxLoad';
import { sliceStart } from '../boxSlices';
import { SlabJob } from '../layout';
import { load4 } from '../lanes';
import { slabOf, unitsOf } from '../sweptBox';

/** First box of a slice. */
// @ts-ignore: decorator
@inline export function sliceFrom(jobAt: usize, slice: u64): u32 {
  return sliceStart(load<u32>(jobAt, SlabJob.first), load<u32>(jobAt, SlabJob.last), load<u32>(jobAt, SlabJob.sliceCount), slice);
}

export function countSlabs(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt), slabCount: usize = load<u32>(jobAt, SlabJob.slabCount);
  const permutation = load4(jobAt, SlabJob.permutation), origin = load4(jobAt, SlabJob.origin), scale = load4(jobAt, SlabJob.scale);
  for (let slice = begin; slice < end; slice++) {
    const counts = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * <usize>load<u32>(jobAt, SlabJob.countsStride);
    memory.fill(counts, 0, (slabCount + 1) * 4);
    const last = boxes + <usize>sliceFrom(jobAt, <u64>slice + 1) * 24;
    for (let box = boxes + <usize>sliceFrom(jobAt, slice) * 24; box < last; box += 24) {
      const low = lowOf(box), high = highOf(box);
      if (!isBox(low, high)) continue;
      // One more from its first slab on, one less after its last.
      const from = counts + (<usize>slabOf(unitsOf(i8x16.swizzle(low, permutation), origin, scale)) << 2);
      store<u32>(from, load<u32>(from) + 1);
      const to = counts + (<usize>slabOf(unitsOf(i8x16.swizzle(high, permutation), origin, scale)) << 2);
      store<u32>(to, load<u32>(to, 4) - 1, 4);
    }
    let sum: u32 = 0;
    for (let slab: usize = 0; slab <= slabCount; slab++) {
      sum += load<u32>(counts + (slab << 2));
      store<u32>(counts + (slab << 2), sum);
    }
  }
}
