// How a tree's boxes have grown while it was refitted -> when it is worth building anew.
import type { Builder } from './tree.js';

/**
 * Sums of what each update's tree has too much, in areas of a new tree, that cost queries of the mesh with itself as much as a build: by
 * `npm run bench -- selfQuery`. Whoever asks more often loses more.
 */
const MOST_LOST = { sah: 8, morton: 3 } as const;

export class Wear {
  private lost = 0;
  private readonly most: number;

  /** Of a tree that is new. */
  constructor(builder: Builder) { this.most = MOST_LOST[builder]; }

  /** Notes a refit, after which boxes have `quality` times their area. @returns whether the tree has cost as much as a new one. */
  note(quality: number): boolean {
    this.lost += Math.max(0, quality - 1);
    return this.lost >= this.most;
  }
}
