// Runs GPU queries on whole published scenes, and checks that the triangle pairs found have the published
// counts and hashes.

import type { EngineHost } from '../../dist/core/module.js';
import { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import { createEngine } from '../../dist/index.js';
import { gpuDataTest, withGpu } from '../support/gpu.js';
import { checkAllParts, checkBunny, checkFrame, frames } from '../support/gpuTruth.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());
const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());

function truthTest(name: string, use: (queries: GpuQueries) => Promise<void>): void {
  gpuDataTest(name, () =>
    withGpu(async gpu => {
      const startedAt = performance.now();
      const queries = new GpuQueries(host, gpu);
      await use(queries);
      queries.dispose();
      console.log(`counted: ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }),
  );
}

truthTest('a two-cylinder engine of 67 parts, in one call, has the published pairs', queries =>
  checkAllParts(engine, queries, readEngine()),
);
truthTest('a building of 215 parts, in one call, has the published pairs', queries =>
  checkAllParts(engine, queries, readDuplex()),
);
truthTest('24 placements of a bunny against itself have the published pairs', queries =>
  checkBunny(engine, queries, 24),
);
for (const [name, known] of Object.entries(frames))
  truthTest(`${name} with itself has the published pairs`, queries =>
    checkFrame(engine, queries, name, known),
  );

test.run();
