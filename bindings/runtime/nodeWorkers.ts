// Starts worker threads in Node and wraps them as WorkerHandles.

import type { Worker } from 'node:worker_threads';
import { nodeThreads, type StartWorker, type WorkerHandle } from './transport.js';

export function wrapNodeWorker(worker: Worker): WorkerHandle {
  worker.unref();
  // For a thread that has ended, Node's eventLoopUtilization returns an idle time of -1, but only if the method
  // was also called while the thread ran. Other runtimes may lack this method.
  const idleMilliseconds = (): number => worker.performance?.eventLoopUtilization?.().idle ?? 0;
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      idleMilliseconds();
      resolve();
    });
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`worker ended with code ${code} before it was ready`)));
  });
  ready.catch(() => {});
  return {
    ready,
    onExit: listener => {
      worker.once('exit', listener);
      worker.once('error', listener);
    },
    hasEnded: () => idleMilliseconds() < 0,
    terminate: async () => {
      await worker.terminate();
    },
  };
}

export const startNodeWorker: StartWorker = start => {
  const { Worker } = nodeThreads()!;
  return wrapNodeWorker(
    new Worker(new URL('./worker.js', import.meta.url), { workerData: start, execArgv: [] }),
  );
};
