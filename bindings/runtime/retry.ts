// The one rule for a step that fails midway: its memory is given up, and it runs again if it lost a worker.

import { CollisionError } from '../core/errors.js';

/** A worker was lost within a slice. It may still write to the memory of the step. */
export class WorkerLost extends Error {}

/**
 * Runs a step until no worker is lost in it, with the threads that are left. giveUp: called with every error,
 * before the step runs again or the error is thrown. It releases the memory that the step wrote: half of it is
 * missing, and a lost worker may still write to it. The arena does not give that memory out again before the
 * worker's thread has ended.
 * @throws what the step throws; Internal if a kernel trapped
 */
export function retry<Result>(step: () => Result, giveUp?: (error: unknown) => void): Result {
  for (;;) {
    try {
      return step();
    } catch (error) {
      giveUp?.(error);
      if (!(error instanceof WorkerLost)) throw explained(error);
    }
  }
}

/** Returns an error that says what to do if a kernel trapped, any other error as it is. */
export const explained = (error: unknown): unknown =>
  error instanceof WebAssembly.RuntimeError
    ? new CollisionError(
        'Internal',
        `a kernel stopped: ${error.message}`,
        'report what this call was given; the engine can be used on',
      )
    : error;

/** Something that gives its memory back. */
interface Disposable {
  dispose(): void;
}

/** Systems that keep engine memory from call to call. After a failure all of them are made anew. */
export class RetryingScratch<Systems extends Readonly<Record<string, Disposable>>> {
  systems: Systems;
  readonly #make: () => Systems;

  constructor(make: () => Systems) {
    this.#make = make;
    this.systems = make();
  }

  /** Runs a step on the systems. @throws as retry, with all memory given back */
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
