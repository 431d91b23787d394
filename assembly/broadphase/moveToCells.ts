// Second step of distributing boxes to cells of space: each slice writes its boxes to the cells that they
// overlap, as SapBox records and in the order of the boxes. (The first step, assignToCells, finds these cells
// and counts their boxes.)

import { Cell, CellJob, CellShare, SapBox } from '../records';
import { load4, lt, maskBits } from '../simd/lanes';
import { maxCornerOf, minCornerOf } from './boxLoad';
import { flagsOf } from './boxSlices';
import { clampedCells, makeSapBox, tagOf, unitsOf } from './sapBox';

/**
 * Requires that the counts have been replaced by prefix sums: for each slice and cell, the index at which the
 * slice writes its next box of that cell.
 */
export function moveToCells(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(job: usize, slice: u32): void {
  const boxes: usize = load<u32>(job, CellJob.boxesAt);
  const cellCount = (<usize>1) << load<u32>(job, CellJob.depth);
  const cells = <usize>load<u32>(job, CellJob.cellsAt) - cellCount * Cell.SIZE;
  const sapBoxes: usize = load<u32>(job, CellJob.sapBoxesAt);
  const cursors =
    <usize>load<u32>(job, CellJob.countsAt) +
    <usize>slice * <usize>load<u32>(job, CellJob.countsStride) -
    (cellCount << 2);
  const share = <usize>load<u32>(job, CellJob.sharesAt) + <usize>slice * CellShare.SIZE;
  const secondFrom = load<u32>(job, CellJob.secondFrom);
  const passiveFrom = load<u32>(job, CellJob.passiveFrom);
  const permutation = load4(job, CellJob.permutation);
  const entries: usize = load<u32>(share, CellShare.entriesAt);
  const end = entries + ((<usize>load<u32>(share, CellShare.count)) << 3);
  for (let entry = entries; entry < end; entry += 8) {
    const node = <usize>load<u32>(entry);
    const box = <usize>load<u32>(entry, 4);
    const id = <u32>(box - boxes) / 24;
    const cell = cells + node * Cell.SIZE;
    const place = cursors + (node << 2);
    const low = i8x16.swizzle(minCornerOf(box), permutation);
    const high = i8x16.swizzle(maxCornerOf(box), permutation);
    const origin = load4(cell, Cell.origin);
    const scale = load4(cell, Cell.scale);
    // Bits 0 to 2 of `before` are set if the box begins before the cell on the sweep, slab and column axis.
    // They are the three lowest flags of a SapBox.
    const before = <u32>maskBits(lt(low, load4(cell, Cell.low))) & 7;
    const index = <usize>load<u32>(place);
    store<u32>(place, <u32>index + 1);
    v128.store(
      sapBoxes + index * SapBox.SIZE,
      makeSapBox(
        clampedCells(unitsOf(low, origin, scale)),
        clampedCells(unitsOf(high, origin, scale)),
        tagOf(id, before | flagsOf(id, secondFrom, passiveFrom)),
      ),
    );
  }
}
