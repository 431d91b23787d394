// The script of a worker thread. It waits for orders (kernel calls) on its line of shared control words,
// first spinning and then sleeping, and runs the kernels on the shared memory.

import type { Kernel } from '../records/kernels.js';
import { ENDED, LINE_WORDS, STOP, word } from './control.js';
import { instantiateKernels } from './instantiate.js';
import { nodeThreads, type WorkerStart } from './transport.js';

const CLOCK_EVERY = 64;

function waitForOrder(line: Int32Array, seen: number): number {
  const spinMilliseconds = line[word.spinMicroseconds] / 1000;
  let until = performance.now() + spinMilliseconds;
  for (let spin = 1; ; spin++) {
    const posted = Atomics.load(line, word.posted);
    if (posted !== seen) return posted;
    if (spin % CLOCK_EVERY !== 0 || performance.now() < until) continue;
    Atomics.store(line, word.parked, 1);
    Atomics.wait(line, word.posted, seen);
    Atomics.store(line, word.parked, 0);
    // The worker was woken because an order will arrive soon.
    until = performance.now() + spinMilliseconds;
  }
}

function runOrders(kernels: readonly Kernel[], line: Int32Array): void {
  let seen = 0;
  for (;;) {
    const order = waitForOrder(line, seen);
    seen = order;
    Atomics.store(line, word.seen, order);
    // The caller may have taken the order back while this thread slept. This thread must not run it then.
    if (Atomics.compareExchange(line, word.claimed, ~order, order) !== ~order) continue;
    const kernel = line[word.kernel];
    if (kernel === STOP) return;
    const beganAt = performance.now();
    kernels[kernel](line[word.jobAt], line[word.begin], line[word.end]);
    line[word.microseconds] = Math.round((performance.now() - beganAt) * 1000);
    Atomics.store(line, word.done, order);
    if (Atomics.load(line, word.callerParked) === 1) Atomics.notify(line, word.done);
  }
}

/**
 * Reports that the worker is ready, then runs orders until it receives the order STOP. Until then,
 * the thread does nothing else.
 */
export function serve(start: WorkerStart, sayReady: () => void): void {
  const kernels = Object.values(instantiateKernels(start.modules, start.memory));
  const line = new Int32Array(start.memory.buffer, start.controlAt, LINE_WORDS);
  sayReady();
  try {
    runOrders(kernels, line);
  } finally {
    // These lines also run if a kernel traps. They tell the calling thread that this worker has ended, even if
    // that thread is blocked and receives no events.
    Atomics.store(line, word.done, ENDED);
    Atomics.notify(line, word.done);
  }
}

const threads = nodeThreads();
if (threads) {
  const { parentPort, workerData } = threads;
  if (parentPort) serve(workerData as WorkerStart, () => parentPort.postMessage('ready'));
} else {
  globalThis.addEventListener('message', function onMessage(event) {
    const { lock, ...start } = ((event as MessageEvent<unknown>).data ?? {}) as WorkerStart & {
      lock: string;
    };
    // This code may be part of a larger script. All other messages are for that script.
    if (!(start.modules?.[0] instanceof WebAssembly.Module)) return;
    globalThis.removeEventListener('message', onMessage);
    const begin = (): void => serve(start, () => globalThis.postMessage('ready'));
    // The lock is held until this thread ends, and its release tells the page that the thread has ended.
    // `serve` blocks this thread until the order STOP, so it is called in a later task of the event loop.
    const hold = (): Promise<never> => {
      setTimeout(begin);
      return new Promise(() => {});
    };
    // A sandbox with an opaque origin has navigator.locks, but requests are rejected.
    if (globalThis.navigator?.locks)
      navigator.locks.request(lock, hold).catch(() => {
        setTimeout(begin);
      });
    else begin();
  });
}
