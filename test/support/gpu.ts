// Dawn in Node -> devices for tests, whose limits can be lowered; tests are skipped by name where there is no adapter.

import { test } from './test.js';
import { create } from 'webgpu';
import { acquireGpu } from '../../dist/webgpu/acquire.js';
import { Gpu, type GpuLimits } from '../../dist/webgpu/gpu.js';

/** What navigator.gpu is in a page. */
export const source = create([]);
export const hasAdapter = (await source.requestAdapter()) !== null;

/** The package's own way to a device. */
export const acquire = (): Promise<Gpu> => acquireGpu(source);

/** A device with WebGPU's default limits, or less. */
export async function plainGpu(limits: Partial<GpuLimits> = {}): Promise<Gpu> {
  const adapter = await source.requestAdapter() as unknown as GPUAdapter;
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

/** register: `dataTest` for tests that need the truth data, too. */
export function gpuTest(name: string, run: () => Promise<void>, register: (name: string, run: () => Promise<void>) => void = test): void {
  if (hasAdapter) return register(name, run);
  console.log(`\nskipped: ${name} (no WebGPU adapter)`);
  test.skip(name, run);
}
