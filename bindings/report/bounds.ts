// Defines axis-aligned boxes and points of three doubles, and computes with them.

export type Point = [number, number, number];

/** A box: its min corner and its max corner. */
export interface Bounds {
  min: Point;
  max: Point;
}

/** Returns the box of points, three numbers each. */
export function boundsOf(points: ArrayLike<number>): Bounds {
  const min: Point = [Infinity, Infinity, Infinity];
  const max: Point = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3;
    if (points[i] < min[axis]) min[axis] = points[i];
    if (points[i] > max[axis]) max[axis] = points[i];
  }
  return { min, max };
}

/**
 * Returns a box that spans, along each axis, the overlap of the two boxes or, if they are apart on this axis,
 * the gap between them.
 */
export function overlapOf(a: Bounds, b: Bounds): Bounds {
  const low = a.min.map((value, axis) => Math.max(value, b.min[axis]));
  const high = a.max.map((value, axis) => Math.min(value, b.max[axis]));
  return boundsOf([...low, ...high]);
}

/** Returns the center of a box. */
export function centerOf({ min, max }: Bounds): Point {
  return midpoint(min, max);
}

/** Returns the point halfway between two points. */
export function midpoint(a: Point, b: Point): Point {
  return a.map((value, axis) => value + (b[axis] - value) / 2) as Point;
}

/** Returns the point of a list that is nearest to `target`. The list has three numbers for each point. */
export function nearestTo(target: Point, points: ArrayLike<number>): Point {
  let best = 0;
  let bestDistance = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const distance = squaredDistance(points, i, target);
    if (distance < bestDistance) [best, bestDistance] = [i, distance];
  }
  return [points[best], points[best + 1], points[best + 2]];
}

/** Returns the squared distance of `target` from the point whose three numbers start at `points[at]`. */
export function squaredDistance(points: ArrayLike<number>, at: number, target: Point): number {
  const [x, y, z] = target.map((value, axis) => points[at + axis] - value);
  return x * x + y * y + z * z;
}
