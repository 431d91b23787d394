// Tests engine.async.detect: in each frame, the contacts of a scene must have the same bytes as those of
// scene.detect on the CPU. The GPU tests boxes and triangles alone or together with the CPU. If the GPU is
// lost or missing, the CPU tests them alone.

import * as assert from 'uvu/assert';
import type { EngineHost } from '../../dist/core/module.js';
import { AsyncRunner } from '../../dist/gpu/asyncRunner.js';
import { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuBodyPairs } from '../../dist/gpu/gpuBodyPairs.js';
import { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import {
  type AsyncContacts,
  type Contacts,
  createEngine,
  type DetectOptions,
  type Engine,
  type Mesh,
  type Scene,
} from '../../dist/index.js';
import { createRandom, rotation, soup, sphere, torus, translation } from '../../dist/samples/index.js';
import type { Detection } from '../../dist/scene/detection.js';
import { caught, caughtLater, contextOf } from '../support/engines.js';
import { gpuTest, source, withGpu } from '../support/gpu.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { withAsync } from './gpuLoss.js';

const known = await createEngine({ threads: 2 });
// Most tests share one engine, so that the kernels of its device are compiled only once.
let shared: Promise<Engine> | undefined;
const onGpu = async (use: (engine: Engine) => Promise<void>): Promise<void> =>
  use(await (shared ??= createEngine({ threads: 1, backend: 'webgpu', gpu: source, warmUp: 'off' })));
test.after(async () => {
  known.dispose();
  (await shared)?.dispose();
});

type AnyContacts = Omit<Contacts, 'copy' | 'stats'> & { stats: Contacts['stats'] };
const NARROWS = ['boxes', 'any', 'counts', 'pairs'] as const;
const data = [
  sphere(60),
  torus(100),
  soup(12, 3),
  { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) },
  { positions: new Float32Array(0), indices: new Uint32Array(0) },
];

/**
 * Returns the fields of a result that must be the same on the GPU and on the CPU; lists of pairs as hashes.
 */
function frameOf({
  count,
  a,
  b,
  counts,
  pairsAt,
  triangles,
  began,
  persisted,
  ended,
  stats,
}: AnyContacts): object {
  const { bodies, boxPairs, candidates, tested } = stats;
  return {
    count,
    pairs: hashBytes(a, b),
    counts: [...counts],
    pairsAt: [...pairsAt],
    triangles: hashBytes(triangles.a, triangles.b),
    trianglePairs: triangles.a.length,
    began: hashBytes(began.a, began.b),
    persisted: hashBytes(persisted.a, persisted.b),
    ended: hashBytes(ended.a, ended.b),
    bodies,
    boxPairs,
    candidates,
    tested,
  };
}

/**
 * Two scenes with the same bodies. scenes[0] belongs to the engine whose asynchronous calls are tested.
 * scenes[1] belongs to `known`, an engine that computes the expected results on the CPU.
 */
class ScenePair {
  readonly scenes: readonly [Scene, Scene];
  readonly meshes: readonly (readonly [Mesh, Mesh])[];
  private readonly engine: Engine;
  readonly ids: number[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
    this.scenes = [engine.createScene(), known.createScene()];
    this.meshes = data.map(
      mesh =>
        [
          engine.createMesh(mesh, { deformable: true }),
          known.createMesh(mesh, { deformable: true }),
        ] as const,
    );
  }

  add(shape: number, options: { transform?: Float64Array; group?: number; mask?: number }): void {
    const ids = this.scenes.map((scene, i) => scene.add(this.meshes[shape][i], options));
    assert.is(ids[0], ids[1]);
    this.ids.push(ids[0]);
  }

  both(change: (scene: Scene) => void): void {
    for (const scene of this.scenes) change(scene);
  }

  update(shape: number, positions: Float32Array): void {
    for (const mesh of this.meshes[shape]) mesh.update(positions);
  }

  /** @returns the result, after comparing it with the CPU's */
  async detect(options: DetectOptions, what: string): Promise<AsyncContacts> {
    const found = await this.engine.async.detect(this.scenes[0], options);
    const truth = this.scenes[1].detect(options);
    assert.equal(frameOf(found), frameOf(truth), what);
    return found;
  }

  dispose(): void {
    for (const scene of this.scenes) scene.dispose();
    for (const mesh of this.meshes.flat()) mesh.dispose();
  }
}

function placedAt(random: ReturnType<typeof createRandom>, far = 2): Float64Array {
  return rotation([random.between(-1, 1), random.between(-1, 1), 1], random.between(0, 6), [
    random.between(0, far),
    random.between(0, far),
    random.between(0, far),
  ]);
}

