// What the pool knows of a worker thread, whatever the platform; and what this platform's threads can do.

/** What a worker needs to serve a pool: kernels, memory, and its words in it. */
export interface WorkerStart { modules: readonly WebAssembly.Module[]; memory: WebAssembly.Memory; controlAt: number; index: number }

export interface WorkerHandle {
  /** Settles when the worker listens; rejects when it cannot start. */
  readonly ready: Promise<void>;
  /** Called once when the thread has ended, for whatever reason. */
  onExit(listener: () => void): void;
  /** Resolves when the thread can no longer write to memory. */
  terminate(): Promise<void>;
}

/** Makes one worker. */
export type StartWorker = (start: WorkerStart) => WorkerHandle;

/** Node's own modules without an import, which bundlers for pages would follow. */
const nodeModules = typeof process === 'object' && process.versions?.node ? process : undefined;

/** The thread library of Node; undefined on web pages. */
export const nodeThreads = (): typeof import('node:worker_threads') | undefined => nodeModules?.getBuiltinModule('node:worker_threads');

const MOST_WEB_THREADS = 8;

/** Threads that 'auto' means: all of a machine in Node; on web pages one is left to the page, and 8 are most. */
export function availableThreads(): number {
  const os = nodeModules?.getBuiltinModule('node:os');
  if (os) return os.availableParallelism();
  return Math.max(1, Math.min((globalThis.navigator?.hardwareConcurrency ?? 1) - 1, MOST_WEB_THREADS));
}

/** May memory be shared with threads? A page that is not cross-origin isolated can make such memory, but not send it. */
export const canShareMemory = (): boolean => globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer === 'function';

/** May this thread sleep until another wakes it? A page's main thread may not. */
export const maySleep = (): boolean => nodeModules !== undefined || typeof document === 'undefined';
