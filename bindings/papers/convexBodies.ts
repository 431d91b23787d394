// Finds the intersecting pairs of many convex bodies in two stages, like I-COLLIDE (Cohen, Lin, Manocha and
// Ponamgi 1995). Incremental sweep and prune finds the pairs whose boxes overlap. The closest features of
// these pairs, tracked from frame to frame, then decide which pairs intersect.

import type { BroadPhase } from '../broadphase/broadPhase.js';
import type { Engine } from '../engine/engine.js';
import type { Mesh } from '../mesh/mesh.js';
import type { MeshData } from '../samples/types.js';
import {
  ClosestFeatures,
  type PlacedShape,
  placedCoordinate,
  type SearchCounter,
  support,
} from './closestFeatures.js';
import { ConvexShape } from './convexShape.js';

/**
 * Boxes are enlarged by this fraction of a body's radius, which is more than the rounding error of a support
 * point.
 */
const PADDING = 1e-4;

/** Counters, summed over all frames. */
export interface ConvexCounters extends SearchCounter {
  /** Pairs of overlapping boxes. */
  nearPairs: number;
  /**
   * Pairs that an engine query decided, because their boundaries nearly touch or their GJK search
   * degenerated.
   */
  queries: number;
}

interface Body extends PlacedShape {
  readonly mesh: Mesh;
  /**
   * The extreme vertices in the last frame: for each axis, the vertex with the min coordinate, then the vertex
   * with the max coordinate.
   */
  readonly extremes: Uint32Array;
}

/**
 * Convex bodies in motion. They are solids: a body that is inside another one intersects it, although no
 * triangles intersect. In all other cases, the results equal the results of `engine.query` with `want: 'any'`.
 */
export class ConvexBodies {
  readonly counters: ConvexCounters = { nearPairs: 0, queries: 0, steps: 0, dots: 0 };
  private readonly engine: Engine;
  private readonly meshes: readonly Mesh[];
  private readonly bodies: readonly Body[];
  private readonly broadPhase: BroadPhase;
  private readonly ids: Uint32Array;
  private readonly boxes: Float32Array;
  private readonly pairs = new Map<number, ClosestFeatures>();
  private isFirst = true;

  /**
   * @param shapes The meshes of the bodies.
   * @param meshOf meshOf[i]: the index of body i's mesh in `shapes`.
   * @throws Unsupported for meshes that are not convex
   */
  constructor(engine: Engine, shapes: readonly MeshData[], meshOf: readonly number[]) {
    this.engine = engine;
    const convex = shapes.map(data => new ConvexShape(data));
    this.meshes = shapes.map(data => engine.createMesh(data));
    this.bodies = meshOf.map(index => ({
      shape: convex[index],
      mesh: this.meshes[index],
      rows: new Float64Array(12),
      extremes: new Uint32Array(6).fill(convex[index].first),
    }));
    this.ids = Uint32Array.from(meshOf.keys());
    this.boxes = new Float32Array(6 * meshOf.length);
    this.broadPhase = engine.createBroadPhase({ method: 'sap-persistent', events: 'off' });
  }

  /**
   * Moves all bodies and finds the pairs that intersect.
   * @param placements 16 numbers per body, column-major; rotations and translations.
   * @returns pairs (i, j), i < j, sorted, two numbers each.
   */
  detect(placements: readonly ArrayLike<number>[]): number[] {
    const { a, b } = this.nearPairs(placements);
    const intersecting: number[] = [];
    for (let k = 0; k < a.length; k++) {
      const relation = this.featuresOf(a[k], b[k]).update();
      if (relation === 'meet' || (relation === 'unsure' && this.query(a[k], b[k], placements)))
        intersecting.push(a[k], b[k]);
    }
    return intersecting;
  }

  /** Runs only the first stage: moves all bodies and finds the pairs (a, b), a < b, whose boxes overlap. */
  nearPairs(placements: readonly ArrayLike<number>[]): { a: Uint32Array; b: Uint32Array } {
    const { bodies, boxes, broadPhase, counters } = this;
    bodies.forEach((body, i) => this.place(body, placements[i], 6 * i));
    if (this.isFirst) broadPhase.set(boxes);
    else broadPhase.move(this.ids, boxes);
    this.isFirst = false;
    // Copied, because the next query invalidates the views.
    const pairs = broadPhase.pairs().copy();
    counters.nearPairs += pairs.a.length;
    return pairs;
  }

  dispose(): void {
    this.broadPhase.dispose();
    for (const mesh of this.meshes) mesh.dispose();
  }

  // Decides a pair for which the search returned 'unsure', because the boundaries are too close to decide in
  // doubles or because the search degenerated.
  private query(i: number, j: number, placements: readonly ArrayLike<number>[]): boolean {
    this.counters.queries++;
    const [a, b] = [this.bodies[i], this.bodies[j]];
    const [transformA, transformB] = [i, j].map(body => Float64Array.from(placements[body]));
    return (
      this.engine.query(a.mesh, b.mesh, { transformA, transformB, want: 'any' }) ||
      isInside(a, b) ||
      isInside(b, a)
    );
  }

  private featuresOf(i: number, j: number): ClosestFeatures {
    const key = i * this.bodies.length + j;
    let features = this.pairs.get(key);
    if (!features)
      this.pairs.set(key, (features = new ClosestFeatures(this.bodies[i], this.bodies[j], this.counters)));
    return features;
  }

  // Places a body and computes its box from its extreme vertices. The search for each extreme vertex starts
  // at the extreme vertex of the last frame.
  private place(body: Body, matrix: ArrayLike<number>, at: number): void {
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++) body.rows[4 * row + column] = matrix[4 * column + row];
    const padding = PADDING * body.shape.radius;
    for (let axis = 0; axis < 3; axis++)
      for (const side of [0, 1]) {
        const sign = 2 * side - 1;
        const [x, y, z] = [0, 1, 2].map(k => (k === axis ? sign : 0));
        const vertex = support(body, body.extremes[2 * axis + side], x, y, z, this.counters);
        body.extremes[2 * axis + side] = vertex;
        this.boxes[at + 3 * side + axis] = placedCoordinate(body, 3 * vertex, axis) + sign * padding;
      }
  }
}

// Returns whether one vertex of body `inner` is inside the other body. If the surfaces do not intersect, the
// whole body is inside if this vertex is. The other body's placement must be a rotation and a translation,
// because the transpose of its linear part is used as the inverse.
function isInside(inner: Body, { shape, rows }: Body): boolean {
  const offset = [0, 1, 2].map(
    axis => placedCoordinate(inner, 3 * inner.shape.first, axis) - rows[4 * axis + 3],
  );
  return shape.contains(
    [0, 1, 2].map(k => rows[k] * offset[0] + rows[4 + k] * offset[1] + rows[8 + k] * offset[2]),
  );
}
