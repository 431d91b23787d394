// Finds when a moving capsule first touches a triangle, and whether a resting capsule overlaps a triangle.
//
// If a segment moves in a straight line, its distance from a triangle is a convex function of time. The plane
// through the nearest point of the triangle, perpendicular to the vector between the nearest points, separates
// the segment from the triangle. While the distance of the segment from this plane exceeds the radius, there is
// no contact. Advancing repeatedly to the time at which this distance equals the radius is Newton's method on a
// convex function, started from the left. It never passes the first contact.

import { placeTriangle } from '../exact/place';
import { CastTarget, NOTHING, ShapeJob } from '../records';
import { along, NEVER, NOISE, nextTime, scale, writeNormal } from './advance';
import { isBetterContact, storeContact } from './contacts';
import { ENDS, FACE_ERROR, NEAREST, nearestPoints, VECTOR, VERTICES } from './segmentTriangle';

/** Offset in working memory of the vertices of the triangle in the frame of the job: 9 f64. */
export const PLACED: usize = 176;

// Two terms bound the rounding error of the distance to a plane. The first is 2^-47 times the sum of the radius
// and the largest |coordinate| relative to the start of the segment. The second is 2^-51 times the largest
// |coordinate| of the placed vertices and of the start.
const RELATIVE_ERROR: f64 = 7.105427357601002e-15;
const PLACED_ERROR: f64 = 4.440892098500626e-16;

/** The results of overlapCapsule. */
export const SEPARATE: i32 = 0;
export const OVERLAP: i32 = 1;
export const UNDECIDED: i32 = 2;

/** Places a triangle of a target for the tests of this folder. */
export function placeWorkingTriangle(job: usize, target: usize, triangle: u32): void {
  const work = job + ShapeJob.work;
  placeTriangle(
    load<u32>(target, CastTarget.meshAt),
    triangle,
    load<u32>(target, CastTarget.placementAt),
    work + PLACED,
  );
}

// Writes the vertices relative to the start of the segment. Returns a bound of the rounding errors of
// distances.
function beginTriangle(job: usize): f64 {
  const work = job + ShapeJob.work;
  let placed: f64 = 0;
  let relative: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const start = load<f64>(job + axis, ShapeJob.start);
    placed = max(placed, abs(start));
    relative = max(
      relative,
      abs(load<f64>(job + axis, ShapeJob.segment)) + abs(load<f64>(job + axis, ShapeJob.motion)),
    );
    for (let corner: usize = 0; corner < 72; corner += 24) {
      const coordinate = load<f64>(work + corner + axis, PLACED);
      placed = max(placed, abs(coordinate));
      relative = max(relative, abs(coordinate - start));
      store<f64>(work + corner + axis, coordinate - start, VERTICES);
    }
  }
  return RELATIVE_ERROR * (relative + load<f64>(job, ShapeJob.radius)) + PLACED_ERROR * placed;
}

// Moves the segment to its place at the given time.
// @ts-ignore: decorator
@inline
function moveTo(job: usize, time: f64): void {
  const work = job + ShapeJob.work;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const from = time * load<f64>(job + axis, ShapeJob.motion);
    store<f64>(work + axis, from, ENDS);
    store<f64>(work + axis, from + load<f64>(job + axis, ShapeJob.segment), ENDS + 24);
  }
}

// Projects the segment and the triangle on a direction. Returns the min of the segment minus the max of the
// triangle. If the direction has length 1, this is a lower bound of their distance, except for rounding errors.
function separationAlong(work: usize, x: f64, y: f64, z: f64): f64 {
  return (
    min(along(work + ENDS, x, y, z), along(work + ENDS + 24, x, y, z)) -
    max(
      max(along(work + VERTICES, x, y, z), along(work + VERTICES + 24, x, y, z)),
      along(work + VERTICES + 48, x, y, z),
    )
  );
}

