// Runs asynchronous functions one after another, in the order in which they were added.

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a function when all functions added before it have ended, successfully or not. */
  take<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
