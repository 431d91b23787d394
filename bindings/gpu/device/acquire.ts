// Where WebGPU may be -> a device with as much as the adapter gives, or why there is none.
import { Gpu } from './gpu.js';

/** What navigator.gpu is, or what another implementation gives. */
export interface GpuSource {
  requestAdapter(options?: { powerPreference?: 'high-performance' }): Promise<object | null>;
}

/** Limits that are raised to the adapter's own. */
const RAISED = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
] as const;
const WANTED = ['timestamp-query', 'subgroups'] as const;

/**
 * source: a device, or what gives one. Without it a GPU that is but a program does not count where `mayFall`
 * is not given. @throws an Error that says why there is none
 */
export async function acquireGpus(
  source?: GpuSource | GPUDevice | readonly GPUDevice[],
  mayFall?: 'may be software',
): Promise<readonly [Gpu, ...Gpu[]]> {
  if (Array.isArray(source) && source.length > 0) return source.map(lent) as [Gpu, ...Gpu[]];
  return [await acquireGpu(source as GpuSource | undefined, mayFall)];
}

/** Its owner goes on with it. */
const lent = (device: GPUDevice): Gpu => new Gpu(device, {}, true);

/** One of them. @throws as above */
export async function acquireGpu(source?: GpuSource | GPUDevice, mayFall?: 'may be software'): Promise<Gpu> {
  if (source && 'createShaderModule' in source) return lent(source);
  const gpu = (source ?? (await findSource())) as GPU;
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('no adapter was found');
  if (!source && !mayFall && adapter.info?.isFallbackAdapter)
    throw new Error(`the adapter found (${adapter.info.description}) is software, which the CPU outruns`);
  const device = await adapter.requestDevice({
    requiredFeatures: WANTED.filter(feature => adapter.features.has(feature)) as GPUFeatureName[],
    requiredLimits: Object.fromEntries(RAISED.map(limit => [limit, adapter.limits[limit]])),
  });
  // In Node a device is gone with its implementation, which nothing else may hold.
  return Object.assign(new Gpu(device), { source: gpu });
}

// Node has no navigator.gpu; the package `webgpu` may stand in. Its name is not written so that bundlers
// would look for it.
async function findSource(): Promise<GpuSource> {
  const own = (globalThis.navigator as { gpu?: GpuSource } | undefined)?.gpu;
  if (own) return own;
  if (typeof process === 'undefined') throw new Error('this page has no WebGPU');
  const name = 'webgpu';
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)).create([]) as GpuSource;
}
