// Finds when a moving triangle first touches another triangle. Uses the method of moveCapsule.ts: if one of two
// triangles moves in a straight line, their distance is a convex function of time.

import { placeTriangle } from '../exact/place';
import { CORNERS, nearestOfTriangles, POINTS } from '../proximity/features';
import { CastTarget, ShapeJob } from '../records';
import { along, NEVER, NOISE, nextTime, scale, writeNormal } from './advance';
import { isBetterContact, storeContact } from './contacts';

// The vertices of both triangles are at this offset in working memory: first those of the moving triangle, then
// those of the other triangle, 9 f64 each. The work space of proximity/features.ts ends before this offset.
const PLACED: usize = 576;
const TRIANGLE: usize = 72;

// Two terms bound the rounding error of the distance to a plane. For the first term, the |motion| on an axis
// is added to the |coordinate| of a vertex on this axis, relative to the first vertex of the moving triangle.
// The first term is 2^-46 times the largest such sum of all vertices and axes. The second term is 2^-51 times
// the largest |coordinate| of the placed vertices.
const RELATIVE_ERROR: f64 = 1.4210854715202004e-14;
const PLACED_ERROR: f64 = 4.440892098500626e-16;

/** Places a triangle of the moving mesh for castTriangles. */
export function placeMoving(job: usize, triangle: u32): void {
  placeTriangle(
    load<u32>(job, ShapeJob.movingAt),
    triangle,
    load<u32>(job, ShapeJob.movingPlacementAt),
    job + ShapeJob.work + PLACED,
  );
}

// Writes the vertices of both triangles relative to the first vertex of the moving one. Returns a bound of the
// rounding errors of distances.
function beginTriangles(job: usize): f64 {
  const work = job + ShapeJob.work;
  let placed: f64 = 0;
  let relative: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const start = load<f64>(work + axis, PLACED);
    const motion = abs(load<f64>(job + axis, ShapeJob.motion));
    for (let corner: usize = 0; corner < 2 * TRIANGLE; corner += 24) {
      const coordinate = load<f64>(work + corner + axis, PLACED);
      placed = max(placed, abs(coordinate));
      relative = max(relative, abs(coordinate - start) + motion);
      store<f64>(work + corner + axis, coordinate - start, CORNERS);
    }
  }
  return RELATIVE_ERROR * relative + PLACED_ERROR * placed;
}

// Moves the moving triangle to its place at the given time.
function moveTo(job: usize, time: f64): void {
  const work = job + ShapeJob.work;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const start = load<f64>(work + axis, PLACED);
    const from = time * load<f64>(job + axis, ShapeJob.motion);
    for (let corner: usize = 0; corner < TRIANGLE; corner += 24)
      store<f64>(work + corner + axis, load<f64>(work + corner + axis, PLACED) - start + from, CORNERS);
  }
}

// Projects both triangles on a direction. Returns the min of the moving triangle minus the max of the other
// triangle.
function separationAlong(work: usize, x: f64, y: f64, z: f64): f64 {
  const p = work + CORNERS;
  const q = p + TRIANGLE;
  return (
    min(min(along(p, x, y, z), along(p + 24, x, y, z)), along(p + 48, x, y, z)) -
    max(max(along(q, x, y, z), along(q + 24, x, y, z)), along(q + 48, x, y, z))
  );
}

/**
 * Finds when the placed triangle of the moving mesh first touches a triangle of a target. If this contact
 * precedes the best one of the job, it becomes the best one.
 */
