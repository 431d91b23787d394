// Boxes on several devices -> the same bytes as on one, pairs across cuts once; as many devices as pay.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sceneBoxes, sceneKinds } from '../../bench/support/fourScenes.js';
import { createEngine } from '../../dist/index.js';
import { cutSpace, dealBoxes, sampleAxes } from '../../dist/systems/boxParts.js';
import { chooseDevices, type DeviceCost } from '../../dist/systems/gpuCost.js';
import { ManyGpus } from '../../dist/systems/manyGpus.js';
import { mergePairs } from '../../dist/systems/mergePairs.js';
import type { Gpu, GpuLimits } from '../../dist/webgpu/gpu.js';
import { makeBackend } from '../support/backend.js';
import { boxScene } from '../support/boxScenes.js';
import { hashInOrder } from '../support/engines.js';
import { gpuTest, plainGpu } from '../support/gpu.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const backend = await makeBackend(1);
const cost: DeviceCost = { fixed: 1, byte: 1e-7, box: 1e-5, pair: 1e-6 };

async function withDevices(count: number, use: (many: ManyGpus, gpus: Gpu[]) => Promise<void>, limits: Partial<GpuLimits> = { invocations: 64 }): Promise<void> {
  const gpus = await Promise.all(Array.from({ length: count }, () => plainGpu(limits))), many = new ManyGpus(gpus, backend, gpus.map(() => cost), { boxesACell: 32 });
  try { await use(many, gpus); } finally {
    many.dispose();
    for (const gpu of gpus) gpu.dispose();
  }
}

gpuTest('the four scenes on 1, 2 and 4 devices: the same bytes as on the CPU, pairs across cuts once', async () => {
  await withDevices(4, async many => {
    for (const kind of sceneKinds) {
      const boxes = sceneBoxes(kind, 1500, 1), expected = engine.boxPairs(boxes);
      for (const devices of [1, 2, 4]) {
        const found = await many.find(boxes, { devices });
        assert.is(found.count, expected.count, `${kind}, ${devices}`);
        assert.is(hashInOrder(found), hashInOrder(expected), `${kind}, ${devices}`);
        const { stats } = found;
        assert.is(stats.boxes.length, devices);
        assert.is(stats.pairs.reduce((sum, pairs) => sum + pairs, 0), expected.count);
        assert.is(stats.copies > 0, devices > 1, `${kind}: ${stats.copies} boxes in several parts`);
        if (devices > 1) assert.ok(Math.max(...stats.boxes) < 1.5 * Math.min(...stats.boxes), `${kind}: ${stats.boxes.join(', ')}`);
      }
      assert.is((await many.find(boxes, { devices: 4, countOnly: true })).count, expected.count);
    }
  });
});

gpuTest('scenes with boxes that touch and that reach across all cuts; one set against another', async () => {
  await withDevices(3, async many => {
    for (let seed = 0; seed < 30; seed++) {
      const boxes = boxScene(seed), against = boxScene(seed + 100);
      for (let axis = 0; axis < 3; axis++) boxes[3 * seed % 12 + axis] = -1e3;
      for (const options of [{}, { against }]) assert.is(hashInOrder(await many.find(boxes, { ...options, devices: 3 })), hashInOrder(engine.boxPairs(boxes, options)), `seed ${seed}`);
    }
  });
});

gpuTest('more parts than devices where a device does not hold one', async () => {
  await withDevices(2, async many => {
    const boxes = sceneBoxes('cubes', 500, 2), found = await many.find(boxes, { devices: 2 });
    assert.ok(found.stats.boxes.length > 8, `${found.stats.boxes.length} parts`);
    assert.is(hashInOrder(found), hashInOrder(engine.boxPairs(boxes)));
  }, { workgroups: 7, invocations: 64, bindingBytes: 4096 });
});

gpuTest('nothing; what devices cost is measured where it is not given', async () => {
  const gpu = await plainGpu({ invocations: 64 }), many = new ManyGpus([gpu], backend);
  assert.is((await many.find(new Float32Array(0))).count, 0);
  const [measured] = await many.measure();
  for (const value of Object.values(measured!)) assert.ok(value >= 0 && value < 1e5);
  assert.ok(measured!.fixed > 0);
  const { stats } = await many.find(boxScene(2));
  assert.is(stats.devices, 1);
  assert.is(stats.predicted.length, 1);
  many.dispose();
  gpu.dispose();
});

test('few boxes take one device, many all of them; a slow one is left out', () => {
  const few = sampleAxes([sceneBoxes('alphabet', 300, 1)]), many = sampleAxes([sceneBoxes('cubes', 20_000, 1)]);
  assert.is(chooseDevices([cost, cost, cost, cost], few, { boxes: 300, pairs: 1000 }).devices, 1);
  const choice = chooseDevices([cost, cost, cost, cost], many, { boxes: 20_000_000, pairs: 1e8 });
  assert.is(choice.devices, 4);
  assert.is(choice.cuts.starts.length, 3);
  assert.ok(choice.predicted[3]! < choice.predicted[1]! && choice.predicted[1]! < choice.predicted[0]!);
  assert.is(chooseDevices([cost, { ...cost, box: 1e-3 }], many, { boxes: 1e6, pairs: 1e6 }).devices, 1);
});

test('the axis with most overlaps is cut, unless all boxes reach across it', () => {
  const boxes = sceneBoxes('cubes', 2000, 1), axes = sampleAxes([boxes]);
  // All of them overlap on the third axis: the floor is flat.
  assert.ok(axes[2]!.overlaps > 3 * axes[0]!.overlaps);
  assert.ok(cutSpace(axes, 2).axis < 2);
  const long = boxes.map((value, i) => (i % 3 === 2 ? value * 1000 : i % 3 === 1 ? value / 3 : value));
  assert.is(cutSpace(sampleAxes([long]), 2).axis, sampleAxes([long]).reduce((p, q) => (q.overlaps > p.overlaps ? q : p)).axis);
});

test('every box is dealt to all parts that it reaches, empty ones to none', () => {
  const parts = dealBoxes(Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1, 0, 0, 0, 3, 1, 1, 2, 0, 0, 1, 1, 1), { axis: 0, starts: [1, 2], copied: 0 });
  assert.equal(parts.map(({ ids }) => Array.from(ids)), [[0, 2], [0, 1, 2], [1, 2]]);
  assert.equal(Array.from(parts[2]!.boxes.subarray(6)), [0, 0, 0, 3, 1, 1]);
});

test('sorted lists are merged', () => {
  const list = (...pairs: [number, number][]) => ({ a: Uint32Array.from(pairs, ([a]) => a), b: Uint32Array.from(pairs, ([, b]) => b) });
  assert.equal(mergePairs([]), list());
  assert.equal(mergePairs([list([0, 5], [2, 3]), list(), list([0, 4], [0, 6], [3, 4])]), list([0, 4], [0, 5], [0, 6], [2, 3], [3, 4]));
});

test.run();
