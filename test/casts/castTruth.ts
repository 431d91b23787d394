// Compares casts of the engine with an exact reference, which tests all triangles. Makes shapes and motions
// that are hard cases.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, Scene, ShapeCastOptions, ShapeHit } from '../../dist/index.js';
import type { Random } from '../../dist/samples/index.js';
import { placeTriangles } from '../oracle/place.js';
import {
  errorsOf,
  magnitudeOf,
  overlaps,
  type SlowCapsule,
  stateAt,
  touches,
  touchesBefore,
} from './slowShapes.js';

/**
 * Tolerance of hits, relative to the largest magnitude of the coordinates, the radius and the motion. Needles
 * (long thin triangles), and shapes with a radius of 0, may need a larger tolerance.
 */
export const TOLERANCE = 2 ** -36;

/** A triangle that shapes may hit. */
export interface Target {
  readonly body: number | undefined;
  readonly triangle: number;
  /** Nine doubles: the placed vertices. */
  readonly corners: Float64Array;
}

export interface TruthMesh {
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

/** Returns the placed triangles of a mesh. body: the id of the body that has the mesh, if there is one. */
export function targetsOf(mesh: TruthMesh, transform?: ArrayLike<number>, body?: number): Target[] {
  const corners = placeTriangles(mesh as never, transform);
  return Array.from({ length: mesh.indices.length / 3 }, (_, triangle) => ({
    body,
    triangle,
    corners: corners.subarray(9 * triangle, 9 * triangle + 9),
  }));
}

/** A cast that is compared with the reference. */
export interface Cast extends SlowCapsule {
  readonly motion: readonly number[];
}

/**
 * Counts of casts and hits, and the largest errors so far. Each error is relative to the largest magnitude of
 * the numbers of its cast.
 */
export class WorstErrors {
  casts = 0;
  hits = 0;
  atStart = 0;
  /** Number of hits of casts for which the exact reference finds no contact. */
  grazing = 0;
  early = 0;
  point = 0;
  normal = 0;
  separation = 0;
}

/** Casts a capsule. If its ends are equal and `isSphere` is true, casts it as a sphere. */
export function castWith(
  engine: Engine,
  at: Mesh | Scene,
  { start, end, radius, motion }: Cast,
  options?: ShapeCastOptions,
  isSphere = true,
): ShapeHit | undefined {
  if (isSphere && start.every((value, i) => value === end[i]))
    return engine.castSphere(at, { center: start, radius }, motion, options);
  return engine.castCapsule(at, { start, end, radius }, motion, options);
}

// Returns what a cast with ignoreSeparating does with a triangle that the capsule touches at the start.
function ruleAtStart(cast: Cast, corners: Float64Array, slack: number): 'tested' | 'ignored' | 'either' {
  const { distance, separation, speed } = stateAt(cast, cast.motion, corners, 0);
  // If the separation is within rounding errors, a triangle may count as touched at the start.
  if (!overlaps(cast, corners)) return separation <= slack ? 'either' : 'tested';
  const fastest = Math.hypot(...cast.motion);
  // The direction of the normal is uncertain by this angle.
  const doubt = distance > slack ? slack / distance + 2 ** -40 : speed === undefined ? Infinity : 2 ** -30;
  if (speed === undefined || Math.abs(speed) <= doubt * fastest) return 'either';
  if (distance <= slack) return 'either';
  return speed > 0 ? 'ignored' : 'tested';
}

const nameOf = ({ body, triangle }: { body?: number; triangle: number }): string =>
  `triangle ${triangle}${body === undefined ? '' : ` of body ${body}`}`;
const rank = (one: Target, two: Target): number =>
  (one.body ?? 0) - (two.body ?? 0) || one.triangle - two.triangle;

/** Casts a capsule, and compares the result with the reference. */
export function checkCast(
  engine: Engine,
  at: Mesh | Scene,
  targets: readonly Target[],
  cast: Cast,
  worst: WorstErrors,
  options?: ShapeCastOptions,
  tolerance = TOLERANCE,
): ShapeHit | undefined {
  const { motion } = cast;
  const hit = castWith(engine, at, cast, options);
  const what = `${JSON.stringify(cast)} ${JSON.stringify(options ?? {})}: ${JSON.stringify(hit)}`;
  const slackOf = ({ corners }: Target): number => tolerance * magnitudeOf(cast, motion, corners);
  const ruleOf = (target: Target): string =>
    options?.ignoreSeparating ? ruleAtStart(cast, target.corners, slackOf(target)) : 'tested';
  worst.casts++;
  if (!hit) {
    for (const target of targets)
      if (touches(cast, motion, target.corners) && ruleOf(target) === 'tested')
        assert.unreachable(`no hit, but ${nameOf(target)} is touched: ${target.corners.join()}; ${what}`);
    return undefined;
  }
  worst.hits++;
  const own = targets.find(({ body, triangle }) => body === hit.body && triangle === hit.triangle);
  if (!own) throw new Error(`hit of a triangle that cannot be hit: ${what}`);
  const place = `${nameOf(own)}: ${own.corners.join()}; ${what}`;
  assert.ok(hit.t >= 0 && hit.t <= 1, `t is ${hit.t}: ${place}`);
  assert.is.not(ruleOf(own), 'ignored', `a separating triangle was hit: ${place}`);
  const slack = slackOf(own);
  const errors = errorsOf(cast, motion, own.corners, hit);
  if (hit.t > 0) assert.ok(errors.separation >= 0, `the hit is too late: ${place}`);
  assert.ok(errors.separation <= slack, `the hit is too early by ${errors.separation}: ${place}`);
  assert.ok(errors.separationError <= slack, `separation differs by ${errors.separationError}: ${place}`);
  assert.ok(errors.point <= slack, `the point is ${errors.point} away from the triangle: ${place}`);
  if (errors.distance > slack) {
    assert.ok(
      errors.normalLength <= 2 ** -40,
      `the normal has a length of 1 + ${errors.normalLength}: ${place}`,
    );
    assert.ok(errors.normal <= slack, `the normal misses the axis by ${errors.normal}: ${place}`);
  } else assert.ok(errors.normalLength <= 2 ** -40 || errors.normalLength === 1, place);
  const unit = slack / tolerance;
  if (unit > 0) {
    worst.early = Math.max(worst.early, errors.separation / unit);
    worst.point = Math.max(worst.point, errors.point / unit);
    worst.separation = Math.max(worst.separation, errors.separationError / unit);
    if (errors.distance > slack) worst.normal = Math.max(worst.normal, errors.normal / unit);
  }
  if (hit.t === 0) worst.atStart++;
  let isTouched = false;
  for (const target of targets) {
    if (touchesBefore(cast, motion, target.corners, hit.t) && ruleOf(target) === 'tested')
      assert.unreachable(`${nameOf(target)} is touched before: ${target.corners.join()}; ${place}`);
    if (
      target !== own &&
      rank(target, own) < 0 &&
      target.corners.every((value, i) => value === own.corners[i])
    )
      assert.unreachable(`the equal ${nameOf(target)} precedes ${place}`);
    if (hit.t === 0 && overlaps(cast, target.corners) && ruleOf(target) === 'tested') {
      const { separation } = stateAt(cast, motion, target.corners, 0);
      assert.ok(
        separation >= errors.separation - slackOf(target) - slack,
        `${nameOf(target)} is nearer: ${place}`,
      );
    }
    isTouched ||= touches(cast, motion, target.corners);
  }
  if (!isTouched) worst.grazing++;
  return hit;
}

type Point = number[];

/** Makes casts that are hard to decide: through and along features of triangles, and from places on them. */
export function hardCasts(targets: readonly Target[], count: number, random: Random, size: number): Cast[] {
  const some = (): Float64Array => targets[random.below(targets.length)].corners;
  const corner = (corners: Float64Array, i: number): Point => [...corners.subarray(3 * i, 3 * i + 3)];
  const vertex = (): Point => corner(some(), random.below(3));
  const mix = (a: Point, b: Point, share: number): Point =>
    a.map((value, i) => value + share * (b[i] - value));
  const minus = (a: Point, b: Point): Point => a.map((value, i) => value - b[i]);
  const moved = (a: Point, b: Point, factor: number): Point => a.map((value, i) => value + factor * b[i]);
  const offset = (length: number): Point => random.direction().map(value => value * length);
  const share = (): number => [0, 1, 0.5, random.between(0, 1)][random.below(4)];
  const onTriangle = (corners: Float64Array): Point =>
    mix(mix(corner(corners, 0), corner(corners, 1), share()), corner(corners, 2), share());
  const radius = (): number =>
    size * [0, 0.25, 2 ** -10, random.between(0, 0.5), random.between(0, 0.05)][random.below(5)];
  const axis = (): Point => {
    const kind = random.below(5);
    if (kind < 2) return [0, 0, 0];
    if (kind === 2) return [0, 1, 2].map(i => (i === random.below(3) ? size * 0.5 : 0));
    if (kind === 3) return minus(vertex(), vertex());
    return offset(size * random.between(0, 1));
  };
  const makers: (() => { start: Point; motion: Point; axis?: Point; radius?: number })[] = [
    // From a place at a distance of 2 * size from a vertex, in any direction.
    () => ({ start: moved(vertex(), offset(1), size * 2), motion: offset(size * random.between(0, 4)) }),
    // Toward a point of a triangle.
    () => {
      const target = onTriangle(some());
      const start = moved(target, offset(1), size * random.between(0, 2));
      return { start, motion: moved([0, 0, 0], minus(target, start), [1, 0.5, 2, 0.9][random.below(4)]) };
    },
    // Along the line of an edge, from one end of the edge or from a place before it.
    () => {
      const corners = some();
      const [a, b] = [corner(corners, 0), corner(corners, 1)];
      return {
        start: mix(a, b, [-2, 0, -0.5][random.below(3)]),
        motion: minus(b, a),
        axis: random.below(2) ? undefined : [0, 0, 0],
      };
    },
    // In the plane of a triangle.
    () => {
      const corners = some();
      const [a, b, c] = [0, 1, 2].map(i => corner(corners, i));
      const across = minus(mix(b, c, share()), a);
      return {
        start: moved(a, across, -random.between(0, 2)),
        motion: moved([0, 0, 0], across, 2),
        axis: random.below(2) ? minus(c, b) : undefined,
      };
    },
    // Parallel to a triangle, at about the distance of the radius.
    () => {
      const corners = some();
      const [a, b, c] = [0, 1, 2].map(i => corner(corners, i));
      const [u, v] = [minus(b, a), minus(c, a)];
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(...n) || 1;
      const own = radius();
      const start = moved(
        onTriangle(corners),
        n,
        (own * [1, -1, 1 + 2 ** -40, 1 - 2 ** -40][random.below(4)]) / length,
      );
      return {
        start: moved(start, u, random.below(2) ? -2 : 0),
        motion: moved([0, 0, 0], u, random.below(3) * 2 - 1),
        axis: random.below(2) ? [0, 0, 0] : v,
        radius: own,
      };
    },
    // From a place on a triangle or near a vertex, where the shape may already overlap triangles.
    () => ({ start: onTriangle(some()), motion: offset(size * random.between(0, 1)) }),
    () => ({ start: onTriangle(some()), motion: [0, 0, 0] }),
    () => ({
      start: moved(vertex(), offset(1), size * random.between(0, 0.3)),
      motion: offset(size),
      radius: size * 0.25,
    }),
    // Along coordinate axes, at grid positions.
    () => {
      const i = random.below(3);
      const start = vertex();
      const own = size * [0.25, 0.125, 0.5][random.below(3)];
      const j = (i + 1 + random.below(2)) % 3;
      start[i] -= size * 2;
      start[j] += own * [0, 1, -1][random.below(3)];
      return {
        start,
        motion: [0, 1, 2].map(k => (k === i ? size * [1, 2, 4][random.below(3)] : 0)),
        axis: [0, 1, 2].map(k => (k === random.below(3) ? size : 0)),
        radius: own,
      };
    },
    // From far away.
    () => {
      const target = onTriangle(some());
      const way = offset(size * 2 ** random.between(2, 30));
      return { start: moved(target, way, -1), motion: moved([0, 0, 0], way, random.below(2) ? 1 : 2) };
    },
  ];
  return Array.from({ length: count }, (_, i) => {
    const made = makers[i % makers.length]();
    const { start } = made;
    const span = made.axis ?? axis();
    return { start, end: moved(start, span, 1), radius: made.radius ?? radius(), motion: made.motion };
  });
}
