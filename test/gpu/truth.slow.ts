// Runs a GPU query on about an eighth of the part pairs of a published scene: those whose first part has a
// number divisible by 8. The triangle pairs found must have the published counts and be the same as those of
// the CPU. truth.proof.ts checks whole scenes.

import * as assert from 'uvu/assert';
import type { EngineHost } from '../../dist/core/module.js';
import { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import { createEngine } from '../../dist/index.js';
import { gpuDataTest, withGpu } from '../support/gpu.js';
import { checkSomeParts } from '../support/gpuTruth.js';
import { test } from '../support/test.js';
import { readEngine } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());
const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());

gpuDataTest(
  'a two-cylinder engine of 67 parts: pairs of every eighth part with later parts are correct',
  () =>
    withGpu(async gpu => {
      const queries = new GpuQueries(host, gpu);
      assert.ok((await checkSomeParts(engine, queries, readEngine(), a => a % 8 === 0)) > 1000);
      queries.dispose();
    }),
);

test.run();
