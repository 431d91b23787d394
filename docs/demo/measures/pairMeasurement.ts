// Measures a pair of bodies in every frame: the class of the pair (such as apart or touching), the distance,
// the penetration depth and the contact curve.
import type { Engine, Mesh, MeshData, PairClass } from 'pfront';
import { curveOf, lengthOf } from '../shell/curve.js';
import type { Point } from './measuresView.js';

export interface Measures {
  pairClass: PairClass;
  distance: number;
  nearest: readonly [Point, Point] | undefined;
  /** Penetration depth: how far the moving body must move to separate. */
  depth: number;
  /**
   * The translation of the moving body that separates the bodies. `from` is the point at which the drawn
   * line starts, and `translation` is the vector of the line.
   */
  from: Point | undefined;
  translation: Point;
  /** Number of pairs of triangles within the clearance. */
  near: number;
  /** x, y, z of both ends of each segment of the contact curve. */
  curve: Float64Array;
  /** Number of segments, and their total length. */
  segments: number;
  length: number;
  /** Upper bound on the number of queries, and the total time of the queries in milliseconds. */
  queryCount: number;
  time: number;
}

/**
 * Min milliseconds between updates of the class and the depth. These are not updated in every frame, because
 * their queries take longer than the other queries.
 */
const CLASS_EVERY = 250;

type Placed = { transformA: Float64Array; transformB: Float64Array };

export class PairMeasurement {
  private meshes: Mesh[] = [];
  private classed: Pick<Measures, 'pairClass' | 'depth' | 'from' | 'translation'> = {
    pairClass: 'apart',
    depth: 0,
    from: undefined,
    translation: [0, 0, 0],
  };
  private classedAt = 0;

  constructor(private readonly engine: Engine) {}

  /** Replaces the two bodies. */
  change(data: readonly MeshData[]): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.meshes = data.map(mesh => this.engine.createMesh(mesh));
    this.classedAt = 0;
  }

  measure(matrices: Float64Array, clearance: number): Measures {
    const {
      engine,
      meshes: [a, b],
    } = this as unknown as { engine: Engine; meshes: [Mesh, Mesh] };
    const placed: Placed = { transformA: matrices.subarray(0, 16), transformB: matrices.subarray(16, 32) };
    const begin = performance.now();
    const apart = engine.distance(a, b, placed)!;
    const near = engine.query(a, b, { ...placed, clearance }).count;
    const isTouching = apart.distance === 0;
    const { curve, segments, length } = this.curveOf(a, b, placed, isTouching);
    const isDue = begin - this.classedAt > CLASS_EVERY;
    if (isDue) this.classify(a, b, placed, clearance);
    const { distance, pointA, pointB } = apart;
    return {
      ...this.classed,
      distance,
      nearest: isTouching ? undefined : [pointA, pointB],
      near,
      curve,
      segments,
      length,
      queryCount: isDue ? 5 : 3,
      time: performance.now() - begin,
    };
  }

  private curveOf(
    a: Mesh,
    b: Mesh,
    placed: Placed,
    isTouching: boolean,
  ): Pick<Measures, 'curve' | 'segments' | 'length'> {
    if (!isTouching) return { curve: new Float64Array(0), segments: 0, length: 0 };
    const curve = curveOf(this.engine.query(a, b, { ...placed, want: 'segments' }));
    return { curve, segments: curve.length / 6, length: lengthOf(curve) };
  }

  // Updates the class, the depth and the separating translation. The engine returns the direction in which
  // the first mesh has to move. On this page the second mesh moves, so the direction is reversed.
  private classify(a: Mesh, b: Mesh, placed: Placed, clearance: number): void {
    const { class: pairClass, depth } = this.engine.classify(a, b, { ...placed, clearance });
    const [deepest] = depth > 0 ? this.engine.penetration(a, b, placed) : [];
    this.classed = {
      pairClass,
      depth,
      from: deepest?.pointB,
      translation: deepest
        ? (deepest.direction.map(value => -value * deepest.depth) as unknown as Point)
        : [0, 0, 0],
    };
    this.classedAt = performance.now();
  }
}