function filled(
  engine: Engine,
  seed: number,
  count: number,
): { scenePair: ScenePair; random: ReturnType<typeof createRandom> } {
  const scenePair = new ScenePair(engine);
  const random = createRandom(seed);
  for (let i = 0; i < count; i++)
    scenePair.add(random.below(data.length), {
      transform: placedAt(random),
      group: 1 + random.below(3),
      mask: 1 + random.below(3),
    });
  return { scenePair, random };
}

gpuTest.slow('seeded scenes give the same bytes as on the CPU over many frames', () =>
  onGpu(async engine => {
    const backends = new Set<string>();
    const methods = new Set<string>();
    let contacts = 0;
    let ended = 0;
    for (let seed = 1; seed <= 2; seed++) {
      const { scenePair, random } = filled(engine, seed, 16);
      for (let frame = 0; frame < 7; frame++) {
        const narrow = NARROWS[(frame + (frame >> 1) + seed) % 4];
        const moved = [16, 2, 0, 16, 1, 13, 3][frame];
        for (let i = 0; i < moved; i++) {
          const id = scenePair.ids[random.below(scenePair.ids.length)];
          const transform = placedAt(random);
          scenePair.both(scene => scene.setTransform(id, transform));
        }
        if (frame === 3) {
          const [gone] = scenePair.ids.splice(random.below(scenePair.ids.length), 1);
          scenePair.both(scene => scene.remove(gone!));
          scenePair.add(1, { transform: translation([1, 1, 1]) });
        }
        if (frame === 4)
          scenePair.update(
            0,
            data[0].positions.map(value => 1.3 * value),
          );
        const found = await scenePair.detect({ narrow }, `seed ${seed}, frame ${frame}, ${narrow}`);
        contacts += found.count;
        ended += found.ended.count;
        backends.add(found.stats.backend);
        methods.add(found.stats.broadPhase.reason);
        // A synchronous detect after an asynchronous one also gives the expected contacts, and the
        // expected lists of contacts that began and ended.
        if (frame === 5)
          assert.equal(
            frameOf(scenePair.scenes[0].detect({ narrow })),
            frameOf(scenePair.scenes[1].detect({ narrow })),
          );
      }
      scenePair.dispose();
    }
    assert.ok(contacts > 40 && ended > 5, `${contacts} contacts, ${ended} ended`);
    assert.ok(backends.has('gpu') && methods.size > 1, [...methods].join('; '));
    assert.equal(
      engine.info.notes.filter(({ code }) => /gpu/.test(code)),
      [],
    );
  }),
);

gpuTest.slow(
  'bodies whose placement a GPU cannot represent are tested on the CPU, and all others on the GPU',
  () =>
    onGpu(async engine => {
      const { scenePair } = filled(engine, 9, 20);
      const tiny = Float64Array.of(1e-9, 0, 0, 0, 0, 1e-9, 0, 0, 0, 0, 1e-9, 0, 1, 1, 1, 1);
      const flat = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
      // The pair of the two flat bodies cannot be tested on the GPU, because neither of their transforms has
      // an inverse.
      for (const transform of [tiny, flat]) for (const shape of [0, 1]) scenePair.add(shape, { transform });
      for (const narrow of NARROWS) {
        const { stats } = await scenePair.detect({ narrow }, narrow);
        if (narrow === 'boxes') continue;
        const { pairs } = stats.gpu as { pairs: number };
        assert.ok(pairs > 0 && pairs < stats.tested, `${pairs} of ${stats.tested} on the GPU`);
        assert.is(stats.queries.length, 1);
      }
      for (const id of scenePair.ids.slice(0, 22)) scenePair.both(scene => scene.remove(id));
      scenePair.both(scene =>
        scene.setTransform(
          scenePair.ids[23],
          flat.map((value, i) => value + (i === 12 ? 0.1 : 0)),
        ),
      );
      const { stats } = await scenePair.detect({}, 'no pair that the GPU can test');
      assert.is(stats.backend, 'wasm');
      assert.match(stats.reason, /floats are too imprecise/);
      scenePair.dispose();
    }),
);

