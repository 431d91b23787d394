// One pool worker: waits for orders on its control line (spin, then park) -> runs kernels on the shared
// memory.

import type { Kernel } from '../records/kernels.js';
import { LINE_WORDS, STOP, word } from './control.js';
import { instantiateKernels } from './instantiate.js';
import { nodeThreads, type WorkerStart } from './transport.js';

const CLOCK_EVERY = 64;

function waitForOrder(control: Int32Array, line: number, seen: number): number {
  const spinMilliseconds = control[line + word.spinMicroseconds] / 1000;
  let until = performance.now() + spinMilliseconds;
  for (let turn = 1; ; turn++) {
    const posted = Atomics.load(control, line + word.posted);
    if (posted !== seen) return posted;
    if (turn % CLOCK_EVERY !== 0 || performance.now() < until) continue;
    Atomics.store(control, line + word.parked, 1);
    Atomics.wait(control, line + word.posted, seen);
    Atomics.store(control, line + word.parked, 0);
    // Woken ahead of an order: it will be there soon.
    until = performance.now() + spinMilliseconds;
  }
}

function obey(kernels: readonly Kernel[], control: Int32Array, line: number): void {
  let seen = 0;
  for (;;) {
    const order = waitForOrder(control, line, seen);
    seen = order;
    Atomics.store(control, line + word.seen, order);
    // The caller may have taken the slice back while we slept: then it is not ours to touch.
    if (Atomics.compareExchange(control, line + word.claimed, ~order, order) !== ~order) continue;
    const kernel = control[line + word.kernel];
    if (kernel === STOP) return;
    const beganAt = performance.now();
    kernels[kernel](control[line + word.jobAt], control[line + word.begin], control[line + word.end]);
    control[line + word.microseconds] = Math.round((performance.now() - beganAt) * 1000);
    Atomics.store(control, line + word.done, order);
    if (Atomics.load(control, line + word.callerParked) === 1) Atomics.notify(control, line + word.done);
  }
}

/** Says ready, then serves until told to stop. The thread belongs to the pool from here on. */
export function serve(start: WorkerStart, sayReady: () => void): void {
  const kernels = Object.values(instantiateKernels(start.modules, start.memory));
  const control = new Int32Array(start.memory.buffer, start.controlAt);
  sayReady();
  obey(kernels, control, start.index * LINE_WORDS);
}

const threads = nodeThreads();
if (threads) {
  const { parentPort, workerData } = threads;
  if (parentPort) serve(workerData as WorkerStart, () => parentPort.postMessage('ready'));
} else {
  globalThis.addEventListener('message', function hear(event) {
    const { lock, ...start } = ((event as MessageEvent<unknown>).data ?? {}) as WorkerStart & {
      lock: string;
    };
    // Other messages are of the script that this one may be a part of.
    if (!(start.modules?.[0] instanceof WebAssembly.Module)) return;
    globalThis.removeEventListener('message', hear);
    const begin = (): void => serve(start, () => globalThis.postMessage('ready'));
    // Held until this thread ends, which is how the page learns of it. Serving returns only to end.
    const hold = (): Promise<never> => {
      setTimeout(begin);
      return new Promise(() => {});
    };
    // A sandbox without an origin has locks, but gives none.
    if (globalThis.navigator?.locks)
      navigator.locks.request(lock, hold).catch(() => {
        setTimeout(begin);
      });
    else begin();
  });
}
