// Tests the distance of two meshes. For placements of every kind, the distance must be the min distance of
// all triangle pairs, and every number of threads must give the same bytes.

import { Vector3 } from 'three';
import * as assert from 'uvu/assert';
import { buildRival, relativeMatrix } from '../../bench/support/rival.js';
import { createEngine, type Distance, type Engine, type Mesh } from '../../dist/index.js';
import {
  createRandom,
  type MeshData,
  rotation,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { isWithin } from '../oracle/triangleDistance.js';
import { dataTest } from '../support/data.js';
import { caught, poolOf } from '../support/engines.js';
import { readObj } from '../support/meshFile.js';
import {
  emptyMesh,
  flatPlacements,
  meshPairs,
  type Placed,
  placements,
  seeded,
} from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { readMeshPairs } from '../support/truth.js';
import { allDistances, nearestOf } from './allDistances.js';
import { extentOf } from './measure.js';

const engines: Engine[] = await Promise.all([1, 2, 5].map(threads => createEngine({ threads })));
test.after(() => {
  for (const engine of engines) engine.dispose();
});
const [engine] = engines;

const identity = (): Float64Array => translation([0, 0, 0]);
const withoutStats = (found: Distance | null): unknown => found && { ...found, stats: undefined };

// Most pairs of meshes intersect under the given placements. Moves mesh B along x by three times the largest
// entry of its matrix, which makes most pairs disjoint.
function movedAway({ transformA, transformB = identity() }: Placed): Placed {
  const moved = transformB.slice();
  const size = Math.max(...transformB.subarray(0, 12).map(Math.abs));
  moved[12] = Math.min(moved[12] + 3 * size, 2 ** 199);
  return { transformA, transformB: moved };
}

function check(
  meshes: readonly [Mesh, Mesh][],
  data: [MeshData, MeshData],
  placed: Placed,
  where: string,
): number {
  const all = allDistances(...data, placed);
  const expected = nearestOf(all)!;
  const answers = engines.map((one, i) => one.distance(...meshes[i], placed)!);
  for (const answer of answers) {
    const { distance, triangleA, triangleB } = answer;
    assert.equal({ distance, triangleA, triangleB }, expected, where);
    assert.equal(withoutStats(answer), withoutStats(answers[0]), where);
  }
  const at = 18 * (expected.triangleA * all.countB + expected.triangleB);
  const corners = all.corners.subarray(at, at + 18);
  assert.ok(isWithin(corners, expected.distance, 2 ** -46 * extentOf(corners)), where);
  if (expected.distance === 0) assert.equal(answers[0].pointA, answers[0].pointB);
  const { a, b } = { a: meshes[0][0], b: meshes[0][1] };
  const back = engine.distance(b, a, { transformA: placed.transformB, transformB: placed.transformA })!;
  assert.is(back.distance, expected.distance, where);
  return expected.distance;
}

for (const [name, data] of Object.entries(meshPairs)) {
  test(`the distance is the min distance of all triangle pairs: ${name}`, () => {
    const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data[0]), one.createMesh(data[1])]);
    let seed = 1;
    let apart = 0;
    for (const [placement, make] of Object.entries({ ...placements, ...flatPlacements })) {
      const placed = make(seeded(seed++));
      check(meshes, data, placed, `${name}, ${placement}`);
      if (check(meshes, data, movedAway(placed), `${name}, ${placement}, moved away`) > 0) apart++;
    }
    assert.ok(apart > 0);
    for (const pair of meshes) for (const mesh of pair) mesh.dispose();
  });
}

test('for parallel plates, the first of the equally near triangle pairs is returned', () => {
  const plate = (count: number, height: number): MeshData => {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= count; i++) for (let j = 0; j <= count; j++) positions.push(i, j, height);
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++) {
        const at = i * (count + 1) + j;
        indices.push(at, at + 1, at + count + 1, at + 1, at + count + 2, at + count + 1);
      }
    return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
  };
  for (const one of engines) {
    using a = one.createMesh(plate(20, 0));
    using b = one.createMesh(plate(20, 0.75));
    const { distance, triangleA, triangleB } = one.distance(a, b)!;
    assert.equal([distance, triangleA, triangleB], [0.75, 0, 0]);
  }
});

