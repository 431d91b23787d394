// Makes workers with chosen faults, and counts the workers that ended and the faults that occurred.

import { Worker } from 'node:worker_threads';
import type { KernelName } from '../../dist/records/kernels.js';
import { LINE_WORDS, word } from '../../dist/runtime/control.js';
import { wrapNodeWorker } from '../../dist/runtime/nodeWorkers.js';
import type { Pool } from '../../dist/runtime/pool.js';
import type { StartWorker, WorkerHandle, WorkerStart } from '../../dist/runtime/transport.js';
import { scaledTimeout } from './within.js';

export interface Fault {
  kind:
    | 'spin'
    | 'scribble'
    | 'sleep'
    | 'exit'
    | 'throw'
    | 'never ready'
    | 'ends at once'
    | 'spins at once'
    | 'none';
  /**
   * The number of the job at which the fault occurs, counted per worker from 1. With 'before', the worker's
   * attempts to take a job are counted; with 'after', the jobs that it took; with 'finished', the jobs that
   * it ran and is about to report as done.
   */
  order?: number;
  /**
   * The kernel of the job at which the fault occurs. Default: any kernel. If the job with the number `order`
   * has another kernel, the fault occurs at the first later job with this kernel.
   */
  kernel?: KernelName;
  when?: 'before' | 'after' | 'finished';
  /** How long 'sleep' lasts. Default: until `wake` is called. */
  milliseconds?: number;
}

const script = new URL('./faultyWorker.mjs', import.meta.url);

// Returns whether a worker's latest order (a kernel call) no longer waits: the worker has begun the order, or
// the caller has taken the order back. It would not be enough to test whether the worker has noticed the order,
// because the caller may still take back a noticed order.
function hasTaken({ memory, controlAt }: WorkerStart): boolean {
  const line = new Int32Array(memory.buffer, controlAt, LINE_WORDS);
  return Atomics.load(line, word.claimed) !== ~Atomics.load(line, word.posted);
}

/**
 * Makes the engine option `createWorker` for faulty workers, functions that count endings and faults, and
 * functions that slow down the caller and wake workers.
 * faultOf: returns the fault of a worker, given the worker's number, counted from 1. mayEnd: workers that
 * are terminated continue until this promise resolves.
 */
export function faulty(faultOf: (index: number) => Fault | undefined, mayEnd?: Promise<void>) {
  // The number of faults, and whether workers that sleep must wake.
  const hits = new Int32Array(new SharedArrayBuffer(8));
  const handles: WorkerHandle[] = [];
  const starts: WorkerStart[] = [];
  let endedCount = 0;
  const createWorker: StartWorker = start => {
    const worker = new Worker(script, {
      workerData: { ...start, hits, fault: faultOf(start.index) ?? { kind: 'none' } },
      execArgv: [],
    });
    worker.once('exit', () => {
      endedCount++;
    });
    const handle = wrapNodeWorker(worker);
    const slow: WorkerHandle = {
      ...handle,
      terminate: async () => {
        // Without `mayEnd`, nothing is awaited before the call, so the thread is terminated at once, even if
        // the caller is blocked afterwards.
        if (mayEnd) await mayEnd;
        await handle.terminate();
      },
    };
    handles.push(slow);
    starts.push(start);
    return slow;
  };
  /**
   * Makes the calling thread wait, before its own share of each job, until all workers have taken their orders
   * or until a fault has occurred. Without this wait, the caller would run the share of a worker that gets a
   * core late, and the fault of this worker might never occur.
   */
  const slowCaller = (pool: Pool): void => {
    const run = pool.run.bind(pool);
    pool.run = (kernel, jobAt, sliceCount, meanwhile) =>
      run(kernel, jobAt, sliceCount, () => {
        meanwhile?.();
        const ends = performance.now() + scaledTimeout(1000);
        while (hits[0] === 0 && !starts.every(hasTaken) && performance.now() < ends) {
          /* Busy-waits, so no event is handled. */
        }
      });
  };
  /** Wakes the workers whose fault is a sleep without a duration. */
  const wake = (): void => {
    Atomics.store(hits, 1, 1);
    Atomics.notify(hits, 1);
  };
  return {
    createWorker,
    handles,
    endedCount: () => endedCount,
    hitCount: () => hits[0],
    slowCaller,
    wake,
  };
}
