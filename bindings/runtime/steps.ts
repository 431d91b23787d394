// Runs kernels on all threads as steps of a build or a query.

import type { KernelName } from '../records/kernels.js';
import type { KernelContext } from './engineContext.js';
import { WorkerLost } from './retry.js';

/**
 * Runs slices 0 <= i < sliceCount of a job. meanwhile: called on this thread before its own share, while the
 * other threads begin their shares.
 * @throws WorkerLost; `retry` then releases the step's memory and runs the step again
 */
export function runStep(
  { pool }: KernelContext,
  kernel: KernelName,
  jobAt: number,
  sliceCount: number,
  meanwhile?: () => void,
): void {
  if (!pool.run(kernel, jobAt, sliceCount, meanwhile)) throw new WorkerLost();
}

/** Runs all steps of a generator and returns its result. */
export function runToEnd<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