/** Returns whether the capsule overlaps the placed triangle: SEPARATE, OVERLAP or UNDECIDED. */
export function overlapCapsule(job: usize): i32 {
  const work = job + ShapeJob.work;
  const radius = load<f64>(job, ShapeJob.radius);
  const error = beginTriangle(job);
  moveTo(job, 0);
  const distance = Math.sqrt(nearestPoints(work));
  if (distance + error + load<f64>(work, FACE_ERROR) < radius) return OVERLAP;
  if (distance == 0) return UNDECIDED;
  const factor = 1 / distance;
  const separation = separationAlong(
    work,
    load<f64>(work, VECTOR) * factor,
    load<f64>(work, VECTOR + 8) * factor,
    load<f64>(work, VECTOR + 16) * factor,
  );
  return separation - error > radius ? SEPARATE : UNDECIDED;
}

/**
 * Finds when the moving capsule first touches the placed triangle. If this contact precedes the best one of the
 * job, it becomes the best one. Contacts at the same time are ordered by separation, then by body, then by
 * triangle.
 */
export function castCapsule(job: usize, target: u32, triangle: u32): void {
  const work = job + ShapeJob.work;
  const radius = load<f64>(job, ShapeJob.radius);
  const vx = load<f64>(job, ShapeJob.motion);
  const vy = load<f64>(job, ShapeJob.motion + 8);
  const vz = load<f64>(job, ShapeJob.motion + 16);
  const error = beginTriangle(job);
  const best = load<f64>(job, ShapeJob.bestTime);
  let time: f64 = 0;
  // The direction of the last step.
  let lastX: f64 = 0;
  let lastY: f64 = 0;
  let lastZ: f64 = 0;
  for (let step = 0; ; step++) {
    moveTo(job, time);
    const distance = Math.sqrt(nearestPoints(work));
    let x: f64 = 0;
    let y: f64 = 0;
    let z: f64 = 0;
    if (distance > 0) {
      x = load<f64>(work, VECTOR) / distance;
      y = load<f64>(work, VECTOR + 8) / distance;
      z = load<f64>(work, VECTOR + 16) / distance;
      const gap = separationAlong(work, x, y, z) - error - radius;
      const limit = 8 * error + load<f64>(work, FACE_ERROR);
      const next = nextTime(step, time, gap, limit, error - (x * vx + y * vy + z * vz), best);
      if (next == NEVER) return;
      if (next > time) {
        time = next;
        lastX = x;
        lastY = y;
        lastZ = z;
        continue;
      }
    }
    if (distance < NOISE * error) {
      // The nearest points are too close to give a direction. The last step moved the segment up to a plane
      // that touches the triangle, so the direction of that step is used.
      x = lastX;
      y = lastY;
      z = lastZ;
    }
    if (distance == 0 || (step == 0 && distance < NOISE * error)) {
      writeFaceNormal(work);
      x = load<f64>(work, VECTOR);
      y = load<f64>(work, VECTOR + 8);
      z = load<f64>(work, VECTOR + 16);
    }
    if (time == 0 && load<u32>(job, ShapeJob.ignoresSeparating) != 0 && x * vx + y * vy + z * vz >= 0) return;
    const separation = distance - radius;
    if (!isBetterContact(job, target, triangle, NOTHING, time, separation)) return;
    storeContact(job, target, triangle, NOTHING, time, separation, x, y, z);
    for (let axis: usize = 0; axis < 24; axis += 8)
      store<f64>(
        job + axis,
        load<f64>(job + axis, ShapeJob.start) + load<f64>(work + axis, NEAREST),
        ShapeJob.bestPoint,
      );
    return;
  }
}

// Writes the unit normal of the triangle that points to the side on which the middle of the segment lies.
function writeFaceNormal(work: usize): void {
  const corners = work + VERTICES;
  const length = writeNormal(corners, work + VECTOR);
  const x = load<f64>(work, VECTOR);
  const y = load<f64>(work, VECTOR + 8);
  const z = load<f64>(work, VECTOR + 16);
  const height = along(work + ENDS, x, y, z) + along(work + ENDS + 24, x, y, z) - 2 * along(corners, x, y, z);
  scale(work + VECTOR, length > 0 ? copysign<f64>(1 / length, height) : 0);
}
