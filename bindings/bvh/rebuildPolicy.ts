// Decides when a refitted tree is rebuilt: when the accumulated query overhead equals the cost of a rebuild
// (the ski-rental rule: at most twice the optimal cost).
import type { Builder } from './tree.js';

/**
 * Accumulated excess area, in areas of a new tree, at which a rebuild would have cost as much as the slower
 * queries. Measured for self-collision of a cloth: each excess area of one costs a quarter of a query's time,
 * and a build takes as long as three to five queries (`npm run bench -- selfQuery`).
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
   * Adds a refit, after which boxes have `quality` times their original area. Returns whether to rebuild the
   * tree.
   */
  addRefit(quality: number): boolean {
    this.#excess += Math.max(0, quality - 1);
    return this.#excess >= this.#limit;
  }
}
