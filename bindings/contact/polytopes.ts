// Bounds sets of points by discrete-orientation polytopes (k-DOPs; Ericson, section 4.6.2): the intervals of
// the points' heights along some directions. Two sets are apart if their intervals along one direction are
// apart.

type Vector = readonly [number, number, number];

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** The face diagonals of a cube, followed by its space diagonals. */
const DIAGONALS: readonly Vector[] = [
  [1, 1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [1, 0, -1],
  [0, 1, 1],
  [0, 1, -1],
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [-1, 1, 1],
];

/**
 * Bound of the error of a height, relative to the largest coordinate r, if no component of the direction
 * exceeds 1. The three coordinates, the three products and the two sums are rounded. The errors are at most
 * 2^-53 times 3 r for the coordinates, 3 r for the products, and 2 r + 3 r for the sums.
 */
const HEIGHT_ERROR = 2 ** -49;
/** Bound of the error that underflow can cause in a height. */
const UNDERFLOW = 2 ** -1060;

/** The minimum height of some points along each direction, then the maximum heights. */
export type Polytope = Float64Array;

/** Makes and compares polytopes whose faces have the same directions. */
export class Polytopes {
  readonly #directions: readonly Vector[];

  /** @param further Directions besides the axes and diagonals. No component may exceed 1 in magnitude. */
  constructor(further: readonly Vector[]) {
    this.#directions = [...AXES, ...DIAGONALS, ...further];
  }

  /** Returns a polytope without points. */
  empty(): Polytope {
    const count = this.#directions.length;
    return new Float64Array(2 * count).fill(Infinity, 0, count).fill(-Infinity, count);
  }

  /** Extends a polytope by points, three numbers each. The points may be rounded to the nearest doubles. */
  extend(polytope: Polytope, points: ArrayLike<number>): void {
    const count = this.#directions.length;
    for (let at = 0; at < points.length; at += 3) {
      for (let i = 0; i < count; i++) {
        const height = this.#heightOf(i, points, at);
        if (height < polytope[i]) polytope[i] = height;
        if (height > polytope[count + i]) polytope[count + i] = height;
      }
    }
  }

  /** Returns the axis-aligned box around a polytope: minimum x, y, z, then maximum x, y, z. */
  boxOf(polytope: Polytope): Float64Array {
    const count = this.#directions.length;
    return Float64Array.of(...polytope.subarray(0, 3), ...polytope.subarray(count, count + 3));
  }

  /** Returns a bound of the errors of the heights of points in some polytopes. */
  toleranceOf(polytopes: readonly Polytope[]): number {
    let reach = 0;
    for (const polytope of polytopes)
      for (const value of this.boxOf(polytope)) reach = Math.max(reach, Math.abs(value));
    return HEIGHT_ERROR * reach + UNDERFLOW;
  }

  // Heights along axes need no tolerance: they are coordinates, and rounding does not reverse the order of
  // coordinates.

  /**
   * Returns whether two polytopes are apart even if their heights have rounding errors. If so, no point for
   * which `contains` returns true for one polytope lies in the convex hull of the other polytope's points.
   */
  areApart(one: Polytope, other: Polytope, tolerance: number): boolean {
    const count = this.#directions.length;
    for (let i = 0; i < count; i++) {
      const gap = i < AXES.length ? 0 : 8 * tolerance;
      if (one[count + i] + gap < other[i] || other[count + i] + gap < one[i]) return true;
    }
    return false;
  }

  /**
   * Returns whether a polytope contains a point. True for each point of the convex hull of the polytope's
   * points.
   */
  contains(polytope: Polytope, point: ArrayLike<number>, tolerance: number): boolean {
    const count = this.#directions.length;
    for (let i = 0; i < count; i++) {
      const slack = i < AXES.length ? 0 : 4 * tolerance;
      const height = this.#heightOf(i, point, 0);
      if (height < polytope[i] - slack || height > polytope[count + i] + slack) return false;
    }
    return true;
  }

  #heightOf(direction: number, points: ArrayLike<number>, at: number): number {
    const [x, y, z] = this.#directions[direction];
    return x * points[at] + y * points[at + 1] + z * points[at + 2];
  }
}
