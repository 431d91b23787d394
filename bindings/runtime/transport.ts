// Defines what the pool requires of a worker thread on any platform, and detects what the threads of this
// platform can do.

/** What a worker needs to serve a pool. */
export interface WorkerStart {
  /**
   * The compiled kernel files: first the file of the core, which every engine has, then those of the engine's
   * modules.
   */
  modules: readonly WebAssembly.Module[];
  /** The engine's memory, shared. */
  memory: WebAssembly.Memory;
  /** Byte address of the worker's line of control words. */
  controlAt: number;
  /** The number of the worker in its engine, counted from 1. */
  index: number;
}

/** The interface of a worker thread that an engine uses. */
export interface WorkerHandle {
  /** Resolves when the worker is ready; rejects if it cannot start. */
  readonly ready: Promise<void>;
  /**
   * Calls the listener when the thread has ended, for whatever reason. The listener may be called more than
   * once; only the first call has an effect.
   */
  onExit(listener: () => void): void;
  /**
   * Returns whether the worker has ended. The pool calls this method while the calling thread is blocked and
   * receives no events.
   */
  hasEnded?(): boolean;
  /** Resolves when the thread can no longer write to memory. */
  terminate(): Promise<void>;
}

/** A worker thread of Node. */
export type NodeWorker = import('node:worker_threads').Worker;

/** Starts one worker. */
export type StartWorker = (start: WorkerStart) => WorkerHandle;

// Electron pages have Node's modules, but not its threads.
const isPage = (process: NodeJS.Process & { type?: string }): boolean =>
  process.type === 'renderer' || process.type === 'worker';

/** Access to Node's modules without an import, which bundlers for web pages would follow. */
const nodeModules =
  typeof process === 'object' && process.versions?.node && !isPage(process) ? process : undefined;

/** Returns Node's thread library; undefined on web pages. */
export const nodeThreads = (): typeof import('node:worker_threads') | undefined =>
  nodeModules?.getBuiltinModule('node:worker_threads');

const MAX_WEB_THREADS = 8;

/**
 * Returns the number of threads for 'auto': in Node, the number of available cores; on web pages, the number
 * of cores minus one, but at least 1 and at most 8.
 */
export function availableThreads(): number {
  const os = nodeModules?.getBuiltinModule('node:os');
  if (os) return os.availableParallelism();
  return Math.max(1, Math.min((globalThis.navigator?.hardwareConcurrency ?? 1) - 1, MAX_WEB_THREADS));
}

/**
 * Returns whether memory can be shared with workers. A page that is not cross-origin isolated may be able to
 * create shared memory, but cannot send it to workers.
 */
export const canShareMemory = (): boolean =>
  globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer === 'function';

/** Returns whether this thread may block in Atomics.wait. A page's main thread may not. */
export const canBlock = (): boolean => nodeModules !== undefined || typeof document === 'undefined';
