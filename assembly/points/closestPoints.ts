// Finds the nearest triangle of a mesh and the closest point on it, for each of many points.
import { NOTHING, POINT_BLOCK, PointsJob, PointsSlice, UNDECIDED_TRIANGLE } from '../records';
import { BEST, beginPoint, DISTANCE, endPoint, NEAREST, UPPER } from './nearestTriangle';
import { searchTree } from './searchTree';

/** Slice i repeatedly takes the next block of points from a shared counter, until no points are left. */
export function closestPoints(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, PointsJob.pointCount);
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, PointsJob.slicesAt) + <usize>i * PointsSlice.SIZE;
    for (;;) {
      const first = atomic.add<u32>(jobAt, POINT_BLOCK, PointsJob.cursor);
      if (first >= count) break;
      for (let point = first; point < min(count, first + POINT_BLOCK); point++)
        findClosest(jobAt, slice, point);
    }
  }
}

function findClosest(job: usize, slice: usize, point: u32): void {
  const mesh: usize = load<u32>(job, PointsJob.meshAt);
  const scratch: usize = load<u32>(slice, PointsSlice.scratchAt);
  const triangleAt = <usize>load<u32>(job, PointsJob.trianglesAt) + ((<usize>point) << 2);
  const distanceAt = <usize>load<u32>(job, PointsJob.distancesAt) + ((<usize>point) << 3);
  const at = <usize>point * 24;
  beginPoint(scratch, <usize>load<u32>(job, PointsJob.pointsAt) + at, load<f64>(job, PointsJob.limit));
  searchTree(scratch, mesh, load<u32>(slice, PointsSlice.stackAt), 0);
  const triangle = load<u32>(scratch, BEST);
  if (triangle == NOTHING) {
    store<u32>(triangleAt, NOTHING);
    return;
  }
  if (!endPoint(scratch)) {
    store<u32>(triangleAt, UNDECIDED_TRIANGLE);
    store<f64>(distanceAt, load<f64>(scratch, UPPER));
    store<u32>(slice, load<u32>(slice, PointsSlice.undecidedCount) + 1, PointsSlice.undecidedCount);
    return;
  }
  store<u32>(triangleAt, triangle);
  store<f64>(distanceAt, load<f64>(scratch, DISTANCE));
  memory.copy(<usize>load<u32>(job, PointsJob.nearestAt) + at, scratch + NEAREST, 24);
}
