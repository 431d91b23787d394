// Tests Commands, which records steps (uploads, copies, kernels and reads) and submits them to a GPU. The
// steps run in order, and submit returns the data of the reads. If the device is lost or refuses a step,
// submit gives an error.

import * as assert from 'uvu/assert';
import { Commands } from '../../dist/gpu/device/commands.js';
import { type Gpu, ScratchBuffer } from '../../dist/gpu/device/gpu.js';
import { GpuLost, GpuOutOfMemory, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { kernelNames, sourceOf } from '../../dist/gpu/device/kernelSource.js';
import { GpuPass, gpuLimits, PassSizeParams } from '../../dist/records/gpuLayout.js';
import { StoreParams } from '../../dist/records/gpuTreeLayout.js';
import { caughtLater } from '../support/engines.js';
import { acquire, gpuTest, plainGpu, withGpu } from '../support/gpu.js';
import { test } from '../support/test.js';
import { withFailedAllocations } from './failedAllocations.js';

const uniform = (values: Record<string, number>) => ({ layout: PassSizeParams, values });

async function sizeOf(gpu: Gpu, counts: number[], slot: number, capacity: number, beam = 0): Promise<number> {
  await gpu.prepare(['writePassSize']);
  const commands = new Commands(gpu);
  const from = gpu.createBuffer('counts', 4 * gpuLimits.COUNTS);
  const passes = gpu.createBuffer('passes', GpuPass.size);
  commands.upload(from, 0, Uint32Array.from(counts));
  commands.runGroups('writePassSize', uniform({ slot, capacity, beam }), { counts: from, passes }, 1);
  commands.read(passes, 0, 4);
  return (await commands.submit())[0][0];
}

gpuTest(
  'a pass processes all items of its list, or none if they exceed the capacity of the list',
  async () => {
    await withGpu(async gpu => {
      assert.is(await sizeOf(gpu, [0, 1, 7, 8], 0, 1000), 0);
      assert.is(await sizeOf(gpu, [0, 1, 7, 8], 3, 8), 8);
      assert.is(await sizeOf(gpu, [0, 1, 7, 8], 3, 7), 0);
      assert.is(await sizeOf(gpu, [0, 1, 7, 8], 3, 7, 5), 5, 'with a beam');
      assert.is(await sizeOf(gpu, [2 ** 31], 0, 2 ** 31), 2 ** 31);
    });
  },
);

gpuTest.proof(
  'workgroups have 64, 128 or 256 invocations, within the limit of the device, and all kernels compile for 128',
  async () => {
    for (const invocations of [64, 100, 128, 256, 1024]) {
      await withGpu(
        async gpu => {
          assert.is(gpu.workgroupSize, invocations < 128 ? 64 : Math.min(invocations, 256));
        },
        { invocations },
      );
    }
    await withGpu(gpu => gpu.prepare(kernelNames), { invocations: 128 });
  },
);

gpuTest('lowered limits hold for workgroups and buffers; a scratch buffer is reused', async () => {
  await withGpu(
    async gpu => {
      assert.is(gpu.groupsFor(10 ** 6), 2);
      assert.throws(
        () => gpu.createBuffer('pairs', 4097),
        (error: Error) =>
          error instanceof GpuUnfit &&
          /the buffer of pairs needs 4112 bytes; this device allows 4096/.test(error.message),
      );
      const scratch = new ScratchBuffer(gpu, 'room');
      const first = scratch.reserve(100);
      assert.is(scratch.reserve(112), first);
      assert.is.not(scratch.reserve(113), first);
      scratch.dispose();
    },
    { workgroups: 2, bindingBytes: 4096, invocations: 64 },
  );
});

gpuTest('600 steps, whose uniforms do not fit in one buffer, run in one submit', async () => {
  await withGpu(async gpu => {
    await gpu.prepare(['writePassSize']);
    const commands = new Commands(gpu);
    const counts = gpu.createBuffer('counts', 4 * gpuLimits.COUNTS);
    const passes = gpu.createBuffer('passes', GpuPass.size);
    commands.upload(counts, 0, Uint32Array.of(1000));
    for (let i = 1; i <= 600; i++) {
      commands.runGroups('writePassSize', uniform({ capacity: 1, beam: i }), { counts, passes }, 1);
      commands.read(passes, 0, 4);
    }
    assert.equal(
      (await commands.submit()).map(([count]) => count),
      Array.from({ length: 600 }, (_, i) => i + 1),
    );
    assert.is(gpu.counters.dispatches, 600);
    assert.is(gpu.counters.submits, 1);
  });
});

gpuTest('two series of steps that are recorded alternately keep their uniforms apart', async () => {
  await withGpu(async gpu => {
    await gpu.prepare(['writePassSize']);
    const counts = gpu.createBuffer('counts', 4 * gpuLimits.COUNTS);
    const series = [1, 2].map(factor => {
      const passes = gpu.createBuffer('passes', GpuPass.size);
      return { factor, passes, commands: new Commands(gpu) };
    });
    series[0].commands.upload(counts, 0, Uint32Array.of(1000));
    for (let i = 1; i <= 100; i++) {
      for (const { commands, passes, factor } of series) {
        const beam = factor * i;
        commands.runGroups('writePassSize', uniform({ capacity: 1, beam }), { counts, passes }, 1);
        commands.read(passes, 0, 4);
      }
    }
    const answers = await Promise.all(series.map(({ commands }) => commands.submit()));
    series.forEach(({ factor }, at) => {
      assert.equal(
        answers[at].map(([count]) => count),
        Array.from({ length: 100 }, (_, i) => factor * (i + 1)),
      );
    });
  });
});

test('no WGSL function takes pointers to storage or workgroup memory, which not every browser supports', () => {
  for (const name of kernelNames) assert.not.match(sourceOf(name, 64), /ptr<(storage|workgroup)/, name);
});

gpuTest.slow('a kernel that needs more than 65,535 workgroups processes all items', async () => {
  await withGpu(
    async gpu => {
      const vertexCount = 66_000 * 64;
      const positions = Float32Array.from({ length: 3 * vertexCount }, (_, i) => i % 8191);
      await gpu.prepare(['storeVertices']);
      const commands = new Commands(gpu);
      const from = gpu.createBuffer('positions', positions.byteLength);
      const vertices = gpu.createBuffer('vertices', positions.byteLength);
      assert.is(gpu.groupsFor(vertexCount), 65535);
      commands.upload(from, 0, positions);
      commands.run(
        'storeVertices',
        { layout: StoreParams, values: { vertexCount, scaleExponent: 1 } },
        { positions: from, vertices },
        vertexCount,
      );
      commands.read(vertices, 0, positions.byteLength);
      const stored = new Float32Array((await commands.submit())[0].buffer);
      assert.ok(stored.every((value, i) => value === 2 * positions[i]));
    },
    { workgroups: Infinity, invocations: 64 },
  );
});

gpuTest('a step that the device refuses gives an error, and the device continues to work', async () => {
  await withGpu(async gpu => {
    const commands = new Commands(gpu);
    const small = gpu.createBuffer('small', 16);
    commands.copy(small, 0, small, 8, 64);
    assert.match((await caughtLater(() => commands.submit())).message, /copy|range|overlap|size/i);
    assert.is(await sizeOf(gpu, [1], 0, 1), 1);
  });
});

gpuTest(
  'a buffer without memory gives GpuOutOfMemory, even if it was created before the Commands',
  async () => {
    await withGpu(async gpu => {
      for (const isEarlier of [true, false]) {
        let buffer: GPUBuffer | undefined;
        let commands = isEarlier ? undefined : new Commands(gpu);
        await withFailedAllocations(
          place => place === 0,
          async () => {
            buffer = gpu.createBuffer('counts', 64);
          },
        );
        commands ??= new Commands(gpu);
        commands.read(buffer!, 0, 64);
        const submitted = commands;
        const error = await caughtLater(() => submitted.submit());
        assert.instance(error, GpuOutOfMemory);
        assert.match(error.message, 'the GPU is out of memory: no memory for a buffer');
        // Any buffer may be invalid until all of them are released.
        const next = new Commands(gpu);
        assert.instance(await caughtLater(() => next.submit()), GpuOutOfMemory);
        gpu.releaseBuffers();
        assert.is(await sizeOf(gpu, [1], 0, 1), 1);
      }
    });
  },
);

gpuTest('if the device is lost, every wait ends with an error', async () => {
  const gpu = await plainGpu();
  await gpu.prepare(['writePassSize']);
  const commands = new Commands(gpu);
  const buffer = gpu.createBuffer('counts', 1 << 20);
  commands.read(buffer, 0, 1 << 20);
  gpu.onWait = () => gpu.device.destroy();
  assert.instance(await caughtLater(() => commands.submit()), GpuLost);
  assert.instance(await caughtLater(() => gpu.prepare(['writePassSize'])), GpuLost);
});

gpuTest('times are measured if the device supports it', async () => {
  const gpu = await acquire();
  if (gpu.device.features.has('timestamp-query')) {
    gpu.times = new Map();
    await sizeOf(gpu, [1], 0, 1);
    assert.ok(gpu.times.get('writePassSize')! >= 0);
  }
  gpu.dispose();
});

test.run();
