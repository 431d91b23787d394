// Computes the Morton codes of the centers of boxes. The boxes of a tree are sorted by these codes. A code
// has ten bits per axis. If many boxes would have the same code, the boxes are sorted by 30 bits per axis
// instead: in three passes of ten bits per axis, lowest bits first.

import { mortonCode } from '../bvh/morton';
import { BoxTreeJob } from '../records';
import { sliceStart } from './boxSlices';

/**
 * Writes the sort keys and the ids of the boxes. The key of a box is a Morton code. It is made from ten bits
 * of the box's cell number on each axis: bits `shift` to `shift` + 9. If `shift` is 0, sorting takes three
 * passes. In this case, also stores the codes of the higher bits, which are the keys of the later passes.
 */
export function computeBoxCodes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxTreeJob.boxesAt);
  const keys: usize = load<u32>(jobAt, BoxTreeJob.keysAt);
  const ids: usize = load<u32>(jobAt, BoxTreeJob.idsAt);
  const first = load<u32>(jobAt, BoxTreeJob.first);
  const last = load<u32>(jobAt, BoxTreeJob.last);
  const sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const shift = load<u32>(jobAt, BoxTreeJob.shift);
  const codes: usize = load<u32>(jobAt, BoxTreeJob.codesAt);
  for (let slice = begin; slice < end; slice++) {
    const stop = sliceStart(first, last, sliceCount, <u64>slice + 1);
    for (let id = sliceStart(first, last, sliceCount, slice); id < stop; id++) {
      const at = (<usize>(id - first)) << 2;
      const box = boxes + <usize>id * 24;
      const cells = i32x4(cellOf(jobAt, box, 0), cellOf(jobAt, box, 4), cellOf(jobAt, box, 8), 0);
      store<u32>(keys + at, mortonCode(i32x4.shr_u(cells, shift)));
      store<u32>(ids + at, id);
      if (shift == 0)
        store<u64>(
          codes + 2 * at,
          <u64>mortonCode(i32x4.shr_u(cells, 10)) | ((<u64>mortonCode(i32x4.shr_u(cells, 20))) << 32),
        );
    }
  }
}

// Returns the cell of a box's center on an axis. Computes in doubles with the sum of the two corners, which
// is twice the center; `origin` and `scale` are for this sum. Doubles are precise enough for 30 bits. The
// cell of an empty box does not matter.
function cellOf(job: usize, box: usize, axis: usize): i32 {
  const sum = <f64>load<f32>(box + axis) + <f64>load<f32>(box + axis, 12);
  return <i32>((sum - load<f64>(job + 2 * axis, BoxTreeJob.origin)) * load<f64>(job, BoxTreeJob.scale));
}
