// Converts two moving features (24 doubles) to a Motion: the scaled differences of their points. Differences
// do not depend on the position of the scene.

import { Motion, SweepFeaturesJob } from '../records';
import { lowLane, swapLanes } from '../simd/doubles';

/** Bytes of a query, and of its four points at the start or at the end. */
export const QUERY_BYTES: usize = 192;
const TIME_BYTES: usize = 96;

// Writes the difference of two points to `to`: each coordinate is 32 bytes after the previous one. a, b: the
// byte offsets of the points. factor: a power of two that keeps the differences finite.
function subtract(query: usize, a: usize, b: usize, factor: f64, to: usize): void {
  store<f64>(to, load<f64>(query + a) * factor - load<f64>(query + b) * factor);
  store<f64>(to, load<f64>(query + a, 8) * factor - load<f64>(query + b, 8) * factor, 32);
  store<f64>(to, load<f64>(query + a, 16) * factor - load<f64>(query + b, 16) * factor, 64);
}

// Writes the four differences of the features' points, either at the start or at the end of the step.
function subtractAll(query: usize, isFace: bool, factor: f64, to: usize): void {
  if (isFace) {
    subtract(query, 0, 24, factor, to);
    subtract(query, 0, 48, factor, to + 8);
    subtract(query, 0, 72, factor, to + 16);
    subtract(query, 0, 72, factor, to + 24);
  } else {
    subtract(query, 0, 48, factor, to);
    subtract(query, 24, 48, factor, to + 8);
    subtract(query, 24, 72, factor, to + 16);
    subtract(query, 0, 72, factor, to + 24);
  }
}

// Returns the largest |coordinate| of the differences on an axis, or Infinity if a difference overflowed. axis:
// byte offset of the axis.
function maxOnAxis(motion: usize, axis: usize): f64 {
  const at = motion + axis;
  const maxima = f64x2.pmax(
    f64x2.pmax(f64x2.abs(v128.load(at, Motion.start)), f64x2.abs(v128.load(at, Motion.start + 16))),
    f64x2.pmax(f64x2.abs(v128.load(at, Motion.end)), f64x2.abs(v128.load(at, Motion.end + 16))),
  );
  return lowLane(f64x2.pmax(maxima, swapLanes(maxima)));
}

// Returns the power of two that scales a finite `maxCoordinate` into 1..2, clamped to the powers that are
// normal doubles.
function scaleFor(maxCoordinate: f64): f64 {
  const exponent = <i32>(reinterpret<u64>(maxCoordinate) >> 52);
  return reinterpret<f64>((<u64>max(1, 2046 - max(1, exponent))) << 52);
}

/** Writes the Motion of the query at `query` with the options of the SweepFeaturesJob at `job`. */
export function makeMotion(query: usize, job: usize, motion: usize): void {
  const isFace = load<u32>(job, SweepFeaturesJob.isFace) != 0;
  let factor: f64 = 1;
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  for (;;) {
    subtractAll(query, isFace, factor, motion + Motion.start);
    subtractAll(query + TIME_BYTES, isFace, factor, motion + Motion.end);
    x = maxOnAxis(motion, 0);
    y = maxOnAxis(motion, 32);
    z = maxOnAxis(motion, 64);
    // If a difference overflowed, repeat with the coordinates divided by four: then no difference overflows.
    if (factor < 1 || max(x, max(y, z)) < Infinity) break;
    factor = 0.25;
  }
  const scale = scaleFor(max(x, max(y, z)));
  const scales = f64x2.splat(scale);
  for (let at = motion, end = motion + 96; at < end; at += 16) {
    const from = f64x2.mul(v128.load(at, Motion.start), scales);
    const to = f64x2.mul(v128.load(at, Motion.end), scales);
    v128.store(at, from, Motion.start);
    v128.store(at, to, Motion.end);
    v128.store(at, f64x2.sub(to, from), Motion.velocity);
  }
  x *= scale;
  y *= scale;
  z *= scale;
  store<f64>(motion, x + y + z, Motion.extent);
  store<f64>(motion, x * y + y * z + z * x, Motion.area);
  store<f64>(motion, x * y * z, Motion.volume);
  store<f64>(motion, load<f64>(job, SweepFeaturesJob.separation) * factor * scale, Motion.separation);
  store<f64>(motion, load<f64>(job, SweepFeaturesJob.tolerance) * factor * scale, Motion.tolerance);
  store<u32>(motion, <u32>isFace, Motion.isFace);
}
