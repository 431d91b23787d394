// A kernel and a job -> one step of a build or a system, on all threads.

import type { KernelName } from '../records/kernels.js';
import type { Machine } from './backend.js';
import { WorkerLost } from './retry.js';

/**
 * Runs slices 0 <= i < sliceCount of a job. meanwhile: done by this thread before its own share, while others
 * begin theirs. @throws WorkerLost: `retry` gives the step's memory up and runs it again
 */
export function runStep(
  { pool }: Machine,
  kernel: KernelName,
  jobAt: number,
  sliceCount: number,
  meanwhile?: () => void,
): void {
  if (!pool.run(kernel, jobAt, sliceCount, meanwhile)) throw new WorkerLost();
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
