// What the pool knows of a worker thread, whatever the platform; and what this platform's threads can do.

/** What a worker needs to serve a pool: kernels, memory, and its words in it. */
export interface WorkerStart {
  /** The compiled kernels: those of every engine, then those of its modules. */
  modules: readonly WebAssembly.Module[];
  /** The engine's memory, shared. */
  memory: WebAssembly.Memory;
  /** Byte address of the control lines of all threads. */
  controlAt: number;
  /** Which of the lines is its own; 0 is the caller's. */
  index: number;
}

/** A worker thread, as an engine needs to know it. */
export interface WorkerHandle {
  /** Settles when the worker listens; rejects when it cannot start. */
  readonly ready: Promise<void>;
  /** Called once when the thread has ended, for whatever reason. */
  onExit(listener: () => void): void;
  /** Resolves when the thread can no longer write to memory. */
  terminate(): Promise<void>;
}

/** A thread of Node. */
export type NodeWorker = import('node:worker_threads').Worker;

/** Makes one worker. */
export type StartWorker = (start: WorkerStart) => WorkerHandle;

// Pages of Electron have Node's modules, too, but none of its threads.
const isPage = (process: NodeJS.Process & { type?: string }): boolean =>
  process.type === 'renderer' || process.type === 'worker';

/** Node's own modules without an import, which bundlers for pages would follow. */
const nodeModules =
  typeof process === 'object' && process.versions?.node && !isPage(process) ? process : undefined;

/** The thread library of Node; undefined on web pages. */
export const nodeThreads = (): typeof import('node:worker_threads') | undefined =>
  nodeModules?.getBuiltinModule('node:worker_threads');

/** Ways to start workers that are tried one after the other, at most: so many may start in vain. */
export const MOST_WAYS = 2;
const MOST_WEB_THREADS = 8;

/**
 * Threads that 'auto' means: all of a machine in Node; on web pages one is left to the page, and 8 are most.
 */
export function availableThreads(): number {
  const os = nodeModules?.getBuiltinModule('node:os');
  if (os) return os.availableParallelism();
  return Math.max(1, Math.min((globalThis.navigator?.hardwareConcurrency ?? 1) - 1, MOST_WEB_THREADS));
}

/**
 * May memory be shared with threads? A page that is not cross-origin isolated can make such memory, but not
 * send it.
 */
export const canShareMemory = (): boolean =>
  globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer === 'function';

/** May this thread sleep until another wakes it? A page's main thread may not. */
export const maySleep = (): boolean => nodeModules !== undefined || typeof document === 'undefined';
