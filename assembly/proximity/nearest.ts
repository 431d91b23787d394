// Keeps the state of a distance search. All threads share the smallest distance found so far, and lower it when
// they find a smaller one. Limits for skipping boxes are derived from this distance. Each thread also stores
// the nearest triangles that it has found itself.
import { INTERSECT, TOO_WIDE } from '../exact/trianglesIntersect';
import { DistanceJob, DistanceSearch, NOTHING, PairRecord } from '../records';
import { computeTriangleDistance, DISTANCE_BYTES } from './computeTriangleDistance';
import { placePair } from './placePair';

/**
 * Byte offsets in the scratch memory of a DistanceSearch. This memory begins with the bounds of 16 pairs of
 * boxes (16 floats) and space for 16 more floats. The corners of one triangle pair, the result of the distance
 * test of this pair, and working memory follow.
 */
const POINTS_AT: usize = 128;
const RESULT_AT: usize = POINTS_AT + 144;
const WORK_AT: usize = RESULT_AT + 64;

const MAX_FLOAT: f32 = 3.4028234663852886e38;
// Factors that make up for rounding errors. ROUND_UP is 1 + 2^-20, so it covers 15 float roundings, each with a
// relative error of at most 2^-24. ROUND_DOWN is 1 - 2^-20, its counterpart for rounding down.
const ROUND_UP: f64 = 1.00000095367431640625;
const ROUND_DOWN: f64 = 0.99999904632568359375;

export function loadBest(job: usize): f64 {
  return reinterpret<f64>(atomic.load<u64>(job, DistanceJob.best));
}

/**
 * Returns an upper bound of the true distance of two triangles whose computed distance is at most `best`.
 * The returned bound is in multiples of the job's `unit`.
 */
export function lengthOf(job: usize, best: f64): f64 {
  return (best + load<f64>(job, DistanceJob.margin)) / load<f64>(job, DistanceJob.unit);
}

/**
 * Returns a limit for the squared lower bounds of pairs of boxes. If the bound of a pair exceeds the limit,
 * the boxes contain no triangles whose computed distance is at most `best`. Bounds of empty boxes always
 * exceed the limit.
 */
export function limitOf(job: usize, best: f64): f32 {
  const length = lengthOf(job, best) * ROUND_UP;
  const square = length * length;
  // ROUND_UP covers the rounding to float. Underflow is safe: if the limit becomes 0, then every bound that
  // does not exceed the exact limit becomes 0 too. A bound that becomes too small only causes an unnecessary
  // test.
  return square < <f64>MAX_FLOAT ? <f32>square : MAX_FLOAT;
}

// Lowers the shared smallest distance to `distance` if that is smaller. Repeats the exchange if another
// thread has lowered it in the meantime.
function lowerBest(job: usize, distance: f64): void {
  for (let known = atomic.load<u64>(job, DistanceJob.best); distance < reinterpret<f64>(known); ) {
    const found = atomic.cmpxchg<u64>(job, known, reinterpret<u64>(distance), DistanceJob.best);
    if (found == known) return;
    known = found;
  }
}

/**
 * Computes the distance between triangle `first` of the pair record's mesh A and triangle `second` of its mesh
 * B. Stores the two triangles in the search if no thread has found nearer triangles so far. If two triangle
 * pairs of a search are equally near, the search keeps the pair whose triangle in the user's first mesh has the
 * smaller index. If these indices are equal, it keeps the pair whose triangle in the user's second mesh has the
 * smaller index. Returns whether the triangles intersect.
 */
export function measure(job: usize, search: usize, first: u32, second: u32): bool {
  const scratch: usize = load<u32>(search, DistanceSearch.scratchAt);
  const points = scratch + POINTS_AT;
  const result = scratch + RESULT_AT;
  const work = scratch + WORK_AT;
  placePair(load<u32>(job, DistanceJob.pairAt), first, second, points);
  const verdict = computeTriangleDistance(points, result, work, work + DISTANCE_BYTES);
  const distance = load<f64>(result);
  store<f64>(search, load<f64>(search, DistanceSearch.triangleTests) + 1, DistanceSearch.triangleTests);
  if (verdict == INTERSECT) {
    atomic.store<u32>(job, 1, DistanceJob.intersects);
    return true;
  }
  if (verdict == TOO_WIDE) appendWide(search, first, second);
  if (!(distance <= loadBest(job))) return false;
  lowerBest(job, distance);
  const isSwapped = load<u32>(job, DistanceJob.swapped) != 0;
  const a = isSwapped ? second : first;
  const b = isSwapped ? first : second;
  const own = load<f64>(search, DistanceSearch.distance);
  const ownA = load<u32>(search, DistanceSearch.triangleA);
  if (
    ownA != NOTHING &&
    (distance > own ||
      (distance == own && (a > ownA || (a == ownA && b >= load<u32>(search, DistanceSearch.triangleB)))))
  )
    return false;
  store<f64>(search, distance, DistanceSearch.distance);
  store<u32>(search, a, DistanceSearch.triangleA);
  store<u32>(search, b, DistanceSearch.triangleB);
  setDirections(job, search, result + 8);
  memory.copy(search + DistanceSearch.points + (isSwapped ? 24 : 0), result + 8, 24);
  memory.copy(search + DistanceSearch.points + (isSwapped ? 0 : 24), result + 32, 24);
  return false;
}

