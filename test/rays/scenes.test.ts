// Tests castRays on scenes with moving, scaled, mirrored and flat bodies, with groups and masks, and with ties
// between bodies. Any number of threads and any kind of memory must give the same bytes.

import * as assert from 'uvu/assert';
import type { Engine, EngineOptions, Scene } from '../../dist/index.js';
import { createRandom, lattice, rotation, sphere, torus } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { hardRays, split, type TruthBody, trueHits } from './rayTruth.js';

const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const scaled = (x: number, y: number, z: number, at: readonly [number, number, number]): Float64Array =>
  Float64Array.of(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, ...at, 1);

// Adds bodies with different placements, some with the same mesh at the same place.
function addBodies(engine: Engine, scene: Scene): TruthBody[] {
  const random = createRandom(3);
  const data = [sphere(20), lattice(8, 2, 2)];
  const meshes = data.map(one => engine.createMesh(one));
  const placements = [
    identity,
    identity,
    ...Array.from({ length: 4 }, () =>
      rotation(random.direction(), random.between(0, 7), [
        random.between(-3, 3),
        random.between(-3, 3),
        random.between(-3, 3),
      ]),
    ),
    scaled(1e-3, 1e-3, 1e-3, [1, 1, 1]),
    scaled(-2, 1, 1, [3, 0, 0]),
    scaled(1, 1, 0, [0, 0, 2]),
    scaled(1, 1e-9, 1, [0, -2, 0]),
  ];
  return placements.flatMap(transform =>
    meshes.map((mesh, i) => ({ mesh: data[i], transform, id: scene.add(mesh, { transform }) })),
  );
}

test('closest hits and all hits equal exact arithmetic over the placed triangles of all bodies', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const scene = engine.createScene();
    const bodies = addBodies(engine, scene);
    const { origins, directions } = split(hardRays(sphere(20), 16, 5));
    for (const side of ['both', 'front'] as const) {
      const closest = engine.castRays(scene, origins, directions, { side });
      const all = engine.castRays(scene, origins, directions, { side, want: 'all' });
      const any = engine.castRays(scene, origins, directions, { side, want: 'any' });
      for (let i = 0; i < closest.rayCount; i++) {
        const ray = [...origins.subarray(3 * i, 3 * i + 3), ...directions.subarray(3 * i, 3 * i + 3)];
        const hits = trueHits(bodies, ray, Infinity, side);
        const what = `ray ${i}, ${side}`;
        assert.is(closest.body![i], hits[0]?.body ?? 0xffffffff, what);
        assert.is(closest.triangle[i], hits[0]?.triangle ?? -1, what);
        assert.is(closest.t[i], hits[0]?.t ?? Infinity, what);
        assert.is(any[i], hits.length > 0 ? 1 : 0, what);
        const [from, to] = [all.offsets[i], all.offsets[i + 1]];
        assert.equal(
          Array.from(all.t.subarray(from, to), (t, k) => [all.body![from + k], all.triangle[from + k], t]),
          hits.map(({ body, triangle, t }) => [body, triangle, t]),
          what,
        );
      }
    }
  }));

test('rays hit moved bodies at their new places, and do not hit removed or filtered bodies', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const scene = engine.createScene();
    const mesh = engine.createMesh(sphere(100));
    const near = scene.add(mesh, { transform: scaled(1, 1, 1, [0, 0, -4]), group: 2 });
    const far = scene.add(mesh, { transform: scaled(1, 1, 1, [0, 0, -8]), group: 4, mask: 8 });
    const origin = Float32Array.of(0.01, 0.02, 0);
    const down = Float32Array.of(0, 0, -1);
    const bodyOf = (options = {}): number => engine.castRays(scene, origin, down, options).body![0];
    assert.is(bodyOf(), near);
    assert.is(bodyOf({ mask: 4 }), 0xffffffff);
    assert.is(bodyOf({ mask: 4, group: 8 }), far);
    assert.is(bodyOf({ mask: 2, group: 8 }), near);
    scene.setTransform(near, scaled(1, 1, 1, [5, 0, 0]));
    assert.is(bodyOf({ group: 8 }), far);
    scene.remove(far);
    assert.is(bodyOf({ group: 8 }), 0xffffffff);
    scene.setTransform(near, identity);
    assert.is(bodyOf(), near);
    assert.is(engine.castRays(engine.createScene(), origin, down).count, 0);
  }));

const manyRays = (count: number, seed: number) => {
  const random = createRandom(seed);
  const numbers = (span: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, () => random.between(-span, span));
  return { origins: numbers(4), directions: numbers(1) };
};

// Returns a hash of all results for a mesh and a scene.
const hashFor = (options: EngineOptions): Promise<string> =>
  withEngine({ ...options, warmUp: 'off' }, engine => {
    const data = torus(1000);
    const mesh = engine.createMesh(data);
    const scene = engine.createScene();
    const random = createRandom(9);
    for (let i = 0; i < 30; i++)
      scene.add(mesh, {
        transform: rotation(random.direction(), random.between(0, 7), [
          random.between(-4, 4),
          random.between(-4, 4),
          random.between(-4, 4),
        ]),
      });
    const arrays: ArrayBufferView[] = [];
    for (const { origins, directions } of [manyRays(2000, 1), split(hardRays(data, 400, 2))])
      for (const at of [mesh, scene]) {
        const closest = engine.castRays(at, origins, directions);
        const all = engine.castRays(at, origins, directions, { want: 'all' });
        arrays.push(closest.triangle, closest.t, all.offsets, all.triangle, all.t);
        if (closest.body && all.body) arrays.push(closest.body, all.body);
        arrays.push(
          engine.castRays(at, origins, directions, { want: 'any' }),
          engine.castRays(at, origins, directions, { want: 'count', max: 2 }),
        );
        assert.ok(closest.count > 50);
      }
    return hashBytes(...arrays);
  });

test('results have the same bytes for any number of threads, in shared and single memory', async () => {
  const expected = await hashFor({ threads: 1 });
  for (const threads of [2, 3, 16]) assert.is(await hashFor({ threads }), expected, `${threads} threads`);
  assert.is(await hashFor({ memory: 'single' }), expected);
});

test('more rays than a chunk holds have the same results as the same rays in small calls', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const mesh = engine.createMesh(sphere(100));
    const count = 70_000;
    const { origins, directions } = manyRays(count, 6);
    const closest = engine.castRays(mesh, origins, directions);
    const all = engine.castRays(mesh, origins, directions, { want: 'all' });
    for (const from of [0, 65_500, 69_900]) {
      const part = [origins, directions].map(list => list.subarray(3 * from, 3 * from + 300)) as [
        Float32Array,
        Float32Array,
      ];
      assert.equal(engine.castRays(mesh, ...part).t, closest.t.slice(from, from + 100));
      const some = engine.castRays(mesh, ...part, { want: 'all' });
      assert.equal(some.t, all.t.slice(all.offsets[from], all.offsets[from + 100]));
    }
  }));

test.run();
