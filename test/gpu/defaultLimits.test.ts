// Tests that a device with WebGPU's default limits and without optional features is enough: 8 storage buffers,
// bindings of 128 MiB, 16 KiB of workgroup memory. Every browser with WebGPU offers these.

import * as assert from 'uvu/assert';
import { kernelNames } from '../../dist/gpu/device/kernelSource.js';
import { gpuTest, plainGpu } from '../support/gpu.js';
import { test } from '../support/test.js';
import { known, queryGroups, withAsync } from './gpuLoss.js';

test.after(() => known.dispose());

gpuTest.slow('a device with the default limits compiles every kernel', async () => {
  const gpu = await plainGpu();
  const { limits, features } = gpu.device;
  assert.equal(
    [
      limits.maxStorageBuffersPerShaderStage,
      limits.maxStorageBufferBindingSize,
      limits.maxComputeWorkgroupStorageSize,
      limits.maxComputeInvocationsPerWorkgroup,
    ],
    [8, 2 ** 27, 2 ** 14, 256],
  );
  assert.ok(!features.has('subgroups') && !features.has('shader-f16') && !features.has('timestamp-query'));
  await gpu.prepare(kernelNames);
  gpu.dispose();
});

for (const [name, expect] of queryGroups) {
  gpuTest.slow(`${name}: a device with the default limits gives the CPU's answers`, async () => {
    const { device } = await plainGpu();
    await withAsync({ backend: 'webgpu', gpu: device }, async engine => {
      const backends = await expect(engine);
      assert.equal(new Set(backends), new Set(['gpu']));
      assert.equal(
        engine.info.notes.filter(({ code }) => /gpu/.test(code)),
        [],
      );
    });
    device.destroy();
  });
}

test.run();
