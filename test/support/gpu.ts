// Acquires GPU devices for tests in Node, through Dawn (the package webgpu). Tests can lower the limits of a
// device. Without an adapter, tests are skipped, and their names are printed.

import { create } from 'webgpu';
import { acquireGpu } from '../../dist/gpu/device/acquireGpus.js';
import { Gpu, type GpuLimits } from '../../dist/gpu/device/gpu.js';
import { dataTest } from './data.js';
import { tiered } from './test.js';

/** Corresponds to navigator.gpu of a page. */
export const source = create([]);
export const hasAdapter = (await source.requestAdapter()) !== null;

/** Acquires a device as the package itself does. */
export const acquire = (): Promise<Gpu> => acquireGpu(source);

/** Acquires a device with WebGPU's default limits, or lower ones. */
export async function plainGpu(limits: Partial<GpuLimits> = {}): Promise<Gpu> {
  const adapter = (await source.requestAdapter()) as unknown as GPUAdapter;
  return new Gpu(await adapter.requestDevice(), limits);
}

export async function withGpu(use: (gpu: Gpu) => Promise<void>, limits?: Partial<GpuLimits>): Promise<void> {
  const gpu = limits ? await plainGpu(limits) : await acquire();
  try {
    await use(gpu);
  } finally {
    gpu.dispose();
  }
}

/** Registers a test that needs a GPU, real or software. */
export const gpuTest = tiered((test, name, run: () => Promise<void>) =>
  hasAdapter ? test(name, run) : test.skip(name, 'no WebGPU adapter'),
);

/** Registers a test that needs a GPU and the truth data. */
export const gpuDataTest = Object.assign(
  (name: string, run: () => Promise<void>) => (hasAdapter ? dataTest : gpuTest)(name, run),
  {
    slow: (name: string, run: () => Promise<void>) => (hasAdapter ? dataTest : gpuTest).slow(name, run),
  },
);
