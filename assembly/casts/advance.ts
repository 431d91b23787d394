// Functions that moveCapsule.ts and moveTriangle.ts share: the steps of Newton's method, and vector operations.

// If the gap still exceeds the limit after this many steps, this is due only to rounding errors, which more
// steps cannot remove. Then the gap counts as a contact.
const MAX_STEPS: i32 = 200;
/** If a distance is below 2^10 times its error, the direction between the nearest points is not accurate. */
export const NOISE: f64 = 1024;
/** The result of nextTime if there is no contact, or none before `best`. */
export const NEVER: f64 = -1;

/**
 * Returns `time` if there is a contact at this time, NEVER if there is no contact up to `best`, and otherwise a
 * later time before which there is no contact. gap: the distance at `time` that a separating plane proves,
 * minus the distance at which the shapes touch. limit: the largest gap that counts as a contact. speed: an
 * upper bound of the speed toward the plane.
 */
// @ts-ignore: decorator
@inline
export function nextTime(step: i32, time: f64, gap: f64, limit: f64, speed: f64, best: f64): f64 {
  if (!(gap > limit && step < MAX_STEPS)) return time;
  if (speed <= 0) return NEVER;
  const next = time + gap / speed;
  return next > best ? NEVER : max(next, time);
}

/** Returns the dot product of the vector at `at` and x, y, z. */
// @ts-ignore: decorator
@inline
export function along(at: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(at) * x + load<f64>(at, 8) * y + load<f64>(at, 16) * z;
}

/** Writes the cross product of two sides of the triangle at `corners` to `out`, and returns its length. */
export function writeNormal(corners: usize, out: usize): f64 {
  const ax = load<f64>(corners);
  const ay = load<f64>(corners, 8);
  const az = load<f64>(corners, 16);
  const ux = load<f64>(corners, 24) - ax;
  const uy = load<f64>(corners, 32) - ay;
  const uz = load<f64>(corners, 40) - az;
  const vx = load<f64>(corners, 48) - ax;
  const vy = load<f64>(corners, 56) - ay;
  const vz = load<f64>(corners, 64) - az;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, z, 16);
  return Math.sqrt(x * x + y * y + z * z);
}

/** Multiplies the vector at `at` by a factor. */
export function scale(at: usize, factor: f64): void {
  for (let axis: usize = 0; axis < 24; axis += 8) store<f64>(at + axis, load<f64>(at + axis) * factor);
}