test('the distance is the min distance if the scales of a mesh differ by axis', () => {
  const random = createRandom(7);
  const points = (): MeshData => {
    const at = Array.from({ length: 4 }, () => random.direction().map(x => x * 1e-5));
    return {
      positions: Float32Array.from(at.flat()),
      indices: Uint32Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3),
    };
  };
  for (const flat of [4, 64, 1024, 2 ** 14, 2 ** 18]) {
    for (let i = 0; i < 60; i++) {
      const data: [MeshData, MeshData] = [points(), points()];
      const transformA = rotation(random.direction(), random.between(0, 6));
      for (const column of [0, 4, 8]) transformA[column + 2] /= flat;
      const placed = { transformA, transformB: translation(random.direction()) };
      const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data[0]), one.createMesh(data[1])]);
      check(meshes, data, placed, `scale 1 / ${flat}, ${i}`);
      for (const pair of meshes) for (const mesh of pair) mesh.dispose();
    }
  }
});

test('along a path, results are the same forward and backward, and on 1, 2 and 5 threads', () => {
  const [data, other] = [torus(4000), sphere(3000)];
  const random = createRandom(11);
  const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data), one.createMesh(other)]);
  const steps = Array.from({ length: 40 }, (_, i) =>
    rotation(random.direction(), 0.02 * i, [3.5 - 0.08 * i, 0.01 * i, 0.3]),
  );
  const forward = steps.map(transformB =>
    engines.map((one, i) => withoutStats(one.distance(...meshes[i], { transformB }))),
  );
  const distances = forward.map(([first]) => (first as Distance).distance);
  forward.forEach(answers => {
    for (const answer of answers) assert.equal(answer, answers[0]);
  });
  for (let i = steps.length - 1; i >= 0; i--)
    assert.equal(withoutStats(engine.distance(...meshes[0], { transformB: steps[i] })), forward[i][0]);
  assert.ok(distances.includes(0) && distances[0] > 0.1);
  for (const pair of meshes) for (const mesh of pair) mesh.dispose();
});

test('16 threads give the same bytes', async () => {
  using many = await createEngine({ threads: 16 });
  const [data, other] = [torus(6000), torus(5000)];
  const transformB = rotation([1, 2, 3], 1, [3.1, 0.4, 0.2]);
  const answers = [many, engine].map(one =>
    withoutStats(one.distance(one.createMesh(data), one.createMesh(other), { transformB })),
  );
  assert.equal(answers[0], answers[1]);
});

test('the first query of two meshes finds a distance that is just within `max`', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const data = [torus(300), sphere(200)] as const;
    const transformB = rotation(random.direction(), random.between(0, 3), [
      random.between(3, 5),
      random.between(-2, 2),
      random.between(-2, 2),
    ]);
    const find = (max?: number): Distance | null => {
      using a = engine.createMesh(data[seed % 2]!);
      using b = engine.createMesh(data[1 - (seed % 2)]!);
      return engine.distance(a, b, { transformB, ...(max !== undefined && { max }) });
    };
    const found = find()!;
    assert.equal(withoutStats(find(found.distance * (1 + 2 ** -40))), withoutStats(found), `seed ${seed}`);
  }
});

test('with `max`, a larger distance gives null, and an equal one does not', () => {
  using a = engine.createMesh(sphere(500));
  using b = engine.createMesh(torus(500));
  const transformB = translation([3, 0.1, 0.2]);
  const found = engine.distance(a, b, { transformB })!;
  assert.equal(withoutStats(engine.distance(a, b, { transformB, max: found.distance })), withoutStats(found));
  assert.is(engine.distance(a, b, { transformB, max: found.distance * (1 - 2 ** -52) }), null);
  assert.is(engine.distance(a, b, { transformB, max: 0 }), null);
  assert.is(engine.distance(a, b, { max: 0 })!.distance, 0);
});

test('after each update of a mesh, the distance is the min distance of all triangle pairs', () => {
  using a = engine.createMesh(sphere(240), { deformable: true });
  using b = engine.createMesh(sphere(200));
  const data = sphere(240);
  const transformB = translation([4, 0, 0]);
  for (const factor of [1, 0.5, 2, 2.9, 3.5]) {
    const positions = data.positions.map(value => factor * value);
    a.update(positions);
    const { distance, triangleA, triangleB } = engine.distance(a, b, { transformB })!;
    assert.equal(
      { distance, triangleA, triangleB },
      nearestOf(allDistances({ positions, indices: data.indices }, sphere(200), { transformB })),
    );
  }
});

test('distances agree with three-mesh-bvh', () => {
  const [data, other] = [torus(2000), sphere(1500)];
  const [rivalA, rivalB] = [buildRival(data), buildRival(other)];
  const random = createRandom(29);
  using a = engine.createMesh(data);
  using b = engine.createMesh(other);
  for (let iteration = 0; iteration < 12; iteration++) {
    const transformB = rotation(random.direction(), random.between(0, 7), [
      random.between(2.5, 5),
      random.between(-1, 1),
      random.between(-1, 1),
    ]);
    const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
    const theirs = rivalA.boundsTree.closestPointToGeometry(
      rivalB,
      relativeMatrix(identity(), transformB),
      target,
    )!.distance;
    assert.ok(Math.abs(theirs - engine.distance(a, b, { transformB })!.distance) < 1e-5);
  }
});

