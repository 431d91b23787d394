// Wraps a GPUDevice with its limits, compiled kernels, buffers and counters. Every wait for the device goes
// through `Gpu.wait`, which fails if the device is lost.
import { GpuLost, GpuOutOfMemory, GpuUnfit } from './gpuErrors.js';
import { usage } from './gpuUsage.js';
import type { KernelBindings, KernelName } from './kernelSource.js';
import { bindingsOf, sourceOf } from './kernelSource.js';
import { UploadBuffers } from './uploadBuffers.js';

/** Limits for kernels: the limits of the device, or smaller limits on a software adapter and in tests. */
export interface GpuLimits {
  /** Max number of workgroups of a dispatch. If there is more work, kernels loop over it. */
  workgroups: number;
  /** Max number of bytes of a buffer that a kernel can bind. */
  bindingBytes: number;
  /** Max number of invocations of a workgroup. */
  invocations: number;
}

/**
 * Max number of workgroups of a dispatch on a software adapter: about as many as a CPU has cores. More
 * workgroups would have less work each, but take almost as long each: on a CPU, an invocation without work
 * takes almost as long as an invocation with little work.
 */
const SOFTWARE_WORKGROUPS = 16;
const SHADER_COMPUTE = 4;
const MAP_READ = 1;

/** Counters of the device's work since the counters were last set to 0. */
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
  /** The most recently used bind groups, with their buffers in the order of `bindings`. */
  groups: { buffers: readonly GPUBuffer[]; group: GPUBindGroup }[];
}

/** Distance in bytes between the uniforms in their buffer. All devices accept multiples of 256 as offsets. */
export const UNIFORM_STEP = 256;
/** Size of a buffer of uniforms. It holds 64 uniforms; most runs need fewer. */
export const UNIFORM_BYTES = 64 * UNIFORM_STEP;
/** Number of bind groups that a kernel keeps. Making a bind group takes longer than recording a step. */
const KEPT_GROUPS = 8;

export class Gpu {
  readonly device: GPUDevice;
  /** The WebGPU implementation that provided the device. */
  source: unknown;
  readonly limits: GpuLimits;
  /** Workgroup size of all kernels: a power of two from 64 to 256. */
  readonly workgroupSize: number;
  readonly counters: GpuCounters = {
    submits: 0,
    dispatches: 0,
    uploadedBytes: 0,
    readBytes: 0,
    bufferBytes: 0,
  };
  /** Nanoseconds per kernel, summed since this map was set. Set it only if the device supports timestamps. */
  times: Map<string, number> | undefined;
  /** Called at each wait. */
  onWait: () => void = () => {};
  /** Whether the device belongs to the caller, which continues to use it. */
  readonly #isLent: boolean;
  /** Why the device was lost. */
  #lostMessage: string | undefined;
  /** Functions that end the pending waits. */
  readonly #waiting = new Set<(message: string) => void>();
  private readonly kernels = new Map<KernelName, Promise<CompiledKernel>>();
  readonly #ready = new Map<KernelName, CompiledKernel>();
  readonly #staging: GPUBuffer[] = [];
  readonly uploads: UploadBuffers;
  #uniforms: GPUBuffer | undefined;
  #allocations = new Allocations();

