// Boxes -> codes whose order is that of the leaves of a tree: their centres' places along the Morton curve. First the upper halves of the cells' numbers; where boxes crowd in too few of those, the lower halves are sorted by before.
import { highOf, lowOf } from '../boxLoad';
import { sliceStart } from '../boxSlices';
import { BoxTreeJob } from '../layout';
import { add, load4, mul, splat, sub } from '../lanes';
import { mortonCode } from '../morton';

/** With ids given, codes are written in their order; else in the boxes' own, and the ids with them. */
export function boxCodes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxTreeJob.boxesAt), keys: usize = load<u32>(jobAt, BoxTreeJob.keysAt), ids: usize = load<u32>(jobAt, BoxTreeJob.idsAt);
  const first = load<u32>(jobAt, BoxTreeJob.first), last = load<u32>(jobAt, BoxTreeJob.last), sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const shift = load<u32>(jobAt, BoxTreeJob.shift);
  const origin = load4(jobAt, BoxTreeJob.origin), scale = splat(load<f32>(jobAt, BoxTreeJob.scale));
  const isKnown = load<u32>(jobAt, BoxTreeJob.areIdsKnown) != 0;
  for (let slice = begin; slice < end; slice++) {
    const stop = sliceStart(first, last, sliceCount, <u64>slice + 1);
    for (let i = sliceStart(first, last, sliceCount, slice); i < stop; i++) {
      const at = <usize>(i - first) << 2;
      const id = isKnown ? load<u32>(ids + at) : i;
      const low = lowOf(boxes + <usize>id * 24), high = highOf(boxes + <usize>id * 24);
      // A quarter cannot overflow; of empty boxes any bits will do.
      const cell = add(mul(sub(add(mul(low, splat(0.25)), mul(high, splat(0.25))), origin), scale), splat(8388608));
      store<u32>(keys + at, mortonCode(i32x4.shr_u(cell, shift)));
      store<u32>(ids + at, id);
    }
  }
}
