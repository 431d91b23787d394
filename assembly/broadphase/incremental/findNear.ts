// Lists the boxes that have moved, and after them all other boxes that may overlap a moved box. A coarse grid
// with one bit per cell marks each cell in which a small box that overlaps a moved box may have its min corner.
// A box counts as small if it is at most as large as the job's `reach` on each axis. Unmoved boxes that are not
// small are listed whether or not their cell is marked. Runs on one thread: the slice is ignored.

import { NEAR_CELLS, NearMovedJob } from '../../records';
import { gt, load4, maskBits, max4, mul, splat, sub } from '../../simd/lanes';
import { copyBox, isNonEmpty, maxCornerOf, minCornerOf } from '../boxLoad';
import { cells4 } from '../cells';
import { ROUNDING_FACTOR } from './movedBoxCells';

export function findNear(jobAt: usize, begin: u32, end: u32): void {
  memory.fill(load<u32>(jobAt, NearMovedJob.gridAt), 0, (<usize>(NEAR_CELLS * NEAR_CELLS)) << 3);
  const movedCount = listMoved(jobAt);
  store<u32>(jobAt, movedCount, NearMovedJob.movedCount);
  store<u32>(jobAt, listNear(jobAt, movedCount), NearMovedJob.count);
}

// Lists the moved boxes that are not empty. For each moved box, marks each cell in which a small box that
// overlaps the moved box may have its min corner. Each word of the grid holds the marks of a row of cells along
// the third axis. Returns the number of listed boxes.
function listMoved(job: usize): u32 {
  const boxes: usize = load<u32>(job, NearMovedJob.boxesAt);
  const moved: usize = load<u32>(job, NearMovedJob.movedAt);
  const grid: usize = load<u32>(job, NearMovedJob.gridAt);
  const origin = load4(job, NearMovedJob.origin);
  const scale = load4(job, NearMovedJob.scale);
  const minCorner = load4(job, NearMovedJob.low);
  const reach = mul(load4(job, NearMovedJob.reach), splat(ROUNDING_FACTOR));
  const boxCount: usize = load<u32>(job, NearMovedJob.boxCount);
  let count: u32 = 0;
  for (let id: usize = 0; id < boxCount; id++) {
    const box = boxes + id * 24;
    if (load<u8>(moved + id) == 0 || !isNonEmpty(minCornerOf(box), maxCornerOf(box))) continue;
    put(job, count++, box, id);
    const from = cells4(max4(sub(minCornerOf(box), reach), minCorner), origin, scale);
    const to = cells4(maxCornerOf(box), origin, scale);
    const z0 = i32x4.extract_lane(from, 2);
    const z1 = i32x4.extract_lane(to, 2);
    const marks = ((<u64>-1) << (<u64>z0)) & (<u64>-1 >> <u64>(63 - z1));
    const x1 = i32x4.extract_lane(to, 0);
    const y1 = i32x4.extract_lane(to, 1);
    for (let x = i32x4.extract_lane(from, 0); x <= x1; x++) {
      for (let y = i32x4.extract_lane(from, 1); y <= y1; y++) {
        const cell = grid + ((<usize>(x * NEAR_CELLS + y)) << 3);
        store<u64>(cell, load<u64>(cell) | marks);
      }
    }
  }
  return count;
}

// Appends the unmoved boxes that may overlap a moved box. To avoid a branch, each unmoved box is written, but
// the count grows only if the box is larger than `reach`, or if the cell of its min corner is marked. Returns
// the new count.
function listNear(job: usize, from: u32): u32 {
  const boxes: usize = load<u32>(job, NearMovedJob.boxesAt);
  const moved: usize = load<u32>(job, NearMovedJob.movedAt);
  const grid: usize = load<u32>(job, NearMovedJob.gridAt);
  const origin = load4(job, NearMovedJob.origin);
  const scale = load4(job, NearMovedJob.scale);
  const reach = load4(job, NearMovedJob.reach);
  const boxCount: usize = load<u32>(job, NearMovedJob.boxCount);
  let count = from;
  for (let id: usize = 0; id < boxCount; id++) {
    const box = boxes + id * 24;
    const low = minCornerOf(box);
    const high = maxCornerOf(box);
    if (load<u8>(moved + id) != 0 || !isNonEmpty(low, high)) continue;
    put(job, count, box, id);
    const cell = cells4(low, origin, scale);
    const marks = load<u64>(
      grid + ((<usize>(i32x4.extract_lane(cell, 0) * NEAR_CELLS + i32x4.extract_lane(cell, 1))) << 3),
    );
    const isMarked = <u32>(marks >> <u64>i32x4.extract_lane(cell, 2)) & 1;
    const isLarge = u32((maskBits(gt(sub(high, low), reach)) & 7) != 0);
    count += isMarked | isLarge;
  }
  return count;
}

function put(job: usize, index: u32, box: usize, id: usize): void {
  copyBox(box, <usize>load<u32>(job, NearMovedJob.toBoxesAt) + <usize>index * 24);
  store<u32>(<usize>load<u32>(job, NearMovedJob.toIdsAt) + ((<usize>index) << 2), <u32>id);
}
