// Questions, each as a way to ask the GPU and a way to ask the CPU -> the answer of one of them, whatever
// happens to the GPU.
import { Capacity, Unsupported } from '../core/errors.js';
import type { GpuInfo, Note } from '../core/note.js';
import { Turns } from '../runtime/turns.js';
import type { GpuSource } from './device/acquire.js';
import type { Gpu } from './device/gpu.js';
import { GpuLost, GpuUnfit } from './device/gpuErrors.js';

/** Where an answer is from, and what it cost. */
export interface AsyncStats {
  /** Who answered: 'wasm' is the CPU. */
  backend: 'wasm' | 'gpu';
  /** Why it was asked there. */
  reason: string;
  /** From the call to the answer, without waiting for questions that were asked before. */
  milliseconds: number;
  /** Counters of the GPU's run. */
  gpu?: object;
}

/**
 * Two ways to one answer. checkUnchanged: throws where what was asked about is not as it was at the call.
 * size: of the question, in what crossovers of its kind are measured in.
 */
export interface Ways<Systems, Kind extends string, Answer> {
  kind: Kind;
  size: number;
  onGpu: (systems: Systems) => Promise<{ answer: Answer; stats?: object }>;
  onCpu: () => Answer;
  checkUnchanged?: () => void;
}

/** What the GPU's part of the package gives: loaded when a GPU is looked for. */
export interface GpuPart<Systems, Kind extends string> {
  acquire: (
    source?: GpuSource | GPUDevice | readonly GPUDevice[],
    mayFall?: 'may be software',
  ) => Promise<readonly [Gpu, ...Gpu[]]>;
  make: (gpus: readonly [Gpu, ...Gpu[]]) => Systems;
  dispose: (systems: Systems) => void;
  /**
   * Known answers of a kind of questions. @throws an Error that says which was wrong; GpuUnfit where there
   * are none
   */
  check: (kind: Kind, systems: Systems) => Promise<void>;
  /** From which size on the GPU is quicker. */
  measure: (kind: Kind, systems: Systems) => Promise<number>;
}

export interface RunnerOptions {
  backend: 'auto' | 'wasm' | 'webgpu';
  source?: GpuSource | GPUDevice | readonly GPUDevice[];
}

export class GpuRunner<Systems, Kind extends string> {
  #options: RunnerOptions;
  #info: { gpu?: GpuInfo; notes: Note[] };
  readonly #fewest: Readonly<Record<Kind, number>>;
  #load: () => Promise<GpuPart<Systems, Kind>>;
  #started: Promise<void> | undefined;
  #live:
    | {
        gpus: readonly Gpu[];
        systems: Systems;
        part: GpuPart<Systems, Kind>;
        crossovers: Partial<Record<Kind, number>>;
      }
    | undefined;
  #turns = new Turns();
  #isDisposed = false;

  /** fewest: by kind, the size of the smallest questions that look for a GPU. */
  constructor(
    options: RunnerOptions,
    info: { gpu?: GpuInfo; notes: Note[] },
    fewest: Readonly<Record<Kind, number>>,
    load: () => Promise<GpuPart<Systems, Kind>>,
  ) {
    this.#options = options;
    this.#info = info;
    this.#fewest = fewest;
    this.#load = load;
  }

  /** Whether the GPU is asked whatever the size of a question. */
  get isAlone(): boolean {
    return this.#options.backend === 'webgpu';
  }

  /** Whether there is a GPU that was not given up. */
  get isLive(): boolean {
    return this.#live !== undefined;
  }

