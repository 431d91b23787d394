// Compares the contacts of scenes, frame by frame, with a simple model that queries all pairs of bodies. Also
// tests other properties of scenes, such as that pairs of resting bodies are not tested again.

import * as assert from 'uvu/assert';
import { createEngine, Disposed, type Engine, Unsupported } from '../../dist/index.js';
import { box, rotation, soup, sphere, torus, translation } from '../../dist/samples/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { bodyBox } from '../oracle/bodyBox.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { caught, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { SceneModel, type Shape } from './sceneModel.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 4, 16]) engines.push(await createEngine({ threads, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', warmUp: 'off' }));
const [singleThreaded] = engines;

const data = [box(), soup(4, 1), sphere(80), soup(12, 2)];
function randomMatrix(random: Random, side: number): Float64Array {
  const at = [0, 1, 2].map(() => (random.below(2) === 0 ? random.below(side) : random.between(0, side))) as [
    number,
    number,
    number,
  ];
  return Float64Array.from(
    random.below(3) === 0 ? translation(at) : rotation(random.direction(), random.between(0, 6), at),
  );
}

// Adds, moves, removes, deforms, replaces and shatters bodies at random, both in a scene and in its model,
// and compares their contacts in some steps. Returns the number of comparisons.
function play(seed: number, model: SceneModel, shapes: readonly Shape[]): number {
  const random = createRandom(seed);
  const { scene, bodies } = model;
  const side = 2 + random.below(6);
  const soft = random.below(3) === 0 ? model.make(soup(6, seed), true) : undefined;
  const anyShape = (): Shape => (soft && random.below(3) === 0 ? soft : shapes[random.below(shapes.length)]);
  let frames = 0;
  for (let step = 0; step < 12; step++) {
    const kind = random.below(14);
    const ids = [...bodies.keys()];
    const id = ids[random.below(Math.max(1, ids.length))];
    if (kind < 4 || id === undefined) {
      model.add(anyShape(), {
        transform: randomMatrix(random, side),
        group: 1 << random.below(3),
        mask: random.below(3) === 0 ? random.below(8) : 0xffffffff,
      });
    } else if (kind === 4) {
      model.remove(id);
    } else if (kind === 5) {
      const matrix = randomMatrix(random, side);
      scene.setTransform(id, matrix);
      bodies.get(id)!.matrix = matrix;
    } else if (kind === 6) {
      const all = new Float64Array(16 * scene.slotCount).fill(NaN);
      for (const body of bodies.values()) {
        if (random.below(2) === 0) body.matrix = randomMatrix(random, side);
        all.set(body.matrix, 16 * scene.slotOf(body.id));
      }
      scene.setTransforms(all);
    } else if (kind === 7) {
      if (soft) model.update(soft, soup(6, seed + step).positions);
    } else if (kind === 8) {
      const { matrix: transform, group, mask } = model.remove(id);
      model.add(anyShape(), { transform, group, mask });
    } else if (kind === 9 && bodies.get(id)!.shape.data.indices.length < 40) {
      const shardCount = 2 + random.below(2);
      model.shatter(id, shardCount, triangle => triangle % shardCount);
    } else {
      const narrow = (['boxes', 'any', 'counts', 'pairs', 'pairs'] as const)[random.below(5)];
      const parts = [undefined, 2, 9][random.below(3)];
      model.check({ narrow, parts }, `seed ${seed}, step ${step}, ${narrow}`);
      frames++;
    }
  }
  return frames;
}

