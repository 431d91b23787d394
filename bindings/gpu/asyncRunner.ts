// Runs the queries of `engine.async` on the GPU or on the CPU. If the GPU fails, the CPU runs the query.
import { Capacity, Unsupported } from '../core/errors.js';
import type { KeyValueStorage } from '../core/keyValueStorage.js';
import type { GpuInfo, Note } from '../core/note.js';
import { MIN_GPU_SIZES } from '../core/querySizes.js';
import { withTimeout } from '../core/withTimeout.js';
import type { GpuSource } from './device/acquireGpus.js';
import type { Gpu } from './device/gpu.js';
import { BudgetSpent, GpuLost, GpuOutOfMemory, GpuUnfit } from './device/gpuErrors.js';
import type { GpuSystems, QueryKind } from './gpuSystems.js';
import type { Crossovers, KeptCrossovers } from './keptCrossovers.js';
import type { MeshWatch } from './meshWatch.js';
import type { TimeBudget } from './timeBudget.js';

/**
 * With backend 'auto', the time limit in milliseconds of one attempt to check the GPU's answers to a kind of
 * query and to measure the GPU's speed. The compilation of kernels counts toward this limit, but is not
 * interrupted when the limit is reached.
 */
const BUDGET = 1000;
/** If the GPU runs out of memory for this number of queries in a row, it is not used any more. */
const MAX_FAILED_ALLOCATIONS = 3;

/**
 * How long the first query waits for the caller's storage, in milliseconds. This is far longer than a storage
 * needs to answer.
 */
const STORAGE_MILLISECONDS = 1000;

/** The device that computed an answer, and its cost. */
export interface AsyncStats {
  /** The device. 'wasm': the CPU. 'gpu': the GPU, although the CPU may have computed a part of the answer. */
  backend: 'wasm' | 'gpu';
  /** Why this device computed the answer. */
  reason: string;
  /** Computing time in milliseconds, without the time spent waiting for earlier queries. */
  milliseconds: number;
  /** Counters of the run on the GPU. */
  gpu?: object;
}

/** An answer and its statistics. */
export interface AsyncAnswer<Answer> {
  answer: Answer;
  stats: AsyncStats;
}

/** A query to which the GPU and the CPU give the same answer, byte for byte. */
export interface AsyncQuery<Answer> {
  kind: QueryKind;
  /** The size of the query, in triangles, boxes or pairs of features. Crossovers use the same unit. */
  size: number;
  /** Watches the meshes that the query reads. */
  watch?: MeshWatch;
  /**
   * Computes the answer on the GPU. After each wait for the GPU, a query checks `watch` before it reads a mesh
   * again. Sweeps do not check `watch`; if a mesh has changed, the caller discards their result. When the
   * promise is fulfilled and no mesh has changed, the caller calls the function `answer` of the result.
   */
  onGpu: (systems: GpuSystems) => Promise<{ answer: () => Answer; stats?: object }>;
  onCpu: () => Answer;
}

/** The part of the package that is loaded when the engine looks for a GPU. */
export interface GpuSupport {
  acquire: (
    source?: GpuSource | GPUDevice | readonly GPUDevice[],
    allowSoftware?: 'may be software',
  ) => Promise<readonly [Gpu, ...Gpu[]]>;
  make: (gpus: readonly [Gpu, ...Gpu[]]) => GpuSystems;
  dispose: (systems: GpuSystems) => void;
  /** Starts a time limit for `check` and `measure`, in milliseconds of the clock `now`. */
  startBudget: (milliseconds: number, now: () => number) => TimeBudget;
  /**
   * Compares the GPU's answers with the CPU's answers for test queries of a kind. @throws an Error if an
   * answer is wrong; GpuUnfit if the test queries cannot run on the GPU; BudgetSpent
   */
  check: (kind: QueryKind, systems: GpuSystems, budget: TimeBudget) => Promise<void>;
  /** Returns the query size at and above which the GPU is faster than the CPU. @throws as `check` */
  measure: (kind: QueryKind, systems: GpuSystems, budget: TimeBudget) => Promise<number>;
  /** Returns the crossovers that a storage keeps for a GPU. */
  openKept: (storage: KeyValueStorage, info: GpuInfo) => KeptCrossovers;
}

