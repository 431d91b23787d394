// Lists the triangles that may be nearest to a point, if `closestPoints` could not decide which of them is
// nearest.
import { PointsJob, PointsSlice } from '../records';
import { beginPoint } from './nearestTriangle';
import { searchTree } from './searchTree';

/**
 * Lists these triangles for the points begin <= i < end. The distance that the job gives for a point must be
 * an upper bound of the distance between the point and its nearest triangle.
 */
export function listNearTriangles(jobAt: usize, begin: u32, end: u32): void {
  const slice: usize = load<u32>(jobAt, PointsJob.slicesAt);
  for (let point = begin; point < end; point++) {
    const scratch: usize = load<u32>(slice, PointsSlice.scratchAt);
    const limit = load<f64>(<usize>load<u32>(jobAt, PointsJob.distancesAt) + ((<usize>point) << 3));
    beginPoint(scratch, <usize>load<u32>(jobAt, PointsJob.pointsAt) + <usize>point * 24, limit);
    searchTree(scratch, load<u32>(jobAt, PointsJob.meshAt), load<u32>(slice, PointsSlice.stackAt), jobAt);
  }
}
