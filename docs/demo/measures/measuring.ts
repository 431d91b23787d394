// Two bodies and where they are, frame by frame -> all that is told of them.
import type { Engine, Mesh, MeshData, PairClass } from 'pfront';
import type { Point } from './measuresView.js';

export interface Measures {
  pairClass: PairClass;
  distance: number;
  nearest: readonly [Point, Point] | undefined;
  /** How far the moving body has to go to be out, whence and by what way. */
  depth: number;
  from: Point | undefined;
  way: Point;
  /** Pairs of triangles within the clearance. */
  near: number;
  /**
   * x, y, z of both ends of each segment of the curve of contact; how many there are, and how long they are.
   */
  curve: Float64Array;
  segments: number;
  length: number;
  /** Questions asked, and the time that they took, in milliseconds. */
  asked: number;
  time: number;
}

/** Class and depth take longer than the rest: they are asked for this often. */
const CLASS_EVERY = 250;

type Placed = { transformA: Float64Array; transformB: Float64Array };

export class Measuring {
  private meshes: Mesh[] = [];
  private classed: Pick<Measures, 'pairClass' | 'depth' | 'from' | 'way'> = {
    pairClass: 'apart',
    depth: 0,
    from: undefined,
    way: [0, 0, 0],
  };
  private classedAt = 0;

  constructor(private readonly engine: Engine) {}

  /** Two other bodies. */
  change(data: readonly MeshData[]): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.meshes = data.map(mesh => this.engine.createMesh(mesh));
    this.classedAt = 0;
  }

  ask(matrices: Float64Array, clearance: number): Measures {
    const {
      engine,
      meshes: [a, b],
    } = this as unknown as { engine: Engine; meshes: [Mesh, Mesh] };
    const placed: Placed = { transformA: matrices.subarray(0, 16), transformB: matrices.subarray(16, 32) };
    const begin = performance.now();
    const apart = engine.distance(a, b, placed)!;
    const near = engine.query(a, b, { ...placed, clearance }).count;
    const isMeeting = apart.distance === 0;
    const { curve, segments, length } = this.curveOf(a, b, placed, isMeeting);
    const isTime = begin - this.classedAt > CLASS_EVERY;
    if (isTime) this.classify(a, b, placed, clearance);
    const { distance, pointA, pointB } = apart;
    return {
      ...this.classed,
      distance,
      nearest: isMeeting ? undefined : [pointA, pointB],
      near,
      curve,
      segments,
      length,
      asked: isTime ? 5 : 3,
      time: performance.now() - begin,
    };
  }

  private curveOf(
    a: Mesh,
    b: Mesh,
    placed: Placed,
    isMeeting: boolean,
  ): Pick<Measures, 'curve' | 'segments' | 'length'> {
    if (!isMeeting) return { curve: new Float64Array(0), segments: 0, length: 0 };
    const { count, kind, kinds, pointsAt, points } = this.engine.query(a, b, { ...placed, want: 'segments' });
    const curve = new Float64Array(6 * count);
    let end = 0;
    let length = 0;
    for (let i = 0; i < count; i++) {
      if (kind[i] !== kinds.CROSS && kind[i] !== kinds.TOUCH_SEGMENT) continue;
      const from = 3 * pointsAt[i]!;
      curve.set(points.subarray(from, from + 6), end);
      length += Math.hypot(
        points[from + 3]! - points[from]!,
        points[from + 4]! - points[from + 1]!,
        points[from + 5]! - points[from + 2]!,
      );
      end += 6;
    }
    return { curve: curve.subarray(0, end), segments: end / 6, length };
  }

  // The way is told for the first mesh: the moving one goes the other way.
  private classify(a: Mesh, b: Mesh, placed: Placed, clearance: number): void {
    const { class: pairClass, depth } = this.engine.classify(a, b, { ...placed, clearance });
    const [deepest] = depth > 0 ? this.engine.penetration(a, b, placed) : [];
    this.classed = {
      pairClass,
      depth,
      from: deepest?.pointB,
      way: deepest ? (deepest.direction.map(value => -value * deepest.depth) as unknown as Point) : [0, 0, 0],
    };
    this.classedAt = performance.now();
  }
}
