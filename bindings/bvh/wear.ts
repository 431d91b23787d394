// How a tree's boxes have grown while it was refitted -> when it is worth building anew.
import type { Builder } from './tree.js';

/**
 * Areas of a new tree that updates have had too much, in sum, when a build would have cost as much: a query
 * of a cloth with itself loses a quarter of its time by each, and a build takes as long as three or five such
 * queries (`npm run bench -- selfQuery`).
 */
const MOST_LOST = { sah: 18, morton: 10 } as const;

export class Wear {
  #lost = 0;
  readonly #most: number;

  /** Of a tree that is new. */
  constructor(builder: Builder) {
    this.#most = MOST_LOST[builder];
  }

  /**
   * Notes a refit, after which boxes have `quality` times their area. @returns whether the tree has cost as
   * much as a new one.
   */
  note(quality: number): boolean {
    this.#lost += Math.max(0, quality - 1);
    return this.#lost >= this.#most;
  }
}
