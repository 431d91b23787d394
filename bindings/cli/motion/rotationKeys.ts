// Interpolates the keys of an animated rotation, and bounds its angular velocity and acceleration.

import { compose } from '../../formats/gltfNodes.js';
import { atan2, cos, sin } from '../../samples/portableMath.js';
import { type ControlPoints, cubicAt, cubicBounds, Keys, lengthOf, type Segment } from './keys.js';

/** Below this angle in radians, the quaternion is interpolated linearly: the difference is below 1e-18. */
const SMALL_ANGLE = 1e-6;
/** Covers the rounding of unit quaternions, which are exact to about 1e-16 in each component, and of their angle. */
const ANGLE_ERROR = 1e-15;
/** The length that an interpolated quaternion must keep. Below, its direction is nearly undefined. */
const MIN_LENGTH = 0.05;

/**
 * Returns keys between which a body rotates by the shortest rotation at constant speed. `speed` and
 * `acceleration` bound the angular velocity and the angular acceleration.
 */
export function slerpKeys(times: Float64Array, valueAt: (key: number) => readonly number[]): Keys {
  return new Keys(times, false, valueAt, key => {
    const p = valueAt(key);
    const q = valueAt(key + 1);
    const target = dot(p, q) < 0 ? q.map(value => -value) : q;
    const angle = angleBetween(p, target);
    const sine = sin(angle);
    return {
      at: u =>
        angle < SMALL_ANGLE
          ? unit(p.map((value, i) => (1 - u) * value + u * target[i]))
          : unit(
              p.map(
                (value, i) => (sin((1 - u) * angle) / sine) * value + (sin(u * angle) / sine) * target[i],
              ),
            ),
      size: 1,
      speed: (2 * (angle + ANGLE_ERROR)) / (times[key + 1] - times[key]),
      acceleration: 0,
    };
  });
}

/**
 * Returns keys between which a quaternion follows a cubic curve and is normalized. `refuse` is called if the
 * curve passes so near to zero that the rotation is not determined.
 */
export function cubicRotationKeys(
  times: Float64Array,
  valueAt: (key: number) => readonly number[],
  pointsOf: (key: number) => ControlPoints,
  refuse: (key: number) => never,
): Keys {
  return new Keys(
    times,
    false,
    key => unit(valueAt(key)),
    (key): Segment => {
      const points = pointsOf(key);
      const { speed: s, acceleration: a } = cubicBounds(points, times[key + 1] - times[key]);
      const middle = unit(cubicAt(points, 0.5));
      // The curve is in the convex hull of its control points, so its length is at least their smallest
      // projection on any direction.
      const n = Math.min(...points.map(point => dot(point, middle)));
      if (!(n >= MIN_LENGTH)) refuse(key);
      // With u = q / |q|: |u'| <= s / n, |u''| <= a / n + 3 (s / n)^2. The angular velocity is 2 u' u*.
      return {
        at: u => unit(cubicAt(points, u)),
        size: 1,
        speed: (2 * s) / n,
        acceleration: (2 * a) / n + 8 * (s / n) ** 2,
      };
    },
  );
}

/** Returns the quaternion x, y, z, w of a rotation by an angle in radians about a unit vector. */
export function axisRotation(axis: readonly number[], angle: number): number[] {
  const sine = sin(angle / 2);
  return [axis[0] * sine, axis[1] * sine, axis[2] * sine, cos(angle / 2)];
}

/** Returns the matrix of a rotation by an angle in radians about a unit vector: 16 doubles, column-major. */
export function rotationMatrix(axis: readonly number[], angle: number): Float64Array {
  return compose([0, 0, 0], axisRotation(axis, angle), [1, 1, 1]);
}

// Returns the angle between two unit quaternions. The arc cosine of their product would round small angles to 0.
function angleBetween(p: readonly number[], q: readonly number[]): number {
  const difference = lengthOf(p.map((value, i) => value - q[i]));
  return 2 * atan2(difference, lengthOf(p.map((value, i) => value + q[i])));
}

const dot = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, value, i) => sum + value * q[i], 0);

function unit(q: readonly number[]): number[] {
  const length = lengthOf(q);
  return q.map(value => value / length);
}
