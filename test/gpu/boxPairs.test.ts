// Tests GpuBoxPairs, which finds the overlapping pairs of boxes on a GPU. The pairs must have the same bytes
// as on the CPU, for any device limits, buffer capacities and numbers of grid cells.

import * as assert from 'uvu/assert';
import {
  type GpuBoxCapacities,
  GpuBoxPairs,
  type GpuBoxPairsOptions,
  type GpuBoxPairsResult,
} from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import type { GpuBoxSearch } from '../../dist/gpu/broadphase/gpuBoxSearch.js';
import type { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu, GpuLimits } from '../../dist/gpu/device/gpu.js';
import { GpuLost, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { createEngine, InvalidBoxes } from '../../dist/index.js';
import { gpuBoxLimits } from '../../dist/records/gpuBoxLayout.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { boxScene } from '../support/boxScenes.js';
import { caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest, withGpu, withOwnGpu } from '../support/gpu.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const backend = await makeTestContext(1);

async function withPairs(
  use: (pairs: GpuBoxPairs, gpu: Gpu) => Promise<void>,
  limits: Partial<GpuLimits> = { invocations: 64 },
  capacity?: GpuBoxCapacities,
): Promise<void> {
  await withGpu(async gpu => {
    const pairs = new GpuBoxPairs(gpu, backend, capacity);
    try {
      await use(pairs, gpu);
    } finally {
      pairs.dispose();
    }
  }, limits);
}

async function check(
  pairs: GpuBoxPairs,
  boxes: Float32Array,
  against?: Float32Array,
  what = '',
): Promise<GpuBoxPairsResult> {
  const options: GpuBoxPairsOptions = against ? { against } : {};
  const expected = engine.boxPairs(boxes, options);
  const found = await pairs.find(boxes, options);
  assert.is(found.count, expected.count, what);
  assert.is(hashInOrder(found), hashInOrder(expected), what);
  return found;
}

const hashOfAll = (boxes: Float32Array, against?: Float32Array): string => {
  const pairs = boxPairsByAll(boxes, against);
  return hashInOrder({ a: Uint32Array.from(pairs, ([a]) => a), b: Uint32Array.from(pairs, ([, b]) => b) });
};

gpuTest.slow(
  'seeded scenes, half on a lattice, match the CPU and an all-pairs test for any limits and numbers of cells',
  async () => {
    let total = 0;
    const limits = [
      { workgroups: 1, invocations: 64 },
      { workgroups: 2, invocations: 64 },
      { workgroups: 7, invocations: 64 },
      { workgroups: Infinity, invocations: 64 },
    ];
    for (const [k, limit] of limits.entries()) {
      await withPairs(
        async pairs => {
          for (let seed = k; seed < 300; seed += limits.length) {
            const boxes = boxScene(seed);
            const found = await check(pairs, boxes, undefined, `seed ${seed}`);
            assert.is(hashInOrder(found), hashOfAll(boxes), `seed ${seed}`);
            total += found.count;
          }
        },
        limit,
        { boxesPerCell: [8, 128, 32, 4][k] },
      );
    }
    assert.ok(total > 1e5, `${total} pairs`);
  },
);

gpuTest("one set against another gives the CPU's pairs, and the same count with countOnly", async () => {
  await withPairs(
    async pairs => {
      for (let seed = 0; seed < 24; seed++) {
        const boxes = boxScene(seed, 200);
        const against = boxScene(seed + 2000, 150);
        const found = await check(pairs, boxes, against, `seed ${seed}`);
        assert.is(hashInOrder(found), hashOfAll(boxes, against));
        const counted = await pairs.find(boxes, { against, countOnly: true });
        assert.equal([counted.count, counted.a.length], [found.count, 0]);
        assert.is((await pairs.find(boxes, { countOnly: true })).count, engine.boxPairs(boxes).count);
      }
    },
    undefined,
    { boxesPerCell: 16 },
  );
});

gpuTest(
  'zero, one or two boxes, inverted boxes and boxes of denormal size have the correct pairs; -0 equals 0',
  async () => {
    await withPairs(
      async pairs => {
        for (const count of [0, 1])
          assert.is((await check(pairs, Float32Array.of(0, 0, 0, 1, 1, 1).subarray(0, 6 * count))).count, 0);
        assert.is((await check(pairs, Float32Array.of(0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2))).count, 1);
        assert.is((await check(pairs, Float32Array.of(-1, -1, -1, -0, -0, -0, 0, 0, 0, 1, 1, 1))).count, 1);
        assert.is((await check(pairs, Float32Array.of(-1, -1, -1, 0, 0, 0, -0, -0, -0, 1, 1, 1))).count, 1);
        const inverted = Float32Array.of(0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0);
        assert.is((await pairs.find(inverted)).count, 0);
        assert.match(
          (await caughtLater(() => pairs.find(inverted, { inverted: 'refused' }))).message,
          /boxes\[6\] is 1, above boxes\[9\]/,
        );
        assert.match(
          (
            await caughtLater(() =>
              pairs.find(inverted.subarray(0, 6), { against: inverted, inverted: 'refused' }),
            )
          ).message,
          /against\[6\]/,
        );
        assert.is((await check(pairs, Float32Array.of(0, 0, 0, 1, 1, 1), Float32Array.of())).count, 0);
        const tiny: number[] = [];
        // Each box reaches from one power of two to the next one, on the positive or the negative side of 0.
        // So it touches only the next larger and the next smaller box. The smallest box on either side ends
        // at 0, and these two boxes touch each other. A device that flushes denormals to 0 would find
        // additional pairs.
        for (let k = 0; k < 150; k++)
          for (const sign of [-1, 1])
            tiny.push(
              ...[0, 1, 2].map(() => Math.min(sign * 2 ** -k, sign * 2 ** -(k + 1))),
              ...[0, 1, 2].map(() => Math.max(sign * 2 ** -k, sign * 2 ** -(k + 1))),
            );
        assert.ok((await check(pairs, Float32Array.from(tiny))).count < 450 * 4);
        assert.instance(
          await caughtLater(() => pairs.find(Float32Array.of(0, 0, 0, 1, 1, NaN))),
          InvalidBoxes,
        );
      },
      undefined,
      { boxesPerCell: 8 },
    );
  },
);

gpuTest.slow(
  'the pairs of 1,000 boxes in one place are found, and those of 8,192 boxes are counted',
  async () => {
    await withPairs(async pairs => {
      const boxes = (count: number): Float32Array =>
        Float32Array.from({ length: 6 * count }, (_, i) => Math.floor((i % 6) / 3));
      assert.is((await check(pairs, boxes(1000))).count, (1000 * 999) / 2);
      assert.is((await pairs.find(boxes(8192), { countOnly: true })).count, (8192 * 8191) / 2);
    });
  },
);

gpuTest.slow('counts beyond 2^32 are exact', async () => {
  await withPairs(async pairs => {
    const { search } = pairs as unknown as {
      search: Pick<GpuBoxSearch, 'upload'> & { buffer(name: string): GPUBuffer };
    };
    const upload = search.upload.bind(search);
    const boxes = boxScene(6);
    // Starts the counter as if 2^32 + 0xffffff00 pairs had been counted before.
    search.upload = (commands: Commands, ...rest) => {
      upload(commands, ...rest);
      commands.upload(search.buffer('counters'), 4 * gpuBoxLimits.PAIRS_LOW, Uint32Array.of(0xffffff00, 1));
    };
    assert.is(
      (await pairs.find(boxes, { countOnly: true })).count,
      2 ** 32 + 0xffffff00 + engine.boxPairs(boxes).count,
    );
  });
});

gpuTest.slow(
  "crowds of boxes of each kind, and a crowd with a few boxes that contain all others, have the CPU's pairs",
  async () => {
    await withPairs(
      async pairs => {
        for (const kind of ['uniform', 'clustered', 'scaleFree', 'nested', 'sticks'] as const) {
          const { stats } = await check(pairs, boxCrowd(kind, 3000, 5), undefined, kind);
          assert.ok(stats.entries <= 4 * 3000, `${kind}: ${stats.entries} entries`);
        }
        const mixed = boxCrowd('uniform', 6000, 7);
        for (let i = 0; i < 6000; i += 500) mixed.set([-1e6, -1e6, -1e6, 1e6, 1e6, 1e6], 6 * i);
        const { stats } = await check(pairs, mixed);
        assert.ok(stats.large === 12, `${stats.large} large boxes`);
        await check(pairs, mixed, mixed.slice(0, 6000));
      },
      undefined,
      { boxesPerCell: 32 },
    );
  },
);

gpuTest.slow(
  'if the capacity for large boxes, entries or pairs is too small, the query is repeated and nothing is lost',
  async () => {
    const boxes = boxScene(16, 300);
    const { count } = engine.boxPairs(boxes);
    await withGpu(
      async gpu => {
        const tryWith = async (capacity: GpuBoxCapacities): Promise<GpuBoxPairsResult> => {
          const pairs = new GpuBoxPairs(gpu, backend, { boxesPerCell: 16, ...capacity });
          const found = await check(pairs, boxes, undefined, JSON.stringify(capacity));
          pairs.dispose();
          return found;
        };
        const { entries } = (await tryWith({})).stats;
        for (const capacity of [1, entries - 1, entries, entries + 1])
          assert.is((await tryWith({ entries: capacity })).stats.attempts, capacity < entries ? 2 : 1);
        for (const capacity of [1, count - 1, count, count + 1]) await tryWith({ pairs: capacity });
        await tryWith({ entries: 1, pairs: 1, maxLarge: 0 });
      },
      { invocations: 64 },
    );
  },
);

gpuTest.slow('with buffers of 4 KiB, pairs come in chunks, and too many boxes are refused', async () => {
  await withPairs(
    async pairs => {
      const { stats } = await check(
        pairs,
        Float32Array.from({ length: 6 * 80 }, (_, i) => Math.floor((i % 6) / 3)),
      );
      assert.ok(stats.batches > 3, `${stats.batches} batches`);
      await check(pairs, boxScene(2, 80));
      assert.instance(await caughtLater(() => pairs.find(boxCrowd('uniform', 400, 1))), GpuUnfit);
      await check(pairs, boxScene(4, 80));
    },
    { workgroups: 2, invocations: 64, bindingBytes: 4096 },
  );
});

gpuTest.slow(
  'a query needs at most 32 dispatches and two submits (one if it is repeated), and transfers at most four times the bytes of its boxes and pairs',
  async () => {
    await withPairs(async (pairs, gpu) => {
      const boxes = boxCrowd('uniform', 3000, 3);
      for (let iteration = 0; iteration < 2; iteration++) {
        Object.assign(gpu.counters, { submits: 0, dispatches: 0, uploadedBytes: 0, readBytes: 0 });
        const { count } = await check(pairs, boxes);
        const { submits, dispatches, uploadedBytes, readBytes } = gpu.counters;
        assert.ok(dispatches <= 32, `${dispatches} dispatches`);
        assert.is(submits, 2 - iteration);
        assert.ok(
          uploadedBytes <= 4 * 24 * 3000 && readBytes <= 4 * 8 * count,
          `${uploadedBytes} and ${readBytes} bytes`,
        );
      }
    });
  },
);

gpuTest.slow('successive queries give the correct pairs, and a lost device gives an error', async () => {
  await withOwnGpu(async gpu => {
    const pairs = new GpuBoxPairs(gpu, backend);
    const scenes = [3, 4, 5].map(seed => boxScene(seed));
    for (const boxes of scenes)
      assert.is(hashInOrder(await pairs.find(boxes)), hashInOrder(engine.boxPairs(boxes)));
    gpu.onWait = () => gpu.device.destroy();
    assert.instance(await caughtLater(() => pairs.find(scenes[0])), GpuLost);
    pairs.dispose();
  });
});

test.run();
