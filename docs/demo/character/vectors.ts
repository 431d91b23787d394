// Arithmetic of vectors in space, each an array of three numbers.

export type Vector = readonly [x: number, y: number, z: number];

export const UP: Vector = [0, 1, 0];
export const ZERO: Vector = [0, 0, 0];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Returns a + factor * b. */
export const add = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/**
 * Removes from a vector its component opposite to the normal of a plane, so that the vector does not point
 * into the plane. A vector without such a component is returned unchanged.
 */
export const clip = (vector: Vector, normal: Vector): Vector =>
  add(vector, normal, Math.max(0, -dot(vector, normal)));

/** Returns the part of a vector along the line in which two planes intersect; 0 if they are parallel. */
export function alongCrease(vector: Vector, one: Vector, two: Vector): Vector {
  const line = cross(one, two);
  const square = dot(line, line);
  return square < 1e-12 ? ZERO : add(ZERO, line, dot(vector, line) / square);
}

/** Returns the horizontal unit vector in the direction of a vector; 0 if the vector is vertical. */
export function horizontal([x, , z]: Vector): Vector {
  const length = Math.hypot(x, z);
  return length < 1e-6 ? ZERO : [x / length, 0, z / length];
}
