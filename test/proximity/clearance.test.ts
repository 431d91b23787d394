// Tests queries with a clearance, on 1, 2 and 5 threads. They must find the same triangle pairs and the same
// distances as a comparison of all triangle pairs.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import {
  createRandom,
  type MeshData,
  rotation,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import {
  emptyMesh,
  flatPlacements,
  meshPairs,
  type Placed,
  placements,
  seeded,
} from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { allDistances, nearOf } from './allDistances.js';

const engines: Engine[] = await Promise.all([
  createEngine({ threads: 1 }),
  createEngine({ threads: 2, initialPairCapacity: 0, warmUp: 'off' }),
  createEngine({ threads: 5, initialPairCapacity: 1, warmUp: 'off' }),
]);
test.after(() => {
  for (const engine of engines) engine.dispose();
});
const [engine] = engines;

function check(
  meshes: readonly [Mesh, Mesh][],
  data: [MeshData, MeshData],
  placed: Placed,
  where: string,
): number {
  const all = allDistances(...data, placed);
  const sorted = all.distances.slice().sort();
  let found = 0;
  // The clearances are 0, which includes only intersecting pairs; exactly the distance of one pair; and
  // slightly more than the distance of another pair.
  for (const clearance of [
    0,
    sorted[Math.floor(sorted.length / 50)],
    sorted[Math.floor(sorted.length / 7)] * (1 + 2 ** -30),
  ]) {
    if (clearance === Infinity) continue;
    const expected = nearOf(all, clearance);
    engines.forEach((one, i) => {
      const result = one.query(...meshes[i], { ...placed, clearance });
      const { a, b, distances } = result;
      assert.is(result.count, expected.length, `${where}, ${clearance}`);
      assert.equal(
        [...a],
        expected.map(pair => pair.a),
        where,
      );
      assert.equal(
        [...b],
        expected.map(pair => pair.b),
        where,
      );
      assert.equal(
        [...distances],
        expected.map(pair => pair.distance),
        where,
      );
      assert.is(one.query(...meshes[i], { ...placed, clearance, want: 'any' }), expected.length > 0, where);
    });
    found += expected.length;
  }
  return found;
}

// Returns count * count separate triangles, one in each cell of a square grid in x and y. Their z differs.
function grid(count: number, [fromX, fromY]: readonly [number, number], size: number): MeshData {
  const positions: number[] = [];
  const step = size / count;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const [x, y, z] = [fromX + i * step, fromY + j * step, ((i * 7 + j * 3) % 5) / 40];
      positions.push(x, y, z, x + step, y, z, x, y + step, z);
    }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => vertex),
  };
}

for (const [name, data] of Object.entries(meshPairs)) {
  test(`pairs within a clearance are those of an all-pairs comparison: ${name}`, () => {
    const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data[0]), one.createMesh(data[1])]);
    let seed = 1;
    let found = 0;
    for (const [placement, make] of Object.entries({ ...placements, ...flatPlacements }))
      found += check(meshes, data, make(seeded(seed++)), `${name}, ${placement}`);
    assert.ok(found > 0);
    for (const pair of meshes) for (const mesh of pair) mesh.dispose();
  });
}

test('a clearance of 0 gives the intersecting pairs', () => {
  const random = createRandom(3);
  using a = engine.createMesh(torus(3000));
  using b = engine.createMesh(sphere(2000));
  for (let iteration = 0; iteration < 10; iteration++) {
    const transformB = rotation(random.direction(), random.between(0, 7), [random.between(0, 1.5), 0, 0]);
    const plain = engine.query(a, b, { transformB }).copy();
    const near = engine.query(a, b, { transformB, clearance: 0 });
    assert.equal(near.copy(), { ...plain, distances: new Float64Array(plain.count) });
    assert.ok(near.distances.every(distance => distance === 0));
  }
});

test('if all pairs are near, all are found, also when the buffer of leaf pairs fills up midway', () => {
  const data = [sphere(300), torus(300)] as const;
  const transformB = translation([0.5, 0.25, 5]);
  engines.forEach(one => {
    using a = one.createMesh(data[0]);
    using b = one.createMesh(data[1]);
    for (const clearance of [100, 1e30, 1e300]) {
      assert.is(one.query(a, b, { transformB, clearance }).count, a.triangleCount * b.triangleCount);
      assert.is(one.query(a, b, { transformB, clearance, want: 'any' }), true);
    }
  });
});

