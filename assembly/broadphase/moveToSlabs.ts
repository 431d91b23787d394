// Second step of distributing boxes to slabs of space: each slice writes its boxes to the slabs that they
// overlap, as SapBox records and in the order of the boxes. (The first step, countSlabs, counts the boxes of
// each slab.)

import { BEFORE_SLAB, SlabJob } from '../records';
import { load4 } from '../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';
import { flagsOf, sameFlagsUntil } from './boxSlices';
import { sliceFrom } from './countSlabs';
import { cellsWithin, copyToLists, makeSapBox, slabOf, tagOf, unitsOf } from './sapBox';

/**
 * Requires that the counts have been replaced by prefix sums: for each slice and slab, the index at which the
 * slice writes its next box of that slab.
 */
export function moveToSlabs(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(jobAt: usize, slice: u32): void {
  const secondFrom = load<u32>(jobAt, SlabJob.secondFrom);
  const passiveFrom = load<u32>(jobAt, SlabJob.passiveFrom);
  const end = sliceFrom(jobAt, <u64>slice + 1);
  for (let first = sliceFrom(jobAt, slice); first < end; ) {
    const last = sameFlagsUntil(first, end, secondFrom, passiveFrom);
    moveRange(jobAt, slice, first, last, flagsOf(first, secondFrom, passiveFrom));
    first = last;
  }
}

// Moves the boxes from `first` to last - 1. All of them must have these flags.
function moveRange(jobAt: usize, slice: u32, first: u32, last: u32, flags: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt);
  const slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const permutation = load4(jobAt, SlabJob.permutation);
  const origin = load4(jobAt, SlabJob.origin);
  const scale = load4(jobAt, SlabJob.scale);
  const sapBoxes: usize = load<u32>(jobAt, SlabJob.sapBoxesAt);
  const cursors =
    <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * <usize>load<u32>(jobAt, SlabJob.countsStride);
  for (
    let at = boxes + <usize>first * 24, end = boxes + <usize>last * 24, tag = tagOf(first, flags);
    at < end;
    at += 24, tag++
  ) {
    const low = minCornerOf(at);
    const high = maxCornerOf(at);
    if (!isNonEmpty(low, high)) continue;
    const from = cellsWithin(unitsOf(i8x16.swizzle(low, permutation), origin, scale));
    const to = cellsWithin(unitsOf(i8x16.swizzle(high, permutation), origin, scale));
    const box = makeSapBox(from, to, tag);
    const firstSlab = slabOf(i32x4.extract_lane(from, 1), slabCount);
    const lastSlab = slabOf(i32x4.extract_lane(to, 1), slabCount);
    copyToLists(
      sapBoxes,
      box,
      BEFORE_SLAB,
      cursors + ((<usize>firstSlab) << 2),
      cursors + ((<usize>lastSlab) << 2),
    );
  }
}
