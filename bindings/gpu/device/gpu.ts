// One GPUDevice -> its limits, compiled kernels, buffers and counters; everything that waits for it goes
// through `wait`.
import { GpuLost, GpuUnfit } from './gpuErrors.js';
import type { KernelBindings, KernelName } from './kernelSource.js';
import { bindingsOf, sourceOf } from './kernelSource.js';

/** What kernels are cut to: the device's own limits, or less in tests. */
export interface GpuLimits {
  /** Workgroups of a dispatch; kernels loop over what is left. */
  workgroups: number;
  /** Bytes that a kernel sees of a buffer. */
  bindingBytes: number;
  /** Invocations of a workgroup. */
  invocations: number;
}

/** Numbers of GPUBufferUsage and GPUMapMode: Node has no such globals. */
export const usage = {
  mapRead: 1,
  copyFrom: 4,
  copyTo: 8,
  uniform: 64,
  storage: 128,
  indirect: 256,
  queryResolve: 512,
} as const;
const SHADER_COMPUTE = 4;
const MAP_READ = 1;

/** What has been asked of the device since `counters` was last put to 0. */
export interface GpuCounters {
  submits: number;
  dispatches: number;
  uploadedBytes: number;
  readBytes: number;
  bufferBytes: number;
}

export interface CompiledKernel {
  name: KernelName;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  bindings: KernelBindings;
}

export class Gpu {
  readonly device: GPUDevice;
  /** Where the device is from. */
  source: unknown;
  readonly limits: GpuLimits;
  /** Invocations of every kernel's workgroups: a power of two from 64 to 256. */
  readonly workgroup: number;
  readonly counters: GpuCounters = {
    submits: 0,
    dispatches: 0,
    uploadedBytes: 0,
    readBytes: 0,
    bufferBytes: 0,
  };
  /** Nanoseconds a kernel, summed since it was set; where the device keeps time. */
  times: Map<string, number> | undefined;
  /** Called at every wait. */
  onWait: () => void = () => {};
  /** Whether the device is someone else's, who goes on with it. */
  readonly #isLent: boolean;
  /** Why the device can be asked no more. */
  #lostMessage: string | undefined;
  /** Ends what waits. */
  readonly #waiting = new Set<(message: string) => void>();
  private readonly kernels = new Map<KernelName, Promise<CompiledKernel>>();
  readonly #ready = new Map<KernelName, CompiledKernel>();
  readonly #staging: GPUBuffer[] = [];

  /** limits: less than the device's own. isLent: the device is not to be destroyed. */
  constructor(device: GPUDevice, limits: Partial<GpuLimits> = {}, isLent = false) {
    this.device = device;
    this.#isLent = isLent;
    const own = device.limits;
    this.limits = {
      workgroups: Math.min(limits.workgroups ?? Infinity, own.maxComputeWorkgroupsPerDimension),
      bindingBytes: Math.min(
        limits.bindingBytes ?? Infinity,
        own.maxStorageBufferBindingSize,
        own.maxBufferSize,
      ),
      invocations: Math.min(
        limits.invocations ?? Infinity,
        own.maxComputeInvocationsPerWorkgroup,
        own.maxComputeWorkgroupSizeX,
      ),
    };
    this.workgroup = this.limits.invocations >= 256 ? 256 : this.limits.invocations >= 128 ? 128 : 64;
    void device.lost.then(({ message }) => {
      this.#lose(message || 'the device was lost');
    });
  }

