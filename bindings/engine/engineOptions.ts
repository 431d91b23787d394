// Options of a new engine: a type whose comments state the defaults, and the table that the options are
// checked against.

import { callback, integer, type OptionTable, object, oneOf } from '../core/checkOptions.js';
import { MAX_THREADS, ON_OFF } from '../core/queryOptions.js';
import type { NodeWorker, WorkerHandle, WorkerStart } from '../runtime/transport.js';
import type { KernelSource } from '../runtime/wasm.js';
import { type ModuleName, moduleNames } from './modules.js';

/** Names of kernel files: every engine loads 'pfront'; the other files have the names of their modules. */
export type WasmFile = 'pfront' | ModuleName;
/** Copies of one or more kernel files, by name of the file. */
export type ByWasmFile<Copy> = { [File in WasmFile]?: Copy };

/** Options of createEngine. All are optional. */
export interface EngineOptions {
  /**
   * Number of threads, including the caller's. Default 'auto': all cores in Node; one less on web pages, at
   * most 8.
   */
  threads?: number | 'auto';
  /**
   * Where calls run. 'auto' (default): synchronous calls on the CPU, calls of `engine.async` on the GPU if
   * that is faster. 'webgpu': only `engine.async`, on the GPU for any size. 'wasm': never on a GPU.
   */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /**
   * The GPU: an object that provides a GPUDevice, as navigator.gpu does; or a GPUDevice; or an array of
   * GPUDevices, among which queries of box pairs are divided if that is faster. Default: navigator.gpu; in
   * Node the package `webgpu`, if it is installed. The engine does not destroy devices that are passed.
   */
  gpu?: object;
  /**
   * Whether memory is shared with worker threads. 'auto' (default): if the engine has several threads and the
   * platform allows it. 'shared': also with one thread, if the platform allows it. 'single': never; the
   * engine then has one thread, as on pages that are not cross-origin isolated.
   */
  memory?: 'auto' | 'shared' | 'single';
  /** Maximum size of engine memory in bytes. Default: 4 GiB, or what the machine can reserve. */
  maximumMemoryBytes?: number;
  /**
   * Initial capacity of each thread's output in pairs; it grows automatically. Default: 4096; for queries of
   * box pairs, an estimate from the sizes of the boxes.
   */
  initialPairCapacity?: number;
  /**
   * Whether to spend 45 ms on warming up, so that the first builds, queries and box pairs are as fast as
   * later ones. Default 'on'.
   */
  warmUp?: 'on' | 'off';
  /**
   * URL of a copy of `pfront/worker`, for web pages whose bundler does not put it next to the other files.
   * Default: the file next to the other files, or the inlined script if that file cannot be loaded.
   */
  workerUrl?: string | URL;
  /**
   * Starts a worker thread. Returns a worker that runs `pfront/worker` (in Node with `start` as its
   * workerData), or a handle.
   */
  createWorker?: (start: WorkerStart) => WorkerHandle | Worker | NodeWorker;
  /**
   * What the engine can do in addition to queries of meshes. Modules that are left out are not loaded.
   * Default: all.
   */
  modules?: readonly ModuleName[];
  /**
   * URL of a copy of `pfront/wasm/pfront.wasm`, for streaming compilation; or an object with the URLs of
   * copies of one or more kernel files, by name. Default: the inlined kernels are used.
   */
  wasmUrl?: string | URL | ByWasmFile<string | URL>;
  /** The same files, compiled. They are used only with shared memory, and ignored otherwise. */
  wasmModule?: WebAssembly.Module | ByWasmFile<WebAssembly.Module>;
}

export const ENGINE: OptionTable<EngineOptions> = {
  threads: value => value !== 'auto' && integer(1, MAX_THREADS, "'auto' or ")(value),
  backend: /* @__PURE__ */ oneOf('auto', 'wasm', 'webgpu'),
  gpu: object,
  memory: /* @__PURE__ */ oneOf('auto', 'shared', 'single'),
  maximumMemoryBytes: /* @__PURE__ */ integer(1, 2 ** 32),
  initialPairCapacity: /* @__PURE__ */ integer(0, 2 ** 28),
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

// A URL and a WebAssembly.Module have no enumerable keys, so they pass this check.
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

/** Returns the user's copy of a kernel file. A copy that was passed without a name is that of pfront.wasm. */
export function customKernelsOf(file: WasmFile, { wasmUrl, wasmModule }: EngineOptions): KernelSource {
  const urls = typeof wasmUrl === 'string' || wasmUrl instanceof URL ? { pfront: wasmUrl } : wasmUrl;
  const compiled = wasmModule instanceof WebAssembly.Module ? { pfront: wasmModule } : wasmModule;
  return { wasmUrl: urls?.[file], wasmModule: compiled?.[file] };
}
