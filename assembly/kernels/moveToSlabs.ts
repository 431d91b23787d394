// Boxes and where each slice's boxes of each slab go -> SweptBoxes slab by slab, in the boxes' order. Second half of cutting.
import { highOf, isBox, lowOf } from '../boxLoad';
import { flagsOf } from '../boxSlices';
import { BEFORE_SLAB, SlabJob, SWEEP_CELLS, SweptBox } from '../layout';
import { load4, mul, splat, sub } from '../lanes';
import { flagged, slabOf, tagOf, unitsOf, wholeCells, withTag } from '../sweptBox';
import { sliceFrom } from './countSlabs';

/** Counts have been summed up to the index of each slice's next box in each slab. */
export function moveToSlabs(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(jobAt: usize, slice: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt);
  const permutation = load4(jobAt, SlabJob.permutation), origin = load4(jobAt, SlabJob.origin), scale = load4(jobAt, SlabJob.scale);
  const swept: usize = load<u32>(jobAt, SlabJob.sweptAt), nowhere = <usize>load<u32>(jobAt, SlabJob.nowhereAt) + <usize>slice * 64;
  const places = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * <usize>load<u32>(jobAt, SlabJob.countsStride);
  const secondFrom = load<u32>(jobAt, SlabJob.secondFrom), bystandersFrom = load<u32>(jobAt, SlabJob.bystandersFrom);
  const end = sliceFrom(jobAt, <u64>slice + 1);
  for (let id = sliceFrom(jobAt, slice); id < end; id++) {
    const box = boxes + <usize>id * 24;
    if (!isBox(lowOf(box), highOf(box))) continue;
    const from = unitsOf(i8x16.swizzle(lowOf(box), permutation), origin, scale), to = unitsOf(i8x16.swizzle(highOf(box), permutation), origin, scale);
    const first = slabOf(from), last = slabOf(to), tag = tagOf(id, flagsOf(id, secondFrom, bystandersFrom));
    // A slab reaches half its width to both sides of its number; within it there are as many cells as elsewhere on all of an axis.
    const starts = sub(f32x4.convert_i32x4_u(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(first), 2, last), 3, last)), splat(0.5));
    const xz = wholeCells(v128.shuffle<f32>(from, to, 0, 2, 4, 6)), y = wholeCells(mul(sub(v128.shuffle<f32>(from, to, 1, 5, 1, 5), starts), splat(<f32>SWEEP_CELLS)));
    // Least x and z, greatest x and z; least and greatest y in the first slab, in the last.
    const cells = i16x8.narrow_i32x4_s(xz, y);
    put(swept, places + (<usize>first << 2), nowhere, true, withTag(v128.shuffle<i16>(cells, cells, 0, 4, 1, 2, 5, 3, 0, 0), tag));
    // Where first and last are one the second copy goes nowhere: no branch to mispredict.
    put(swept, places + (<usize>last << 2), nowhere, last > first, flagged(withTag(v128.shuffle<i16>(cells, cells, 0, 6, 1, 2, 7, 3, 0, 0), tag), BEFORE_SLAB));
    for (let s = first + 1; s < last; s++) {
      const across = i16x8.replace_lane(i16x8.replace_lane(v128.shuffle<i16>(cells, cells, 0, 4, 1, 2, 5, 3, 0, 0), 1, 0), 4, <i16>(SWEEP_CELLS - 1));
      put(swept, places + (<usize>s << 2), nowhere, true, flagged(withTag(across, tag), BEFORE_SLAB));
    }
  }
}

// @ts-ignore: decorator
@inline function put(swept: usize, place: usize, nowhere: usize, isThere: bool, box: v128): void {
  const index = load<u32>(place);
  store<u32>(place, index + u32(isThere));
  v128.store(select<usize>(swept + <usize>index * SweptBox.SIZE, nowhere, isThere), box);
}
