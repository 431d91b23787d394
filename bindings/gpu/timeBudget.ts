// Limits the time in which the GPU is tested and timed before it answers the first query of each kind.

import { BudgetSpent } from './device/gpuErrors.js';

/**
 * A time limit for a sequence of steps. Its time starts when this object is created. A step that has begun
 * is not interrupted.
 */
export class TimeBudget {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #startedAt: number;

  /** now: returns the time in milliseconds. */
  constructor(milliseconds: number, now: () => number) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Call this before each step. @throws BudgetSpent if the time is used up */
  check(): void {
    if (this.#now() - this.#startedAt >= this.#milliseconds)
      throw new BudgetSpent(`testing and timing the GPU took more than ${this.#milliseconds} ms`);
  }
}
