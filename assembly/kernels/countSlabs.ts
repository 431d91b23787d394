// Boxes -> per slice how many of them each slab holds. First half of cutting them into slabs.
import { cellOf } from '../cells';
import { SlabJob } from '../layout';

/** Is none of the box's leasts above its greatest? */
// @ts-ignore: decorator
@inline export function isBox(at: usize): bool {
  return load<f32>(at) <= load<f32>(at, 12) && load<f32>(at, 4) <= load<f32>(at, 16) && load<f32>(at, 8) <= load<f32>(at, 20);
}

/** First box of a slice, of first <= i < last. */
// @ts-ignore: decorator
@inline export function sliceFrom(jobAt: usize, slice: u64): u32 {
  const first = load<u32>(jobAt, SlabJob.first), count: u64 = load<u32>(jobAt, SlabJob.last) - first;
  return first + <u32>(slice * count / load<u32>(jobAt, SlabJob.sliceCount));
}

export function countSlabs(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt), slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const axis: usize = load<u32>(jobAt, SlabJob.slabAxis), origin = load<f32>(jobAt, SlabJob.slabOrigin), scale = load<f32>(jobAt, SlabJob.slabScale);
  for (let slice = begin; slice < end; slice++) {
    const counts = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * (slabCount + 1) * 4;
    memory.fill(counts, 0, (<usize>slabCount + 1) * 4);
    const last = boxes + <usize>sliceFrom(jobAt, slice + 1) * 24;
    for (let box = boxes + <usize>sliceFrom(jobAt, slice) * 24; box < last; box += 24) {
      if (!isBox(box)) continue;
      // One more from its first slab on, one less after its last.
      const from = counts + (<usize>cellOf(load<f32>(box + axis), origin, scale, slabCount) << 2);
      const to = counts + (<usize>cellOf(load<f32>(box + axis, 12), origin, scale, slabCount) << 2);
      store<u32>(from, load<u32>(from) + 1);
      store<u32>(to, load<u32>(to, 4) - 1, 4);
    }
    let sum: u32 = 0;
    for (let slab: usize = 0; slab <= slabCount; slab++) {
      sum += load<u32>(counts + (slab << 2));
      store<u32>(counts + (slab << 2), sum);
    }
  }
}
