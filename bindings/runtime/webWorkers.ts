// Starts web workers and wraps them as WorkerHandles. A page is not notified when a worker ends. So each
// worker holds a lock (Web Locks API) while it lives, and the page waits for the release of this lock.

import type { StartWorker, WorkerHandle, WorkerStart } from './transport.js';

/** On a page without the Web Locks API, a terminated worker is considered to have ended after this time. */
const END_MILLISECONDS = 5000;
let lockCount = 0;

/** Sends a worker its start data. The returned handle is ready when the worker has answered. */
export function wrapWebWorker(worker: Worker, start: WorkerStart): WorkerHandle {
  const lock = `pfront ${Math.random().toString(36).slice(2)} ${lockCount++}`;
  let resolveEnded = (): void => {};
  const ended = new Promise<void>(resolve => {
    resolveEnded = resolve;
  });
  const ready = new Promise<void>((resolve, reject) => {
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      // A user's script may send other messages.
      if (data !== 'ready') return;
      worker.removeEventListener('message', onMessage);
      resolve();
      void waitForRelease(lock).then(hasEnded => {
        if (hasEnded) resolveEnded();
      });
    };
    worker.addEventListener('message', onMessage);
    worker.addEventListener('error', event => {
      event.preventDefault();
      reject(new Error(event.message || 'its script could not be loaded'));
      worker.terminate();
      resolveEnded();
    });
  });
  ready.catch(() => {});
  // postMessage throws if the memory cannot be sent. Nothing else references the worker in this case, so the
  // worker is terminated here.
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
      if (!(await waitForRelease(lock)))
        await new Promise<void>(resolve => {
          setTimeout(resolve, END_MILLISECONDS);
        });
      resolveEnded();
    },
  };
}

/** Starts a worker from the package's worker script, which is a separate file next to this module. */
// Bundlers recognize exactly this expression.
export const startModuleWorker: StartWorker = start =>
  wrapWebWorker(new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }), start);

/** Starts the worker script from the user's URL. */
export const startWorkerAt =
  (url: string | URL): StartWorker =>
  start =>
    wrapWebWorker(new Worker(url, { type: 'module' }), start);

/**
 * Loads the source text of the worker script, and returns a function that starts workers from this text. Used
 * if no worker starts from the script's own file.
 */
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
 * Resolves to true when the lock has been released; to false if this page cannot use locks, as in a sandbox
 * with an opaque origin.
 */
async function waitForRelease(lock: string): Promise<boolean> {
  try {
    await navigator.locks.request(lock, () => {});
    return true;
  } catch {
    return false;
  }
}