export function castTriangles(job: usize, number: u32, target: usize, triangle: u32, moving: u32): void {
  const work = job + ShapeJob.work;
  placeTriangle(
    load<u32>(target, CastTarget.meshAt),
    triangle,
    load<u32>(target, CastTarget.placementAt),
    work + PLACED + TRIANGLE,
  );
  const vx = load<f64>(job, ShapeJob.motion);
  const vy = load<f64>(job, ShapeJob.motion + 8);
  const vz = load<f64>(job, ShapeJob.motion + 16);
  const error = beginTriangles(job);
  const best = load<f64>(job, ShapeJob.bestTime);
  let time: f64 = 0;
  // The direction of the last step.
  let lastX: f64 = 0;
  let lastY: f64 = 0;
  let lastZ: f64 = 0;
  for (let step = 0; ; step++) {
    moveTo(job, time);
    const distance = Math.sqrt(nearestOfTriangles(work));
    let x = load<f64>(work, POINTS) - load<f64>(work, POINTS + 24);
    let y = load<f64>(work, POINTS + 8) - load<f64>(work, POINTS + 32);
    let z = load<f64>(work, POINTS + 16) - load<f64>(work, POINTS + 40);
    let gap: f64 = -Infinity;
    if (distance > 0) {
      x /= distance;
      y /= distance;
      z /= distance;
      gap = separationAlong(work, x, y, z) - error;
      const next = nextTime(step, time, gap, 8 * error, error - (x * vx + y * vy + z * vz), best);
      if (next == NEVER) return;
      if (next > time) {
        time = next;
        lastX = x;
        lastY = y;
        lastZ = z;
        continue;
      }
    }
    const isThrough = gap < -16 * error;
    if (step > 0 && distance < NOISE * error) {
      // The nearest points are too close to give a direction. The last step moved the triangle up to a plane
      // that touches the other triangle, so the direction of that step is used.
      x = lastX;
      y = lastY;
      z = lastZ;
    } else if (isThrough || distance < NOISE * error) {
      // The direction between the nearest points is useless: the triangles pass through each other, or the
      // points are too close.
      writeFaceNormal(work, NOISE * error, vx, vy, vz);
      x = load<f64>(work, POINTS);
      y = load<f64>(work, POINTS + 8);
      z = load<f64>(work, POINTS + 16);
    }
    if (time == 0 && load<u32>(job, ShapeJob.ignoresSeparating) != 0 && x * vx + y * vy + z * vz >= 0) return;
    const separation = isThrough ? 0 : distance;
    if (!isBetterContact(job, number, triangle, moving, time, separation)) return;
    storeContact(job, number, triangle, moving, time, separation, x, y, z);
    for (let axis: usize = 0; axis < 24; axis += 8)
      store<f64>(
        job + axis,
        load<f64>(work + axis, PLACED) + load<f64>(work + axis, POINTS + 24),
        ShapeJob.bestPoint,
      );
    return;
  }
}

// Writes the unit normal of the plane of the triangle at p to POINTS. Returns false if it has no area.
function writeUnitNormal(work: usize, p: usize): bool {
  const length = writeNormal(p, work + POINTS);
  scale(work + POINTS, length > 0 ? 1 / length : 0);
  return length > 0;
}

// Tests on which side of a plane the triangle at q lies. The plane contains the first vertex at p, and its
// normal is at POINTS. Vertices within `error` of the plane count as points of the plane. Returns 1 for the
// side to which the normal points, -1 for the opposite side, 0 if the triangle has vertices on both sides, and
// IN_PLANE if all its vertices lie within `error` of the plane.
const IN_PLANE: i32 = 2;
function sideOf(work: usize, p: usize, q: usize, error: f64): i32 {
  const x = load<f64>(work, POINTS);
  const y = load<f64>(work, POINTS + 8);
  const z = load<f64>(work, POINTS + 16);
  const height = along(p, x, y, z);
  const one = along(q, x, y, z) - height;
  const two = along(q + 24, x, y, z) - height;
  const three = along(q + 48, x, y, z) - height;
  const isAbove = max(max(one, two), three) > error;
  const isBelow = min(min(one, two), three) < -error;
  return isAbove ? (isBelow ? 0 : 1) : isBelow ? -1 : IN_PLANE;
}

// Writes to POINTS the contact normal of two triangles that share a point. This unit vector points from the
// resting triangle toward the moving triangle. If one triangle lies on one side of the plane of the other, the
// normal is perpendicular to this plane. If both lie in one plane, the result is the front normal of the
// resting triangle. If each triangle passes through the plane of the other, the result is the front or back
// normal of the resting triangle, whichever points against the motion.
function writeFaceNormal(work: usize, error: f64, vx: f64, vy: f64, vz: f64): void {
  const p = work + CORNERS;
  const q = p + TRIANGLE;
  const ofMoving = writeUnitNormal(work, p) ? sideOf(work, p, q, error) : 0;
  if (ofMoving == 1 || ofMoving == -1) return scale(work + POINTS, -ofMoving);
  const side = writeUnitNormal(work, q) ? sideOf(work, q, p, error) : 0;
  if (side == IN_PLANE) return;
  scale(work + POINTS, side == 0 ? copysign<f64>(1, -along(work + POINTS, vx, vy, vz)) : side);
}