function appendWide(search: usize, first: u32, second: u32): void {
  const count = load<u32>(search, DistanceSearch.wideCount);
  if (count < load<u32>(search, DistanceSearch.wideCapacity)) {
    const at = <usize>load<u32>(search, DistanceSearch.wideAt) + ((<usize>count) << 3);
    store<u32>(at, first);
    store<u32>(at, second, 4);
  }
  store<u32>(search, count + 1, DistanceSearch.wideCount);
}

// Sets the three directions of a search: the direction from the first to the second of two points (6 f64),
// and two directions perpendicular to it. Gaps between boxes or triangles along these directions are lower
// bounds of their distances.
function setDirections(job: usize, search: usize, points: usize): void {
  let x = load<f64>(points, 24) - load<f64>(points);
  let y = load<f64>(points, 32) - load<f64>(points, 8);
  let z = load<f64>(points, 40) - load<f64>(points, 16);
  const length = sqrt(x * x + y * y + z * z);
  // Keep the previous directions if squares of coordinates may overflow or underflow.
  if (!(length > 1e-150 && length < 1e150)) return;
  x /= length;
  y /= length;
  z /= length;
  // The second direction is perpendicular to the first direction, and to the coordinate axis along which the
  // first direction has its smallest component.
  let sideX: f64 = 0;
  let sideY: f64 = -z;
  let sideZ: f64 = y;
  if (abs(y) <= abs(x) && abs(y) <= abs(z)) {
    sideX = z;
    sideY = 0;
    sideZ = -x;
  } else if (abs(z) <= abs(x)) {
    sideX = -y;
    sideY = x;
    sideZ = 0;
  }
  const side = sqrt(sideX * sideX + sideY * sideY + sideZ * sideZ);
  sideX /= side;
  sideY /= side;
  sideZ /= side;
  store<f32>(search, 0, DistanceSearch.size);
  store<f32>(search, 0, DistanceSearch.sizeB);
  putDirection(job, search, 0, x, y, z);
  putDirection(job, search, 1, sideX, sideY, sideZ);
  putDirection(job, search, 2, y * sideZ - z * sideY, z * sideX - x * sideZ, x * sideY - y * sideX);
  // The pair record's slackA is at least e + 16 u s (see placePairs.ts): e is the maximum error of a placed
  // coordinate, u is the relative rounding error of floats, and s is the sum of the magnitudes of all inputs of
  // the transform of a box. So 2 * size * slackA bounds the error of a position along a direction.
  store<f32>(
    search,
    2 *
      load<f32>(search, DistanceSearch.size) *
      load<f32>(load<u32>(job, DistanceJob.pairAt), PairRecord.slackA),
    DistanceSearch.error,
  );
}

// Writes direction `which`, given as x, y, z in the common frame, as two vectors and an offset. The dot
// product of the first vector with a point in A's normalized frame is the point's position along the direction,
// in multiples of the job's `unit`. The second vector does the same for B, but the offset must be added. The
// factor ROUND_DOWN makes the direction slightly shorter than 1, so that roundings of the projection cannot
// make a gap exceed the distance. The rounding errors of the direction's own components are bounded where the
// direction is used (DistanceSearch.error, measureLeaves.ts).
function putDirection(job: usize, search: usize, which: usize, x: f64, y: f64, z: f64): void {
  const pair: usize = load<u32>(job, DistanceJob.pairAt);
  const alongA = search + DistanceSearch.alongA + which * 12;
  const alongB = search + DistanceSearch.alongB + which * 12;
  let offset: f64 = 0;
  let size: f64 = 0;
  let sizeB: f64 = 0;
  let b0: f64 = 0;
  let b1: f64 = 0;
  let b2: f64 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const to = job + DistanceJob.toCommon + (axis << 3);
    const row = pair + PairRecord.toA + (axis << 4);
    const sizes = pair + PairRecord.absToA + axis * 12;
    const along = <f32>(ROUND_DOWN * (x * load<f64>(to) + y * load<f64>(to, 24) + z * load<f64>(to, 48)));
    store<f32>(alongA + (axis << 2), along);
    b0 += <f64>along * <f64>load<f32>(row);
    b1 += <f64>along * <f64>load<f32>(row, 4);
    b2 += <f64>along * <f64>load<f32>(row, 8);
    offset += <f64>along * <f64>load<f32>(row, 12);
    size += <f64>abs(along);
    sizeB += <f64>abs(along) * (<f64>load<f32>(sizes) + <f64>load<f32>(sizes, 4) + <f64>load<f32>(sizes, 8));
  }
  store<f32>(alongB, <f32>b0);
  store<f32>(alongB, <f32>b1, 4);
  store<f32>(alongB, <f32>b2, 8);
  store<f32>(search + (which << 2), <f32>offset, DistanceSearch.offsets);
  store<f32>(
    search,
    max<f32>(load<f32>(search, DistanceSearch.size), <f32>(size * ROUND_UP)),
    DistanceSearch.size,
  );
  store<f32>(
    search,
    max<f32>(load<f32>(search, DistanceSearch.sizeB), <f32>(sizeB * ROUND_UP)),
    DistanceSearch.sizeB,
  );
}
