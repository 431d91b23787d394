// Compares closestPoints and containsPoints with exact arithmetic, for meshes and points with many ties. Tests
// that each number of threads and each kind of memory gives the same bytes.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { sphere } from '../../dist/samples/index.js';
import { isNearRoot, lowestNearest, squaredDistances } from '../oracle/closestPoint.js';
import { toIntegers } from '../oracle/integers.js';
import { type Soup, windingBeyond } from '../oracle/windings.js';
import { poolOf } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { type PointCase, pointCases } from './pointCases.js';

let engines: Engine[] = [];

test.before(async () => {
  engines = await Promise.all([
    createEngine({ threads: 1 }),
    createEngine({ threads: 2 }),
    createEngine({ threads: 5 }),
  ]);
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});

const ERROR = 2 ** -45;

// Returns the error bound of a distance: ERROR times the max extent of the triangle and the point together.
function errorBound(
  { positions, indices }: PointCase['mesh'],
  triangle: number,
  point: Float64Array,
): number {
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    const values = [0, 1, 2].map(corner => positions[3 * indices[3 * triangle + corner] + axis]);
    values.push(point[axis]);
    extent = Math.max(extent, Math.max(...values) - Math.min(...values));
  }
  return ERROR * extent;
}

function checkClosest(engine: Engine, { name, mesh: data, points }: PointCase): void {
  using mesh = engine.createMesh(data);
  const { triangle, distance, position } = engine.closestPoints(mesh, points);
  for (let i = 0; i < triangle.length; i++) {
    const point = points.subarray(3 * i, 3 * i + 3);
    const what = `${name}, point ${i} at ${point.join(' ')}`;
    const bound = errorBound(data, triangle[i], point);
    const { squares, others } = squaredDistances(data, point, [distance[i], bound]);
    assert.is(triangle[i], lowestNearest(squares), what);
    const square = squares[triangle[i]];
    assert.ok(isNearRoot(square, others[0]!, others[1]!), `${what}: distance ${distance[i]}`);
    assert.is(distance[i] === 0, square.above === 0n, what);
    // The position is on the triangle, up to the error and the rounding of its coordinates.
    const at = position.subarray(3 * i, 3 * i + 3);
    const rounding = bound + 2 ** -52 * Math.max(...at.map(Math.abs));
    const own = {
      positions: data.positions,
      indices: data.indices.subarray(3 * triangle[i], 3 * triangle[i] + 3),
    };
    const found = squaredDistances(own, at, [0, 2 * rounding]);
    assert.ok(isNearRoot(found.squares[0]!, found.others[0]!, found.others[1]!), `${what}: position ${at}`);
    if (distance[i] === 0) assert.equal([...at], [...point], what);
  }
}

// Returns 0 for a point outside of a closed mesh, 1 inside, 2 on the surface.
function sideOf({ positions, indices }: PointCase['mesh'], point: Float64Array): number {
  if (squaredDistances({ positions, indices }, point).squares.some(({ above }) => above === 0n)) return 2;
  const integers = toIntegers([...Array.from(positions), ...Array.from(point)]);
  const at = (from: number) => [integers[from], integers[from + 1], integers[from + 2]] as const;
  const triangles: Soup['triangles'] = [];
  for (let i = 0; i < indices.length; i += 3)
    triangles.push([at(3 * indices[i]), at(3 * indices[i + 1]), at(3 * indices[i + 2])] as never);
  // With infinite boxes, no triangle is skipped.
  const boxes = Float64Array.from({ length: 6 * triangles.length }, (_, i) =>
    i % 6 < 3 ? -Infinity : Infinity,
  );
  const soup: Soup = { triangles, boxes, unit: 1 };
  return windingBeyond(soup, { at: at(positions.length) as never, under: 1n }, 0, 1n) === 0 ? 0 : 1;
}

test('the nearest triangle is that of exact arithmetic, and distances and positions are within their error bounds', () => {
  for (const one of pointCases(60)) checkClosest(engines[0], one);
});

test('the nearest triangle of a fine mesh is exact for points near its center, far away and near its surface', () => {
  const mesh = sphere(1200);
  for (const points of [
    Float64Array.of(0, 0, 0, 1e-9, 0, 0, 3, 4, 5, 40, -30, 20, 300, 400, 500, 1e5, 2e5, -3e5),
    Float64Array.from(mesh.positions.subarray(900, 912), value => 1.0001 * value),
  ])
    checkClosest(engines[0], { name: 'fine sphere', mesh, points, isClosed: true });
});

test('points are inside, outside or on the surface as in exact arithmetic, and signs of distances agree', () => {
  for (const { name, mesh: data, points, isClosed } of pointCases(60)) {
    if (!isClosed) continue;
    using mesh = engines[0].createMesh(data);
    const inside = engines[0].containsPoints(mesh, points);
    const plain = engines[0].closestPoints(mesh, points).distance;
    const { distance } = engines[0].closestPoints(mesh, points, { signed: true });
    for (let i = 0; i < inside.length; i++) {
      const point = points.subarray(3 * i, 3 * i + 3);
      const side = sideOf(data, point);
      const what = `${name}, point ${i} at ${point.join(' ')}`;
      assert.is(inside[i], side === 0 ? 0 : 1, what);
      assert.is(distance[i], side === 1 ? -plain[i] : plain[i], what);
    }
  }
});

