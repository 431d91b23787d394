// Tests GpuQueries, which finds the intersecting triangle pairs of placed meshes, or of one mesh, on a GPU.
// The results must have the same bytes as on the CPU, for any device limits, and must equal published
// hashes.

import * as assert from 'uvu/assert';
import { mat4d } from 'wgpu-matrix';
import type { EngineHost } from '../../dist/core/module.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import { MeshWatch } from '../../dist/gpu/meshWatch.js';
import { SplitQueries } from '../../dist/gpu/splitQueries.js';
import type { SyncMethods } from '../../dist/gpu/syncMethods.js';
import { createEngine, type PairsCopy, type PlacedPair } from '../../dist/index.js';
import { randomPlacements, rotation, soup, sphere, torus, translation } from '../../dist/samples/index.js';
import { dataTest } from '../support/data.js';
import { caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { hashPairs } from '../support/hash.js';
import { emptyMesh, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { crumpled, selfMeshes } from '../support/selfMeshes.js';
import { test } from '../support/test.js';
import { readMeshPairs } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());
const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());

async function withQueries(
  use: (queries: GpuQueries, gpu: Gpu) => Promise<void>,
  limits?: Parameters<typeof withGpu>[1],
  capacity?: number,
): Promise<void> {
  await withGpu(async gpu => {
    const queries = new GpuQueries(host, gpu, capacity);
    await use(queries, gpu);
    queries.dispose();
  }, limits);
}

async function sameAsCpu(queries: GpuQueries, pairs: PlacedPair[]): Promise<PairsCopy> {
  const known = engine.queryMany({ pairs }).copy();
  const found = await queries.query(pairs);
  assert.is(found.count, known.count);
  assert.equal(found.pairsAt, known.pairsAt);
  assert.is(hashInOrder(found), hashInOrder(known));
  return found;
}

const degeneratePairs = (names: readonly string[]): PlacedPair[] =>
  names.flatMap((name, seed) => {
    const [a, b] = meshPairs[name].map(data => engine.createMesh(data));
    return Object.keys(placements).map((kind): PlacedPair => ({ a, b, ...placements[kind](seeded(seed)) }));
  });

// Compares the results for some pairs of meshes with the CPU's, and returns the number of pairs that fit the
// GPU. A pair does not fit if floats are not precise enough for its placement, or if a buffer would be too
// large. Each pair is queried in a separate call, because one pair that does not fit makes the whole call
// fail.
async function fittingSameAsCpu(queries: GpuQueries, pairs: readonly PlacedPair[]): Promise<number> {
  let fitting = 0;
  for (const pair of pairs) {
    try {
      await sameAsCpu(queries, [pair]);
      fitting++;
    } catch (error) {
      if (!(error instanceof GpuUnfit)) throw error;
    }
  }
  return fitting;
}

gpuTest('degenerate meshes and placements give the same bytes as on the CPU', () =>
  withQueries(async queries => {
    const names = Object.keys(meshPairs);
    const pairs = degeneratePairs(names.filter((_, i) => i % 2 === 0));
    // A software GPU takes about a second for each pair, so only every seventh pair is tested.
    const tested = pairs.filter((_, i) => i % 7 === 0);
    const fitting = await fittingSameAsCpu(queries, tested);
    console.log(`\n${fitting} of ${tested.length} placed pairs fit a GPU`);
    assert.ok(fitting > tested.length / 3);
  }),
);

gpuTest(
  'many pairs in one call, with meshes of all sizes and matrices of wgpu-matrix, give the same bytes as on the CPU',
  () =>
    withQueries(async queries => {
      const meshes = [emptyMesh, soup(1, 1), soup(4, 2), soup(90, 3), sphere(120), torus(300)].map(data =>
        engine.createMesh(data),
      );
      const pairs = meshes.flatMap((a, i) =>
        meshes.map(
          (b, j): PlacedPair => ({
            a,
            b,
            transformB: mat4d.rotateZ(
              mat4d.translation([0.1 * i, 0.07 * j, 0], new Float64Array(16)),
              0.1 * j,
              new Float64Array(16),
            ) as Float64Array,
          }),
        ),
      );
      assert.ok((await sameAsCpu(queries, pairs)).count > 300);
      await sameAsCpu(queries, []);
      await sameAsCpu(queries, [{ a: meshes[0], b: meshes[0] }]);
    }),
);

