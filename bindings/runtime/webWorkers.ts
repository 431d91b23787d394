// Web workers -> WorkerHandles. A page is not told when a worker ends: each holds a lock for as long as it
// lives.

import type { StartWorker, WorkerHandle, WorkerStart } from './transport.js';

/** Where there are no locks, a terminated worker is taken to have ended after so long. */
const END_MILLISECONDS = 5000;
let lockCount = 0;

/** Sends a worker its start and waits for its answer. */
export function wrapWebWorker(worker: Worker, start: WorkerStart): WorkerHandle {
  const lock = `pfront ${Math.random().toString(36).slice(2)} ${lockCount++}`;
  let exited = (): void => {};
  const ended = new Promise<void>(resolve => {
    exited = resolve;
  });
  const ready = new Promise<void>((resolve, reject) => {
    const hear = ({ data }: MessageEvent<unknown>): void => {
      // A script of the user's may have more to say.
      if (data !== 'ready') return;
      worker.removeEventListener('message', hear);
      resolve();
      void isFreed(lock).then(hasEnded => {
        if (hasEnded) exited();
      });
    };
    worker.addEventListener('message', hear);
    worker.addEventListener('error', event => {
      event.preventDefault();
      reject(new Error(event.message || 'its script could not be loaded'));
      worker.terminate();
      exited();
    });
  });
  ready.catch(() => {});
  // Memory that may not be sent is refused here: nobody else knows of the thread then.
  try {
    worker.postMessage({ ...start, lock });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    ready,
    onExit: listener => {
      void ended.then(listener);
    },
    terminate: async () => {
      worker.terminate();
      if (!(await isFreed(lock)))
        await new Promise<void>(resolve => {
          setTimeout(resolve, END_MILLISECONDS);
        });
      exited();
    },
  };
}

/** Starts the package's worker script as a module of its own, beside this one. */
// Bundlers look for this very expression.
export const startBesideWorker: StartWorker = start =>
  wrapWebWorker(new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }), start);

/** Starts it from where the user has put it. */
export const startWorkerAt =
  (url: string | URL): StartWorker =>
  start =>
    wrapWebWorker(new Worker(url, { type: 'module' }), start);

/** Starts it from its source, which is loaded where its file does not start. */
export const loadInlinedWorker = async (): Promise<StartWorker> => {
  const { workerSource } = await import('./workerSource.js');
  return start => {
    const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
    const revoke = (): void => URL.revokeObjectURL(url);
    try {
      const handle = wrapWebWorker(new Worker(url), start);
      handle.ready.then(revoke, revoke);
      return handle;
    } catch (error) {
      revoke();
      throw error;
    }
  };
};

/**
 * True when nobody holds the lock any more; false where this page has no locks, as in a sandbox without an
 * origin.
 */
async function isFreed(lock: string): Promise<boolean> {
  try {
    await navigator.locks.request(lock, () => {});
    return true;
  } catch {
    return false;
  }
}
