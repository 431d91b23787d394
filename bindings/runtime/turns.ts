// Work that takes time -> one piece of it after the other, in the order in which it was brought.

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs when all that was brought before has ended, well or not. */
  take<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
