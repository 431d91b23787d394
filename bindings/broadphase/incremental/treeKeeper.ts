// Boxes that move, in a tree that is kept -> their pairs: hulls follow the movers, subtrees in which nothing
// has moved are skipped, and pairs of still boxes are those of the last frame.

import { boxLimits } from '../../records/boxLimits.js';
import { limits } from '../../records/layout.js';
import { BoxTree } from '../boxTree.js';
import { IndexKeeper } from './indexKeeper.js';
import { MOST_LISTED } from './keptBoxes.js';
import type { KeptFrame } from './pairKeeper.js';

/** Times the hulls' sizes when the tree was built: then it is built anew. */
const MOST_GROWTH = 1.2;
const NOBODY = new Uint32Array(0);

export class TreeKeeper extends IndexKeeper<BoxTree> {
  /** Sum of the hulls' sizes when the tree was built. */
  #builtSize = 0;
  /** Whether the leaves know which boxes have not moved: all but the last movers. */
  #areStill = false;
  #lastMovers = NOBODY;

  constructor(frame: KeptFrame) {
    super(frame, 'tree');
  }

  /** Whether the next frame's pairs will be found anew. */
  get startsAnew(): boolean {
    const { movedCount, count } = this.frame.boxes;
    return this.stale !== undefined || movedCount > MOST_LISTED * count;
  }

  protected makeIndex(): BoxTree {
    return new BoxTree(this.frame.host.backend, this.clock, 'kept');
  }

  protected get counts(): { places: number } {
    return { places: this.frame.boxes.count };
  }

  protected rest(): void {}

  protected build(order: 'sorted' | 'any', reason = 'the tree was built'): string {
    this.index.build(...this.look());
    this.#areStill = false;
    this.#findAll(order);
    this.#builtSize = Math.max(this.index.size, Number.MIN_VALUE);
    return reason;
  }

  protected follow(order: 'sorted' | 'any'): string {
    const { index } = this;
    const isAnew = this.startsAnew;
    if (isAnew) {
      index.pack(limits.NOTHING);
      this.#areStill = false;
    } else this.#placeMovers();
    if (index.size > MOST_GROWTH * this.#builtSize)
      return this.build(order, 'the hulls had grown: the tree was built anew');
    if (isAnew) {
      this.#findAll(order);
      return 'many boxes moved: the tree followed, and all pairs were found anew';
    }
    index.pair(this.frame.host.pairCapacity);
    this.takeMovers(order);
    return "few boxes moved: the others' pairs were kept";
  }

  // Movers take their places, and those of the last frame are still from now on.
  #placeMovers(): void {
    const { index } = this;
    if (this.#areStill) index.place(this.#lastMovers, boxLimits.BYSTANDER);
    else index.pack(0);
    this.#areStill = true;
    this.#lastMovers = this.frame.boxes.movedIds.slice();
    index.place(this.#lastMovers, 0);
    index.rejoin();
    this.clock.end('keep');
  }

  #findAll(order: 'sorted' | 'any'): void {
    this.index.pair(this.roomForAll);
    this.takeAll(order);
  }
}
