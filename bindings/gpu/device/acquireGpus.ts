// Acquires a WebGPU device, with limits raised to the adapter's maximum, or uses the devices that the caller
// passes. If there is no device, throws an error that says why.
import { Gpu } from './gpu.js';

/** The object `navigator.gpu`, or an object of another WebGPU implementation that serves the same purpose. */
export interface GpuSource {
  requestAdapter(options?: { powerPreference?: 'high-performance' }): Promise<object | null>;
}

/** Limits that are raised from WebGPU's default to the adapter's maximum. */
const RAISED_LIMITS = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
] as const;
const FEATURES = ['timestamp-query'] as const;

/**
 * Acquires devices. source: a device, several devices, or an object that provides a device. Without a source,
 * a software adapter is refused unless `allowSoftware` is given.
 * @throws an Error that says why there is no device
 */
export async function acquireGpus(
  source?: GpuSource | GPUDevice | readonly GPUDevice[],
  allowSoftware?: 'may be software',
): Promise<readonly [Gpu, ...Gpu[]]> {
  if (Array.isArray(source)) {
    if (source.length === 0) throw new Error('the list of devices is empty');
    return source.map(wrapLent) as [Gpu, ...Gpu[]];
  }
  return [await acquireGpu(source as GpuSource | undefined, allowSoftware)];
}

/** Wraps a device that belongs to the caller. */
const wrapLent = (device: GPUDevice): Gpu => new Gpu(device, {}, true);

/** Acquires one device. @throws as above */
export async function acquireGpu(
  source?: GpuSource | GPUDevice,
  allowSoftware?: 'may be software',
): Promise<Gpu> {
  if (source && 'createShaderModule' in source) return wrapLent(source);
  const gpu = (source ?? (await findSource())) as GPU;
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('no adapter was found');
  if (!source && !allowSoftware && adapter.info?.isFallbackAdapter)
    throw new Error(
      `the only adapter (${adapter.info.description}) is a software adapter, which is slower than the CPU engine`,
    );
  const device = await adapter.requestDevice({
    requiredFeatures: FEATURES.filter(feature => adapter.features.has(feature)) as GPUFeatureName[],
    requiredLimits: Object.fromEntries(RAISED_LIMITS.map(limit => [limit, adapter.limits[limit]])),
  });
  // In Node, a device stops working when the object `gpu` that made it is garbage-collected, so a reference to
  // this object is kept.
  return Object.assign(new Gpu(device), { source: gpu });
}

// Node has no navigator.gpu; the package `webgpu` provides one. Its name is in a variable, so that bundlers
// do not look for it.
async function findSource(): Promise<GpuSource> {
  const own = (globalThis.navigator as { gpu?: GpuSource } | undefined)?.gpu;
  if (own) return own;
  if (typeof process === 'undefined') throw new Error('WebGPU is not available on this page');
  const name = 'webgpu';
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)).create([]) as GpuSource;
}
