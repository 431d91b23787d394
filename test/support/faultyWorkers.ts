// Makes workers with chosen faults, and counts the workers that ended and the faults that occurred.

import { Worker } from 'node:worker_threads';
import type { KernelName } from '../../dist/records/kernels.js';
import { wrapNodeWorker } from '../../dist/runtime/nodeWorkers.js';
import type { StartWorker, WorkerHandle } from '../../dist/runtime/transport.js';

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
   * The kernel of that job. Default: any. If that job has another kernel, the fault occurs at the first later
   * job with this kernel.
   */
  kernel?: KernelName;
  when?: 'before' | 'after' | 'finished';
  milliseconds?: number;
}

const script = new URL('./faultyWorker.mjs', import.meta.url);

/**
 * Makes the engine option `createWorker` for faulty workers, and functions that count endings and faults.
 * faultOf: returns the fault of a worker, given the worker's number, counted from 1. slowEnd: how long a
 * worker continues after terminate(), in milliseconds.
 */
export function faulty(faultOf: (index: number) => Fault | undefined, slowEnd = 0) {
  const hits = new Int32Array(new SharedArrayBuffer(4));
  const handles: WorkerHandle[] = [];
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
        if (slowEnd > 0) await new Promise(resolve => setTimeout(resolve, slowEnd));
        await handle.terminate();
      },
    };
    handles.push(slow);
    return slow;
  };
  return { createWorker, handles, endedCount: () => endedCount, hitCount: () => hits[0] };
}
