// Classifies how the two triangles of each pair intersect and, on request, computes the corners of their
// intersection: the ends of a segment, for example.
import { isOutOfRange } from '../exact/orient';
import { placeTriangle } from '../exact/place';
import { SEGMENT_SCRATCH_BYTES, SegmentJob, SegmentSlice, UNDECIDED } from '../records';
import { MAX_COORDINATE, MIN_COORDINATE, POINT_SCRATCH } from './computeRoundedPoint';
import { INTERSECTION_SCRATCH, intersectTriangles } from './intersectTriangles';
import { cornerCount, TriangleIntersection } from './triangleIntersection';
import { writePoints } from './writePoints';

const CORNERS: usize = 144;
const POINT: usize = 24;
/** The largest number of corners that the intersection of two triangles can have. */
const MAX_POINTS: usize = 6;
const SET: usize = CORNERS;
const POINTS: usize = SET + TriangleIntersection.SIZE;
const SCRATCH: usize = POINTS + MAX_POINTS * POINT;

// Processes the slices from `begin` to `end`, excluding `end`, of a SegmentJob. Each slice covers an equal
// share of the pairs and has its own scratch and output memory, so that slices can run in parallel.
export function findSegments(jobAt: usize, begin: u32, end: u32): void {
  if (SCRATCH + max(INTERSECTION_SCRATCH, POINT_SCRATCH) > <usize>SEGMENT_SCRATCH_BYTES)
    ERROR(
      'SEGMENT_SCRATCH_BYTES is too small for the corners, the intersection, its points and the working memory',
    );
  const pairCount = <u64>load<u32>(jobAt, SegmentJob.pairCount);
  const sliceCount = <u64>load<u32>(jobAt, SegmentJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const scratch = <usize>load<u32>(jobAt, SegmentJob.scratchAt) + <usize>slice * SEGMENT_SCRATCH_BYTES;
    const record = <usize>load<u32>(jobAt, SegmentJob.slicesAt) + <usize>slice * SegmentSlice.SIZE;
    store<u32>(record, 0, SegmentSlice.count);
    store<u32>(record, 0, SegmentSlice.undecided);
    const last = <usize>(((<u64>slice + 1) * pairCount) / sliceCount);
    for (let pair = <usize>((<u64>slice * pairCount) / sliceCount); pair < last; pair++) {
      load<u32>(jobAt, SegmentJob.cornersAt) != 0
        ? memory.copy(scratch, <usize>load<u32>(jobAt, SegmentJob.cornersAt) + pair * CORNERS, CORNERS)
        : placePair(jobAt, pair, scratch);
      findPair(jobAt, record, pair, scratch);
    }
  }
}

function placePair(job: usize, pair: usize, corners: usize): void {
  placeTriangle(
    load<u32>(job, SegmentJob.meshA),
    load<u32>(<usize>load<u32>(job, SegmentJob.aAt) + (pair << 2)),
    load<u32>(job, SegmentJob.placementA),
    corners,
  );
  placeTriangle(
    load<u32>(job, SegmentJob.meshB),
    load<u32>(<usize>load<u32>(job, SegmentJob.bAt) + (pair << 2)),
    load<u32>(job, SegmentJob.placementB),
    corners + CORNERS / 2,
  );
}

// Classifies one pair and, if points are requested, appends the pair's points to the slice's output. If they do
// not all fit, they are counted but not written.
function findPair(job: usize, record: usize, pair: usize, scratch: usize): void {
  const startsAt: usize = load<u32>(job, SegmentJob.startsAt);
  const set = scratch + SET;
  const count = load<u32>(record, SegmentSlice.count);
  if (startsAt != 0) store<u32>(startsAt + (pair << 2), count);
  let kind = UNDECIDED;
  if (!isOutOfRange(scratch, CORNERS, MIN_COORDINATE, MAX_COORDINATE)) {
    intersectTriangles(scratch, set, scratch + SCRATCH);
    if (startsAt == 0 || writePoints(scratch, set, scratch + POINTS, scratch + SCRATCH))
      kind = load<u32>(set, TriangleIntersection.kind);
  }
  store<u8>(<usize>load<u32>(job, SegmentJob.kindsAt) + pair, <u8>kind);
  if (kind == UNDECIDED)
    return store<u32>(record, load<u32>(record, SegmentSlice.undecided) + 1, SegmentSlice.undecided);
  if (startsAt == 0) return;
  const found = cornerCount(set);
  store<u32>(record, count + found, SegmentSlice.count);
  if (count + found > load<u32>(record, SegmentSlice.capacity)) return;
  memory.copy(
    <usize>load<u32>(job, SegmentJob.pointsAt) +
      <usize>(load<u32>(record, SegmentSlice.first) + count) * POINT,
    scratch + POINTS,
    <usize>found * POINT,
  );
}
