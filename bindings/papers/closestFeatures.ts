// Tracks the closest features of two placed convex bodies from one time step to the next. The search is GJK. It
// starts from the features of the last step, and finds support points by walking from vertex to vertex (Cameron
// 1997). It replaces the algorithm of Lin and Canny, which I-COLLIDE uses. Both algorithms take nearly constant
// time if bodies move little.

import { type Closest, closestOfSimplex, depthInTetrahedron } from './closestSimplex.js';
import type { ConvexShape, WalkCounter } from './convexShape.js';

/** The search has converged if the relative error of the squared distance is at most this. */
const CONVERGED = 1e-10;
const MAX_STEPS = 100;
/**
 * A distance or depth of less than this fraction of the larger radius is reported as 'unsure', because of
 * rounding.
 */
const MARGIN = 1e-4;

/** A placed body. `rows` is a 3x4 matrix, stored by rows, that maps a point p to rows * (p, 1). */
export interface PlacedShape {
  readonly shape: ConvexShape;
  readonly rows: Float64Array;
}

/**
 * Whether two solids are apart or meet (share a point). 'unsure': their boundaries are too close to decide in
 * doubles.
 */
export type Relation = 'apart' | 'meet' | 'unsure';

/** Counters, summed over all searches. */
export interface SearchCounter extends WalkCounter {
  /** Steps of GJK: each finds one support point. */
  steps: number;
}

export class ClosestFeatures {
  /** Distance that the last `update` found; 0 if the bodies meet. */
  distance = 0;
  private readonly a: PlacedShape;
  private readonly b: PlacedShape;
  private readonly counter: SearchCounter;
  private readonly margin: number;
  /**
   * The closest features after an update: `count` vertices of each body. `count` is 1 to 3, or 4 if the search
   * found that the bodies share a point. In this case, the tetrahedron of the differences verticesA[k] -
   * verticesB[k] contains the origin.
   */
  private readonly verticesA = new Uint32Array(5);
  private readonly verticesB = new Uint32Array(5);
  private count = 1;
  private readonly points = new Float64Array(15);
  private readonly closest: Closest = { x: 0, y: 0, z: 0, used: 0 };

  constructor(a: PlacedShape, b: PlacedShape, counter: SearchCounter) {
    this.a = a;
    this.b = b;
    this.counter = counter;
    this.margin = MARGIN * Math.max(a.shape.radius, b.shape.radius);
    this.verticesA[0] = a.shape.first;
    this.verticesB[0] = b.shape.first;
  }

  /**
   * Finds the closest features of the bodies at their current placements. The search starts from the features
   * of the last update.
   */
  update(): Relation {
    const { closest, margin } = this;
    for (let k = 0; k < this.count; k++) this.placePoint(k);
    for (let step = 0; step < MAX_STEPS; step++) {
      this.counter.steps++;
      if (closestOfSimplex(this.points, this.count, closest)) {
        this.distance = 0;
        return depthInTetrahedron(this.points) > margin ? 'meet' : 'unsure';
      }
      this.reduce();
      const { x, y, z } = closest;
      const square = x * x + y * y + z * z;
      this.distance = Math.sqrt(square);
      if (this.distance <= margin) return 'unsure';
      const k = this.count;
      this.verticesA[k] = support(this.a, this.verticesA[0], -x, -y, -z, this.counter);
      this.verticesB[k] = support(this.b, this.verticesB[0], x, y, z, this.counter);
      this.placePoint(k);
      const bound = x * this.points[3 * k] + y * this.points[3 * k + 1] + z * this.points[3 * k + 2];
      // The dot product of `closest` and any point of the Minkowski difference is at least `bound`.
      if (square - bound <= CONVERGED * square) return bound > margin * this.distance ? 'apart' : 'unsure';
      if (this.isKnown(k)) return bound > margin * this.distance ? 'apart' : 'unsure';
      this.count++;
    }
    this.count = 1;
    return 'unsure';
  }

  // Keeps only the vertices of the smallest sub-simplex that contains the closest point.
  private reduce(): void {
    const { points, verticesA, verticesB } = this;
    let kept = 0;
    for (let k = 0; k < this.count; k++) {
      if ((this.closest.used & (1 << k)) === 0) continue;
      verticesA[kept] = verticesA[k];
      verticesB[kept] = verticesB[k];
      points.copyWithin(3 * kept, 3 * k, 3 * k + 3);
      kept++;
    }
    this.count = kept;
  }

  private isKnown(k: number): boolean {
    const { verticesA, verticesB } = this;
    for (let i = 0; i < k; i++)
      if (verticesA[i] === verticesA[k] && verticesB[i] === verticesB[k]) return true;
    return false;
  }

  private placePoint(k: number): void {
    const atA = 3 * this.verticesA[k];
    const atB = 3 * this.verticesB[k];
    for (let axis = 0; axis < 3; axis++)
      this.points[3 * k + axis] = placedCoordinate(this.a, atA, axis) - placedCoordinate(this.b, atB, axis);
  }
}

/** Returns one coordinate of the placed vertex whose coordinates start at `at`. */
export const placedCoordinate = (
  { shape: { positions }, rows }: PlacedShape,
  at: number,
  axis: number,
): number =>
  rows[4 * axis] * positions[at] +
  rows[4 * axis + 1] * positions[at + 1] +
  rows[4 * axis + 2] * positions[at + 2] +
  rows[4 * axis + 3];

/**
 * Returns the vertex of a placed body that is farthest in the direction (x, y, z). The walk starts at vertex
 * `from`.
 */
export const support = (
  { shape, rows }: PlacedShape,
  from: number,
  x: number,
  y: number,
  z: number,
  counter: WalkCounter,
): number =>
  shape.walk(
    from,
    rows[0] * x + rows[4] * y + rows[8] * z,
    rows[1] * x + rows[5] * y + rows[9] * z,
    rows[2] * x + rows[6] * y + rows[10] * z,
    counter,
  );
