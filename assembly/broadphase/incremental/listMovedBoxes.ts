// Lists the boxes that have moved and are not empty, with their ids. Also updates the cells of all boxes that
// have moved, and counts the entries that the listed boxes need in the hash table of `hashMovedBoxes`. Runs on
// one thread: the slice is ignored.

import { MovedHashJob } from '../../records';
import { copyBox, isNonEmpty, maxCornerOf, minCornerOf } from '../boxLoad';
import { cellOfBox, firstCells, lastCells } from './movedBoxCells';

export function listMovedBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, MovedHashJob.boxesAt);
  const moved: usize = load<u32>(jobAt, MovedHashJob.movedAt);
  const cells: usize = load<u32>(jobAt, MovedHashJob.cellsAt);
  const boxCount: usize = load<u32>(jobAt, MovedHashJob.boxCount);
  const toBoxes: usize = load<u32>(jobAt, MovedHashJob.toBoxesAt);
  const toIds: usize = load<u32>(jobAt, MovedHashJob.toIdsAt);
  let count: usize = 0;
  let entries: u64 = 0;
  for (let first: usize = 0; first < boxCount; first += 16) {
    // `moved` has a byte per box, 1 if the box has moved. The bytes past the last box are 0.
    for (let mask = i8x16.bitmask(i8x16.neg(v128.load(moved + first))); mask != 0; mask &= mask - 1) {
      const id = first + <usize>ctz(mask);
      const box = boxes + id * 24;
      store<u32>(cells + (id << 2), cellOfBox(jobAt, box));
      if (!isNonEmpty(minCornerOf(box), maxCornerOf(box))) continue;
      copyBox(box, toBoxes + count * 24);
      store<u32>(toIds + (count++ << 2), <u32>id);
      const sides = i32x4.add(i32x4.sub(lastCells(jobAt, box), firstCells(jobAt, box)), i32x4.splat(1));
      entries +=
        <u64>(i32x4.extract_lane(sides, 0) * i32x4.extract_lane(sides, 1)) *
        <u64>i32x4.extract_lane(sides, 2);
    }
  }
  store<u32>(jobAt, <u32>count, MovedHashJob.movedCount);
  store<u32>(jobAt, <u32>min<u64>(entries, u32.MAX_VALUE), MovedHashJob.entryCount);
}
