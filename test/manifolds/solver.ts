// A small physics solver for tests: rigid cubes, sequential impulses with friction, and warm starting by
// features (Catto, "Iterative Dynamics with Temporal Coherence", 2005).

import type { Engine, Scene } from '../../dist/index.js';
import { box, type MeshData } from '../../dist/samples/index.js';
import type { Vector } from './slowManifolds.js';

const GRAVITY: Vector = [0, -9.8, 0];
const STEP = 1 / 240;
/** With far fewer iterations, a stack of ten cubes sways for seconds. */
const ITERATIONS = 60;
/** Half the side of a cube. Its mass is 1. */
export const HALF = 0.5;
/** The inverse of the inertia of a cube of mass 1, about any axis. */
const INVERSE_INERTIA = 1.5 / HALF ** 2;
const FRICTION = 0.5;
/** The fraction of the overlap above SLOP that one step corrects. */
const CORRECTION = 0.2;
/** An overlap of up to this depth is not corrected. */
const SLOP = 0.002;

const add = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export interface Body {
  position: Vector;
  /** The columns of the rotation matrix. */
  axes: [Vector, Vector, Vector];
  velocity: Vector;
  spin: Vector;
  /** 0 if the body does not move. */
  inverseMass: 0 | 1;
}

/** A constraint along one direction at one point of a manifold. */
interface Row {
  a: Body;
  b: Body;
  direction: Vector;
  armA: Vector;
  armB: Vector;
  mass: number;
  bias: number;
  impulse: number;
  /** For a friction constraint: the constraint along the normal, whose impulse limits the friction. */
  limit?: Row;
  key: string;
}

// Rotates a vector about the direction of `angle`, by the length of `angle` in radians.
function rotated(vector: Vector, angle: Vector): Vector {
  const length = Math.hypot(...angle);
  if (length === 0) return vector;
  const axis = add([0, 0, 0], angle, 1 / length);
  const across = cross(axis, vector);
  const first = add(vector, across, Math.sin(length));
  return add(first, cross(axis, across), 1 - Math.cos(length));
}

/** A scene of a fixed ground and cubes. */
export class Solver {
  readonly bodies: Body[] = [];
  readonly #scene: Scene;
  readonly #engine: Engine;
  readonly #cube;
  #impulses = new Map<string, number>();

  constructor(engine: Engine, ground: MeshData) {
    this.#engine = engine;
    this.#scene = engine.createScene();
    this.#cube = engine.createMesh(box(HALF, HALF, HALF));
    this.#scene.add(engine.createMesh(ground));
    this.bodies.push(makeBody([0, 0, 0], 0, 0));
  }

  addCube(position: Vector, angle: number): Body {
    const body = makeBody(position, angle, 1);
    this.bodies.push(body);
    this.#scene.add(this.#cube);
    return body;
  }

  /** Moves all bodies by one step. Returns the greatest depth and the max number of manifolds of a contact. */
  step(): { depth: number; manifolds: number } {
    for (const body of this.bodies)
      if (body.inverseMass > 0) body.velocity = add(body.velocity, GRAVITY, STEP);
    const { rows, depth, manifolds } = this.#makeRows();
    for (const row of rows) apply(row, row.impulse);
    for (let i = 0; i < ITERATIONS; i++) for (const row of rows) solve(row);
    this.#impulses = new Map(rows.map(({ key, impulse }) => [key, impulse]));
    for (const body of this.bodies) {
      body.position = add(body.position, body.velocity, STEP);
      const angle = add([0, 0, 0], body.spin, STEP);
      body.axes = body.axes.map(axis => rotated(axis, angle)) as Body['axes'];
    }
    return { depth, manifolds };
  }

  #makeRows(): { rows: Row[]; depth: number; manifolds: number } {
    const matrices = this.bodies.flatMap(({ position, axes }) => [
      ...axes.flatMap(axis => [...axis, 0]),
      ...position,
      1,
    ]);
    this.#scene.setTransforms(Float64Array.from(matrices));
    const found = this.#scene.detect({ narrow: 'contacts' });
    const { manifoldsAt, pointsAt, normals, points, depths, features } = found.manifolds;
    const rows: Row[] = [];
    let [maxDepth, maxManifolds] = [0, 0];
    for (let i = 0; i < found.count; i++) {
      const [a, b] = [found.a[i], found.b[i]].map(id => this.bodies[this.#scene.slotOf(id)]);
      maxManifolds = Math.max(maxManifolds, manifoldsAt[i + 1] - manifoldsAt[i]);
      for (let m = manifoldsAt[i]; m < manifoldsAt[i + 1]; m++) {
        const normal = [...normals.subarray(3 * m, 3 * m + 3)] as unknown as Vector;
        const across = cross(normal, Math.abs(normal[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]);
        const tangent = add([0, 0, 0], across, 1 / Math.hypot(...across));
        const directions = [normal, tangent, cross(normal, tangent)];
        for (let k = pointsAt[m]; k < pointsAt[m + 1]; k++) {
          const point = [...points.subarray(3 * k, 3 * k + 3)] as unknown as Vector;
          maxDepth = Math.max(maxDepth, depths[k]);
          const [push, ...along] = directions.map((direction, axis) =>
            this.#makeRow(a, b, point, direction, `${found.a[i]},${found.b[i]},${features[k]},${axis}`),
          );
          push.bias = (CORRECTION * Math.max(0, depths[k] - SLOP)) / STEP;
          for (const row of along) row.limit = push;
          rows.push(push, ...along);
        }
      }
    }
    return { rows, depth: maxDepth, manifolds: maxManifolds };
  }

  #makeRow(a: Body, b: Body, point: Vector, direction: Vector, key: string): Row {
    const [armA, armB] = [a, b].map(({ position }) => cross(add(point, position, -1), direction));
    const inverse = [a, b].map(
      ({ inverseMass }, i) => inverseMass * (1 + INVERSE_INERTIA * dot([armA, armB][i], [armA, armB][i])),
    );
    const mass = 1 / (inverse[0] + inverse[1]);
    return { a, b, direction, armA, armB, mass, bias: 0, impulse: this.#impulses.get(key) ?? 0, key };
  }

  dispose(): void {
    this.#scene.dispose();
    this.#engine.dispose();
  }
}

function makeBody(position: Vector, angle: number, inverseMass: 0 | 1): Body {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return {
    position,
    axes: [
      [c, 0, -s],
      [0, 1, 0],
      [s, 0, c],
    ],
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
    inverseMass,
  };
}

// Pushes B along the direction of the row, and A in the opposite direction.
function apply({ a, b, direction, armA, armB }: Row, impulse: number): void {
  for (const [body, arm, sign] of [
    [a, armA, -1],
    [b, armB, 1],
  ] as const) {
    const share = sign * impulse * body.inverseMass;
    body.velocity = add(body.velocity, direction, share);
    body.spin = add(body.spin, arm, share * INVERSE_INERTIA);
  }
}

function solve(row: Row): void {
  const { a, b, direction, armA, armB, mass, bias, limit } = row;
  const speed = dot(direction, add(b.velocity, a.velocity, -1)) + dot(armB, b.spin) - dot(armA, a.spin);
  const wanted = row.impulse + mass * (bias - speed);
  const maxImpulse = limit ? FRICTION * limit.impulse : Infinity;
  const impulse = Math.min(maxImpulse, Math.max(limit ? -maxImpulse : 0, wanted));
  apply(row, impulse - row.impulse);
  row.impulse = impulse;
}
