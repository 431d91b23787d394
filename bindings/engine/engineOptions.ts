// Declares the options of a new engine with their defaults, and the table against which options are checked.

import { callback, integer, type OptionTable, object, oneOf } from '../core/checkOptions.js';
import type { KeyValueStorage } from '../core/keyValueStorage.js';
import { MAX_THREADS, ON_OFF } from '../core/queryOptions.js';
import type { NodeWorker, WorkerHandle, WorkerStart } from '../runtime/transport.js';
import type { KernelSource } from '../runtime/wasm.js';
import { moduleNames } from './modules.js';
import type { ModuleName } from './moduleTable.js';

/**
 * Names of WebAssembly files with kernels. Every engine loads 'pfront'. Each other file has the name of the
 * module whose kernels it contains.
 */
export type WasmFile = 'pfront' | ModuleName;
/** Copies of one or more kernel files, given as URLs or compiled modules and keyed by the name of the file. */
export type ByWasmFile<Copy> = { [File in WasmFile]?: Copy };

/** Options of createEngine. All are optional. */
export interface EngineOptions {
  /**
   * Number of threads, including the caller's. Default 'auto': in Node, the number of cores; on web pages,
   * the number of cores minus one, but at most 8. With 'auto', a call uses only the calling thread if similar
   * calls were faster that way, for example because other programs keep the other cores busy. The results are
   * the same.
   */
  threads?: number | 'auto';
  /**
   * Where calls run. 'auto' (default): synchronous calls run on the CPU; calls of `engine.async` run on the
   * GPU if that is faster. 'webgpu': calls of `engine.async` of any size run on the GPU if the GPU can run
   * them; a synchronous method of the engine throws if `engine.async` has a query of the same name.
   * 'wasm': all calls run on the CPU.
   */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /**
   * The GPU: an object that provides a GPUDevice, as navigator.gpu does; or a GPUDevice; or an array of
   * GPUDevices. With an array, a query of box pairs runs on several devices if that is faster; other queries
   * run on the first device. Default: navigator.gpu; in Node the package `webgpu`, if it is installed. The
   * engine does not destroy devices that are passed.
   */
  gpu?: object;
  /**
   * Where the engine keeps the query sizes at and above which a GPU is faster than the CPU, so that later
   * engines need not measure them: localStorage, or an object with methods `getItem` and `setItem`, which may
   * return promises. Used with the backend 'auto'. Default: the sizes are not kept.
   */
  storage?: KeyValueStorage;
  /**
   * Whether memory is shared with worker threads. 'auto' (default): memory is shared if the engine has
   * several threads and the platform allows sharing. 'shared': memory is shared if the platform allows
   * sharing, even for a single thread. 'single': memory is never shared. Without shared memory, for example
   * on pages that are not cross-origin isolated, the engine has one thread.
   */
  memory?: 'auto' | 'shared' | 'single';
  /**
   * Maximum size of engine memory in bytes. Default: 4 GiB, or less if the machine cannot reserve that much.
   */
  maximumMemoryBytes?: number;
  /**
   * Initial capacity, in pairs, of each thread's output. The capacity grows automatically. Default: 4096; for
   * queries of box pairs, an estimate from the sizes of the boxes.
   */
  initialPairCapacity?: number;
  /**
   * Whether to spend 45 ms on warming up, so that the first builds, mesh queries and box-pair queries are as
   * fast as later ones. Default 'on'.
   */
  warmUp?: 'on' | 'off';
  /**
   * URL of a copy of `pfront/worker`, the script of worker threads. Needed only on web pages whose bundler
   * does not put this script next to the other files of the package. Default: the script next to the other
   * files or, if it cannot be loaded, an inlined copy.
   */
  workerUrl?: string | URL;
  /**
   * Starts a worker thread. Returns a worker that runs `pfront/worker` (in Node with `start` as its
   * workerData), or a WorkerHandle of such a worker. In Node, the engine calls this function again during a
   * query if a worker has died or hangs.
   */
  createWorker?: (start: WorkerStart) => WorkerHandle | Worker | NodeWorker;
  /**
   * The modules to load. If the array is empty, the engine can only create meshes and query them. Default: all
   * modules.
   */
  modules?: readonly ModuleName[];
  /**
   * URL of a copy of `pfront/wasm/pfront.wasm`, for streaming compilation; or an object that maps names of
   * kernel files to URLs of their copies. Default: the kernels that are inlined in the package.
   */
  wasmUrl?: string | URL | ByWasmFile<string | URL>;
  /**
   * Compiled kernel files: a WebAssembly.Module of pfront.wasm, or an object that maps names of kernel files to
   * such modules. They are used only if memory is shared, and ignored otherwise.
   */
  wasmModule?: WebAssembly.Module | ByWasmFile<WebAssembly.Module>;
}

export const ENGINE: OptionTable<EngineOptions> = {
  threads: value => value !== 'auto' && integer(1, MAX_THREADS, "'auto' or ")(value),
  backend: /* @__PURE__ */ oneOf('auto', 'wasm', 'webgpu'),
  gpu: object,
  storage: object,
  memory: /* @__PURE__ */ oneOf('auto', 'shared', 'single'),
  maximumMemoryBytes: /* @__PURE__ */ integer(1, 2 ** 32),
  initialPairCapacity: /* @__PURE__ */ integer(0, 2 ** 28),
  warmUp: ON_OFF,
  workerUrl: url,
  createWorker: callback,
  modules: moduleList,
  wasmUrl: value => copies(value, isUrl, 'URL'),
  wasmModule: value => copies(value, isModule, 'WebAssembly.Module'),
};

const isUrl = (value: unknown): value is string | URL => typeof value === 'string' || value instanceof URL;
const isModule = (value: unknown): boolean => value instanceof WebAssembly.Module;

function url(value: unknown): string | false {
  return !isUrl(value) && 'a string or a URL';
}

// Checks that a value is one copy of a kernel file, or an object that maps names of kernel files to copies.
function copies(value: unknown, isCopy: (value: unknown) => boolean, kind: string): string | false {
  const names = ['pfront', ...moduleNames];
  return (
    !isCopy(value) &&
    !(
      Object.prototype.toString.call(value) === '[object Object]' &&
      Object.entries(value as object).every(
        ([name, copy]) => names.includes(name) && (copy === undefined || isCopy(copy)),
      )
    ) &&
    `a ${kind} of pfront.wasm, or an object with a ${kind} for each of some of the names ${names.join(', ')}`
  );
}

function moduleList(value: unknown): string | false {
  return (
    !(Array.isArray(value) && value.every(name => moduleNames.includes(name as ModuleName))) &&
    `an array of modules: ${moduleNames.join(', ')}`
  );
}

/**
 * Returns the user's copy of a kernel file, if there is one. A copy that was passed without a name is a copy
 * of pfront.wasm.
 */
export function customKernelsOf(file: WasmFile, { wasmUrl, wasmModule }: EngineOptions): KernelSource {
  const urls = isUrl(wasmUrl) ? { pfront: wasmUrl } : wasmUrl;
  const compiled = wasmModule instanceof WebAssembly.Module ? { pfront: wasmModule } : wasmModule;
  return { wasmUrl: urls?.[file], wasmModule: compiled?.[file] };
}
