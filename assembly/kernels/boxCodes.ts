// Boxes -> codes whose order is that of the leaves of a tree: their centres' places along the Morton curve, ten bits an axis at a
// time. Where boxes crowd on many scales the lowest bits are sorted by first, the highest last.
import { sliceStart } from '../boxSlices';
import { BoxTreeJob } from '../layout';
import { mortonCode } from '../morton';

/** With ids given, codes are written in their order; else in the boxes' own, and the ids with them. */
export function boxCodes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxTreeJob.boxesAt), keys: usize = load<u32>(jobAt, BoxTreeJob.keysAt), ids: usize = load<u32>(jobAt, BoxTreeJob.idsAt);
  const first = load<u32>(jobAt, BoxTreeJob.first), last = load<u32>(jobAt, BoxTreeJob.last), sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const shift = load<u32>(jobAt, BoxTreeJob.shift), isKnown = load<u32>(jobAt, BoxTreeJob.areIdsKnown) != 0;
  for (let slice = begin; slice < end; slice++) {
    const stop = sliceStart(first, last, sliceCount, <u64>slice + 1);
    for (let i = sliceStart(first, last, sliceCount, slice); i < stop; i++) {
      const at = <usize>(i - first) << 2;
      const id = isKnown ? load<u32>(ids + at) : i, box = boxes + <usize>id * 24;
      const cells = i32x4(cellOf(jobAt, box, 0), cellOf(jobAt, box, 4), cellOf(jobAt, box, 8), 0);
      store<u32>(keys + at, mortonCode(i32x4.shr_u(cells, shift)));
      store<u32>(ids + at, id);
    }
  }
}

// Of the corners' sum, which doubles hold exactly enough. Of empty boxes any cell will do.
// @ts-ignore: decorator
@inline function cellOf(job: usize, box: usize, axis: usize): i32 {
  const sum = <f64>load<f32>(box + axis) + <f64>load<f32>(box + axis, 12);
  return <i32>((sum - load<f64>(job + 2 * axis, BoxTreeJob.origin)) * load<f64>(job, BoxTreeJob.scale));
}
