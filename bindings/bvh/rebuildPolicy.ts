// Decides when a refitted tree is rebuilt: when the accumulated query overhead equals the cost of a rebuild
// (the ski-rental rule: at most twice the optimal cost).
import type { Builder } from './tree.js';

/**
 * If the box areas of a refitted tree are q times those of a new tree, the refit has the excess area q - 1.
 * When the sum of the excess areas reaches this value, the extra time of queries equals the time of a rebuild.
 * Measured for self-collision of a cloth: with an excess area of 1, a query takes a quarter longer, and a build
 * takes as long as three to five queries (`npm run bench -- selfQuery`).
 */
const MAX_EXCESS = { sah: 18, morton: 10 } as const;

export class RebuildPolicy {
  #excess = 0;
  readonly #limit: number;

  /** Makes the policy of a tree that was just built with `builder`. */
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
