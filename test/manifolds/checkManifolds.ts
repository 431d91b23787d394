// Compares contact manifolds of the engine with those of the slow reference.

import * as assert from 'uvu/assert';
import type { Engine, Manifolds, Mesh } from '../../dist/index.js';
import { createRandom, rotation } from '../../dist/samples/index.js';
import type { Pair } from '../oracle/bruteForce.js';
import { pairsOf } from '../support/engines.js';
import {
  dot,
  minus,
  type SlowManifold,
  type SoupData,
  scaled,
  slowManifolds,
  soupOf,
  type Vector,
} from './slowManifolds.js';

/**
 * Feature numbers of at least OF_EDGES are pairs of edges. Numbers of at least OF_B but less than OF_EDGES are
 * vertices of B, and smaller numbers are vertices of A.
 */
const OF_EDGES = 2 ** 31;
const OF_B = 2 ** 30;

export interface Placement {
  transformA?: Float64Array | Float32Array;
  transformB?: Float64Array | Float32Array;
}

/** A manifold of the engine as an object. */
export interface FoundManifold {
  normal: Vector;
  points: { point: Vector; depth: number; feature: number }[];
}

const vectorAt = (list: Float64Array, i: number): Vector => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];

/** Returns the manifolds of contact i. A query of two meshes has only contact 0, with all its manifolds. */
export function manifoldsOf(found: Manifolds, i = 0): FoundManifold[] {
  const { manifoldsAt, pointsAt, normals, points, depths, features } = found;
  return Array.from({ length: manifoldsAt[i + 1] - manifoldsAt[i] }, (_, k) => {
    const m = manifoldsAt[i] + k;
    return {
      normal: vectorAt(normals, m),
      points: Array.from({ length: pointsAt[m + 1] - pointsAt[m] }, (__, j) => ({
        point: vectorAt(points, pointsAt[m] + j),
        depth: depths[pointsAt[m] + j],
        feature: features[pointsAt[m] + j],
      })),
    };
  });
}

// Checks that no two points of a manifold have the same feature or coincide.
function checkDistinct({ normal, points }: FoundManifold): void {
  const features = points.map(({ feature }) => feature);
  assert.is(new Set(features).size, points.length, `the features are distinct: ${features}`);
  const shifts = points.flatMap(({ point }, i) => points.slice(0, i).map(other => minus(point, other.point)));
  // Distances are perpendicular to the normal.
  const distances = shifts.map(shift => Math.hypot(...minus(shift, scaled(normal, dot(shift, normal)))));
  const [minDistance, maxDistance] = [Math.min(Infinity, ...distances), Math.max(0, ...distances)];
  assert.ok(minDistance > 2 ** -22 * maxDistance, `points with distances ${distances.sort()}`);
}

/** Checks that the lengths and offsets of the arrays fit together, and that points are distinct. */
export function checkShape(found: Manifolds, contactCount = 1): void {
  const { count, pointCount, manifoldsAt, pointsAt, normals, points, depths, features } = found;
  for (const list of [manifoldsAt, pointsAt, features]) assert.instance(list, Uint32Array);
  for (const list of [normals, points, depths]) assert.instance(list, Float64Array);
  assert.equal(
    [manifoldsAt, pointsAt, normals, points, depths, features].map(({ length }) => length),
    [contactCount + 1, count + 1, 3 * count, 3 * pointCount, pointCount, pointCount],
  );
  assert.equal([manifoldsAt[0], manifoldsAt[contactCount]], [0, count]);
  assert.equal([pointsAt[0], pointsAt[count]], [0, pointCount]);
  for (let i = 0; i < contactCount; i++) assert.ok(manifoldsAt[i] <= manifoldsAt[i + 1]);
  for (let m = 0; m < count; m++) {
    const points = pointsAt[m + 1] - pointsAt[m];
    assert.ok(points >= 1 && points <= 4, `manifold ${m} has ${points} points`);
  }
  for (const list of [normals, points, depths]) assert.ok(list.every(Number.isFinite));
  assert.ok(depths.every(depth => depth >= 0));
  for (let i = 0; i < contactCount; i++) manifoldsOf(found, i).forEach(checkDistinct);
}

