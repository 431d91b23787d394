// Tests GpuFeatureSweep, which sweeps pairs of moving features: a vertex and a face ('VF'), or two edges
// ('EE'). A filter on the GPU drops pairs that certainly have no contact. The results must have the same
// bytes as on the CPU, for published and generated queries, various minimum separations and sizes of
// coordinates, and lowered device limits. The filter is also run in simulated floats that are as imprecise
// as WGSL allows.

import * as assert from 'uvu/assert';
import { type FeatureKind, sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { GpuFeatureSweep } from '../../dist/gpu/ccd/gpuFeatureSweep.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { createRandom } from '../../dist/samples/random.js';
import { motionNames, movingFeatures } from '../oracle/randomMotion.js';
import { gpuDataTest, gpuTest, withGpu } from '../support/gpu.js';
import {
  checkPublishedQueries,
  checkSweep,
  dropCountsText,
  isDroppedBy,
  listOf,
  noDropCounts,
} from '../support/gpuSweep.js';
import { impreciseFloats, nearest } from '../support/impreciseFloats.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const backend = await makeTestContext(2);
test.after(() => backend.close());
const kinds = ['VF', 'EE'] as const;
const generated = (seed: number, count: number): Float64Array[] =>
  motionNames.flatMap(motion => movingFeatures(motion, seed, count));

const withSweep = (
  use: (sweep: GpuFeatureSweep, gpu: Gpu) => Promise<void>,
  limits?: Parameters<typeof withGpu>[1],
): Promise<void> =>
  withGpu(async gpu => {
    const sweep = new GpuFeatureSweep(gpu, backend);
    try {
      await use(sweep, gpu);
    } finally {
      sweep.dispose();
    }
  }, limits);

gpuDataTest('published queries, with separations, give the same bytes as on the CPU', () =>
  withSweep(async sweep => {
    console.log(
      dropCountsText('published queries', await checkPublishedQueries(sweep, backend, [1e-2, 1e-4, 1e-8])),
    );
  }),
);

gpuTest('generated queries of every motion, with separations, give the same bytes as on the CPU', () =>
  withSweep(async sweep => {
    for (const kind of kinds) {
      const shares = noDropCounts();
      const queries = listOf(generated(21, 60));
      for (const options of [
        {},
        { exact: true },
        { minSeparation: 1e-2 },
        { minSeparation: 1e-4, tolerance: 1e-9 },
        { minSeparation: 1e-8 },
        { minSeparation: 1e-300 },
        { minSeparation: 1e30 },
        { minSeparation: 1e300 },
      ])
        await checkSweep(sweep, backend, kind, queries, options, shares);
      console.log(dropCountsText(`generated queries, ${kind}`, shares));
    }
  }),
);

gpuTest.slow("the GPU drops almost as many pairs as the CPU's float filter rejects", () =>
  withSweep(async sweep => {
    for (const kind of kinds) {
      const queries = listOf(movingFeatures('generic', 22, 6000));
      const kept = await sweep.filter(kind, queries);
      const { verdict, moments } = sweepFeatures(backend, kind, queries);
      const sure = verdict.filter((one, i) => one === 0 && moments[i] === 0).length;
      const dropped = verdict.length - kept.length;
      console.log(
        `counted: generic queries, ${kind}: the CPU's float filter drops ${sure} pairs, the GPU's ${dropped}`,
      );
      assert.ok(dropped >= 0.98 * sure, `${dropped} of ${sure}`);
    }
  }),
);

gpuTest.slow("extents from 1e-30 to 1e30, near the origin and far from it, give the CPU's bytes", () =>
  withSweep(async sweep => {
    const random = createRandom(23);
    for (const kind of kinds) {
      for (let exponent = -30; exponent <= 30; exponent += 3) {
        const size = 10 ** exponent;
        const away = [0, size * 2 ** 20, size * 2 ** 45][random.below(3)];
        const queries = listOf(
          [
            ...movingFeatures('generic', exponent + 100, 30),
            ...movingFeatures('meeting', exponent + 100, 30),
          ].map(query => query.map(value => value * size + away)),
        );
        for (const minSeparation of [0, 0.1 * size])
          await checkSweep(sweep, backend, kind, queries, { minSeparation });
      }
      const shares = noDropCounts();
      const [near, far] = [0, 1].map(isFar =>
        listOf(
          movingFeatures('generic', 24, 500).map(query =>
            query.map(value => Math.fround(value) + isFar * 2 ** 26),
          ),
        ),
      );
      assert.equal(await checkSweep(sweep, backend, kind, far, {}, shares), await sweep.filter(kind, near));
      assert.ok(shares.dropped > 150, `${shares.dropped} dropped`);
    }
  }),
);

gpuTest.slow("coordinate differences that are partly denormal, partly large give the CPU's bytes", () =>
  withSweep(async sweep => {
    const random = createRandom(25);
    for (const kind of kinds) {
      const queries = listOf(
        Array.from({ length: 600 }, () => {
          const scales = [
            2 ** random.below(28),
            2 ** (random.below(58) - 30),
            2 ** -159 * random.below(4096),
          ];
          const turn = random.below(3);
          return Float64Array.from({ length: 24 }, (_, i) => (random.below(9) - 4) * scales[(i + turn) % 3]);
        }),
      );
      for (const minSeparation of [0, 2 ** -130, 1e-3])
        await checkSweep(sweep, backend, kind, queries, { minSeparation });
    }
  }),
);

// The simulation (`nearest`) rounds to nearest and adds in the written order. WGSL allows a device
// to round and to order sums differently, so a few results may differ.
gpuTest.slow('the filter treats at least 99.8 % of queries alike in simulated floats and on the device', () =>
  withSweep(async sweep => {
    for (const kind of kinds) {
      for (const minSeparation of [0, 1e-3, 0.1]) {
        const queries = generated(26, 60);
        const kept = new Set(await sweep.filter(kind, listOf(queries), minSeparation));
        const other = queries.filter(
          (query, i) => isDroppedBy(nearest, kind, query, minSeparation) === kept.has(i),
        );
        assert.ok(
          other.length <= 0.002 * queries.length,
          `${kind}, ${minSeparation}: ${other.length} of ${queries.length} differ`,
        );
      }
    }
  }),
);

test.slow(
  "in floats as imprecise as WGSL allows, the filter drops only pairs that the CPU's filter rejects",
  () => {
    const random = createRandom(27);
    let dropped = 0;
    for (const kind of kinds) {
      for (const minSeparation of [0, 1e-8, 1e-3, 0.1]) {
        const queries = generated(28 + dropped, 40);
        const { verdict, moments } = sweepFeatures(backend, kind as FeatureKind, listOf(queries), {
          minSeparation,
        });
        queries.forEach((query, i) => {
          if (
            !isDroppedBy(
              impreciseFloats(random.below(2 ** 30), [0, 0.5, 1][i % 3]),
              kind,
              query,
              minSeparation,
            )
          )
            return;
          dropped++;
          assert.ok(verdict[i] === 0 && moments[i] === 0, `${kind}, ${minSeparation}: ${query}`);
        });
      }
    }
    assert.ok(dropped > 500, `${dropped} pairs dropped`);
  },
);

gpuTest.slow('with lowered limits, the filter keeps the same queries', async () => {
  const queries = listOf(generated(29, 12));
  let expected: Uint32Array | undefined;
  await withSweep(async sweep => {
    expected = await sweep.filter('EE', queries);
  });
  for (const workgroups of [1, 2, 7]) {
    for (const invocations of [64, 128]) {
      for (const bindingBytes of [4096, 2 ** 20]) {
        await withSweep(
          async sweep => {
            assert.equal(await sweep.filter('EE', queries), expected);
            assert.is((await sweep.filter('EE', new Float64Array(0))).length, 0);
            assert.is((await sweep.filter('EE', queries.subarray(0, 24))).length, Number(expected![0] === 0));
          },
          { workgroups, invocations, bindingBytes },
        );
      }
    }
  }
});

gpuTest.slow('two concurrent queries give the correct results', () =>
  withSweep(async sweep => {
    const few = listOf(generated(30, 2));
    const many = listOf(generated(31, 10));
    const [a, b] = await Promise.all([sweep.sweepFeatures('VF', few), sweep.sweepFeatures('EE', many)]);
    assert.equal(a.answer, sweepFeatures(backend, 'VF', few));
    assert.equal(b.answer, sweepFeatures(backend, 'EE', many));
  }),
);

test.run();