gpuTest.slow('more pairs than the initial number of front nodes give the same bytes as on the CPU', () =>
  withQueries(async queries => {
    const [a, b] = [engine.createMesh(soup(3, 1)), engine.createMesh(soup(3, 2))];
    await sameAsCpu(
      queries,
      Array.from(
        { length: 5000 },
        (_, i): PlacedPair => ({ a, b, transformB: translation([0.0003 * i, 0, 0]) }),
      ),
    );
  }),
);

gpuTest.proof(
  'devices with different limits give the same bytes as the CPU for 60 placed pairs',
  async () => {
    const limits = [
      { workgroups: 1, invocations: 64 },
      { workgroups: 2, invocations: 64 },
      { workgroups: 7 },
      { bindingBytes: 4096, workgroups: 7 },
      { workgroups: Infinity },
    ];
    const data = soup(24, 5);
    const [a, b] = [engine.createMesh(data), engine.createMesh(sphere(32))];
    const transforms = randomPlacements(data, 60, 9);
    let fitting = 0;
    for (const limit of limits) {
      await withQueries(
        async queries => {
          // Each device gets 60 placed pairs, in calls of 1, 2, 3, ... pairs.
          for (let from = 0, size = 1; from < 60; from += size++) {
            const pairs = transforms
              .slice(from, from + size)
              .map((transformB): PlacedPair => ({ a, b, transformB }));
            try {
              await sameAsCpu(queries, pairs);
              fitting += pairs.length;
            } catch (error) {
              if (!(error instanceof GpuUnfit && limit.bindingBytes)) throw error;
            }
          }
        },
        limit,
        64,
      );
    }
    assert.ok(fitting >= 240, `${fitting} pairs fit`);
  },
);

gpuTest.slow('no pair is lost if the initial capacity of lists is too small', async () => {
  const [a, b] = [engine.createMesh(torus(300)), engine.createMesh(sphere(300))];
  const transformB = rotation([1, 2, 3], 0.4, [0.5, 0.1, 0]);
  const known = engine.query(a, b, { transformB }).copy();
  for (const capacity of [0, 1, known.count - 1, known.count, known.count + 1]) {
    await withQueries(
      async queries => {
        const { stats } = await queries.query([{ a, b, transformB }]);
        const again = await sameAsCpu(queries, [{ a, b, transformB }]);
        if (capacity < 2) assert.ok(stats.reruns > 1, `${stats.reruns} reruns`);
        assert.is(again.count, known.count);
      },
      undefined,
      capacity,
    );
  }
});

gpuTest.slow(
  "want 'any' gives the same result as on the CPU, with small capacities and lowered limits, and takes less work",
  async () => {
    const data = torus(3000);
    const [a, b] = [engine.createMesh(data), engine.createMesh(sphere(3000))];
    const small = engine.createMesh(soup(9, 2));
    const through = rotation([1, 2, 3], 0.4, [0.3, 0.1, 0]);
    const pairs = [
      ...randomPlacements(data, 9, 4).map((transformB): PlacedPair => ({ a, b, transformB })),
      { a, b, transformB: through },
      { a: small, b, transformB: translation([0.9, 0, 0]) },
      { a: small, b: small },
      { a, b, transformB: translation([9, 0, 0]) },
    ];
    const hitsOf = ({ pairsAt }: { pairsAt: Uint32Array }) =>
      [...pairsAt.subarray(1)].map((at, i) => at - pairsAt[i]);
    const truth = [...engine.queryMany({ pairs, want: 'any' })];
    assert.ok(truth.includes(0) && truth.includes(1));
    for (const [limit, capacity] of [
      [undefined, undefined],
      [undefined, 0],
      [{ workgroups: 2, invocations: 64 }, 1],
    ] as const) {
      await withQueries(
        async queries => {
          for (let run = 0; run < 2; run++)
            assert.equal(hitsOf(await queries.query(pairs, { want: 'any' })), truth);
          for (const [i, pair] of pairs.entries())
            if (capacity === undefined || i > 8)
              assert.is((await queries.query([pair], { want: 'any' })).count, truth[i]);
          assert.is(
            hashInOrder(await queries.query([pairs[9]])),
            hashInOrder(engine.query(a, b, { transformB: through }).copy()),
          );
          if (capacity !== undefined) return;
          const ring = engine.createMesh(torus(20000));
          const deep = [{ a: ring, b: ring, transformB: translation([0.3, 0.1, 0]) }];
          const any = await queries.query(deep, { want: 'any', coherence: 'off' });
          const all = await queries.query(deep, { coherence: 'off' });
          console.log(
            `\ncounted: the first hit takes ${any.stats.boxTests} box tests and ${any.stats.leafPairs} leaf pairs, all pairs take ${all.stats.boxTests} and ${all.stats.leafPairs}`,
          );
          assert.ok(
            any.count === 1 &&
              any.stats.reruns === 0 &&
              any.stats.boxTests < all.stats.boxTests &&
              any.stats.leafPairs < all.stats.leafPairs,
          );
          const self = engine.createMesh(crumpled(20, 1.4));
          for (const mesh of [self, b])
            assert.is(
              (await queries.query([{ a: mesh, b: mesh }], { want: 'any', neighbors: 'index' })).count,
              Number(engine.selfQuery(mesh, { want: 'any' })),
            );
        },
        limit,
        capacity,
      );
    }
  },
);