const maxMagnitude = (values: readonly number[]): number => Math.max(0, ...values.map(Math.abs));
const difference = (one: Vector, other: Vector): number =>
  maxMagnitude(one.map((value, k) => value - other[k]));

/**
 * Compares feature numbers of the engine with feature names of the reference. Each pair of edges has its own
 * name, so it must also have its own number.
 */
class Features {
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, string>();

  check(feature: number, name: string, what: string): void {
    const isEdges = name.startsWith('e');
    assert.is(feature >= OF_EDGES, isEdges, `${what}: ${feature}`);
    if (!isEdges) return assert.is(`${feature >= OF_B ? 'b' : 'a'}${feature % OF_B}`, name, what);
    assert.is(this.#numbers.get(name) ?? feature, feature, `${what}: a different number than before`);
    assert.is(this.#names.get(feature) ?? name, name, `${what}: the number of another pair of edges`);
    this.#numbers.set(name, feature);
    this.#names.set(feature, name);
  }
}

/**
 * Checks that manifolds equal those of the reference: the same number of manifolds and points with the same
 * features, in the same order, and the same coordinates except for rounding errors.
 * @param size The extent of the meshes, including their distance from the origin.
 */
export function checkEqual(
  found: readonly FoundManifold[],
  expected: readonly SlowManifold[],
  size: number,
  what: string,
): void {
  assert.is(found.length, expected.length, `${what}: number of manifolds`);
  const features = new Features();
  found.forEach(({ normal, points }, m) => {
    const name = `${what}, manifold ${m}`;
    assert.is(points.length, expected[m].points.length, `${name}: number of points`);
    assert.ok(difference(normal, expected[m].normal) < 1e-9, `${name}: normal ${normal}`);
    points.forEach(({ point, depth, feature }, k) => {
      const wanted = expected[m].points[k];
      features.check(feature, wanted.feature, `${name}, point ${k}: ${wanted.feature}`);
      assert.ok(difference(point, wanted.point) < 1e-9 * size, `${name}, point ${k}: ${point}`);
      assert.ok(Math.abs(depth - wanted.depth) < 1e-9 * size, `${name}, point ${k}: depth ${depth}`);
    });
  });
}

/** Two bodies: the data and the engine's mesh of each. */
export interface Bodies {
  dataA: SoupData;
  dataB: SoupData;
  a: Mesh;
  b: Mesh;
}

/**
 * Compares the engine's manifolds with the reference. Returns the number of manifolds, or undefined if the
 * scene has a near tie, in which rounding errors may decide.
 */
export function checkContacts(
  engine: Engine,
  { dataA, dataB, a, b }: Bodies,
  placed: Placement,
  what: string,
  minMargin = 1e-13,
): number | undefined {
  const pairs: Pair[] = pairsOf(engine.query(a, b, placed));
  const [soupA, soupB] = [soupOf(dataA, placed.transformA), soupOf(dataB, placed.transformB)];
  const { manifolds, margin } = slowManifolds(soupA, soupB, pairs);
  const found = engine.contacts(a, b, placed);
  checkShape(found);
  if (pairs.length > 0) assert.ok(found.count > 0, `${what}: no manifold`);
  if (margin < minMargin) return undefined;
  const extent = maxMagnitude([...soupA.corners, ...soupB.corners]);
  checkEqual(manifoldsOf(found), manifolds, extent, what);
  return manifolds.length;
}

/** Makes a random rotation and translation about a point. */
export function randomPlacement(seed: number, reach: number, [x, y, z]: Vector = [0, 0, 0]): Float64Array {
  const random = createRandom(seed);
  const shift = (): number => random.between(-reach, reach);
  return rotation(random.direction(), random.between(0, 7), [x + shift(), y + shift(), z + shift()]);
}
