// Tests self-queries, which find the pairs of triangles of one mesh that intersect but have no common vertex.
// The pairs must be those that exact arithmetic finds, and the results must be the same bytes for any number
// of threads.

import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import type { Engine, Mesh, SelfQueryOptions } from '../../dist/index.js';
import { dataPath, dataTest } from '../support/data.js';
import { caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { hashPairRows } from '../support/hash.js';
import { crumpled, selfMeshes, selfPairs, sheet, unindexed } from '../support/selfMeshes.js';
import { test } from '../support/test.js';

/** Options of a self-query without `want`: a test runs each query both for all pairs and with want: 'any'. */
type Options = Omit<SelfQueryOptions, 'want'>;

const BOTH = ['index', 'position'] as const;

async function withEngines(threads: readonly number[], use: (engine: Engine) => void): Promise<void> {
  for (const count of threads) await withEngine({ threads: count, warmUp: 'off' }, use);
  await withEngine({ memory: 'single', warmUp: 'off' }, use);
}

const meshes = selfMeshes().map(([name, data]) => ({
  name,
  data,
  truth: { index: selfPairs(data, 'index'), position: selfPairs(data, 'position') },
}));

test('a self-query finds exactly the pairs that exact arithmetic finds', () =>
  withEngines([1, 2, 5], engine => {
    for (const { name, data, truth } of meshes) {
      const mesh = engine.createMesh(data);
      for (const neighbors of BOTH) {
        for (const options of [
          {},
          { parts: 3, coherence: 'off' },
          { parts: 7, stealing: 'off' },
          { parts: 16 },
        ] as Options[]) {
          const found = engine.selfQuery(mesh, { ...options, neighbors });
          assert.equal(pairsOf(found), truth[neighbors], `${name}, ${neighbors}, ${JSON.stringify(options)}`);
          assert.is(
            engine.selfQuery(mesh, { ...options, neighbors, want: 'any' }),
            truth[neighbors].length > 0,
            `any, ${name}`,
          );
        }
      }
      mesh.dispose();
    }
  }));

test("order 'any' gives the same pairs, each with its lower number first", () =>
  withEngine({ threads: 2 }, engine => {
    const data = crumpled(40, 1.4);
    const mesh = engine.createMesh(data);
    const sorted = pairsOf(engine.selfQuery(mesh));
    assert.ok(sorted.length > 100 && sorted.every(([a, b]) => a < b));
    const others = pairsOf(engine.selfQuery(mesh, { order: 'any', parts: 5 })).sort(
      (left, right) => left[0] - right[0] || left[1] - right[1],
    );
    assert.equal(others, sorted);
  }));

const frames = Array.from({ length: 8 }, (_, frame) => crumpled(60, 0.6 + 0.1 * frame));
const hashesOfFrames = (engine: Engine, options: Options = {}): string[] => {
  const mesh = engine.createMesh(frames[0], { deformable: true });
  return frames.map(({ positions }) => {
    mesh.update(positions);
    const found = engine.selfQuery(mesh, options);
    const hash = `${found.count} ${hashInOrder(found)}`;
    assert.is(engine.selfQuery(mesh, { ...options, want: 'any' }), found.count > 0);
    return hash;
  });
};

const expected = await withEngine({ threads: 1 }, engine =>
  frames.map(data => {
    const mesh = engine.createMesh(data);
    const found = engine.selfQuery(mesh);
    return `${found.count} ${hashInOrder(found)}`;
  }),
);

test('a mesh that deforms has the results of a newly created mesh in every frame, for 1 to 16 threads', async () => {
  assert.ok(new Set(expected).size === frames.length);
  for (const threads of [1, 2, 3, 8, 16])
    await withEngine({ threads, warmUp: 'off' }, engine =>
      assert.equal(hashesOfFrames(engine, { parts: threads }), expected),
    );
  await withEngine({ threads: 2 }, engine => {
    for (let parts = 1; parts <= 16; parts++)
      assert.equal(hashesOfFrames(engine, { parts, coherence: parts % 2 ? 'on' : 'off' }), expected);
  });
});

test('a self-query uses the costs of the last self-query, not those of a query of two copies of the mesh', () =>
  withEngine({ threads: 2 }, engine => {
    const mesh = engine.createMesh(frames[4]);
    const first = engine.selfQuery(mesh, { parts: 4 }).stats;
    assert.is(first.coherence, 'off');
    engine.query(mesh, mesh, { parts: 4 });
    const second = engine.selfQuery(mesh, { parts: 4, stealing: 'off' }).stats;
    assert.is(second.coherence, 'on');
    assert.ok(second.imbalance < 1.2, String(second.imbalance));
    // The 4 children of the root form 10 pairs. In 4 of these, a child is paired with itself, and its own
    // children form 10 pairs. In the other 6, two different children have 4 x 4 = 16 pairs of children.
    assert.is(first.startingFrontNodes, 4 * 10 + 6 * 16);
    assert.ok(engine.query(mesh, mesh, { parts: 4 }).count > mesh.triangleCount);
  }));

test('after an update, neighbors by position are those at the new coordinates', () =>
  withEngine({ threads: 1 }, engine => {
    const flat = unindexed(sheet(4, (u, v) => [u, v, 0]));
    const torn = flat.positions.map((value, i) => value * (1 + 0.25 * (Math.floor(i / 9) % 3)));
    const mesh = engine.createMesh(flat, { deformable: true });
    for (const positions of [flat.positions, torn, flat.positions]) {
      mesh.update(positions);
      for (const neighbors of BOTH)
        assert.equal(
          pairsOf(engine.selfQuery(mesh, { neighbors })),
          selfPairs({ ...flat, positions }, neighbors),
        );
    }
  }));

test('if a result exceeds the initial capacity, no pair is lost', () =>
  withEngine({ threads: 3, initialPairCapacity: 1 }, engine =>
    assert.equal(hashesOfFrames(engine, { parts: 3 }), expected),
  ));

for (const kind of ['exit', 'spin', 'scribble'] as const) {
  test.slow(`workers that ${kind} midway change no result`, async () => {
    for (const order of [1, 4, 9]) {
      const { createWorker } = faulty(index => ({ kind, when: 'after', order: order + index }));
      await withEngine({ threads: 3, createWorker }, engine => {
        poolOf(engine).deadlineMilliseconds = 60;
        assert.equal(hashesOfFrames(engine, { parts: 3 }), expected);
      });
    }
  });
}

test('invalid self-queries are refused, and disposing of the mesh frees its memory', () =>
  withEngine({ threads: 1 }, async engine => {
    const mesh = engine.createMesh(frames[1], { deformable: true });
    const { arena } = (engine as unknown as { context: { arena: { usedBytes: number } } }).context;
    const refused = caught(() => engine.selfQuery(mesh, { neighbors: 'edge' as 'index' }));
    assert.is(refused.code, 'Unsupported');
    assert.match(refused.message, /neighbors is 'edge', not 'index' or 'position'/);
    await withEngine({ threads: 1 }, other =>
      assert.is(caught(() => other.selfQuery(mesh)).code, 'Unsupported'),
    );
    assert.is(caught(() => engine.selfQuery(undefined as unknown as Mesh)).code, 'Unsupported');
    engine.selfQuery(mesh);
    const [used, own] = [arena.usedBytes, mesh.bytes];
    mesh.dispose();
    assert.ok(used - arena.usedBytes >= own, 'the memory of the mesh was not freed');
    assert.is(caught(() => engine.selfQuery(mesh)).code, 'Disposed');
  }));

const read = async (name: string): Promise<{ positions: Float32Array; indices: Uint32Array }> =>
  (await readParts(dataPath(`sccd/${name}.ply.gz`)))[0];

dataTest.slow(
  'a cloth that falls on a ball and is refitted has the published pairs in every frame',
  async () => {
    const cloth = [
      await read('cloth-ball/frames/cloth_ball92'),
      await read('cloth-ball/frames/cloth_ball93'),
    ];
    const truth = [
      [61_530, '78f331a5fd792a09b84eec7063116d920ad43c94bedc3f4cdc4b1f83e9ad3c2e'],
      [97_320, 'ea82689eb331bf6a4e1e07de8237c6d162790af25ff6cad0955d4c5dd0b93bbb'],
    ];
    for (const threads of [1, 2, 5])
      await withEngine({ threads }, engine => {
        const mesh = engine.createMesh(cloth[0], { deformable: true });
        for (const i of [0, 1, 0]) {
          mesh.update(cloth[i].positions);
          for (const neighbors of BOTH) {
            const { count, a, b } = engine.selfQuery(mesh, { neighbors });
            assert.equal([count, hashPairRows(a, b)], truth[i]);
          }
        }
      });
  },
);

dataTest('twisted rods with coordinates rounded to float32 have no pairs, as published', async () => {
  await withEngine({ threads: 2 }, async engine => {
    for (const frame of [3036, 3037]) {
      const mesh = engine.createMesh(await read(`rod-twist/frames/${frame}`));
      assert.is(engine.selfQuery(mesh).count, 0);
      assert.is(engine.selfQuery(mesh, { want: 'any' }), false);
    }
  });
});

test.run();
