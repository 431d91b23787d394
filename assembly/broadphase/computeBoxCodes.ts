// Computes the Morton codes of the boxes' centers. The leaves of a tree are sorted by these codes. A code has
// ten bits per axis. If many boxes would share a code, boxes are sorted by 30 bits per axis, in three
// rounds of ten bits, the lowest bits first.

import { mortonCode } from '../bvh/morton';
import { BoxTreeJob } from '../records';
import { sliceStart } from './boxSlices';

/**
 * Writes the sort keys: the codes of ten bits per axis, from bit `shift` of the cells on. If `shift` is 0,
 * also stores the codes of the higher bits for the later rounds.
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

// Returns the cell of a box's center on an axis. It is computed in doubles from the sum of both corners,
// which is precise enough. The cell of an empty box does not matter.
function cellOf(job: usize, box: usize, axis: usize): i32 {
  const sum = <f64>load<f32>(box + axis) + <f64>load<f32>(box + axis, 12);
  return <i32>((sum - load<f64>(job + 2 * axis, BoxTreeJob.origin)) * load<f64>(job, BoxTreeJob.scale));
}
