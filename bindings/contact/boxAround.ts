// Computes boxes around points. A box has six numbers: minimum x, y, z, then maximum x, y, z.

/** Returns a box without points. */
export const emptyBox = (): Float64Array =>
  Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);

/**
 * Extends a box by points, three numbers each. To extend it by another box, pass the six numbers of the other
 * box, which are two of its corners.
 */
export function extendBox(box: Float64Array, points: ArrayLike<number>): void {
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3;
    box[axis] = Math.min(box[axis], points[i]);
    box[3 + axis] = Math.max(box[3 + axis], points[i]);
  }
}
