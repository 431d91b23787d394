// Handles the failure of a step of a build or a query: releases the memory of the step, and repeats the step if
// a worker was lost.

import { CollisionError } from '../core/errors.js';

/** Thrown if a worker was lost during a step. The worker may still write to the step's memory. */
export class WorkerLost extends Error {}

/**
 * Runs a step, and repeats it on the remaining threads if a worker was lost. cleanUp: called after every
 * error, before the step runs again or the error is thrown. It must release the memory that the step
 * allocated, because its contents are incomplete. This is safe although a lost worker may still write there:
 * the arena does not allocate that memory again before the worker has finished its order or its thread has
 * ended.
 * @throws what the step throws; Internal if a kernel trapped
 */
export function retry<Result>(step: () => Result, cleanUp?: (error: unknown) => void): Result {
  for (;;) {
    try {
      return step();
    } catch (error) {
      cleanUp?.(error);
      if (!(error instanceof WorkerLost)) throw explainTrap(error);
    }
  }
}

/** If a kernel trapped, returns an error that says what to do. Returns any other error unchanged. */
export const explainTrap = (error: unknown): unknown =>
  error instanceof WebAssembly.RuntimeError
    ? new CollisionError(
        'Internal',
        `a kernel trapped: ${error.message}`,
        'report this as a bug, with the arguments of the call; the engine remains usable',
      )
    : error;

/** Something that releases its memory. */
interface Disposable {
  dispose(): void;
}

/** Objects that keep engine memory between calls. After a failure, they are all replaced by new ones. */
export class RetryingScratch<Systems extends Readonly<Record<string, Disposable>>> {
  systems: Systems;
  readonly #make: () => Systems;

  constructor(make: () => Systems) {
    this.#make = make;
    this.systems = make();
  }

  /** Runs a step on the objects. @throws what `retry` throws, after all their memory has been released */
  run<Result>(step: (systems: Systems) => Result): Result {
    return retry(
      () => step(this.systems),
      () => {
        this.dispose();
        this.systems = this.#make();
      },
    );
  }

  dispose(): void {
    for (const system of Object.values(this.systems)) system.dispose();
  }
}
