// Places the moving bodies of a pose. The records and boxes of bodies that have not moved stay valid.

import { writeBox } from '../mesh/placedBox';
import { prepareMesh } from '../mesh/placedMesh';
import { BodyRecord, HAS_TRIANGLES, POSE_BOX_BYTES, PosesJob, PoseSlice } from '../records';
import { isPlacement, updateRows, writeOrientedBox } from '../scene/placeBodies';

/**
 * Places the moving bodies of a pose. Skips bodies that have not moved since the pose that this slice tested
 * before. Returns false for an invalid matrix. matrix: the placements, 16 f64 each or, if isDouble is false, 16
 * f32.
 */
export function placePose(job: usize, slice: usize, matrix: usize, isDouble: bool): bool {
  const count: usize = load<u32>(job, PosesJob.movingCount);
  const bytes: usize = isDouble ? 128 : 64;
  const areShared = load<u32>(job, PosesJob.areShared) != 0;
  let body: usize = load<u32>(slice, PoseSlice.bodiesAt);
  let box: usize = load<u32>(slice, PoseSlice.boxesAt);
  for (let i: usize = 0; i < count; i++, matrix += bytes, body += BodyRecord.SIZE, box += POSE_BOX_BYTES) {
    if (!isPlacement(matrix, isDouble)) return false;
    if (!updateRows(matrix, isDouble, body) || load<u32>(body, BodyRecord.presence) != HAS_TRIANGLES)
      continue;
    writeBox(body, box);
    store<u32>(body, 1, BodyRecord.moved);
    if (areShared) completeBody(body);
  }
  return true;
}

/**
 * Computes the data that a moved body needs once its box overlaps another body's box or is near enough to it.
 * Most bodies never need these data. If threads will share the bodies, `placePose` completes all of them before
 * any test.
 */
// @ts-ignore: decorator
@inline
export function completeBody(body: usize): void {
  if (load<u32>(body, BodyRecord.moved) == 0) return;
  store<u32>(body, 0, BodyRecord.moved);
  writeOrientedBox(body);
  prepareMesh(load<u32>(body, BodyRecord.meshAt), body + BodyRecord.rows, body + BodyRecord.placed);
}
