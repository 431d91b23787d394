// Interpolates the keys of an animated rotation, and bounds its angular velocity and acceleration.

import { compose } from '../formats/transforms.js';
import { atan2, cos, sin } from '../samples/portableMath.js';
import { type ControlPoints, cubicAt, cubicBounds, lengthOf, type Segment } from './keys.js';

/**
 * Below this angle in radians, the quaternion is interpolated linearly: the result differs from the slerp by
 * less than 1e-18.
 */
const SMALL_ANGLE = 1e-6;
/**
 * Covers two rounding errors: of the unit quaternions, which are exact to about 1e-16 in each component, and of
 * the angle between them.
 */
const ANGLE_ERROR = 1e-15;
/**
 * Minimum length of an interpolated quaternion before it is normalized. The direction of a shorter quaternion
 * is nearly undefined.
 */
const MIN_LENGTH = 0.05;

/**
 * Returns a segment in which a body rotates by the shortest rotation at constant speed. `speed` and
 * `acceleration` bound the angular velocity and the angular acceleration.
 */
export function slerpSegment(p: readonly number[], q: readonly number[], duration: number): Segment {
  const target = dot(p, q) < 0 ? q.map(value => -value) : q;
  const angle = angleBetween(p, target);
  const sine = sin(angle);
  return {
    at: u =>
      angle < SMALL_ANGLE
        ? unit(p.map((value, i) => (1 - u) * value + u * target[i]))
        : unit(
            p.map((value, i) => (sin((1 - u) * angle) / sine) * value + (sin(u * angle) / sine) * target[i]),
          ),
    size: 1,
    speed: (2 * (angle + ANGLE_ERROR)) / duration,
    acceleration: 0,
  };
}

/**
 * Returns a segment in which a quaternion follows a cubic curve and is normalized; undefined if the curve may
 * pass so near to zero that the rotation is not determined.
 */
export function cubicRotationSegment(points: ControlPoints, duration: number): Segment | undefined {
  const { speed: s, acceleration: a } = cubicBounds(points, duration);
  const middle = unit(cubicAt(points, 0.5));
  // The curve is in the convex hull of its control points. So for any direction, each quaternion on the curve
  // is at least as long as the smallest projection of a control point on this direction. Here, the direction is
  // `middle`.
  const n = Math.min(...points.map(point => dot(point, middle)));
  if (!(n >= MIN_LENGTH)) return undefined;
  // With u = q / |q|: |u'| <= s / n, |u''| <= a / n + 3 (s / n)^2. The angular velocity is 2 u' u*, where u* is
  // the conjugate of u.
  return {
    at: u => unit(cubicAt(points, u)),
    size: 1,
    speed: (2 * s) / n,
    acceleration: (2 * a) / n + 8 * (s / n) ** 2,
  };
}

/**
 * Returns a segment in which a body rotates about an axis at constant speed from one angle to another. The two
 * angles may differ by more than a full rotation. The magnitude of each angle must be at most MAX_ANGLE of
 * portableMath.ts.
 */
export function axisRotationSegment(
  axis: readonly number[],
  from: number,
  to: number,
  duration: number,
): Segment {
  return {
    at: u => axisRotation(axis, from + u * (to - from)),
    size: 1,
    speed: Math.abs(to - from) / duration,
    acceleration: 0,
  };
}

/**
 * Returns the quaternion x, y, z, w of a rotation about a unit vector. The angle is in radians, and its
 * magnitude must be at most MAX_ANGLE of portableMath.ts.
 */
export function axisRotation(axis: readonly number[], angle: number): number[] {
  const sine = sin(angle / 2);
  return [axis[0] * sine, axis[1] * sine, axis[2] * sine, cos(angle / 2)];
}

/**
 * Returns the matrix of a rotation about a unit vector, 16 doubles, column-major. The angle is in radians, and
 * its magnitude must be at most MAX_ANGLE of portableMath.ts.
 */
export function rotationMatrix(axis: readonly number[], angle: number): Float64Array {
  return compose([0, 0, 0], axisRotation(axis, angle), [1, 1, 1]);
}

// Returns the angle between two unit quaternions. The arc cosine of their dot product would round small angles
// to 0.
function angleBetween(p: readonly number[], q: readonly number[]): number {
  const difference = lengthOf(p.map((value, i) => value - q[i]));
  return 2 * atan2(difference, lengthOf(p.map((value, i) => value + q[i])));
}

const dot = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, value, i) => sum + value * q[i], 0);

/** Returns a vector with the same direction and length 1. */
export function unit(q: readonly number[]): number[] {
  const length = lengthOf(q);
  return q.map(value => value / length);
}
