// Boxes on a GPU -> the same bytes as on the CPU, whatever the limits, the room and the cells.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine, InvalidBoxes } from '../../dist/index.js';
import { createRandom } from '../../dist/scenes/random.js';
import { GpuBoxPairs, type GpuBoxPairsFound, type GpuBoxPairsOptions, type GpuBoxRoom } from '../../dist/systems/gpuBoxPairs.js';
import { type Gpu, type GpuLimits, GpuUnfit } from '../../dist/webgpu/gpu.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { makeBackend } from '../support/backend.js';
import { boxScene } from '../support/boxScenes.js';
import { caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest, withGpu } from '../support/gpu.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const backend = await makeBackend(1);

async function withPairs(use: (pairs: GpuBoxPairs, gpu: Gpu) => Promise<void>, limits: Partial<GpuLimits> = { invocations: 64 }, room?: GpuBoxRoom): Promise<void> {
  await withGpu(async gpu => {
    const pairs = new GpuBoxPairs(gpu, backend, room);
    try { await use(pairs, gpu); } finally { pairs.dispose(); }
  }, limits);
}

async function check(pairs: GpuBoxPairs, boxes: Float32Array, against?: Float32Array, what = ''): Promise<GpuBoxPairsFound> {
  const options: GpuBoxPairsOptions = against ? { against } : {};
  const expected = engine.boxPairs(boxes, options), found = await pairs.find(boxes, options);
  assert.is(found.count, expected.count, what);
  assert.is(hashInOrder(found), hashInOrder(expected), what);
  assert.is((await pairs.find(boxes, { ...options, countOnly: true })).count, expected.count, what);
  return found;
}

gpuTest('seeded scenes, half on a lattice, as on the CPU and as by all against all', async () => {
  let total = 0;
  for (const [k, boxesACell] of [8, 128].entries()) {
    await withPairs(async pairs => {
      for (let seed = k; seed < 100; seed += 2) {
        const boxes = boxScene(seed), found = await check(pairs, boxes, undefined, `seed ${seed}`);
        const expected = boxPairsByAll(boxes);
        assert.is(found.count, expected.length);
        assert.is(hashInOrder(found), hashInOrder({ a: Uint32Array.from(expected, ([a]) => a), b: Uint32Array.from(expected, ([, b]) => b) }), `seed ${seed}`);
        total += found.count;
      }
    }, { invocations: 64 }, { boxesACell });
  }
  assert.ok(total > 1e5, `${total} pairs`);
});

test.run();