// The two solids have many small triangles. They are moved apart, and in most cases, solid B is also scaled by
// different factors along its axes. Some pairs of boxes and triangles are certainly within the clearance, some
// are certainly not, and the others can be decided only by an exact distance.
test('for meshes just within the clearance, the pairs of an all-pairs comparison are found, with few exact distances', () => {
  const data = [sphere(300), torus(300)] as const;
  const random = createRandom(17);
  const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data[0]), one.createMesh(data[1])]);
  for (const way of [3, 8, 40]) {
    for (const [x, y, z] of [
      [1, 1, 1],
      [1, 0.25, 1],
      [0.5, 1, 2],
    ] as const) {
      const transformB = rotation(
        random.direction(),
        random.between(0, 7),
        random.direction().map(value => way * value) as [number, number, number],
      );
      transformB.forEach((value, at) => {
        if (at < 12) transformB[at] = value * [x, y, z][at >> 2];
      });
      const all = allDistances(...data, { transformB });
      const sorted = all.distances.slice().sort();
      for (const share of [1e-5, 1e-3, 0.1]) {
        const clearance = sorted[Math.floor(share * sorted.length)];
        const expected = nearOf(all, clearance);
        engines.forEach((one, i) => {
          const { a, b, distances, stats } = one.query(...meshes[i], { transformB, clearance });
          const where = `${way} away, ${x}, ${y}, ${z}, ${share}`;
          assert.equal(
            [...a],
            expected.map(pair => pair.a),
            where,
          );
          assert.equal(
            [...b],
            expected.map(pair => pair.b),
            where,
          );
          assert.equal(
            [...distances],
            expected.map(pair => pair.distance),
            where,
          );
          const measured = stats.threads.reduce((sum, { exactTests }) => sum + exactTests, 0);
          assert.ok(measured < 400, `${where}: ${measured} exact distances for ${expected.length} pairs`);
        });
      }
    }
  }
  for (const pair of meshes) for (const mesh of pair) mesh.dispose();
});

test('frames of a motion give the same bytes for different numbers of lists and threads', async () => {
  const many = await createEngine({ threads: 16 });
  const all = [...engines, many];
  const hashes = new Map<string, Set<string>>();
  for (const one of all) {
    const a = one.createMesh(torus(5000));
    const b = one.createMesh(sphere(4000));
    for (let frame = 0; frame < 8; frame++) {
      for (const options of [{}, { parts: 7 }, { coherence: 'off', stealing: 'off' }] as const) {
        const {
          a: first,
          b: second,
          distances,
        } = one.query(a, b, {
          transformB: translation([2.4 - 0.05 * frame, 0.1, 0]),
          clearance: 0.125,
          ...options,
        });
        const name = `frame ${frame}`;
        hashes.set(name, (hashes.get(name) ?? new Set()).add(hashBytes(first, second, distances)));
      }
    }
  }
  for (const [name, found] of hashes) assert.is(found.size, 1, name);
  assert.is(new Set([...hashes.values()].map(([hash]) => hash)).size, 8);
  many.dispose();
});

test('all pairs are found if one or both placements are too flat for bounds in the frame of the placed mesh', () => {
  // The determinant of a placement is height^2. `inverseOf` inverts a placement only if its determinant
  // exceeds 2^-26 times the product of the lengths of its three rows, each about the square root of 3.
  const data: [MeshData, MeshData] = [grid(6, [0, 0], 1), grid(6, [0, 0], 1)];
  const placed = (height: number, shift: number): Float64Array =>
    Float64Array.of(1, 1, 1, 0, 1, 1 - height, 1, 0, 1, 1, 1 - height, 0, 0, 0, shift, 1);
  const meshes = engines.map((one): [Mesh, Mesh] => [one.createMesh(data[0]), one.createMesh(data[1])]);
  for (const [ofA, ofB] of [
    [1.01, 0.99],
    [0.99, 1.01],
    [0.99, 0.98],
  ]) {
    const height = 3 ** 0.75 * 2 ** -13;
    const transforms = { transformA: placed(ofA * height, 0), transformB: placed(ofB * height, height / 2) };
    check(meshes, data, transforms, `${ofA}, ${ofB}`);
    engines.forEach((one, i) => {
      assert.is(one.query(...meshes[i], { ...transforms, clearance: 10 }).count, 36 ** 2);
    });
  }
  for (const pair of meshes) for (const mesh of pair) mesh.dispose();
});

test('under flat placements, the distance is correct if the farthest vertex is just beyond a power of two', () => {
  const flat = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const far = 16 + 2 ** -48;
  const { positions } = grid(12, [10, -2], 4);
  const b = { positions: Float64Array.of(...positions, far, 0, 0, far, 0, 0, far, 0, 0) };
  const [meshA, meshB] = [engine.createMesh(grid(12, [-8, -8], 16)), engine.createMesh(b)];
  // The nearest vertices of the two grids are (8, 0) and (10, 0).
  assert.is(engine.distance(meshA, meshB, { transformA: flat, transformB: flat })!.distance, 2);
  meshA.dispose();
  meshB.dispose();
});

test('an invalid query is refused, and empty meshes are near nothing', () => {
  using mesh = engine.createMesh(sphere(50));
  using none = engine.createMesh(emptyMesh);
  for (const clearance of [NaN, -1, Infinity, '1' as unknown as number])
    assert.match(caught(() => engine.query(mesh, mesh, { clearance })).message, /^clearance is /);
  assert.match(
    caught(() => engine.query(mesh, mesh, { clearance: 1, order: 'no' as 'any' })).message,
    /^order is /,
  );
  assert.is(engine.query(mesh, none, { clearance: 1e9 }).count, 0);
  const result = engine.query(mesh, mesh, { clearance: 0.5, order: 'any' });
  assert.is(result.distances.length, result.count);
  engine.query(mesh, mesh);
  assert.is(caught(() => result.distances).code, 'Stale');
});

test.run();