test('in 3,000 random sequences of adding, moving, deforming, breaking, removing and querying bodies, contacts agree with the model', () => {
  const referenceMeshes = data.map(mesh => singleThreaded.createMesh(mesh));
  let frames = 0;
  for (const [number, engine] of engines.entries()) {
    const meshes = data.map(mesh => engine.createMesh(mesh));
    const share = number === 0 ? 1800 : 300;
    for (let i = 0; i < share; i++) {
      using scene = engine.createScene({
        broadPhase: (['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const)[i % 6],
      });
      const model = new SceneModel(engine, scene, singleThreaded);
      frames += play(
        number * 10_000 + i,
        model,
        data.map((of, k) => ({ data: of, mesh: meshes[k], referenceMesh: referenceMeshes[k] })),
      );
      model.dispose();
    }
    for (const mesh of meshes) mesh.dispose();
  }
  for (const mesh of referenceMeshes) mesh.dispose();
  assert.ok(frames > 8000, `${frames} frames`);
});

test('boxes of bodies equal the reference boxes to the last bit, limited to the range of float32', () => {
  const random = createRandom(11);
  const maximum = 2 ** 128 - 2 ** 104;
  const mesh = singleThreaded.createMesh(soup(20, 3));
  const scene = singleThreaded.createScene();
  const { bodies } = scene as unknown as { bodies: { boxesAt: number } };
  const { arena } = (singleThreaded as unknown as { context: { arena: { f32: Float32Array } } }).context;
  const expected = new Float32Array(6 * 500);
  for (let i = 0; i < 500; i++) {
    const reach = 2 ** random.between(-140, i % 5 === 0 ? 190 : 120);
    const transform = Float64Array.from({ length: 16 }, (_, k) =>
      k % 4 === 3 ? (k === 15 ? 1 : 0) : random.below(5) === 0 ? 0 : reach * random.between(-1, 1),
    );
    scene.add(mesh, { transform });
    bodyBox(mesh.bounds, transform, expected, 6 * i);
  }
  const boxes = arena.f32.slice(bodies.boxesAt / 4, bodies.boxesAt / 4 + expected.length);
  assert.equal(
    boxes,
    expected.map(value => Math.max(-maximum, Math.min(maximum, value))),
  );
  scene.dispose();
  mesh.dispose();
});

test('triangle pairs of a scene are those of exact arithmetic', () => {
  const random = createRandom(5);
  const shapes = data.map(mesh => singleThreaded.createMesh(mesh));
  using scene = singleThreaded.createScene();
  const bodies = Array.from({ length: 7 }, () => {
    const shape = random.below(3);
    const matrix = randomMatrix(random, 2);
    return { id: scene.add(shapes[shape], { transform: matrix }), shape, matrix };
  });
  const { count, a, b, pairsAt, triangles } = scene.detect();
  const found = new Map(
    Array.from({ length: count }, (_, i) => [
      `${a[i]},${b[i]}`,
      pairsOf({
        a: triangles.a.slice(pairsAt[i], pairsAt[i + 1]),
        b: triangles.b.slice(pairsAt[i], pairsAt[i + 1]),
      }),
    ]),
  );
  let total = 0;
  bodies.forEach((first, i) =>
    bodies.slice(i + 1).forEach(second => {
      const truth = trianglePairs(data[first.shape], first.matrix, data[second.shape], second.matrix);
      assert.equal(found.get(`${first.id},${second.id}`) ?? [], truth);
      total += truth.length;
    }),
  );
  assert.ok(total > 50, `${total} pairs`);
  for (const mesh of shapes) mesh.dispose();
});

test('1 to 16 threads give the same contacts of moving bodies', () => {
  const bodyCount = 400;
  const runs = engines.map(engine => {
    const random = createRandom(9);
    const meshes = [engine.createMesh(torus(300)), engine.createMesh(sphere(200))];
    const scene = engine.createScene();
    for (let i = 0; i < bodyCount; i++) scene.add(meshes[i % 2]);
    const places = Array.from({ length: bodyCount }, () => ({
      at: [0, 1, 2].map(() => random.between(0, 14)),
      way: random.direction(),
      axis: random.direction(),
    }));
    const frames: string[] = [];
    for (let frame = 0; frame < 4; frame++) {
      const matrices = new Float32Array(16 * bodyCount);
      places.forEach(({ at, way, axis }, i) => {
        const [x, y, z] = at.map((value, k) => value + 0.1 * frame * way[k]);
        matrices.set(rotation(axis, 0.1 * frame, [x, y, z]), 16 * i);
      });
      scene.setTransforms(matrices);
      const { a, b, pairsAt, triangles, began, persisted, ended } = scene.detect();
      frames.push(
        [a, b, pairsAt, triangles.a, triangles.b, began.a, persisted.b, ended.a]
          .map(words => words.join())
          .join(';'),
      );
    }
    scene.dispose();
    for (const mesh of meshes) mesh.dispose();
    return frames;
  });
  assert.ok(runs[0][3].length > 10_000);
  for (const run of runs) assert.equal(run, runs[0]);
});

test('if memory grows while bodies are added, no body is lost', async () => {
  for (const memory of ['single', 'shared'] as const) {
    await withEngine({ memory, warmUp: 'off' }, engine => {
      const mesh = engine.createMesh(box());
      const scene = engine.createScene();
      for (let i = 0; i < 5000; i++) scene.add(mesh, { transform: translation([1.5 * i, 0, 0]) });
      const { count, triangles } = scene.detect();
      assert.is(count, 4999);
      assert.is(
        triangles.a.length,
        4999 * engine.query(mesh, mesh, { transformB: translation([1.5, 0, 0]) }).count,
      );
    });
  }
});

test('pairs of resting bodies are not tested again, and pairs of moved ones are', () => {
  const mesh = singleThreaded.createMesh(box());
  using scene = singleThreaded.createScene();
  const ids = Array.from({ length: 6 }, (_, i) =>
    scene.add(mesh, { transform: translation([1.5 * i, 0, 0]) }),
  );
  assert.is(scene.detect().stats.tested, 5);
  const still = scene.detect();
  assert.equal(
    [still.count, still.stats.tested, still.persisted.count, still.began.count, still.ended.count],
    [5, 0, 5, 0, 0],
  );
  assert.ok(still.triangles.a.length > 100);
  assert.equal(
    [still.stats.boxPairs, still.stats.candidates, still.stats.broadPhase.tests],
    [5, 5, 0],
    'boxes are not tested, either',
  );
  scene.setTransform(ids[0], translation([0.1, 0, 0]));
  assert.is(scene.detect().stats.tested, 1);
  const all = new Float32Array(16 * 6);
  ids.forEach((_, i) => all.set(translation([1.5 * i + (i === 0 ? 0.1 : 0), 0, 0]), 16 * i));
  scene.setTransforms(all);
  assert.is(scene.detect().stats.tested, 1, '0.1 as a float32 is another number, so the body moved');
  scene.setTransforms(all);
  assert.is(scene.detect().stats.tested, 0);
  assert.is(scene.detect({ narrow: 'any' }).stats.tested, 5, 'another narrow option tests all pairs again');
  mesh.dispose();
});

test('in a frame in which no body has moved, the statistics of the broad phase have no stages and only zeros', () => {
  for (const broadPhase of ['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const) {
    const mesh = singleThreaded.createMesh(box());
    using scene = singleThreaded.createScene({ broadPhase });
    for (let i = 0; i < 6; i++) scene.add(mesh, { transform: translation([1.5 * i, 0, 0]) });
    const moved = scene.detect().stats.broadPhase;
    assert.ok(Object.keys(moved.stages).length > 0, broadPhase);
    const still = scene.detect().stats.broadPhase;
    assert.equal(
      still,
      {
        method: moved.method,
        reason: 'no body has moved since the last frame',
        tests: 0,
        places: 0,
        ...(broadPhase === 'sap-persistent' ? { swaps: 0 } : {}),
        ...(broadPhase === 'octree' ? { changed: 0 } : {}),
        milliseconds: 0,
        stages: {},
      },
      broadPhase,
    );
    mesh.dispose();
  }
});

test('a mesh that deforms counts as moved; a removed body ends its contacts, and its id is not reused', () => {
  const soft = singleThreaded.createMesh(box(), { deformable: true });
  const hard = singleThreaded.createMesh(box());
  using scene = singleThreaded.createScene();
  const first = scene.add(soft);
  const second = scene.add(hard, { transform: translation([2.5, 0, 0]) });
  assert.is(scene.detect().count, 0);
  soft.update(box().positions.map(value => 2 * value));
  const grown = scene.detect();
  assert.equal([grown.count, grown.began.count], [1, 1]);
  scene.remove(first);
  const gone = scene.detect();
  assert.equal([gone.count, pairsOf(gone.ended)], [0, [[first, second]]]);
  const third = scene.add(soft);
  assert.is(scene.slotOf(third), 0, 'the slot is used again');
  assert.is.not(third, first);
  assert.instance(
    caught(() => scene.remove(first)),
    Unsupported,
  );
  assert.instance(
    caught(() => scene.setTransform(first, translation([0, 0, 0]))),
    Unsupported,
  );
  assert.is(scene.detect().count, 1);
  soft.dispose();
  assert.instance(
    caught(() => scene.detect()),
    Disposed,
  );
  scene.remove(third);
  assert.is(scene.detect().count, 0, 'and the scene continues to work');
  hard.dispose();
});

test('transforms that are written into engine memory take effect', () => {
  const mesh = singleThreaded.createMesh(box());
  using scene = singleThreaded.createScene();
  for (let i = 0; i < 3; i++) scene.add(mesh);
  const view = scene.transformView();
  assert.is(view.length, 48);
  for (let i = 0; i < 3; i++) view.set(translation([1.5 * i, 0, 0]), 16 * i);
  scene.setTransforms(view);
  assert.equal(pairsOf(scene.detect()).length, 2);
  view.set(translation([9, 9, 9]), 16);
  scene.setTransforms(view);
  assert.equal(pairsOf(scene.detect()).length, 0);
  mesh.dispose();
});

test('far, tiny, flat and singular placements are correct, and a mesh without triangles touches nothing', () => {
  const mesh = singleThreaded.createMesh(box());
  const none = singleThreaded.createMesh({ positions: new Float32Array(9), indices: new Uint32Array(0) });
  using scene = singleThreaded.createScene();
  const scaled = (x: number, y: number, z: number, at = 0) =>
    Float64Array.of(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, at, 0, 0, 1);
  const matrices = [
    scaled(1, 1, 1),
    scaled(1, 0, 1),
    scaled(0, 0, 0),
    scaled(1e-30, 1, 1),
    scaled(1e50, 1e50, 1e50),
    scaled(1, 1, 1, 1e55),
    scaled(1, 1, 1e-20, 1),
  ];
  const ids = matrices.map(transform => scene.add(mesh, { transform }));
  scene.add(none);
  const { count, a, b, pairsAt } = scene.detect();
  const counts = new Map(
    Array.from({ length: count }, (_, i) => [`${a[i]},${b[i]}`, pairsAt[i + 1] - pairsAt[i]]),
  );
  matrices.forEach((transformA, i) =>
    matrices.slice(i + 1).forEach((transformB, k) => {
      const alike = singleThreaded.query(mesh, mesh, { transformA, transformB }).count;
      assert.is(counts.get(`${ids[i]},${ids[i + 1 + k]}`) ?? 0, alike, `${i} ${i + 1 + k}`);
    }),
  );
  mesh.dispose();
  none.dispose();
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
