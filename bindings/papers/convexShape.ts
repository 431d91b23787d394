// Stores a convex polyhedron as vertices and their neighbors, and finds its farthest vertex in a direction by
// walking from neighbor to neighbor. Used to track the closest features of two bodies.

import { Unsupported } from '../core/errors.js';
import type { MeshData } from '../samples/types.js';

/**
 * Maximum height of a vertex above the plane of an adjacent triangle, as a fraction of the shape's radius. It
 * is not 0, because the coordinates of a convex mesh may be rounded.
 */
const CONCAVITY = 1e-5;

/** Counts the cost of walks. */
export interface WalkCounter {
  /** Number of neighbors tested, each by a dot product with the direction. */
  dots: number;
}

export class ConvexShape {
  /** Coordinates, three per vertex. */
  readonly positions: Float64Array;
  /** Max distance from the origin to a vertex. */
  readonly radius: number;
  /** A vertex to start a walk from. */
  readonly first: number;
  private readonly indices: Uint32Array;
  private readonly neighborsAt: Uint32Array;
  private readonly neighbors: Uint32Array;

  /** @throws Unsupported for a mesh that is not closed or not convex */
  constructor({ positions, indices }: MeshData) {
    this.positions = Float64Array.from(positions);
    let square = 0;
    for (let at = 0; at < positions.length; at += 3)
      square = Math.max(square, positions[at] ** 2 + positions[at + 1] ** 2 + positions[at + 2] ** 2);
    this.radius = Math.sqrt(square);
    this.first = indices[0];
    this.indices = indices;
    this.checkConvex(oppositeVertices(indices));
    const sets: Set<number>[] = Array.from({ length: positions.length / 3 }, () => new Set());
    for (let at = 0; at < indices.length; at += 3)
      for (let k = 0; k < 3; k++) {
        sets[indices[at + k]].add(indices[at + ((k + 1) % 3)]);
        sets[indices[at + k]].add(indices[at + ((k + 2) % 3)]);
      }
    this.neighborsAt = new Uint32Array(sets.length + 1);
    sets.forEach((set, vertex) => {
      this.neighborsAt[vertex + 1] = this.neighborsAt[vertex] + set.size;
    });
    this.neighbors = Uint32Array.from(sets.flatMap(set => [...set]));
  }

  /**
   * Walks from vertex `from` to a neighbor that is farther in the direction (x, y, z), and so on, until no
   * neighbor is farther.
   * @returns the last vertex. If the shape is exactly convex, no vertex is farther. If rounding has made the
   *   shape slightly concave, another vertex may be slightly farther.
   */
  walk(from: number, x: number, y: number, z: number, counter: WalkCounter): number {
    const { positions, neighbors, neighborsAt } = this;
    let best = from;
    let max = positions[3 * from] * x + positions[3 * from + 1] * y + positions[3 * from + 2] * z;
    for (;;) {
      const vertex = best;
      for (let i = neighborsAt[vertex]; i < neighborsAt[vertex + 1]; i++) {
        const at = 3 * neighbors[i];
        const value = positions[at] * x + positions[at + 1] * y + positions[at + 2] * z;
        if (value > max) {
          max = value;
          best = neighbors[i];
        }
      }
      counter.dots += neighborsAt[vertex + 1] - neighborsAt[vertex];
      if (best === vertex) return best;
    }
  }

  /** Returns whether a point is inside the shape or on its boundary, up to rounding. */
  contains(point: readonly number[]): boolean {
    for (let at = 0; at < this.indices.length; at += 3) {
      const { origin, normal } = this.planeOf(at);
      if (dot(difference(point, origin), normal) > 0) return false;
    }
    return true;
  }

  private point(vertex: number): number[] {
    return [0, 1, 2].map(k => this.positions[3 * vertex + k]);
  }

  private planeOf(at: number): { origin: number[]; normal: number[] } {
    const [a, b, c] = [0, 1, 2].map(k => this.point(this.indices[at + k]));
    return { origin: a, normal: cross(difference(b, a), difference(c, a)) };
  }

  // Checks that the mesh is closed and convex at every edge: at each triangle, no vertex of an adjacent
  // triangle is above the triangle's plane.
  private checkConvex(oppositeOf: ReadonlyMap<string, number>): void {
    const { indices } = this;
    for (let at = 0; at < indices.length; at += 3) {
      const { origin, normal } = this.planeOf(at);
      for (let k = 0; k < 3; k++) {
        const opposite = oppositeOf.get(`${indices[at + ((k + 1) % 3)]} ${indices[at + k]}`);
        const height =
          opposite === undefined
            ? Number.POSITIVE_INFINITY
            : dot(difference(this.point(opposite), origin), normal);
        if (height > CONCAVITY * this.radius * Math.hypot(...normal))
          throw new Unsupported(
            `the mesh is not convex or not closed at triangle ${at / 3}`,
            'pass a closed convex mesh whose triangles are counterclockwise as seen from outside',
          );
      }
    }
  }
}

// Maps each directed edge 'u v' to the third vertex of its triangle.
function oppositeVertices(indices: ArrayLike<number>): Map<string, number> {
  const oppositeOf = new Map<string, number>();
  for (let at = 0; at < indices.length; at += 3)
    for (let k = 0; k < 3; k++)
      oppositeOf.set(`${indices[at + k]} ${indices[at + ((k + 1) % 3)]}`, indices[at + ((k + 2) % 3)]);
  return oppositeOf;
}

const difference = (p: readonly number[], q: readonly number[]): number[] =>
  p.map((value, k) => value - q[k]);

const dot = (p: readonly number[], q: readonly number[]): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

const cross = ([a, b, c]: readonly number[], [x, y, z]: readonly number[]): number[] => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
];
