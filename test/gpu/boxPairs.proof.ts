// Boxes of a real scene on a GPU -> the same bytes as on the CPU.

import { existsSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { GpuBoxPairs } from '../../dist/systems/gpuBoxPairs.js';
import { makeBackend } from '../support/backend.js';
import { dataPath } from '../support/data.js';
import { hashInOrder } from '../support/engines.js';
import { readFrames, roundedOutward, sweptBoxes } from '../support/frames.js';
import { gpuTest, withGpu } from '../support/gpu.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const backend = await makeBackend(1);

gpuTest('cloth and ball: swept edges, and vertices against faces', async () => {
  if (!existsSync(dataPath('sccd/cloth-ball'))) return;
  const frames = readFrames('sccd/cloth-ball/frames/cloth_ball92.ply.gz', 'sccd/cloth-ball/frames/cloth_ball93.ply.gz');
  const vertices = Uint32Array.from({ length: frames.from.length / 3 }, (_, v) => v);
  const [vertexBoxes, edgeBoxes, faceBoxes] = [sweptBoxes(frames, vertices, 1), sweptBoxes(frames, frames.edges, 2), sweptBoxes(frames, frames.faces, 3)].map(roundedOutward) as [Float32Array, Float32Array, Float32Array];
  await withGpu(async gpu => {
    const pairs = new GpuBoxPairs(gpu, backend);
    for (const [boxes, options] of [[edgeBoxes, {}], [vertexBoxes, { against: faceBoxes }]] as const) {
      const expected = engine.boxPairs(boxes, options), found = await pairs.find(boxes, options);
      assert.is(found.count, expected.count);
      assert.is(hashInOrder(found), hashInOrder(expected));
    }
    pairs.dispose();
  });
});

test.run();
