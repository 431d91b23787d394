// Tests MultiGpuBoxPairs, which cuts space into regions and finds the box pairs of each region on one of
// several GPU devices. The pairs must have the same bytes as on the CPU, and a pair that lies in several
// regions must be found once. Also tests how the number of devices and the cuts are chosen.

import * as assert from 'uvu/assert';
import { sceneBoxes, sceneKinds } from '../../bench/support/fourScenes.js';
import { mergePairs } from '../../dist/broadphase/incremental/mergePairs.js';
import { distributeBoxes, sampleAxes, splitSpace } from '../../dist/gpu/broadphase/spaceRegions.js';
import type { Gpu, GpuLimits } from '../../dist/gpu/device/gpu.js';
import { chooseDeviceCount, type DeviceCost, type HostCost } from '../../dist/gpu/device/gpuCost.js';
import { MultiGpuBoxPairs } from '../../dist/gpu/multiGpuBoxPairs.js';
import { createEngine } from '../../dist/index.js';
import { boxScene } from '../support/boxScenes.js';
import { hashInOrder } from '../support/engines.js';
import { gpuTest, plainGpu } from '../support/gpu.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const backend = await makeTestContext(1);
const cost: DeviceCost = { fixed: 1, host: 0.5, byte: 1e-7, box: 2e-4, pair: 2e-5 };
const host: HostCost = { box: 2e-5, pair: 5e-6 };

async function withDevices(
  count: number,
  use: (many: MultiGpuBoxPairs, gpus: Gpu[]) => Promise<void>,
  limits: Partial<GpuLimits> = { invocations: 64 },
): Promise<void> {
  const gpus = await Promise.all(Array.from({ length: count }, () => plainGpu(limits)));
  const many = new MultiGpuBoxPairs(
    gpus,
    backend,
    { host, devices: gpus.map(() => cost) },
    { boxesPerCell: 32 },
  );
  try {
    await use(many, gpus);
  } finally {
    many.dispose();
    for (const gpu of gpus) gpu.dispose();
  }
}

gpuTest.slow(
  'four kinds of scenes on 1, 2 and 4 devices give the bytes of the CPU, and pairs across cuts occur once',
  async () => {
    await withDevices(4, async many => {
      for (const kind of sceneKinds) {
        const boxes = sceneBoxes(kind, 800, 1);
        const expected = engine.boxPairs(boxes);
        for (const devices of [1, 2, 4]) {
          const found = await many.find(boxes, { devices });
          assert.is(found.count, expected.count, `${kind}, ${devices}`);
          assert.is(hashInOrder(found), hashInOrder(expected), `${kind}, ${devices}`);
          const { stats } = found;
          assert.is(stats.boxes.length, devices);
          assert.is(
            stats.pairs.reduce((sum, pairs) => sum + pairs, 0),
            expected.count,
          );
          assert.is(stats.copies > 0, devices > 1, `${kind}: ${stats.copies} boxes in several regions`);
          if (devices > 1)
            assert.ok(
              Math.max(...stats.boxes) < 1.5 * Math.min(...stats.boxes),
              `${kind}: ${stats.boxes.join(', ')}`,
            );
        }
        assert.is((await many.find(boxes, { devices: 4, countOnly: true })).count, expected.count);
      }
    });
  },
);

gpuTest.slow(
  'scenes with boxes that touch or reach across all cuts, and queries of one set of boxes against another, give the same bytes as on the CPU',
  async () => {
    await withDevices(3, async many => {
      for (let seed = 0; seed < 12; seed++) {
        const boxes = boxScene(seed);
        const against = boxScene(seed + 100);
        for (let axis = 0; axis < 3; axis++) boxes[((3 * seed) % 12) + axis] = seed % 2 === 0 ? -1e3 : 1e3;
        for (const options of [{}, { against }])
          assert.is(
            hashInOrder(await many.find(boxes, { ...options, devices: 3 })),
            hashInOrder(engine.boxPairs(boxes, options)),
            `seed ${seed}`,
          );
      }
    });
  },
);

gpuTest.slow('there are more regions than devices if a region does not fit on a device', async () => {
  await withDevices(
    2,
    async many => {
      const boxes = sceneBoxes('cubes', 500, 2);
      const found = await many.find(boxes, { devices: 2 });
      assert.ok(found.stats.boxes.length >= 8, `${found.stats.boxes.length} regions`);
      assert.is(hashInOrder(found), hashInOrder(engine.boxPairs(boxes)));
    },
    { workgroups: 7, invocations: 64, bindingBytes: 4096 },
  );
});