export interface RunnerOptions {
  backend: 'auto' | 'wasm' | 'webgpu';
  source?: GpuSource | GPUDevice | readonly GPUDevice[];
  storage?: KeyValueStorage;
}

/** The devices in use, with what is known about them. */
interface LiveGpu {
  gpus: readonly [Gpu, ...Gpu[]];
  systems: GpuSystems;
  support: GpuSupport;
  crossovers: Crossovers;
  /** The kinds of queries for which the GPU has passed its self-test. */
  checked: Set<QueryKind>;
  /** An error message for each kind of query whose last test ran out of time or did not fit on the device. */
  late: Partial<Record<QueryKind, string>>;
}

export class AsyncRunner {
  #options: RunnerOptions;
  #info: { gpu?: GpuInfo; notes: Note[] };
  #load: () => Promise<GpuSupport>;
  #now: () => number;
  #started: Promise<void> | undefined;
  #live: LiveGpu | undefined;
  /** Number of queries in a row for which the GPU had no memory. */
  #failedAllocations = 0;
  /**
   * The crossovers in the caller's storage. Undefined without a storage, or after the storage has failed.
   */
  #kept: KeptCrossovers | undefined;
  /** Settles when all queued runs have ended. */
  #queue: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  /**
   * load: loads the part of the package that only a GPU needs. It is called when the engine looks for a GPU.
   * now: the clock for the time limits of tests of the GPU, in milliseconds.
   */
  constructor(
    options: RunnerOptions,
    info: { gpu?: GpuInfo; notes: Note[] },
    load: () => Promise<GpuSupport>,
    now: () => number = () => performance.now(),
  ) {
    this.#options = options;
    this.#info = info;
    this.#load = load;
    this.#now = now;
  }

  /** Whether queries of any size go to the GPU (backend 'webgpu'). */
  get isGpuOnly(): boolean {
    return this.#options.backend === 'webgpu';
  }

  /** Whether there is a GPU in use. */
  get hasGpu(): boolean {
    return this.#live !== undefined;
  }