  /** Whether a question of this size looks for a GPU. */
  asksFrom(kind: Kind, size: number): boolean {
    return this.isAlone || (this.#options.backend === 'auto' && size >= this.#fewest[kind]);
  }

  /** Finds a device: once. @throws Unsupported where a GPU was asked for and there is none */
  start(): Promise<void> {
    return (this.#started ??= this.#begin());
  }

  /** One question of the GPU after the other; the CPU answers at once where that is quicker. */
  async run<Answer>(ways: Ways<Systems, Kind, Answer>): Promise<{ answer: Answer; stats: AsyncStats }> {
    const { kind, size } = ways;
    if (this.#options.backend === 'wasm') return this.#onCpu(ways, "backend is 'wasm'");
    if (!this.asksFrom(kind, size))
      return this.#onCpu(ways, `size ${size} is below the smallest for a GPU, ${this.#fewest[kind]}`);
    await this.start();
    // Each kind is first asked what is known, in its turn.
    if (this.#live && this.#live.crossovers[kind] === undefined)
      await this.#turns.take(() => this.#learn(kind));
    const live = this.#live;
    if (!live) return this.#onCpu(ways, 'there is no GPU: see info.notes');
    const crossover = live.crossovers[kind] ?? Infinity;
    if (size < crossover)
      return this.#onCpu(ways, `size ${size} is below the measured crossover, ${crossover}`);
    return this.#turns.take(() => this.#onGpu(ways));
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
      const part = await this.#load();
      gpus = await part.acquire(options.source, options.backend === 'webgpu' ? 'may be software' : undefined);
      this.#live = { gpus, systems: this.#made(part, gpus), part, crossovers: {} };
      // Not every browser tells.
      const { vendor = '', architecture = '', description = '' } = gpus[0].device.adapterInfo ?? {};
      info.gpu = {
        vendor,
        architecture,
        description,
        devices: gpus.length,
        crossovers: options.backend === 'auto' ? this.#live.crossovers : undefined,
      };
      if (this.#isDisposed) this.#end();
    } catch (error) {
      this.#end();
      if (!gpus && options.backend === 'webgpu')
        throw new Unsupported(
          `backend is 'webgpu', but no GPU could be had: ${messageOf(error)}`,
          'leave backend out: questions are answered on the CPU then; in Node install the package webgpu',
        );
      this.#note(error, gpus !== undefined);
    }
  }

  #made(part: GpuPart<Systems, Kind>, gpus: readonly [Gpu, ...Gpu[]]): Systems {
    try {
      return part.make(gpus);
    } catch (error) {
      for (const gpu of gpus) gpu.dispose();
      throw error;
    }
  }

  // A GPU that does not know what is known is given up.
  async #learn(kind: Kind): Promise<void> {
    const live = this.#live;
    if (!live || live.crossovers[kind] !== undefined) return;
    try {
      await live.part.check(kind, live.systems);
      live.crossovers[kind] =
        this.#options.backend === 'auto' ? await live.part.measure(kind, live.systems) : 0;
    } catch (error) {
      if (error instanceof GpuUnfit) live.crossovers[kind] = 0;
      // The CPU cannot be asked either: it says why.
      else if (error instanceof Unsupported) live.crossovers[kind] = Infinity;
      else if (error instanceof Capacity) return;
      else this.#giveUp(error);
    }
  }

  async #onGpu<Answer>(ways: Ways<Systems, Kind, Answer>): Promise<{ answer: Answer; stats: AsyncStats }> {
    const live = this.#live;
    const startedAt = performance.now();
    if (!live) return this.#onCpu(ways, 'the GPU is gone: see info.notes');
    ways.checkUnchanged?.();
    try {
      const { answer, stats } = await ways.onGpu(live.systems);
      ways.checkUnchanged?.();
      return {
        answer,
        stats: {
          backend: 'gpu',
          reason: 'the GPU was there',
          milliseconds: performance.now() - startedAt,
          gpu: stats,
        },
      };
    } catch (error) {
      if (error instanceof GpuUnfit || error instanceof Capacity) return this.#onCpu(ways, error.message);
      // What is wrong with the question itself is the asker's to know.
      if (error instanceof Error && 'fix' in error) throw error;
      this.#giveUp(error);
      return this.#onCpu(ways, 'the GPU failed: see info.notes');
    }
  }

  #onCpu<Answer>(
    { onCpu, checkUnchanged }: Ways<Systems, Kind, Answer>,
    reason: string,
  ): { answer: Answer; stats: AsyncStats } {
    checkUnchanged?.();
    const startedAt = performance.now();
    const answer = onCpu();
    return { answer, stats: { backend: 'wasm', reason, milliseconds: performance.now() - startedAt } };
  }

  #giveUp(error: unknown): void {
    if (!this.#live) return;
    this.#end();
    this.#note(error, true);
  }

  #end(): void {
    const live = this.#live;
    this.#live = undefined;
    this.#info.gpu = undefined;
    live?.part.dispose(live.systems);
    for (const gpu of live?.gpus ?? []) gpu.dispose();
  }

  #note(error: unknown, wasThere: boolean): void {
    if (this.#isDisposed) return;
    const code = !wasThere ? 'no-gpu' : error instanceof GpuLost ? 'gpu-lost' : 'gpu-failed';
    this.#info.notes.push({
      code,
      message: `${wasThere ? 'the GPU was given up' : 'no GPU could be had'}: ${messageOf(error)}; answers are the CPU's`,
      fix: fixes[code],
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const fixes = {
  'no-gpu': "use a browser with WebGPU, in Node install the package webgpu, or pass backend: 'wasm'",
  'gpu-lost': 'create another engine when the device is back',
  'gpu-failed': "update the GPU's driver; backend: 'wasm' never asks it",
} as const;
