// Options of a new engine: a type whose comments state the defaults, and the table that they are checked
// against.

import { MOST_THREADS, ON_OFF } from '../core/options.js';
import { callback, type OptionTable, object, oneOf, wholeNumber } from '../core/optionTable.js';
import type { NodeWorker, WorkerHandle, WorkerStart } from '../runtime/transport.js';
import type { KernelSource } from '../runtime/wasm.js';
import { type ModuleName, moduleNames } from './modules.js';

/** Files of kernels: those of every engine, and one a module. */
export type WasmFile = 'pfront' | ModuleName;
/** Copies of some files of kernels, by name. */
export type ByWasmFile<Copy> = { [File in WasmFile]?: Copy };

/** What createEngine may be asked for; all may be left out. */
export interface EngineOptions {
  /**
   * Threads that compute, the caller's included. Default 'auto': all cores in Node; one less on web pages, at
   * most 8.
   */
  threads?: number | 'auto';
  /**
   * Where calls run. Default 'auto': synchronous ones on the CPU, those of `engine.async` on the GPU where
   * that is quicker. 'webgpu': those of `engine.async` alone, on the GPU whatever the size of the question.
   * 'wasm': never on a GPU.
   */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /**
   * What gives a GPUDevice, as navigator.gpu does; or one; or several, that box pairs are dealt to as far as
   * they pay. Default: navigator.gpu; in Node the package `webgpu` where it is installed. Devices that are
   * passed are not destroyed.
   */
  gpu?: object;
  /**
   * 'single' computes without shared memory, as pages that are not cross-origin isolated must. Default
   * 'auto'.
   */
  memory?: 'auto' | 'shared' | 'single';
  /** Most bytes of engine memory. Default: 4 GiB, or what the machine reserves. */
  maximumMemoryBytes?: number;
  /**
   * Pairs each thread's output has room for at first; it grows by itself. Default 4096; for box pairs as many
   * as their sizes suggest.
   */
  initialPairCapacity?: number;
  /**
   * Whether to spend 45 ms on making the first builds, queries and box pairs as quick as the next. Default
   * 'on'.
   */
  warmUp?: 'on' | 'off';
  /**
   * Where a copy of `pfront/worker` lies, for web pages whose bundler does not put it beside the rest.
   * Default: beside it, else inlined.
   */
  workerUrl?: string | URL;
  /**
   * Starts a worker thread in a way of its own: a worker that runs `pfront/worker`, in Node with `start` as
   * its workerData; or a handle.
   */
  createWorker?: (start: WorkerStart) => WorkerHandle | Worker | NodeWorker;
  /**
   * What the engine is to do besides queries of meshes: what is left out is not loaded. Default: all there
   * is.
   */
  modules?: readonly ModuleName[];
  /**
   * Where a copy of `pfront/wasm/pfront.wasm` lies, to be streamed; or copies of several files, by name.
   * Default: kernels are inlined.
   */
  wasmUrl?: string | URL | ByWasmFile<string | URL>;
  /** The same, compiled. Only for shared memory: without it the inlined kernels are used. */
  wasmModule?: WebAssembly.Module | ByWasmFile<WebAssembly.Module>;
}

export const ENGINE: OptionTable<EngineOptions> = {
  threads: value => value !== 'auto' && wholeNumber(1, MOST_THREADS, "'auto' or ")(value),
  backend: /* @__PURE__ */ oneOf('auto', 'wasm', 'webgpu'),
  gpu: object,
  memory: /* @__PURE__ */ oneOf('auto', 'shared', 'single'),
  maximumMemoryBytes: /* @__PURE__ */ wholeNumber(1, 2 ** 32),
  initialPairCapacity: /* @__PURE__ */ wholeNumber(0, 2 ** 28),
  warmUp: ON_OFF,
  workerUrl: url,
  createWorker: callback,
  modules: moduleList,
  wasmUrl: value => url(value) && byFile(value),
  wasmModule: byFile,
};

function url(value: unknown): string | false {
  return typeof value !== 'string' && !(value instanceof URL) && 'a string or a URL';
}

// Of a URL and of a module no key is enumerable.
function byFile(value: unknown): string | false {
  const names = ['pfront', ...moduleNames];
  return (
    (object(value) || Object.keys(value as object).some(name => !names.includes(name))) &&
    `one copy, or copies by file: ${names.join(', ')}`
  );
}

function moduleList(value: unknown): string | false {
  return (
    !(Array.isArray(value) && value.every(name => moduleNames.includes(name as ModuleName))) &&
    `an array of modules: ${moduleNames.join(', ')}`
  );
}

/** The user's copy of a file of kernels. One without a name is that of every engine. */
export function copyOf(file: WasmFile, { wasmUrl, wasmModule }: EngineOptions): KernelSource {
  const urls = typeof wasmUrl === 'string' || wasmUrl instanceof URL ? { pfront: wasmUrl } : wasmUrl;
  const compiled = wasmModule instanceof WebAssembly.Module ? { pfront: wasmModule } : wasmModule;
  return { wasmUrl: urls?.[file], wasmModule: compiled?.[file] };
}