  /** Returns whether a query of this size makes the runner look for a GPU. */
  considersGpu(kind: QueryKind, size: number): boolean {
    return this.isGpuOnly || (this.#options.backend === 'auto' && size >= MIN_GPU_SIZES[kind]);
  }

  /**
   * Looks for a GPU at the first call, unless backend is 'wasm'; later calls return the same promise. @throws
   * Unsupported if backend is 'webgpu' and there is no GPU
   */
  start(): Promise<void> {
    return (this.#started ??= this.#begin());
  }

  /**
   * Runs a query. If the query is large enough for a GPU that has not been tested for this kind of query, it
   * first waits for this test: test queries are checked and, unless the crossover is known, timed. If the test
   * takes too long, or if memory is short, the CPU answers. Queries run on the GPU one at a time, so a query on
   * the GPU also waits for earlier queries. If the CPU is faster, or if there is no GPU, the query runs on the
   * CPU without this additional wait. No mesh of the query may change between the call and the answer;
   * `query.watch` is checked after each wait. @throws any error that `onCpu` throws; Stale, Disposed;
   * Unsupported if backend is 'webgpu' and no GPU was found (if a GPU fails later, the CPU runs the query)
   */
  async run<Answer>(query: AsyncQuery<Answer>): Promise<AsyncAnswer<Answer>> {
    const { kind, size } = query;
    if (this.#options.backend === 'wasm') return this.#onCpu(query, "backend is 'wasm'");
    if (!this.considersGpu(kind, size))
      return this.#onCpu(query, `size ${size} is below the minimum for a GPU, ${MIN_GPU_SIZES[kind]}`);
    await this.start();
    // Before the first query of a kind can run on the GPU, test queries of this kind are checked and timed.
    const reason =
      this.#live && this.#live.crossovers[kind] === undefined
        ? await this.#enqueue(() => this.#testAndMeasure(kind))
        : undefined;
    const live = this.#live;
    if (!live) return this.#onCpu(query, 'there is no GPU: see info.notes');
    const crossover = live.crossovers[kind] ?? Infinity;
    if (size < crossover)
      return this.#onCpu(
        query,
        reason ?? live.late[kind] ?? `size ${size} is below the measured crossover, ${crossover}`,
      );
    return this.#enqueue(() => this.#onGpu(query));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  async #begin(): Promise<void> {
    const options = this.#options;
    const info = this.#info;
    if (options.backend === 'wasm') return;
    let gpus: readonly [Gpu, ...Gpu[]] | undefined;
    try {
      const support = await this.#load();
      gpus = await support.acquire(
        options.source,
        options.backend === 'webgpu' ? 'may be software' : undefined,
      );
      this.#live = {
        gpus,
        systems: this.#makeSystems(support, gpus),
        support,
        crossovers: {},
        checked: new Set(),
        late: {},
      };
      // Not every browser provides `adapterInfo`.
      const { vendor = '', architecture = '', description = '' } = gpus[0].device.adapterInfo ?? {};
      info.gpu = {
        vendor,
        architecture,
        description,
        devices: gpus.length,
        crossovers: options.backend === 'auto' ? this.#live.crossovers : undefined,
      };
      if (options.storage && options.backend === 'auto') {
        this.#kept = support.openKept(options.storage, info.gpu);
        await this.#withKept(read);
      }
      if (this.#isDisposed) this.#end();
    } catch (error) {
      this.#end();
      if (!gpus && options.backend === 'webgpu')
        throw new Unsupported(
          `backend is 'webgpu', but no GPU is available: ${messageOf(error)}`,
          'omit backend to use the CPU; in Node, install the package webgpu to use a GPU',
        );
      this.#note(error, gpus !== undefined);
    }
  }

  #makeSystems(support: GpuSupport, gpus: readonly [Gpu, ...Gpu[]]): GpuSystems {
    try {
      return support.make(gpus);
    } catch (error) {
      for (const gpu of gpus) gpu.dispose();
      throw error;
    }
  }

  // Checks and times test queries of a kind. Disables a GPU that gives a wrong answer. @returns the reason if
  // the checking or timing failed, otherwise undefined
  async #testAndMeasure(kind: QueryKind): Promise<string | undefined> {
    const live = this.#live;
    if (!live || live.crossovers[kind] !== undefined) return undefined;
    const { support, systems, checked, crossovers, late } = live;
    const isAuto = this.#options.backend === 'auto';
    const kept = isAuto ? this.#kept?.of(kind) : 0;
    // With backend 'webgpu', nothing is timed, and the GPU has to be used even if it is slow.
    const budget = support.startBudget(isAuto ? BUDGET : Infinity, this.#now);
    try {
      // If the kept crossover is 'never' (Infinity), the GPU is not used, so it is not checked either.
      if (kept !== Infinity && !checked.has(kind)) {
        await support.check(kind, systems, budget);
        checked.add(kind);
      }
      const crossover = kept ?? (await support.measure(kind, systems, budget));
      crossovers[kind] = crossover;
      late[kind] = undefined;
      // Nothing waits for the storage, because its promise may never settle.
      if (kept === undefined) void this.#withKept(store => store.add(kind, crossover));
    } catch (error) {
      if (error instanceof GpuOutOfMemory) this.#afterFailedAllocation(live, error);
      else if (error instanceof GpuUnfit) {
        // If only the queries to be timed do not fit on the device, the GPU is used for each query that fits.
        // But if the self-test does not fit, the GPU's answers are unchecked, so they must not be used.
        crossovers[kind] = checked.has(kind) ? 0 : Infinity;
        late[kind] = error.message;
      }
      // Unsupported is thrown, for example, if the engine was created without the module of these queries.
      // Queries of this kind then go to the CPU, where the method throws the same error.
      else if (error instanceof Unsupported) crossovers[kind] = Infinity;
      else if (error instanceof BudgetSpent) {
        // There is no third attempt, because the kernels were already compiled in the second one.
        if (late[kind]) {
          crossovers[kind] = Infinity;
          void this.#withKept(store => store.add(kind, Infinity));
        }
        late[kind] = error.message;
      } else if (!(error instanceof Capacity)) this.#disable(error);
      return messageOf(error);
    }
    return undefined;
  }

  // Makes the GPU usable again after it had no memory for a query: releases all of its buffers, some of
  // which may be invalid. If this has happened for several queries in a row, disables the GPU instead.
  #afterFailedAllocation(live: LiveGpu, error: GpuOutOfMemory): void {
    if (this.#live !== live) return;
    this.#failedAllocations++;
    if (this.#failedAllocations === MAX_FAILED_ALLOCATIONS) {
      this.#disable(error);
      return;
    }
    const { support, gpus } = live;
    try {
      support.dispose(live.systems);
      for (const gpu of gpus) gpu.releaseBuffers();
      live.systems = support.make(gpus);
    } catch (failure) {
      this.#disable(failure);
    }
  }

  // Uses the caller's storage. After a failure, the storage is not used again.
  async #withKept(use: (store: KeptCrossovers) => Promise<unknown>): Promise<void> {
    const kept = this.#kept;
    try {
      if (kept) await use(kept);
    } catch (error) {
      // Several writes may fail, but one note is enough.
      if (this.#kept !== kept) return;
      this.#kept = undefined;
      this.#info.notes.push({
        code: 'storage-failed',
        message: `crossovers of the GPU are not kept, because storage failed: ${messageOf(error)}`,
        fix: 'pass a storage that this page may use, or omit the storage',
      });
    }
  }

  async #onGpu<Answer>(query: AsyncQuery<Answer>): Promise<AsyncAnswer<Answer>> {
    const live = this.#live;
    if (!live) return this.#onCpu(query, 'the GPU was disabled: see info.notes');
    const { watch, onGpu } = query;
    watch?.check();
    const startedAt = performance.now();
    let found: Awaited<ReturnType<typeof onGpu>>;
    try {
      found = await onGpu(live.systems);
    } catch (error) {
      if (error instanceof GpuOutOfMemory) this.#afterFailedAllocation(live, error);
      if (error instanceof GpuUnfit || error instanceof Capacity) return this.#onCpu(query, error.message);
      // Errors of this package, for example about an invalid query or a changed mesh, go to the caller.
      if (error instanceof Error && 'fix' in error) throw error;
      this.#disable(error);
      return this.#onCpu(query, 'the GPU failed: see info.notes');
    }
    this.#failedAllocations = 0;
    watch?.check();
    const answer = found.answer();
    const milliseconds = performance.now() - startedAt;
    return {
      answer,
      stats: { backend: 'gpu', reason: 'a GPU is available', milliseconds, gpu: found.stats },
    };
  }

  #onCpu<Answer>({ onCpu, watch }: AsyncQuery<Answer>, reason: string): AsyncAnswer<Answer> {
    watch?.check();
    const startedAt = performance.now();
    const answer = onCpu();
    return { answer, stats: { backend: 'wasm', reason, milliseconds: performance.now() - startedAt } };
  }

  // Starts a run when all earlier runs have ended, with or without an error. All runs on the engine's GPU use
  // this queue.
  #enqueue<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(run);
    this.#queue = result.catch(() => {});
    return result;
  }

  #disable(error: unknown): void {
    if (!this.#live) return;
    this.#end();
    this.#note(error, true);
  }

  #end(): void {
    const live = this.#live;
    this.#live = undefined;
    this.#info.gpu = undefined;
    live?.support.dispose(live.systems);
    for (const gpu of live?.gpus ?? []) gpu.dispose();
  }

  #note(error: unknown, wasAvailable: boolean): void {
    if (this.#isDisposed) return;
    const code = wasAvailable ? codeOf(error) : 'no-gpu';
    this.#info.notes.push({
      code,
      message: `${wasAvailable ? 'the GPU was disabled' : 'no GPU is available'}: ${messageOf(error)}; calls run on the CPU`,
      fix: fixes[code],
    });
  }
}

/** Reads the stored crossovers. @throws any error of the storage; an Error if it takes too long */
async function read(store: KeptCrossovers): Promise<void> {
  const isRead = store.read().then(() => true);
  if (!(await withTimeout(isRead, STORAGE_MILLISECONDS)))
    throw new Error(`it did not answer within ${STORAGE_MILLISECONDS} ms`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function codeOf(error: unknown): 'gpu-lost' | 'gpu-out-of-memory' | 'gpu-failed' {
  if (error instanceof GpuLost) return 'gpu-lost';
  return error instanceof GpuOutOfMemory ? 'gpu-out-of-memory' : 'gpu-failed';
}

const fixes = {
  'no-gpu': "use a browser with WebGPU; in Node, install the package webgpu; or pass backend: 'wasm'",
  'gpu-lost': 'create a new engine when the GPU is available again',
  'gpu-out-of-memory':
    'close other pages and programs that use the GPU, or use smaller inputs; then create a new engine',
  'gpu-failed': "update the GPU's driver, or pass backend: 'wasm' to use no GPU",
} as const;