  /**
   * limits: smaller limits than the device's own, or more workgroups than the default of a software adapter.
   * isLent: the device must not be destroyed.
   */
  constructor(device: GPUDevice, limits: Partial<GpuLimits> = {}, isLent = false) {
    this.device = device;
    this.uploads = new UploadBuffers(device, descriptor => this.allocate(descriptor));
    this.#isLent = isLent;
    const own = device.limits;
    this.limits = {
      workgroups: Math.min(
        limits.workgroups ?? (device.adapterInfo?.isFallbackAdapter ? SOFTWARE_WORKGROUPS : Infinity),
        own.maxComputeWorkgroupsPerDimension,
      ),
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
    this.workgroupSize = this.limits.invocations >= 256 ? 256 : this.limits.invocations >= 128 ? 128 : 64;
    void device.lost.then(({ message }) => {
      this.#lose(message || 'the device was lost');
    });
  }

  /** Waits for a promise of the device. @throws GpuLost if the device is lost before the promise settles */
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
    // Each wait has its own promise. If all waits shared one promise, each `Promise.race` would add callbacks
    // to it, which would stay in memory until the device is lost.
    this.#waiting.add(stop);
    try {
      const value = await Promise.race([promise, loss]);
      if (this.#lostMessage !== undefined) throw new GpuLost(this.#lostMessage);
      return value;
    } catch (error) {
      // If the device was lost, this error may arrive before `device.lost` resolves.
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

  /** Compiles kernels that are not yet compiled. Afterwards, `kernel` returns them. */
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

  /** Returns the number of workgroups for this number of invocations, within the limit. */
  groupsFor(invocations: number): number {
    return Math.max(1, Math.min(Math.ceil(invocations / this.workgroupSize), this.limits.workgroups));
  }

  /** Creates a buffer that kernels read and write. @throws GpuUnfit */
  createBuffer(label: string, bytes: number): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    if (size > this.limits.bindingBytes)
      throw new GpuUnfit(
        `the buffer of ${label} needs ${size} bytes; this device allows ${this.limits.bindingBytes}`,
      );
    this.counters.bufferBytes += size;
    return this.allocate({
      label,
      size,
      usage: usage.storage | usage.copyFrom | usage.copyTo,
    });
  }

  /**
   * Creates a buffer. If the device has no memory for it, the buffer is invalid, and `checkAllocations`
   * throws. @throws RangeError if a buffer that is mapped at creation cannot be mapped
   */
  allocate(descriptor: GPUBufferDescriptor): GPUBuffer {
    const { device } = this;
    device.pushErrorScope('out-of-memory');
    try {
      return device.createBuffer(descriptor);
    } finally {
      this.#allocations.add(device.popErrorScope());
    }
  }

  /** Resolves when it is known whether all buffers that were created so far are valid. */
  allocated(): Promise<unknown> {
    return this.#allocations.settled();
  }

  /**
   * Checks that the device had enough memory for all buffers that were created since the last call of
   * `releaseBuffers`. Call this method after `allocated` has resolved. found: an out-of-memory error that the
   * device reported outside of `allocate`.
   * @throws GpuOutOfMemory
   */
  checkAllocations(found?: GPUError | null): void {
    const error = found ?? this.#allocations.error;
    if (error) throw new GpuOutOfMemory(`the GPU is out of memory: ${error.message}`);
  }

  /**
   * Destroys the buffers that this object keeps between queries, and forgets failed allocations. The owners of
   * all other buffers must have disposed of them.
   */
  releaseBuffers(): void {
    this.uploads.dispose();
    for (const buffer of [...this.#staging.splice(0), this.#uniforms]) buffer?.destroy();
    this.#uniforms = undefined;
    for (const { groups } of this.#ready.values()) groups.length = 0;
    this.#allocations = new Allocations();
  }

  /** Creates a buffer for the uniforms of kernels. */
  createUniforms(): GPUBuffer {
    return this.allocate({ size: UNIFORM_BYTES, usage: usage.uniform | usage.copyTo });
  }
  /** A buffer for the uniforms of one submit at a time: write to it only directly before the submit. */
  get uniforms(): GPUBuffer {
    return (this.#uniforms ??= this.createUniforms());
  }

  /**
   * Returns the bind group of a kernel for these buffers, one per binding. The offset of the uniform is given
   * when the group is set.
   */
  bindGroupOf({ groups, bindings, layout }: CompiledKernel, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const index = groups.findIndex(known => known.buffers.every((buffer, i) => buffer === buffers[i]));
    const [known] = index < 0 ? [] : groups.splice(index, 1);
    const used = known ?? {
      buffers,
      group: this.device.createBindGroup({
        layout,
        entries: bindings.map(({ type }, binding) => ({
          binding,
          resource: { buffer: buffers[binding]!, ...(type === 'uniform' ? { size: UNIFORM_STEP } : {}) },
        })),
      }),
    };
    groups.unshift(used);
    if (groups.length > KEPT_GROUPS) groups.pop();
    return used.group;
  }

  /** Reads the `bytes` bytes that were copied to a staging buffer, and recycles the buffer. */
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

  /** Returns a staging buffer for a readback; readStaging recycles it. */
  takeStaging(bytes: number): GPUBuffer {
    const index = this.#staging.findIndex(({ size }) => size >= bytes);
    if (index >= 0) return this.#staging.splice(index, 1)[0];
    return this.allocate({
      size: Math.min(
        2 ** Math.ceil(Math.log2(Math.max(256, bytes))),
        Math.max(bytes, this.device.limits.maxBufferSize),
      ),
      usage: usage.mapRead | usage.copyTo,
    });
  }

  /** Ends all waits, and destroys the device unless it is lent. */
  dispose(): void {
    this.#lose('the device was released');
    if (!this.#isLent) this.device.destroy();
    else this.releaseBuffers();
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
      code: sourceOf(name, this.workgroupSize),
    });
    const { messages } = await module.getCompilationInfo();
    const errors = messages
      .filter(({ type }) => type === 'error')
      .map(({ lineNum, message }) => `${lineNum}: ${message}`);
    if (errors.length > 0) throw new Error(`the kernel ${name} does not compile: ${errors.join('; ')}`);
    const layout = device.createBindGroupLayout({
      entries: bindings.map(({ type }, binding) => ({
        binding,
        visibility: SHADER_COMPUTE,
        buffer: { type, hasDynamicOffset: type === 'uniform' },
      })),
    });
    const pipeline = await device.createComputePipelineAsync({
      label: name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: name },
    });
    return { name, pipeline, layout, bindings, groups: [] };
  }
}

/** Records which allocations of a device failed. */
class Allocations {
  /** The first error that was reported. */
  error: GPUError | undefined;
  readonly #pending = new Set<Promise<void>>();

  /** scope: resolves to the error of an allocation, or to null. */
  add(scope: Promise<GPUError | null>): void {
    const pending: Promise<void> = scope
      .then(
        error => {
          this.error ??= error ?? undefined;
        },
        // The device was lost.
        () => {},
      )
      .finally(() => {
        this.#pending.delete(pending);
      });
    this.#pending.add(pending);
  }

  settled(): Promise<unknown> {
    return Promise.all(this.#pending);
  }
}

/**
 * A buffer for temporary data. If it is too short, it is replaced by a longer one, and its contents are lost.
 */
export class ScratchBuffer {
  readonly #gpu: Gpu;
  readonly #label: string;
  #buffer: GPUBuffer | undefined;

  constructor(gpu: Gpu, label: string) {
    this.#gpu = gpu;
    this.#label = label;
  }

  get bytes(): number {
    return this.#buffer?.size ?? 0;
  }

  /** @throws GpuUnfit */
  reserve(bytes: number): GPUBuffer {
    if (!this.#buffer || this.#buffer.size < bytes) {
      this.dispose();
      this.#buffer = this.#gpu.createBuffer(this.#label, bytes);
    }
    return this.#buffer;
  }

  /** Creates a new buffer and returns it. The caller now owns the old one. @throws GpuUnfit */
  replace(bytes: number): GPUBuffer {
    return (this.#buffer = this.#gpu.createBuffer(this.#label, bytes));
  }

  dispose(): void {
    this.#buffer?.destroy();
    this.#buffer = undefined;
  }
}