gpuTest.slow('the GPU and CPU each answer some of many pairs, with the same result as the CPU alone', () =>
  withQueries(async queries => {
    const data = soup(24, 5);
    const [a, b] = [engine.createMesh(data), engine.createMesh(sphere(32))];
    const shared = new SplitQueries(queries, engine as unknown as SyncMethods, host);
    const pairs = randomPlacements(data, 100, 4).map((transformB): PlacedPair => ({ a, b, transformB }));
    const truth = engine.queryMany({ pairs }).copy();
    const shares = new Set<number>();
    for (let run = 0; run < 4; run++) {
      const found = await shared.query(pairs, {});
      assert.equal(found.pairsAt, truth.pairsAt);
      assert.is(hashInOrder(found), hashInOrder(truth));
      assert.ok(found.share >= 0.1 && found.share <= 0.9);
      shares.add(found.share);
    }
    assert.ok(shares.size > 1, 'the share changes between queries');
    assert.is((await shared.query(pairs.slice(0, 3), {})).share, 1);
    const hits = await shared.query(pairs, { want: 'any' });
    assert.ok(hits.share < 1);
    assert.equal(
      [...hits.pairsAt.subarray(1)].map((at, i) => at - hits.pairsAt[i]),
      [...engine.queryMany({ pairs, want: 'any' })],
    );
    // If the CPU's part of a query is refused while the GPU computes its part, the next query is still
    // correct.
    const bad = [...pairs.slice(0, 99), { a, b, transformB: new Float64Array(16).fill(NaN) }];
    assert.is((await caughtLater(() => shared.query(bad, {}))).code, 'InvalidTransform');
    assert.is(hashInOrder(await shared.query(pairs, {})), hashInOrder(truth));
    assert.equal((await queries.query(pairs.slice(0, 40))).pairsAt, truth.pairsAt.slice(0, 41));
  }),
);

gpuTest.slow('the GPU and the CPU each test some front nodes of one pair, with the correct result', () =>
  withQueries(async queries => {
    const shared = new SplitQueries(queries, engine as unknown as SyncMethods, host);
    const [a, b] = [engine.createMesh(torus(600), { deformable: true }), engine.createMesh(sphere(700))];
    // The GPU's share of the front normally depends on the times of earlier queries. After the fourth query,
    // the test sets the share itself before each query: 2/16, 4/16, and so on up to 1.
    const share = (shared as unknown as { frontSplit: { gpuShare: number } }).frontSplit;
    const shares = new Set<number>();
    for (let run = 0; run < 12; run++) {
      const pair = {
        a: run % 3 === 2 ? b : a,
        b: run % 3 === 2 ? a : b,
        transformA: rotation([1, 2, 3], 0.1 * run, [0.4, 0, 0]),
      };
      const order = run % 5 === 4 ? 'any' : 'sorted';
      const truth = engine.query(pair.a, pair.b, { transformA: pair.transformA, order: 'sorted' }).copy();
      const found = await shared.query([pair], { order });
      assert.is(found.count, truth.count);
      assert.equal(found.pairsAt, Uint32Array.of(0, truth.count));
      assert.is(
        order === 'any' ? hashPairs(found.a, found.b) : hashInOrder(found),
        order === 'any' ? hashPairs(truth.a, truth.b) : hashInOrder(truth),
      );
      if (run === 5) a.update(torus(600).positions.map(value => 1.02 * value));
      shares.add(found.share);
      if (run >= 3) share.gpuShare = (2 * run - 4) / 16;
    }
    assert.ok(shares.size > 7 && shares.has(1), [...shares].join());
    for (const [first, second] of [
      [emptyMesh, torus(100)],
      [soup(1, 1), soup(1, 1)],
      [soup(3, 2), sphere(100)],
    ] as const) {
      const [c, d] = [engine.createMesh(first), engine.createMesh(second)];
      for (share.gpuShare of [1 / 16, 0.5, 15 / 16])
        assert.equal(
          { ...(await shared.query([{ a: c, b: d }], {})), stats: 0, share: 0 },
          {
            ...engine.query(c, d).copy(),
            pairsAt: Uint32Array.of(0, engine.query(c, d).count),
            stats: 0,
            share: 0,
          },
        );
    }
  }),
);

