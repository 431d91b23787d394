// Tests continuous collision detection on a GPU: the results for tens of thousands of pairs of moving
// features, and for whole published frames, must have the same bytes as on the CPU. The GPU is only a
// filter: it drops pairs that certainly have no contact, and the CPU decides the others. The filter is also run
// in simulated imprecise floats. Even then, it may drop only pairs that the CPU's filter drops.

import * as assert from 'uvu/assert';
import { exactContact } from '../../dist/ccd/exactContact.js';
import { sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { GpuFeatureSweep } from '../../dist/gpu/ccd/gpuFeatureSweep.js';
import { createEngine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { motionNames, movingFeatures } from '../oracle/randomMotion.js';
import { gpuDataTest, gpuTest, withGpu } from '../support/gpu.js';
import { checkFilm, films, withMeshSweep } from '../support/gpuMeshes.js';
import { checkSweep, dropCountsText, isDroppedBy, listOf, noDropCounts } from '../support/gpuSweep.js';
import { impreciseFloats } from '../support/impreciseFloats.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const QUERIES = 2000;
const backend = await makeTestContext(2);
test.after(() => backend.close());

for (const kind of ['VF', 'EE'] as const) {
  gpuTest(`${QUERIES} queries of every motion, ${kind}, give the same bytes as on the CPU`, () =>
    withGpu(async gpu => {
      const sweep = new GpuFeatureSweep(gpu, backend);
      const shares = noDropCounts();
      for (const motion of motionNames) {
        const queries = movingFeatures(motion, 2000, QUERIES);
        const list = listOf(queries);
        for (const minSeparation of [0, 1e-8, 1e-4, 1e-2, 1])
          await checkSweep(sweep, backend, kind, list, { minSeparation }, shares);
        const kept = new Set(await sweep.filter(kind, list));
        assert.ok(
          queries.every((query, i) => kept.has(i) || !exactContact(query, kind === 'VF')),
          motion,
        );
      }
      console.log(dropCountsText(`generated queries, ${kind}`, shares));
      sweep.dispose();
    }),
  );

  test(`the filter in imprecise floats drops only pairs that the CPU's filter drops, ${kind}`, () => {
    const random = createRandom(1);
    let dropped = 0;
    for (const motion of motionNames) {
      for (let iteration = 0; iteration < 8; iteration++) {
        const stretch = Array.from({ length: 3 }, () => (iteration % 2 === 0 ? 1 : 2 ** -random.below(30)));
        const separation = iteration % 4 < 2 ? 0 : 2 ** -random.below(40);
        const queries = movingFeatures(motion, 3000 + iteration, 500).map(query =>
          query.map((value, i) => value * stretch[i % 3]),
        );
        const { verdict, moments } = sweepFeatures(backend, kind, listOf(queries), {
          minSeparation: separation,
        });
        queries.forEach((query, i) => {
          if (
            !isDroppedBy(impreciseFloats(random.below(2 ** 30), [0, 0.5, 1][i % 3]), kind, query, separation)
          )
            return;
          dropped++;
          assert.ok(verdict[i] === 0 && moments[i] === 0, `${separation}: ${query}`);
        });
      }
    }
    console.log(
      `counted: in imprecise floats ${dropped} pairs are dropped, ${kind}; the CPU's filter drops all of them, too`,
    );
    assert.ok(dropped > 10000, `${dropped} pairs dropped`);
  });
}

gpuDataTest('published frames give the same bytes as on the CPU', () =>
  withGpu(async gpu => {
    const engine = await createEngine({ threads: 2, warmUp: 'off' });
    await withMeshSweep(gpu, engine, async sweep => {
      for (const film of films) await checkFilm(sweep, engine, film);
    });
    engine.dispose();
  }),
);

test.run();
