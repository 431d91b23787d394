// Acquires GPU devices for tests in Node, through Dawn (the package webgpu). Tests can lower the limits of a
// device. Without an adapter, tests are skipped, and their names are printed.

import { create } from 'webgpu';
import { acquireGpu } from '../../dist/gpu/device/acquireGpus.js';
import { Gpu, type GpuLimits } from '../../dist/gpu/device/gpu.js';
import { dataTest } from './data.js';
import { tiered } from './test.js';

// While Dawn waits for a device, it passes a native function to setImmediate again and again, which keeps a
// core busy. Here, the native function is instead called once per millisecond, so that other tests can use the
// core.
const { setImmediate: callSoon } = globalThis;
globalThis.setImmediate = ((use: (...all: unknown[]) => void, ...args: unknown[]) =>
  String(use).includes('[native code]')
    ? setTimeout(use, 1, ...args)
    : callSoon(use, ...args)) as typeof setImmediate;

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

// The devices that withGpu shares among the tests of a process. A device keeps a compiled kernel only while
// a `Gpu` object refers to it, so the first `Gpu` of each kind and workgroup size stays in `keptKernels`,
// although it is disposed.
const shared = new Map<'raised' | 'default', Promise<Gpu>>();
const keptKernels = new Map<string, Gpu>();

/**
 * Runs a test on a device that other tests of the process use, too, because a software GPU compiles the
 * kernels of each new device again. limits: WebGPU's default limits, or lower ones; if it is undefined, the
 * device has the limits of the adapter.
 */
export async function withGpu(use: (gpu: Gpu) => Promise<void>, limits?: Partial<GpuLimits>): Promise<void> {
  const kind = limits ? 'default' : 'raised';
  if (!shared.has(kind)) shared.set(kind, limits ? plainGpu() : acquire());
  const { device } = await shared.get(kind)!;
  const gpu = new Gpu(device, limits, true);
  const kernels = `${kind} ${gpu.workgroupSize}`;
  if (!keptKernels.has(kernels)) keptKernels.set(kernels, gpu);
  try {
    await use(gpu);
  } finally {
    gpu.dispose();
  }
}

/** Runs a test on a device of its own, which the test may destroy. */
export async function withOwnGpu(use: (gpu: Gpu) => Promise<void>): Promise<void> {
  const gpu = await acquire();
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
