// Boxes of which some have moved -> those, and behind them all others that share a cell with one of them: whoever overlaps a
// mover is among these. The slice is ignored: one thread a job.
import { highOf, isBox, lowOf } from '../boxLoad';
import { cells4 } from '../cells';
import { FindNearJob, NEAR_CELLS } from '../layout';
import { load4 } from '../lanes';

export function findNear(jobAt: usize, begin: u32, end: u32): void {
  memory.fill(load<u32>(jobAt, FindNearJob.gridAt), 0, <usize>(NEAR_CELLS * NEAR_CELLS) << 3);
  store<u32>(jobAt, 0, FindNearJob.count);
  collect(jobAt, true);
  store<u32>(jobAt, load<u32>(jobAt, FindNearJob.count), FindNearJob.moverCount);
  collect(jobAt, false);
}

// Movers mark their cells, a bit each along the third axis; the others ask whether any of theirs is marked.
function collect(job: usize, movers: bool): void {
  const boxes: usize = load<u32>(job, FindNearJob.boxesAt), moved: usize = load<u32>(job, FindNearJob.movedAt), grid: usize = load<u32>(job, FindNearJob.gridAt);
  const toBoxes: usize = load<u32>(job, FindNearJob.toBoxesAt), toIds: usize = load<u32>(job, FindNearJob.toIdsAt);
  const origin = load4(job, FindNearJob.origin), scale = load4(job, FindNearJob.scale);
  const boxCount: usize = load<u32>(job, FindNearJob.boxCount);
  let count = <usize>load<u32>(job, FindNearJob.count);
  for (let id: usize = 0; id < boxCount; id++) {
    if ((load<u8>(moved + id) != 0) != movers) continue;
    const box = boxes + id * 24;
    if (!isBox(lowOf(box), highOf(box))) continue;
    const from = cells4(lowOf(box), origin, scale), to = cells4(highOf(box), origin, scale);
    const z0 = i32x4.extract_lane(from, 2), z1 = i32x4.extract_lane(to, 2);
    const bits = ((<u64>-1) << <u64>z0) & ((<u64>-1) >> <u64>(63 - z1));
    let isNear = movers;
    const x1 = i32x4.extract_lane(to, 0), y1 = i32x4.extract_lane(to, 1);
    for (let x = i32x4.extract_lane(from, 0); x <= x1; x++) {
      for (let y = i32x4.extract_lane(from, 1); y <= y1; y++) {
        const cell = grid + (<usize>(x * NEAR_CELLS + y) << 3);
        if (movers) store<u64>(cell, load<u64>(cell) | bits);
        else isNear = isNear || (load<u64>(cell) & bits) != 0;
      }
    }
    // Written in any case, kept only when near: room for one more is there.
    const at = toBoxes + count * 24;
    v128.store(at, load4(box));
    v128.store(at, load4(box, 8), 8);
    store<u32>(toIds + (count << 2), <u32>id);
    count += <usize>isNear;
  }
  store<u32>(job, <u32>count, FindNearJob.count);
}
