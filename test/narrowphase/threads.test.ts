// Tests that a query gives the same bytes in every frame, on 1 to 16 threads, in shared memory or in memory
// that only one thread uses, and with any number of parts (work lists).

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type EngineOptions, type PlacedPair } from '../../dist/index.js';
import {
  createRandom,
  epicyclicTrain,
  lattice,
  penetrationPath,
  rotation,
  type Scene,
  skewed,
  sphere,
  torus,
  touchingPlates,
  wormGear,
} from '../../dist/samples/index.js';
import { dataTest } from '../support/data.js';
import { hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { readMeshPairs } from '../support/truth.js';

const threadCounts = [1, 2, 3, 4, 8, 16];

const lattices: Scene = {
  parts: [
    { name: 'a', mesh: 0 },
    { name: 'b', mesh: 1 },
  ],
  meshes: [lattice(2000, 1, 12), lattice(2000, 2, 12)],
  frame: frame =>
    Float64Array.from([...rotation([1, 0, 0], 0), ...rotation([0, 0, 1], (frame * Math.PI) / 2)]),
};
const twoSkewed: Scene = {
  parts: [
    { name: 'a', mesh: 0 },
    { name: 'b', mesh: 1 },
  ],
  meshes: [skewed(3000, 1), skewed(3000, 2)],
  frame: frame => Float64Array.from([...rotation([1, 0, 0], 0), ...rotation([0, 0, 1], frame * 0.01)]),
};
const path = penetrationPath(torus(4000), sphere(4000), 40);
const scenes: Record<string, Scene> = {
  'worm gear': wormGear(),
  'penetration path': { ...path, frame: frame => path.frame(15 + frame) },
  'touching plates': touchingPlates(5000),
  lattices,
  'skewed trees': twoSkewed,
};

interface Options {
  coherence?: 'on' | 'off';
  parts?: number;
}

// Queries parts 0 and 1 of a scene in the first `frameCount` frames, one query per frame. Returns the counts
// and hashes of the results, one line per frame.
function hashOfFrames(engine: Engine, scene: Scene, frameCount: number, options: Options = {}): string {
  const [a, b] = [0, 1].map(part => engine.createMesh(scene.meshes[scene.parts[part].mesh]));
  const hashes: string[] = [];
  for (let frame = 0; frame < frameCount; frame++) {
    const placed = scene.frame(frame);
    // The engine may run a small query on fewer threads, so every second frame sets `parts` to force all
    // threads.
    const parts = frame % 2 === 0 ? poolOf(engine).threadCount : undefined;
    const hits = engine.query(a!, b!, {
      transformA: placed.subarray(0, 16),
      transformB: placed.subarray(16, 32),
      parts,
      ...options,
    });
    hashes.push(`${hits.count} ${hashInOrder(hits)}`);
  }
  a!.dispose();
  b!.dispose();
  return hashes.join('\n');
}

for (const [name, scene] of Object.entries(scenes)) {
  // Trees that are as deep as these take long, even on one thread.
  (name === 'skewed trees' ? test.proof : test)(
    `any number of threads gives the same results: ${name}`,
    async () => {
      let expected: string | undefined;
      for (const threads of threadCounts) {
        await withEngine({ threads }, engine => {
          assert.is(engine.info.threads, threads);
          for (const coherence of ['on', 'off'] as const) {
            const hash = hashOfFrames(engine, scene, 6, { coherence });
            expected ??= hash;
            assert.is(hash, expected, `${threads} threads, coherence ${coherence}`);
          }
          assert.is(poolOf(engine).threadCount, threads);
        });
      }
      assert.not.match(expected!, /^0 /);
    },
  );
}

const memories: EngineOptions[] = [
  { threads: 1, memory: 'single' },
  { threads: 1, memory: 'shared' },
  { threads: 4, memory: 'single' },
  { threads: 3, memory: 'shared' },
  { threads: 'auto' },
  {},
];
test('shared and single memory give the same results', async () => {
  const hashes = new Set<string>();
  for (const options of memories) {
    await withEngine(options, engine => {
      if (options.memory) assert.is(engine.info.memory, options.memory);
      if (options.memory === 'single') assert.is(engine.info.threads, 1);
      assert.is(
        engine.info.notes.some(({ code, fix }) => code === 'single-memory' && fix.length > 0),
        options.memory === 'single' && options.threads === 4,
      );
      hashes.add(hashOfFrames(engine, scenes['penetration path'], 5));
    });
  }
  assert.is(hashes.size, 1);
});

async function checkParts(names: readonly string[]): Promise<void> {
  await withEngine({ threads: 3 }, engine => {
    for (const scene of names.map(name => scenes[name]!)) {
      const expected = hashOfFrames(engine, scene, 3);
      for (const parts of [1, 2, 3, 5, 8, 16, 31, 64]) {
        assert.is(hashOfFrames(engine, scene, 3, { parts }), expected, `${parts} parts`);
        assert.is(
          hashOfFrames(engine, scene, 3, { parts, coherence: 'off' }),
          expected,
          `${parts} parts, no coherence`,
        );
      }
    }
  });
}

test.slow('1 to 64 parts give the same results', () => checkParts(['worm gear', 'touching plates']));

test.proof('1 to 64 parts give the same results for skewed trees', () => checkParts(['skewed trees']));

test.slow('1, 3 and 16 threads give the same results: skewed trees', async () => {
  const hashes = new Set<string>();
  for (const threads of [1, 3, 16])
    await withEngine({ threads }, engine => {
      hashes.add(hashOfFrames(engine, twoSkewed, 2, { coherence: 'on' }));
    });
  assert.is(hashes.size, 1);
});

test('repeated queries with random pauses give the same results', async () => {
  const random = createRandom(11);
  await withEngine({ threads: 4 }, async engine => {
    const scene = scenes['worm gear'];
    const [a, b] = [0, 1].map(part => engine.createMesh(scene.meshes[scene.parts[part].mesh]));
    const placed = scene.frame(3);
    const hashes = new Set<string>();
    for (let repeat = 0; repeat < 20; repeat++) {
      hashes.add(
        hashInOrder(
          engine.query(a!, b!, {
            transformA: placed.subarray(0, 16),
            transformB: placed.subarray(16, 32),
            parts: 4,
          }),
        ),
      );
      // There is no pause, or a pause that ends while workers still spin, or a pause so long that every
      // worker may park.
      const pause = random.below(4);
      if (pause === 1) await null;
      if (pause === 2) await new Promise(resolve => setImmediate(resolve));
      if (pause === 3) await new Promise(resolve => setTimeout(resolve, random.below(30)));
    }
    assert.is(hashes.size, 1);
  });
});

test('engines that run at the same time do not disturb each other', async () => {
  const scene = scenes['penetration path'];
  const engines = await Promise.all([2, 3, 1].map(threads => createEngine({ threads })));
  const hashes = engines.map(engine => hashOfFrames(engine, scene, 4));
  assert.is(new Set(hashes).size, 1);
  engines[0].dispose();
  assert.is(hashOfFrames(engines[1], scene, 4), hashes[0]);
  engines.forEach(engine => engine.dispose());
});

test('all pairs of parts of a gear train in one call give the same results on 1, 2 and 5 threads', async () => {
  const scene = epicyclicTrain();
  const hashes = new Set<string>();
  for (const threads of [1, 2, 5]) {
    await withEngine({ threads }, engine => {
      const meshes = scene.meshes.map(data => engine.createMesh(data));
      for (const frame of [0, 1, 2, 0]) {
        const placed = scene.frame(frame);
        const at = (part: number) => placed.subarray(16 * part, 16 * part + 16);
        const pairs: PlacedPair[] = scene.parts.flatMap((first, a) =>
          scene.parts.slice(a + 1).map(
            (second, i): PlacedPair => ({
              a: meshes[first.mesh],
              b: meshes[second.mesh],
              transformA: at(a),
              transformB: at(a + 1 + i),
            }),
          ),
        );
        const { a, b, pairsAt } = engine.queryMany({ pairs, parts: threads });
        if (frame === 0) hashes.add(hashBytes(a, b, pairsAt));
      }
    });
  }
  assert.is(hashes.size, 1);
});

dataTest('24 placements of a bunny give the same results on 1 to 16 threads', async () => {
  const { mesh, placements } = readMeshPairs();
  const hashes = new Set<string>();
  for (const threads of threadCounts) {
    await withEngine({ threads }, engine => {
      const bunny = engine.createMesh(mesh);
      const answers = placements.map(({ transform }) =>
        hashInOrder(engine.query(bunny, bunny, { transformB: transform, parts: threads })),
      );
      hashes.add(answers.join());
    });
  }
  assert.is(hashes.size, 1);
});

test('the time of a list does not include other work of the query on the same thread', async () => {
  await withEngine({ threads: 1 }, engine => {
    const [a, b] = path.meshes.map(mesh => engine.createMesh(mesh));
    const placed = path.frame(20);
    const where = { transformA: placed.subarray(0, 16), transformB: placed.subarray(16, 32) };
    const shares = Array.from({ length: 9 }, () => engine.query(a!, b!, where).stats).map(
      ({ threads, milliseconds }) => threads[0].milliseconds / milliseconds,
    );
    assert.ok(shares.every(share => share <= 1));
    assert.ok(shares.sort((first, second) => first - second)[4] > 0.7, shares.join());
    assert.equal(
      engine.query(a!, b!, { ...where, parts: 3 }).stats.threads.map(({ milliseconds }) => milliseconds),
      [0, 0, 0],
    );
  });
});

test.run();
