// Keeps the first contact of a moving shape.

import { CastTarget, NOTHING, ShapeJob } from '../records';

/**
 * Returns whether a contact precedes the best one of the job: by time, then by separation, body, triangle, and
 * the triangle of the moving mesh, if any.
 */
export function isBetterContact(
  job: usize,
  target: u32,
  triangle: u32,
  moving: u32,
  time: f64,
  separation: f64,
): bool {
  const bestTriangle = load<u32>(job, ShapeJob.bestTriangle);
  if (bestTriangle == NOTHING) return true;
  const bestTime = load<f64>(job, ShapeJob.bestTime);
  if (time != bestTime) return time < bestTime;
  const bestSeparation = load<f64>(job, ShapeJob.bestSeparation);
  if (separation != bestSeparation) return separation < bestSeparation;
  const targets: usize = load<u32>(job, ShapeJob.targetsAt);
  const body = load<u32>(targets + <usize>target * CastTarget.SIZE, CastTarget.body);
  const bestBody = load<u32>(
    targets + <usize>load<u32>(job, ShapeJob.bestTarget) * CastTarget.SIZE,
    CastTarget.body,
  );
  if (body != bestBody) return body < bestBody;
  if (triangle != bestTriangle) return triangle < bestTriangle;
  return moving < load<u32>(job, ShapeJob.bestMoving);
}

/**
 * Stores a contact as the best one of the job, except for its point, which the caller writes. x, y, z: the
 * normal.
 */
export function storeContact(
  job: usize,
  target: u32,
  triangle: u32,
  moving: u32,
  time: f64,
  separation: f64,
  x: f64,
  y: f64,
  z: f64,
): void {
  store<f64>(job, time, ShapeJob.bestTime);
  store<f64>(job, separation, ShapeJob.bestSeparation);
  store<u32>(job, triangle, ShapeJob.bestTriangle);
  store<u32>(job, target, ShapeJob.bestTarget);
  store<u32>(job, moving, ShapeJob.bestMoving);
  store<f64>(job, x, ShapeJob.bestNormal);
  store<f64>(job, y, ShapeJob.bestNormal + 8);
  store<f64>(job, z, ShapeJob.bestNormal + 16);
}