gpuTest.slow('a front is kept between frames and does not shrink, and results are correct', () =>
  withQueries(async queries => {
    const data = torus(1000);
    const [a, b] = [engine.createMesh(data, { deformable: true }), engine.createMesh(sphere(1000))];
    const counts: number[] = [];
    for (let frame = 0; frame < 6; frame++) {
      const pair = { a, b, transformB: rotation([1, 2, 3], 0.1 * frame, [0.6, 0, 0]) };
      await sameAsCpu(queries, [pair]);
      counts.push((await queries.query([pair])).stats.frontNodes);
      if (frame === 3) a.update(data.positions.map(value => 1.01 * value));
    }
    assert.ok(counts[5] >= counts[0] && counts[0] > 1000, `front nodes: ${counts.join()}`);
    const off = await queries.query([{ a, b, transformB: translation([0.6, 0, 0]) }], { coherence: 'off' });
    assert.ok(off.stats.frontNodes <= counts[0]);
  }),
);

gpuTest.slow(
  'trees are refitted on the GPU: coordinates are uploaded, trees are not, and results are the same',
  () =>
    withQueries(async (queries, gpu) => {
      const data = [torus(600), sphere(500)];
      const meshes = data.map(mesh => engine.createMesh(mesh, { deformable: true }));
      const [a, b] = meshes;
      const pairs: PlacedPair[] = [
        { a, b, transformB: translation([0.5, 0, 0]) },
        { a: b, b: a },
      ];
      await sameAsCpu(queries, pairs);
      for (let frame = 1; frame < 5; frame++) {
        // The third update moves everything far away and enlarges it, so that the stored coordinate frame of
        // each mesh changes.
        const [factor, shift] = frame === 3 ? [100, 5000] : [1, 0];
        meshes.forEach((mesh, i) =>
          mesh.update(
            data[i].positions.map((value, k) => factor * (value + 0.05 * Math.sin(k * frame)) + shift),
            { tree: frame === 4 ? 'rebuild' : 'refit' },
          ),
        );
        gpu.counters.uploadedBytes = 0;
        await sameAsCpu(
          queries,
          pairs.map(({ a: first, b: second }) => ({ a: first, b: second })),
        );
        const trees = meshes.reduce(
          (sum, { nodeCount, leafCount }) => sum + 128 * nodeCount + 176 * leafCount,
          0,
        );
        if (frame === 2 || frame === 3)
          assert.ok(
            gpu.counters.uploadedBytes < 0.4 * trees,
            `${gpu.counters.uploadedBytes} of ${trees} bytes`,
          );
      }
    }),
);

gpuTest.slow('self-queries with neighbors by index or position give the same bytes as on the CPU', () =>
  withQueries(async queries => {
    for (const [name, data] of selfMeshes()) {
      const mesh = engine.createMesh(data);
      for (const neighbors of ['index', 'position'] as const) {
        try {
          const found = await queries.query([{ a: mesh, b: mesh }], { neighbors });
          const known = engine.selfQuery(mesh, { neighbors });
          assert.is(hashInOrder(found), hashInOrder(known), `${name}, ${neighbors}`);
          assert.ok(found.a.every((a, i) => a < found.b[i]));
        } catch (error) {
          if (!(error instanceof GpuUnfit)) throw error;
        }
      }
      mesh.dispose();
    }
  }),
);

