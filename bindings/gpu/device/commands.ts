// Records steps for the GPU (kernel runs, clears and copies), submits them in order, and reads the requested
// buffers back.
import type { RecordLayout } from '../../records/record.js';
import { type Gpu, UNIFORM_BYTES, UNIFORM_STEP } from './gpu.js';
import { usage } from './gpuUsage.js';
import type { KernelName } from './kernelSource.js';

type Source = Uint32Array | Int32Array | Float32Array | Uint8Array;
/** The buffers of a kernel, by the names of its bindings. */
export type BoundBuffers = Readonly<Record<string, GPUBuffer>>;
/** A kernel's uniform: its record layout and values. */
export interface Uniform {
  // biome-ignore lint/suspicious/noExplicitAny: a layout of any record.
  layout: RecordLayout<any>;
  values: Readonly<Record<string, number>>;
}

/**
 * Combines a layout with the values of its fields. A missing value is a compile error. Properties of `values`
 * that are not fields are ignored.
 */
export const uniformOf = <F extends Readonly<Record<string, 'u32' | 'i32' | 'f32'>>>(
  layout: RecordLayout<F>,
  values: { readonly [K in Exclude<keyof F, 'spare'>]: number },
): Uniform => ({ layout, values });

const MAX_TIMES = 2048;
/**
 * Number of invocations of a step whose amount of work the CPU does not know when it records the step: enough
 * to fill most GPUs. Kernels loop over the rest of their work. An indirect dispatch would fit the work
 * exactly, but implementations of WebGPU check its size on the GPU, which takes longer than most kernels
 * here.
 */
export const UNKNOWN_COUNT = 2 ** 16;
const MIN_INVOCATIONS = 2 ** 13;

/**
 * Returns the number of invocations for a list of unknown length. Any number gives a correct result, because
 * kernels loop over the rest of the list. The list is assumed to be about as long as in the last run; at least
 * MIN_INVOCATIONS are used. lastCount: undefined in the first run. each: invocations per entry.
 */
export const invocationsFor = (lastCount: number | undefined, each = 1): number =>
  lastCount === undefined ? UNKNOWN_COUNT : Math.max(MIN_INVOCATIONS, each * lastCount);