dataTest('distances of real meshes agree with three-mesh-bvh', () => {
  const [data, other] = [readObj('mesh/cow.obj.gz'), readObj('mesh/spot.obj.gz')];
  const [rivalA, rivalB] = [buildRival(data), buildRival(other)];
  const random = createRandom(5);
  using a = engine.createMesh(data);
  using b = engine.createMesh(other);
  const [from, to] = [a, b].map(({ bounds }) => [0, 1, 2].map(axis => (bounds[axis] + bounds[axis + 3]) / 2));
  const size = Math.max(...a.bounds.map(Math.abs));
  for (let iteration = 0; iteration < 6; iteration++) {
    const direction = random.direction();
    const way = random.between(1, 4) * size;
    const transformB = translation(
      [0, 1, 2].map(axis => from[axis] - to[axis] + way * direction[axis]) as [number, number, number],
    );
    const found = engine.distance(a, b, { transformB })!;
    const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
    const theirs = rivalA.boundsTree.closestPointToGeometry(
      rivalB,
      relativeMatrix(identity(), transformB),
      target,
    )!.distance;
    assert.ok(Math.abs(theirs - found.distance) < 1e-5 * size, `${theirs}, ${found.distance}`);
    assert.equal(
      withoutStats(
        engines[1].distance(engines[1].createMesh(data), engines[1].createMesh(other), { transformB }),
      ),
      withoutStats(found),
    );
  }
});

dataTest(
  'bunnies on a grid: intersecting ones have distance 0 at the first pair, and disjoint ones have the same distance in either order',
  () => {
    const { mesh: data, placements } = readMeshPairs();
    using a = engine.createMesh(data);
    for (const { transform, pairCount } of placements.slice(0, 8)) {
      const found = engine.distance(a, a, { transformB: transform })!;
      const { a: first, b: second, count } = engine.query(a, a, { transformB: transform });
      assert.is(count, pairCount);
      assert.equal([found.distance, found.triangleA, found.triangleB], [0, first[0], second[0]]);
      const moved = transform.slice();
      moved[12] += 3;
      const away = engine.distance(a, a, { transformB: moved })!;
      const back = engine.distance(a, a, { transformA: moved })!;
      assert.equal([back.distance, back.pointA, back.pointB], [away.distance, away.pointB, away.pointA]);
      assert.ok(away.distance > 0);
    }
  },
);

test('empty meshes have no distance, and single triangles have one', () => {
  using none = engine.createMesh(emptyMesh);
  using one = engine.createMesh({
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    indices: Uint32Array.of(0, 1, 2),
  });
  assert.is(engine.distance(none, one), null);
  assert.is(engine.distance(one, none), null);
  assert.is(engine.distance(none, none), null);
  assert.is(engine.distance(one, one, { transformB: translation([0, 0, 3]) })!.distance, 3);
});

test('an invalid query is refused', () => {
  using mesh = engine.createMesh(sphere(50));
  const gone = engine.createMesh(sphere(50));
  gone.dispose();
  for (const max of [NaN, -1, Infinity, '1' as unknown as number])
    assert.match(caught(() => engine.distance(mesh, mesh, { max })).message, /^max is /);
  assert.is(caught(() => engine.distance(mesh, gone)).code, 'Disposed');
  assert.is(
    caught(() => engine.distance(mesh, mesh, { transformB: new Float64Array(16) })).code,
    'InvalidTransform',
  );
  assert.is(caught(() => engine.distance(mesh, engines[1].createMesh(sphere(20)))).code, 'Unsupported');
  assert.is(caught(() => engine.distance(mesh, mesh, null as never)).code, 'Unsupported');
  assert.is(engine.distance(mesh, mesh)!.distance, 0);
});

test('a worker that is lost midway does not change the result', async () => {
  const one = await createEngine({ threads: 3 });
  const a = one.createMesh(torus(60_000));
  const b = one.createMesh(torus(50_000));
  const transformB = rotation([3, 1, 2], 1.2, [3.4, 0.2, 0.1]);
  const before = withoutStats(one.distance(a, b, { transformB }));
  const pool = poolOf(one);
  const run = pool.run.bind(pool);
  let lost = 0;
  pool.run = (kernel, jobAt, slices) =>
    kernel === 'refineDistance' && lost++ === 0 ? false : run(kernel, jobAt, slices);
  assert.equal(
    withoutStats(one.distance(a, b, { transformB: rotation([3, 1, 2], 1.2, [3.4, 0.2, 0.1]) })),
    before,
  );
  one.dispose();
});

test.run();
