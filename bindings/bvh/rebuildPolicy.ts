// Decides when a refitted tree is rebuilt: when the accumulated query overhead equals the cost of a rebuild
// (the ski-rental rule: at most twice the optimal cost).
import type { Builder } from './tree.js';

/**
 * Accumulated excess area, as a multiple of the area of a new tree, at which the extra time of queries equals
 * the time of a rebuild. Measured for self-collision of a cloth: an excess area of 1 makes a query slower by
 * a quarter of its time, and a build takes as long as three to five queries (`npm run bench -- selfQuery`).
 */
const MAX_EXCESS = { sah: 18, morton: 10 } as const;

export class RebuildPolicy {
  #excess = 0;
  readonly #limit: number;

  /** Starts with a new tree. */
  constructor(builder: Builder) {
    this.#limit = MAX_EXCESS[builder];
  }

  /**
   * Records a refit after which the boxes have `quality` times their original area. Returns whether to
   * rebuild the tree.
   */
  addRefit(quality: number): boolean {
    this.#excess += Math.max(0, quality - 1);
    return this.#excess >= this.#limit;
  }
}
