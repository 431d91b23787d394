// Compares the triangle pairs of parts of published scenes on a GPU with the published numbers and hashes;
// the proof covers whole scenes.

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

gpuDataTest('an engine of 67 parts: every fourth pair of parts has the published pairs', () =>
  withGpu(async gpu => {
    const queries = new GpuQueries(host, gpu);
    assert.ok((await checkSomeParts(engine, queries, readEngine(), a => a % 4 === 0)) > 1000);
    queries.dispose();
  }),
);

test.run();
