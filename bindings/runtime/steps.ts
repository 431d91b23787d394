// A kernel and a job -> one step of a build on all threads; a step that lost a slice half way makes the build
// start anew.

import { CollisionError } from '../core/errors.js';
import type { KernelName } from '../records/kernels.js';
import type { Machine } from './backend.js';

/** A worker was lost within a slice: what it was writing to is not to be trusted, nor to be used again. */
export class LostSlice extends Error {}

/**
 * meanwhile: done by this thread before its own share, while others begin theirs. @throws LostSlice: release
 * the step's blocks (the arena keeps them until the thread has ended) and start anew.
 */
export function runStep(
  { pool }: Machine,
  kernel: KernelName,
  jobAt: number,
  sliceCount: number,
  meanwhile?: () => void,
): void {
  if (!pool.run(kernel, jobAt, sliceCount, meanwhile)) throw new LostSlice();
}

/** Tries again, with the threads that are left, until no slice is lost. */
export function retry<T>(attempt: () => T): T {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof LostSlice)) throw error;
    }
  }
}

/**
 * Turns a kernel's trap into an error that says what to do. @throws Internal for a trap, and whatever compute
 * throws
 */
export function trapped<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw explained(error);
  }
}

/** What to throw for an error: of a kernel's trap one that says what to do, of any other the error itself. */
export const explained = (error: unknown): unknown =>
  error instanceof WebAssembly.RuntimeError
    ? new CollisionError(
        'Internal',
        `a kernel stopped: ${error.message}`,
        'report what this call was given; the engine can be used on',
      )
    : error;

/** Runs all steps at once. */
export function finish<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