test('every number of threads and every kind of memory gives the same bytes', async () => {
  using many = await createEngine({ threads: 16 });
  using single = await createEngine({ threads: 1, memory: 'single' });
  const all = [...engines, many, single];
  for (const { mesh: data, points, isClosed, name } of pointCases(300)) {
    const hashes = all.map(engine => {
      using mesh = engine.createMesh(data);
      const found = engine.closestPoints(mesh, points, { signed: isClosed });
      const inside = isClosed ? engine.containsPoints(mesh, points) : new Uint8Array(0);
      return hashBytes(found.triangle, found.distance, found.position, inside);
    });
    assert.equal(new Set(hashes).size, 1, name);
  }
});

test('points given as floats have the same results as the same numbers given as doubles', () => {
  using mesh = engines[0].createMesh(sphere(500));
  const floats = Float32Array.from({ length: 300 }, (_, i) => Math.sin(i));
  const [one, other] = [floats, Float64Array.from(floats)].map(points =>
    engines[0].closestPoints(mesh, points, { signed: true }),
  );
  assert.equal(one, other);
});

test('points farther than `max` have triangle -1, even inside the solid; `max` changes no other result', () => {
  using mesh = engines[1].createMesh(sphere(500));
  const points = Float64Array.from({ length: 900 }, (_, i) => 2 * Math.sin(i * i));
  const all = engines[1].closestPoints(mesh, points, { signed: true });
  const lengths = all.distance.map(Math.abs).sort();
  for (const max of [0, lengths[20], lengths[150], lengths[150] * (1 - 2 ** -52), 9]) {
    const found = engines[1].closestPoints(mesh, points, { signed: true, max });
    for (let i = 0; i < found.triangle.length; i++) {
      const isNear = Math.abs(all.distance[i]) <= max;
      assert.is(found.triangle[i], isNear ? all.triangle[i] : -1);
      assert.is(found.distance[i], isNear ? all.distance[i] : Infinity);
      assert.ok(Object.is(found.position[3 * i], isNear ? all.position[3 * i] : NaN));
    }
  }
});

test('an empty mesh has no closest points and contains no points; an empty array of points gives empty results', () => {
  const [engine] = engines;
  using empty = engine.createMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
  using ball = engine.createMesh(sphere(100));
  const { triangle, distance, position } = engine.closestPoints(empty, Float64Array.of(1, 2, 3), {
    signed: true,
  });
  assert.equal([...triangle, ...distance, ...position], [-1, Infinity, NaN, NaN, NaN]);
  assert.equal([...engine.containsPoints(empty, Float64Array.of(0, 0, 0))], [0]);
  assert.is(engine.closestPoints(ball, new Float64Array(0)).triangle.length, 0);
  assert.is(engine.containsPoints(ball, new Float32Array(0)).length, 0);
});

test('after an update of a mesh, results are those of the new positions', () => {
  const [engine] = engines;
  const data = sphere(200);
  using mesh = engine.createMesh(data, { deformable: true });
  const positions = data.positions.map(value => 2 * value);
  mesh.update(positions);
  using fresh = engine.createMesh({ ...data, positions });
  const points = Float64Array.from({ length: 150 }, (_, i) => 3 * Math.sin(i * i));
  assert.equal(
    engine.closestPoints(mesh, points, { signed: true }),
    engine.closestPoints(fresh, points, { signed: true }),
  );
});

test('many points, which are processed in several batches, have the same results as single points', () => {
  const [, engine] = engines;
  using mesh = engine.createMesh(sphere(100));
  const count = 70_001;
  const points = Float64Array.from({ length: 3 * count }, (_, i) => 2 * Math.sin(i * i));
  const found = engine.closestPoints(mesh, points);
  const inside = engine.containsPoints(mesh, points);
  for (const i of [0, 32_767, 32_768, 65_536, count - 1]) {
    const point = points.slice(3 * i, 3 * i + 3);
    assert.is(found.distance[i], engine.closestPoints(mesh, point).distance[0]);
    assert.is(inside[i], engine.containsPoints(mesh, point)[0]);
  }
});

test('if a worker is lost, the query runs again and gives the same results', () => {
  const [, engine] = engines;
  using mesh = engine.createMesh(sphere(300));
  const points = Float64Array.from({ length: 1500 }, (_, i) => 2 * Math.sin(i * i));
  const before = engine.closestPoints(mesh, points);
  const pool = poolOf(engine);
  const run = pool.run.bind(pool);
  let failures = 0;
  pool.run = (...job) => run(...job) && failures++ > 0;
  try {
    assert.equal(engine.closestPoints(mesh, points), before);
  } finally {
    pool.run = run;
  }
  assert.is(failures, 2);
});

test('a point that is one rounding step from a corner is not on it', () => {
  const [engine] = engines as [Engine, ...Engine[]];
  const step = 2 ** -52;
  // A triangle in each plane through (1, 1, 1) that is parallel to two axes.
  for (let axis = 0; axis < 3; axis++) {
    const positions = Float32Array.from([1, 1, 1, 0, 0, 0, 0, 0, 0]);
    positions[3 + axis] = 1;
    positions[6 + axis] = 1;
    positions[3 + ((axis + 1) % 3)] = 1;
    using mesh = engine.createMesh({ positions });
    const point = Float64Array.of(1, 1, 1);
    point[axis]! += step;
    const { distance } = engine.closestPoints(mesh, Float64Array.of(1, 1, 1, ...point));
    assert.equal([...distance], [0, step], `axis ${axis}`);
  }
});

test.run();