gpuTest.slow('the GPU and the CPU each test some of many pairs of bodies, with the correct contacts', () =>
  withAsync({ backend: 'wasm' }, engine =>
    withGpu(async gpu => {
      const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());
      const queries = new GpuQueries(host, gpu);
      const bodies = new GpuBodyPairs(host, queries);
      const { scenePair, random } = filled(engine, 4, 60);
      const hold = (options: DetectOptions): Detection =>
        (scenePair.scenes[0] as unknown as { beginDetect(options: DetectOptions): Detection }).beginDetect(
          options,
        );
      for (const narrow of ['pairs', 'counts', 'any', 'pairs'] as const) {
        for (const id of scenePair.ids) {
          const transform = placedAt(random);
          scenePair.both(scene => scene.setTransform(id, transform));
        }
        const detection = hold({ narrow });
        detection.choose();
        const { answer, stats } = await bodies.test(detection, false);
        const { pairs } = stats as { pairs: number };
        assert.ok(
          detection.tester.count > 64 && pairs < detection.tester.count && pairs > 0,
          `${pairs} of ${detection.tester.count}`,
        );
        const found = detection.end(answer).copy();
        (scenePair.scenes[0] as unknown as { finishDetect(): void }).finishDetect();
        assert.equal(frameOf(found), frameOf(scenePair.scenes[1].detect({ narrow })), narrow);
      }
      scenePair.dispose();
      queries.dispose();
    }),
  ),
);

gpuTest.slow(
  'if a device is lost while boxes or triangles are tested, this frame and the next ones run on the CPU',
  async () => {
    for (const place of [2, 7]) {
      let left = -1;
      const { wait } = Gpu.prototype;
      Gpu.prototype.wait = function <Value>(this: Gpu, promise: Promise<Value>): Promise<Value> {
        if (left >= 0 && left-- === 0) this.device.destroy();
        return wait.call(this, promise) as Promise<Value>;
      };
      try {
        await withAsync({ backend: 'webgpu' }, async engine => {
          const { scenePair, random } = filled(engine, 5, 8);
          const backends: string[] = [];
          for (let frame = 0; frame < 3; frame++) {
            for (const id of scenePair.ids) {
              const transform = placedAt(random);
              scenePair.both(scene => scene.setTransform(id, transform));
            }
            if (frame === 1) left = place;
            backends.push((await scenePair.detect({}, `frame ${frame}`)).stats.backend);
          }
          scenePair.dispose();
          assert.equal(backends, ['gpu', 'wasm', 'wasm'], `device lost in call ${place} of wait`);
          assert.equal(
            engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code)),
            ['gpu-lost'],
          );
        });
      } finally {
        Gpu.prototype.wait = wait;
      }
    }
  },
);

test('without a GPU, scenes run on the CPU', async () => {
  for (const options of [{ backend: 'wasm' }, { gpu: { requestAdapter: async () => null } }] as const) {
    await withAsync(options, async engine => {
      const { scenePair, random } = filled(engine, 6, 15);
      for (const narrow of NARROWS) {
        const transform = placedAt(random);
        scenePair.both(scene => scene.setTransform(scenePair.ids[3], transform));
        assert.is((await scenePair.detect({ narrow }, narrow)).stats.backend, 'wasm');
      }
      const reported: number[] = [];
      const transform = placedAt(random);
      scenePair.both(scene => scene.setTransform(scenePair.ids[2], transform));
      await engine.async.detect(scenePair.scenes[0], {
        narrow: 'counts',
        onProgress: done => {
          reported.push(done);
        },
      });
      assert.is(reported.at(-1), 1);
      scenePair.dispose();
    });
  }
});

