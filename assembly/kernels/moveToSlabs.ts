// Boxes and where each slice's boxes of each slab go -> SweptBoxes slab by slab, in the boxes' order. Second half of cutting.
import { highOf, isBox, lowOf } from '../boxLoad';
import { flagsOf } from '../boxSlices';
import { BEFORE_SLAB, SlabJob, SweptBox } from '../layout';
import { load4 } from '../lanes';
import { cellsWithin, flagged, slabOf, sweptBox, tagOf, unitsOf } from '../sweptBox';
import { sliceFrom } from './countSlabs';

/** Counts have been summed up to the index of each slice's next box in each slab. */
export function moveToSlabs(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(jobAt: usize, slice: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt), slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const permutation = load4(jobAt, SlabJob.permutation), origin = load4(jobAt, SlabJob.origin), scale = load4(jobAt, SlabJob.scale);
  const swept: usize = load<u32>(jobAt, SlabJob.sweptAt);
  const places = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * <usize>load<u32>(jobAt, SlabJob.countsStride);
  const secondFrom = load<u32>(jobAt, SlabJob.secondFrom), bystandersFrom = load<u32>(jobAt, SlabJob.bystandersFrom);
  const end = sliceFrom(jobAt, <u64>slice + 1);
  for (let id = sliceFrom(jobAt, slice); id < end; id++) {
    const at = boxes + <usize>id * 24, low = lowOf(at), high = highOf(at);
    if (!isBox(low, high)) continue;
    const from = cellsWithin(unitsOf(i8x16.swizzle(low, permutation), origin, scale)), to = cellsWithin(unitsOf(i8x16.swizzle(high, permutation), origin, scale));
    const box = sweptBox(from, to, tagOf(id, flagsOf(id, secondFrom, bystandersFrom)));
    const before = flagged(box, BEFORE_SLAB), firstSlab = slabOf(i32x4.extract_lane(from, 1), slabCount), lastSlab = slabOf(i32x4.extract_lane(to, 1), slabCount);
    const first = places + (<usize>firstSlab << 2), last = places + (<usize>lastSlab << 2), i = load<u32>(first), k = load<u32>(last);
    // Where first and last are one, what is written last is right: no branch to mispredict.
    store<u32>(last, k + u32(lastSlab > firstSlab));
    store<u32>(first, i + 1);
    v128.store(swept + <usize>k * SweptBox.SIZE, before);
    v128.store(swept + <usize>i * SweptBox.SIZE, box);
    for (let slab = first + 4; slab < last; slab += 4) {
      const index = load<u32>(slab);
      store<u32>(slab, index + 1);
      v128.store(swept + <usize>index * SweptBox.SIZE, before);
    }
  }
}