export class Commands {
  readonly #gpu: Gpu;
  readonly #encoder: GPUCommandEncoder;
  #pass: GPUComputePassEncoder | undefined;
  /** The buffers of uniforms, and their contents, which are written directly before the submit. */
  readonly #uniforms: { buffer: GPUBuffer; bytes: DataView<ArrayBuffer>; used: number }[] = [];
  readonly #temporary: GPUBuffer[] = [];
  readonly #reads: { staging: GPUBuffer; bytes: number }[] = [];
  readonly #timed: string[] = [];
  #querySet: GPUQuerySet | undefined;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    gpu.device.pushErrorScope('out-of-memory');
    gpu.device.pushErrorScope('validation');
    this.#encoder = gpu.device.createCommandEncoder();
    if (gpu.times) this.#querySet = gpu.device.createQuerySet({ type: 'timestamp', count: 2 * MAX_TIMES });
  }

  /**
   * Copies a buffer to a longer one. The copy runs before all recorded steps and before later uploads. The
   * shorter buffer is destroyed when the steps have ended or are dropped.
   */
  replace(shorter: GPUBuffer, longer: GPUBuffer): void {
    const { device } = this.#gpu;
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(shorter, 0, longer, 0, shorter.size);
    device.queue.submit([encoder.finish()]);
    this.#temporary.push(shorter);
  }

  /** Writes data to a buffer. The write takes effect before all recorded steps. */
  upload(buffer: GPUBuffer, at: number, data: Source): void {
    const { counters, uploads } = this.#gpu;
    counters.uploadedBytes += data.byteLength;
    if (uploads.write(buffer, at, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))) {
      counters.submits++;
      return;
    }
    // Not all implementations accept views of shared memory.
    const own = data.buffer instanceof ArrayBuffer ? data : data.slice();
    this.#gpu.device.queue.writeBuffer(buffer, at, own.buffer as ArrayBuffer, own.byteOffset, own.byteLength);
  }

  /** Fills a range of a buffer with zeros. */
  clear(buffer: GPUBuffer, at = 0, bytes = buffer.size - at): void {
    this.#endPass();
    this.#encoder.clearBuffer(buffer, at, bytes);
  }

  copy(from: GPUBuffer, fromAt: number, to: GPUBuffer, toAt: number, bytes: number): void {
    this.#endPass();
    if (bytes > 0) this.#encoder.copyBufferToBuffer(from, fromAt, to, toAt, bytes);
  }

  /**
   * Runs a prepared kernel with this number of invocations, rounded up to whole workgroups and clamped to the
   * limit of the device. Kernels loop over the rest of their work.
   */
  run(name: KernelName, uniform: Uniform | undefined, buffers: BoundBuffers, invocations: number): void {
    this.runGroups(name, uniform, buffers, this.#gpu.groupsFor(invocations));
  }

  /** Runs a prepared kernel with this number of workgroups, clamped to the limit of the device. */
  runGroups(name: KernelName, uniform: Uniform | undefined, buffers: BoundBuffers, groups: number): void {
    const kernel = this.#gpu.kernel(name);
    const place = uniform && this.#putUniform(uniform);
    const bound = kernel.bindings.map(({ name: variable, type }) => {
      const buffer = type === 'uniform' ? place?.buffer : buffers[variable];
      if (!buffer) throw new Error(`${name} needs a buffer ${variable}`);
      return buffer;
    });
    const pass = this.#beginPass(name);
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, this.#gpu.bindGroupOf(kernel, bound), place ? [place.offset] : []);
    pass.dispatchWorkgroups(Math.max(1, Math.min(groups, this.#gpu.limits.workgroups)));
    this.#gpu.counters.dispatches++;
  }

  /** Records a read. @returns its index in the array that `submit` returns. */
  read(buffer: GPUBuffer, at: number, bytes: number): number {
    this.#endPass();
    const staging = this.#gpu.takeStaging(bytes);
    if (bytes > 0) this.#encoder.copyBufferToBuffer(buffer, at, staging, 0, bytes);
    return this.#reads.push({ staging, bytes }) - 1;
  }

  /**
   * Submits all steps, and waits for all reads and for the device's check of the steps. @returns the results
   * of all reads. @throws GpuLost; GpuOutOfMemory; an Error with the device's message about invalid commands
   */
  async submit(): Promise<Uint32Array[]> {
    const gpu = this.#gpu;
    const { device } = this.#gpu;
    this.#endPass();
    const times = this.#resolveTimes();
    this.#writeUniforms();
    device.queue.submit([this.#encoder.finish()]);
    gpu.counters.submits++;
    // The reads begin before the error scopes are popped, so that the scopes also catch the errors of reads of
    // invalid buffers.
    const answers = Promise.all(
      this.#reads.map(async ({ staging, bytes }) => new Uint32Array(await gpu.readStaging(staging, bytes))),
    );
    answers.catch(() => {});
    const failures = Promise.all([device.popErrorScope(), device.popErrorScope(), gpu.allocated()]);
    failures.catch(() => {});
    try {
      // Errors of validation may follow from a failed allocation, so failed allocations are reported first.
      const [invalid, noMemory] = await gpu.wait(failures);
      gpu.checkAllocations(noMemory);
      if (invalid) throw new Error(invalid.message);
      const found = await answers;
      if (times) await this.#noteTimes(times);
      return found;
    } finally {
      for (const buffer of this.#temporary) buffer.destroy();
      this.#querySet?.destroy();
    }
  }

  /**
   * Drops all recorded steps. Call it instead of `submit`. Uploads and the copies of `replace` have already
   * taken effect.
   */
  drop(): void {
    this.#endPass();
    const { device } = this.#gpu;
    for (const scope of [device.popErrorScope(), device.popErrorScope()]) scope.catch(() => {});
    for (const buffer of this.#temporary) buffer.destroy();
    for (const { staging } of this.#reads) staging.destroy();
    this.#querySet?.destroy();
  }

  #putUniform({ layout, values }: Uniform): { buffer: GPUBuffer; offset: number } {
    let last = this.#uniforms.at(-1);
    if (!last || last.used === UNIFORM_BYTES) {
      // Only the first buffer is shared with other submits.
      const buffer = last ? this.#gpu.createUniforms() : this.#gpu.uniforms;
      if (last) this.#temporary.push(buffer);
      last = { buffer, bytes: new DataView(new ArrayBuffer(UNIFORM_BYTES)), used: 0 };
      this.#uniforms.push(last);
    }
    const offset = last.used;
    for (const field of Object.keys(layout.fields)) {
      const value = values[field] ?? 0;
      const at = offset + layout.at[field];
      if (layout.fields[field] === 'f32') last.bytes.setFloat32(at, value, true);
      else last.bytes.setUint32(at, value, true);
    }
    last.used += UNIFORM_STEP;
    return { buffer: last.buffer, offset };
  }

  #writeUniforms(): void {
    for (const { buffer, bytes, used } of this.#uniforms)
      this.#gpu.device.queue.writeBuffer(buffer, 0, bytes.buffer, 0, used);
  }

  // Returns the pass for a kernel. Consecutive kernels share a pass, but each timed kernel has its own. After
  // MAX_TIMES timed kernels, the others are not timed; they may share the pass of the last timed kernel.
  #beginPass(name: KernelName): GPUComputePassEncoder {
    if (!this.#querySet || this.#timed.length === MAX_TIMES)
      return (this.#pass ??= this.#encoder.beginComputePass());
    this.#endPass();
    const index = 2 * (this.#timed.push(name) - 1);
    return (this.#pass = this.#encoder.beginComputePass({
      timestampWrites: {
        querySet: this.#querySet,
        beginningOfPassWriteIndex: index,
        endOfPassWriteIndex: index + 1,
      },
    }));
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
  }

  #resolveTimes(): { staging: GPUBuffer; bytes: number } | undefined {
    if (!this.#querySet || this.#timed.length === 0) return undefined;
    const bytes = 16 * this.#timed.length;
    const resolved = this.#gpu.allocate({
      size: bytes,
      usage: usage.queryResolve | usage.copyFrom,
    });
    this.#temporary.push(resolved);
    this.#encoder.resolveQuerySet(this.#querySet, 0, 2 * this.#timed.length, resolved, 0);
    const staging = this.#gpu.takeStaging(bytes);
    this.#encoder.copyBufferToBuffer(resolved, 0, staging, 0, bytes);
    return { staging, bytes };
  }

  async #noteTimes({ staging, bytes }: { staging: GPUBuffer; bytes: number }): Promise<void> {
    const stamps = new BigUint64Array(await this.#gpu.readStaging(staging, bytes));
    const { times } = this.#gpu;
    this.#timed.forEach((name, i) =>
      times?.set(name, (times.get(name) ?? 0) + Number(stamps[2 * i + 1] - stamps[2 * i])),
    );
  }
}