gpuTest.slow(
  'the scene must not change until the promise resolves; progress and invalid calls are reported',
  () =>
    onGpu(async engine => {
      const { scenePair } = filled(engine, 7, 12);
      const [scene, truth] = scenePair.scenes;
      const before = frameOf(truth.detect());
      const pendingAnswer = engine.async.detect(scene);
      for (const use of [
        () => scene.detect(),
        () => scene.remove(scenePair.ids[0]),
        () => scene.setTransform(scenePair.ids[0], translation([0, 0, 0])),
      ]) {
        assert.match(caught(use).message, /still running/);
      }
      assert.match((await caughtLater(() => engine.async.detect(scene))).message, /still running/);
      // While the promise is pending, other queries may run on the same engine.
      const [a, b] = [engine.createMesh(data[0]), engine.createMesh(data[1])];
      const query = engine.async.query(a, b);
      assert.equal(frameOf(await pendingAnswer), before);
      assert.is((await query).count, known.query(known.createMesh(data[0]), known.createMesh(data[1])).count);
      const reported: number[] = [];
      scene.setTransform(scenePair.ids[0], translation([1, 1, 1]));
      await engine.async.detect(scene, {
        narrow: 'counts',
        onProgress: done => {
          reported.push(done);
        },
      });
      assert.equal(reported, [1]);
      for (const [run, code] of [
        [() => engine.async.detect(truth), 'Unsupported'],
        [() => engine.async.detect(undefined as never), 'Unsupported'],
        [() => engine.async.detect(scene, { narrow: 'some' as 'any' }), 'Unsupported'],
        [() => engine.async.detect(scene, { parts: -1 }), 'Unsupported'],
        [() => engine.async.detect(scene, 5 as never), 'Unsupported'],
        [() => engine.async.detect(scene, { onProgress: 3 as never }), 'Unsupported'],
      ] as const)
        assert.is((await caughtLater(run as () => Promise<unknown>)).code, code);
      // If a mesh changes before the promise settles, the call fails. The next call gives a complete result.
      const stale = engine.async.detect(scene);
      scenePair.meshes[0][0].update(data[0].positions);
      assert.is((await caughtLater(() => stale)).code, 'Stale');
      scenePair.both(each => each.setTransform(scenePair.ids[0], translation([1, 1, 1])));
      const found = await engine.async.detect(scene);
      const now = truth.detect();
      assert.equal([...found.counts], [...now.counts]);
      // Nothing moves, so all contacts occur at the start, and their times are 0.
      const swept = await engine.async.detect(scene, { continuous: true });
      const atStart = truth.detect({ continuous: true });
      assert.equal(
        [[...swept.a], [...swept.b], [...swept.toi]],
        [[...atStart.a], [...atStart.b], [...atStart.toi]],
      );
      assert.ok(atStart.a.length > 0 && atStart.toi.every(time => time === 0));
      scenePair.dispose();
    }),
);

gpuTest.slow('if a scene is disposed during a query, the query gives its result and frees the memory', () =>
  onGpu(async engine => {
    const used: number[] = [];
    // The engine's working memory grows in the first round, so later rounds are compared.
    for (let iteration = 0; iteration < 3; iteration++) {
      const { scenePair } = filled(engine, 9, 12);
      const [scene, truth] = scenePair.scenes;
      const before = frameOf(truth.detect());
      const pendingAnswer = engine.async.detect(scene);
      scene.dispose();
      assert.is(caught(() => scene.detect()).code, 'Disposed');
      assert.equal(frameOf(await pendingAnswer), before);
      scenePair.dispose();
      used.push(contextOf(engine).arena.usedBytes);
    }
    assert.is(used[2], used[1]);
  }),
);

// The scene has so many pairs of bodies that the GPU tests one part of them and the CPU the other part.
gpuTest.slow(
  "results that are read during a query of a scene are correct or stale, and the scene's result is correct",
  async () => {
    const { considersGpu } = AsyncRunner.prototype;
    AsyncRunner.prototype.considersGpu = () => true;
    await withAsync({ backend: 'auto' }, async engine => {
      const { scenePair } = filled(engine, 10, 60);
      const a = engine.createMesh(data[0]);
      const b = engine.createMesh(data[1]);
      const truth = frameOf(scenePair.scenes[1].detect());
      await engine.async.ready();
      // Makes the engine assume that a GPU is faster for every query.
      Object.assign(engine.info.gpu!.crossovers!, { query: 0, boxPairs: 0 });
      let isOver = false;
      const pendingAnswer = engine.async.detect(scenePair.scenes[0]).finally(() => {
        isOver = true;
      });
      let right = 0;
      let stale = 0;
      while (!isOver) {
        const hits = engine.query(a, b);
        const expected = hashBytes(hits.a, hits.b);
        await new Promise(resolve => {
          setImmediate(resolve);
        });
        try {
          assert.is(hashBytes(hits.a, hits.b), expected);
          right++;
        } catch (error) {
          assert.is((error as { code?: string }).code, 'Stale', String(error));
          stale++;
        }
      }
      assert.equal(frameOf(await pendingAnswer), truth);
      assert.ok(right > 0 && stale > 0, `${right} right, ${stale} stale`);
      scenePair.dispose();
    }).finally(() => {
      AsyncRunner.prototype.considersGpu = considersGpu;
    });
  },
);

gpuTest('an engine may be disposed during a query of a scene', async () => {
  let pending: Promise<unknown> | undefined;
  await withAsync({ backend: 'webgpu' }, async engine => {
    const { scenePair } = filled(engine, 8, 12);
    scenePair.scenes[0].setTransforms(
      Float64Array.from({ length: 16 * scenePair.ids.length }, (_, i) => Number((i % 16) % 5 === 0)),
    );
    pending = caughtLater(() => engine.async.detect(scenePair.scenes[0]));
  });
  assert.is(((await pending) as { code: string }).code, 'Disposed');
});

test.run();