gpuTest(
  'empty input gives an empty result, and the cost of devices is measured if it is not given',
  async () => {
    const gpu = await plainGpu({ invocations: 64 });
    const many = new MultiGpuBoxPairs([gpu], backend);
    assert.is((await many.find(new Float32Array(0))).count, 0);
    const {
      host: hostCost,
      devices: [measured],
    } = await many.measure();
    for (const value of [...Object.values(measured!), ...Object.values(hostCost)])
      assert.ok(value >= 0 && value < 1e5);
    assert.ok(measured!.fixed > 0 && hostCost.box > 0);
    const { stats } = await many.find(boxScene(2));
    assert.is(stats.devices, 1);
    assert.is(stats.predicted.length, 1);
    many.dispose();
    gpu.dispose();
  },
);

test('few boxes use one device, many boxes use all devices, and a slow device is not used', () => {
  const axes = sampleAxes([sceneBoxes('cubes', 20_000, 1)]);
  const devices = [cost, cost, cost, cost];
  assert.is(chooseDeviceCount(devices, host, axes, { boxes: 300, pairs: 1000 }).devices, 1);
  const choice = chooseDeviceCount(devices, host, axes, { boxes: 1e6, pairs: 5e6 });
  assert.is(choice.devices, 4);
  assert.is(choice.split.starts.length, 3);
  assert.ok(choice.predicted[3] < choice.predicted[1] && choice.predicted[1] < choice.predicted[0]);
  assert.is(
    chooseDeviceCount([cost, { ...cost, box: 1e-2 }], host, axes, { boxes: 1e6, pairs: 5e6 }).devices,
    1,
  );
  // The CPU's work to divide boxes among several devices may take more time than the devices save.
  assert.is(chooseDeviceCount(devices, { box: 1e-3, pair: 0 }, axes, { boxes: 1e6, pairs: 5e6 }).devices, 1);
});

test('space is cut along the axis with the most overlaps, unless too many boxes cross the cut', () => {
  const lows = Float64Array.from({ length: 1000 }, (_, i) => i);
  const axis = (axis: number, size: number, overlaps: number) => ({
    axis,
    lows,
    highs: lows.map(low => low + size),
    overlaps,
  });
  assert.equal(splitSpace([axis(0, 5, 10), axis(1, 100, 20), axis(2, 1, 3)], 2), {
    axis: 1,
    starts: [500],
    copiedFraction: 0.1,
  });
  assert.equal(splitSpace([axis(0, 5, 10), axis(1, 100, 20), axis(2, 1, 3)], 5), {
    axis: 2,
    starts: [200, 400, 600, 800],
    copiedFraction: 0.004,
  });
  const [x, y, z] = sampleAxes([
    Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0, 5, 2, 1, 6, 3, 0, 8, 4, 1, 9, 9, 9, 9, 8, 8, 8),
  ]);
  assert.equal([x.overlaps, y.overlaps, z.overlaps, x.lows.length], [1, 3, 0, 3]);
});

test('every box goes to all regions that it reaches, and empty boxes go to none', () => {
  const regions = distributeBoxes(
    Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1, 0, 0, 0, 3, 1, 1, 2, 0, 0, 1, 1, 1),
    { axis: 0, starts: [1, 2], copiedFraction: 0 },
  );
  assert.equal(
    regions.map(({ ids }) => Array.from(ids)),
    [
      [0, 2],
      [0, 1, 2],
      [1, 2],
    ],
  );
  assert.equal(Array.from(regions[2].boxes.subarray(6)), [0, 0, 0, 3, 1, 1]);
});

test('mergePairs merges sorted lists of pairs', () => {
  const list = (...pairs: [number, number][]) => ({
    a: Uint32Array.from(pairs, ([a]) => a),
    b: Uint32Array.from(pairs, ([, b]) => b),
  });
  assert.equal(mergePairs([]), list());
  assert.equal(
    mergePairs([list([0, 5], [2, 3]), list(), list([0, 4], [0, 6], [3, 4])]),
    list([0, 4], [0, 5], [0, 6], [2, 3], [3, 4]),
  );
});

test.run();
