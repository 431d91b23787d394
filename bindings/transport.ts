// How a worker thread is started, heard and ended on this platform (Node) -> WorkerHandle; the pool knows no more.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { WorkerStart } from './worker.js';

export interface WorkerHandle {
  /** Settles when the worker listens; rejects when it cannot start. */
  readonly ready: Promise<void>;
  /** Called once when the thread has ended, for whatever reason. */
  onExit(listener: () => void): void;
  /** Resolves when the thread can no longer write to memory. */
  terminate(): Promise<void>;
}

/** Makes one worker. `createWorker` lets users (and tests) start their own thread script. */
export type StartWorker = (start: WorkerStart) => WorkerHandle;

export function wrapNodeWorker(worker: Worker): WorkerHandle {
  worker.unref();
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`worker ended with code ${code} before it was ready`)));
  });
  ready.catch(() => {});
  return {
    ready,
    onExit: (listener) => { worker.once('exit', listener); worker.once('error', listener); },
    terminate: async () => { await worker.terminate(); },
  };
}

export const startNodeWorker: StartWorker = (start) =>
  wrapNodeWorker(new Worker(new URL('./worker.js', import.meta.url), { workerData: start, execArgv: [] }));

/** Threads that this machine runs at once: what 'auto' means. */
export const availableThreads = (): number => availableParallelism();