  /** What a promise of the device's brings. @throws GpuLost where the device is lost before that */
  async wait<Value>(promise: Promise<Value>): Promise<Value> {
    this.onWait();
    promise.catch(() => {});
    if (this.#lostMessage !== undefined) throw new GpuLost(this.#lostMessage);
    let stop: (message: string) => void = () => {};
    const loss = new Promise<never>((_, reject) => {
      stop = message => {
        reject(new GpuLost(message));
      };
    });
    loss.catch(() => {});
    // Not raced against one promise for all: each race would stay with it.
    this.#waiting.add(stop);
    try {
      const value = await Promise.race([promise, loss]);
      if (this.#lostMessage !== undefined) throw new GpuLost(this.#lostMessage);
      return value;
    } catch (error) {
      // What a lost device breaks may be told before the loss is.
      if (!(error instanceof GpuLost))
        await new Promise(resolve => {
          setTimeout(resolve, 0);
        });
      throw this.#lostMessage === undefined || error instanceof GpuLost
        ? error
        : new GpuLost(this.#lostMessage);
    } finally {
      this.#waiting.delete(stop);
    }
  }

  /** Compiles kernels, each once: `kernel` knows them from then on. */
  async prepare(names: readonly KernelName[]): Promise<void> {
    await this.wait(
      Promise.all(
        names.map(async name => {
          if (!this.kernels.has(name)) this.kernels.set(name, this.#compile(name));
          this.#ready.set(name, await this.kernels.get(name)!);
        }),
      ),
    );
  }

  kernel(name: KernelName): CompiledKernel {
    const kernel = this.#ready.get(name);
    if (!kernel) throw new Error(`the kernel ${name} was not prepared`);
    return kernel;
  }

  /** Workgroups for this many invocations, within the limit. */
  groupsFor(invocations: number): number {
    return Math.max(1, Math.min(Math.ceil(invocations / this.workgroup), this.limits.workgroups));
  }

  /** A buffer that kernels read and write. @throws GpuUnfit */
  createBuffer(label: string, bytes: number): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    if (size > this.limits.bindingBytes)
      throw new GpuUnfit(`${label} takes ${size} bytes; this device binds ${this.limits.bindingBytes}`);
    this.counters.bufferBytes += size;
    return this.device.createBuffer({
      label,
      size,
      usage: usage.storage | usage.copyFrom | usage.copyTo | usage.indirect,
    });
  }

  /** What was copied to a staging buffer, of `bytes` bytes. */
  async readStaging(staging: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    if (bytes === 0) {
      this.#staging.push(staging);
      return new ArrayBuffer(0);
    }
    await this.wait(staging.mapAsync(MAP_READ, 0, bytes));
    const copy = staging.getMappedRange(0, bytes).slice(0);
    staging.unmap();
    this.#staging.push(staging);
    this.counters.readBytes += bytes;
    return copy;
  }

  /** A buffer to read back through: given back by readStaging. */
  takeStaging(bytes: number): GPUBuffer {
    const index = this.#staging.findIndex(({ size }) => size >= bytes);
    if (index >= 0) return this.#staging.splice(index, 1)[0];
    return this.device.createBuffer({
      size: Math.min(
        2 ** Math.ceil(Math.log2(Math.max(256, bytes))),
        Math.max(bytes, this.device.limits.maxBufferSize),
      ),
      usage: usage.mapRead | usage.copyTo,
    });
  }

  /** Who waits is not left waiting. */
  dispose(): void {
    this.#lose('the device was given back');
    if (!this.#isLent) this.device.destroy();
    else for (const buffer of this.#staging) buffer.destroy();
  }

  #lose(message: string): void {
    this.#lostMessage ??= message;
    for (const stop of this.#waiting) stop(this.#lostMessage);
  }

  async #compile(name: KernelName): Promise<CompiledKernel> {
    const { device } = this;
    const bindings = bindingsOf(name);
    const module = device.createShaderModule({
      label: name,
      code: sourceOf(name, this.workgroup, device.features.has('subgroups')),
    });
    const { messages } = await module.getCompilationInfo();
    const wrong = messages
      .filter(({ type }) => type === 'error')
      .map(({ lineNum, message }) => `${lineNum}: ${message}`);
    if (wrong.length > 0) throw new Error(`the kernel ${name} does not compile: ${wrong.join('; ')}`);
    const layout = device.createBindGroupLayout({
      entries: bindings.map(({ type }, binding) => ({
        binding,
        visibility: SHADER_COMPUTE,
        buffer: { type },
      })),
    });
    const pipeline = await device.createComputePipelineAsync({
      label: name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: name },
    });
    return { name, pipeline, layout, bindings };
  }
}

/** A buffer that is made anew where it is too small; what it held is gone then. */
export class GpuRoom {
  readonly #gpu: Gpu;
  readonly #label: string;
  #held: GPUBuffer | undefined;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#label = label;
  }

  get bytes(): number {
    return this.#held?.size ?? 0;
  }

  /** @throws GpuUnfit */
  reserve(bytes: number): GPUBuffer {
    if (!this.#held || this.#held.size < bytes) {
      this.dispose();
      this.#held = this.#gpu.createBuffer(this.#label, bytes);
    }
    return this.#held;
  }

  /** Another buffer in the place of this one, which is the caller's now. @throws GpuUnfit */
  replace(bytes: number): GPUBuffer {
    return (this.#held = this.#gpu.createBuffer(this.#label, bytes));
  }

  dispose(): void {
    this.#held?.destroy();
    this.#held = undefined;
  }
}