gpuTest.slow('if a GPU cannot run the query after a refit, the next query is still correct', () =>
  withQueries(async queries => {
    const data = torus(600);
    const a = engine.createMesh(data, { deformable: true });
    const b = engine.createMesh(sphere(500));
    const transformB = translation([0.5, 0, 0]);
    await sameAsCpu(queries, [{ a, b, transformB }]);
    a.update(
      data.positions.map((value, i) => (i % 3 === 2 ? value + 0.4 : value)),
      { tree: 'refit' },
    );
    assert.instance(
      await caughtLater(() => queries.query([{ a, b, transformB: translation([2 ** 20, 0, 0]) }])),
      GpuUnfit,
    );
    await sameAsCpu(queries, [{ a, b, transformB }]);
  }),
);

gpuTest.slow('a refit that does not fit leaves no buffers behind', () =>
  withQueries(
    async (queries, gpu) => {
      const live = new Set<GPUBuffer>();
      const { createBuffer } = gpu;
      gpu.createBuffer = function (this: Gpu, label: string, bytes: number): GPUBuffer {
        const buffer = createBuffer.call(this, label, bytes);
        const { destroy } = buffer;
        live.add(buffer);
        buffer.destroy = () => {
          live.delete(buffer);
          return destroy.call(buffer);
        };
        return buffer;
      };
      // The vertices of mesh `a` take more memory than its tree. The tree fits the binding limit of the
      // device, but the vertices do not.
      const data = soup(20, 3);
      const positions = new Float32Array(30_000);
      positions.set(data.positions);
      const a = engine.createMesh({ ...data, positions }, { deformable: true });
      const b = engine.createMesh(soup(20, 4));
      const counts: number[] = [];
      await sameAsCpu(queries, [{ a, b }]);
      for (let run = 1; run < 4; run++) {
        a.update(
          positions.map(value => value + 0.01 * run),
          { tree: 'refit' },
        );
        // The vertices do not fit, so the GPU cannot refit the tree, and the CPU's refitted tree is uploaded.
        await sameAsCpu(queries, [{ a, b }]);
        counts.push(live.size);
      }
      assert.is(counts[2], counts[0]);
    },
    { bindingBytes: 2 ** 16 },
  ),
);

gpuTest.slow('a self-intersection query and a query of a mesh with itself do not affect each other', () =>
  withQueries(async queries => {
    const mesh = engine.createMesh(crumpled(20, 1.4));
    const self = hashInOrder(engine.selfQuery(mesh).copy());
    for (let run = 0; run < 2; run++) {
      assert.is(hashInOrder(await queries.query([{ a: mesh, b: mesh }], { neighbors: 'index' })), self);
      await sameAsCpu(queries, [{ a: mesh, b: mesh }]);
      await sameAsCpu(queries, [{ a: mesh, b: mesh, transformB: translation([0.01, 0.02, 0.03]) }]);
    }
  }),
);

gpuTest.slow('if a mesh changes or is disposed during a query, the query fails', () =>
  withQueries(async queries => {
    const data = sphere(200);
    const mesh = engine.createMesh(data, { deformable: true });
    const other = engine.createMesh(data);
    const runQuery = () => queries.query([{ a: mesh, b: other }], {}, new MeshWatch([mesh, other]));
    await runQuery();
    const pending = runQuery();
    mesh.update(data.positions);
    assert.is((await caughtLater(() => pending)).code, 'Stale');
    await sameAsCpu(queries, [{ a: mesh, b: other }]);
    const gone = runQuery();
    other.dispose();
    assert.is((await caughtLater(() => gone)).code, 'Disposed');
    assert.is((await caughtLater(runQuery)).code, 'Disposed');
  }),
);

dataTest.proof('6 placements of a bunny against itself have the published counts and hashes', () =>
  withQueries(async queries => {
    const { mesh, placements: placed } = readMeshPairs();
    const bunny = engine.createMesh(mesh);
    for (const { transform, pairCount, pairHash } of placed.slice(0, 6)) {
      const { count, a, b } = await queries.query([{ a: bunny, b: bunny, transformB: transform }]);
      assert.is(count, pairCount);
      assert.is(hashPairs(a, b), pairHash);
    }
    bunny.dispose();
  }),
);

test.run();
