// Systems that keep engine memory from call to call -> calls that find it whole: after one that failed
// midway, or that lost a worker, which may still write to it, all of it is made anew.
import { LostSlice } from './steps.js';

/** What gives its memory back. */
interface Disposable {
  dispose(): void;
}

export class Renewable<Systems extends Readonly<Record<string, Disposable>>> {
  systems: Systems;
  readonly #make: () => Systems;

  constructor(make: () => Systems) {
    this.#make = make;
    this.systems = make();
  }

  /**
   * Tries again where a worker was lost, with the threads that are left. @throws what the attempt throws,
   * with all memory given back
   */
  run<Result>(attempt: (systems: Systems) => Result): Result {
    for (;;) {
      try {
        return attempt(this.systems);
      } catch (error) {
        this.dispose();
        this.systems = this.#make();
        if (!(error instanceof LostSlice)) throw error;
      }
    }
  }

  dispose(): void {
    for (const system of Object.values(this.systems)) system.dispose();
  }
}
