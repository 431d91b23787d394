// Boxes that move, in a tree that is kept -> their pairs: hulls follow the movers, subtrees in which nothing
// has moved are skipped, and pairs of still boxes are those of the last frame.

import { StageClock } from '../../core/stageClock.js';
import { boxLimits } from '../../records/boxLimits.js';
import { limits } from '../../records/layout.js';
import { retry } from '../../runtime/steps.js';
import { BoxSet } from '../boxSet.js';
import { BoxTree } from '../boxTree.js';
import { NO_PAIRS } from '../pairSort.js';
import { KeptBoxes } from './keptBoxes.js';
import type { PairHistory } from './pairHistory.js';
import { type KeeperHost, type KeptPairs, type PairKeeper, pairsOf } from './pairKeeper.js';

/** Of all boxes: with more movers than this all pairs are found anew. */
const MOST_MOVERS = 0.25;
/** Times the hulls' sizes when the tree was built: then it is built anew. */
const MOST_GROWTH = 1.2;
const GROWN = 'the hulls had grown: the tree was built anew';

export class TreeKeeper implements PairKeeper {
  readonly #host: KeeperHost;
  readonly #boxes: KeptBoxes;
  readonly #history: PairHistory;
  readonly #clock = new StageClock();
  #tree: BoxTree;
  #survey: BoxSet;
  /** Sum of the hulls' sizes when the tree was built, or 0: there is none that fits. */
  #builtSize = 0;
  /** Whether the leaves know which boxes have not moved: all but the last movers. */
  #areStill = false;
  #movers = new Uint32Array(64);
  #moverCount = 0;
  #lastMovers = this.#movers.subarray(0, 0);
  #tests = 0;

  constructor(host: KeeperHost, history: PairHistory) {
    this.#host = host;
    this.#history = history;
    this.#boxes = new KeptBoxes(host);
    [this.#tree, this.#survey] = this.#make();
  }

  get count(): number {
    return this.#boxes.count;
  }
  get boxesAt(): number {
    return this.#boxes.at;
  }
  /** Whether the next frame's pairs will be found anew. */
  get startsAnew(): boolean {
    return this.#builtSize === 0 || this.#moverCount > MOST_MOVERS * this.count;
  }

  set(boxes: Float32Array): void {
    this.#boxes.set(boxes);
    this.#builtSize = this.#moverCount = 0;
  }

  move(ids: Uint32Array, boxes: Float32Array): void {
    this.#boxes.move(ids, boxes);
    if (this.#moverCount + ids.length > MOST_MOVERS * this.count) {
      // Nobody asks who they are.
      this.#moverCount = Infinity;
      return;
    }
    if (this.#movers.length < this.#moverCount + ids.length) {
      const grown = new Uint32Array(2 * (this.#moverCount + ids.length));
      grown.set(this.#movers.subarray(0, this.#moverCount));
      this.#movers = grown;
    }
    this.#movers.set(ids, this.#moverCount);
    this.#moverCount += ids.length;
  }

  pairs(order: 'sorted' | 'any'): KeptPairs {
    const clock = this.#clock;
    clock.start();
    const startedAt = clock.last;
    const reason = retry(() => {
      try {
        return this.#update(order);
      } catch (error) {
        // A lost worker may still write to the tree; an error midway leaves it half done.
        this.#tree.dispose();
        this.#survey.dispose();
        [this.#tree, this.#survey] = this.#make();
        this.#builtSize = 0;
        throw error;
      }
    });
    const { count } = this;
    const history = this.#history;
    const host = this.#host;
    const tests = this.#tests;
    if (order === 'sorted' && !history.isSorted) history.begin(host.sort([history.list], count), 'sorted');
    clock.end('join');
    return {
      list: history.list,
      stats: {
        method: 'tree',
        reason,
        tests,
        places: count,
        milliseconds: clock.last - startedAt,
        stages: clock.stages,
      },
    };
  }

  dispose(): void {
    for (const part of [this.#boxes, this.#tree, this.#survey]) part.dispose();
  }

  #make(): [BoxTree, BoxSet] {
    return [new BoxTree(this.#host.backend, this.#clock, 'kept'), new BoxSet(this.#host.backend)];
  }

  // Makes the history's last frame this one. @returns how
  #update(order: 'sorted' | 'any'): string {
    const tree = this.#tree;
    const moverCount = this.#moverCount;
    if (this.#builtSize === 0) return this.#build('the tree was built', order);
    if (this.startsAnew) {
      tree.pack(limits.NOTHING);
      this.#areStill = false;
      return this.#hasGrown
        ? this.#build(GROWN, order)
        : this.#findAll('many boxes moved: the tree followed, and all pairs were found anew', order);
    }
    if (moverCount === 0) {
      this.#tests = 0;
      this.#history.apply(NO_PAIRS);
      return 'no box moved';
    }
    this.#follow();
    return this.#hasGrown ? this.#build(GROWN, order) : this.#findMovers(order);
  }

  get #hasGrown(): boolean {
    return this.#tree.size > MOST_GROWTH * this.#builtSize;
  }

  #build(reason: string, order: 'sorted' | 'any'): string {
    const { at, count } = this.#boxes;
    const tree = this.#tree;
    const survey = this.#survey;
    const stats = survey.adopt(at, count);
    this.#clock.end('survey');
    tree.build(survey, stats, limits.NOTHING, { first: 0, last: count, bystandersFrom: limits.NOTHING });
    this.#areStill = false;
    this.#findAll(reason, order);
    this.#builtSize = Math.max(tree.size, Number.MIN_VALUE);
    return reason;
  }

  // Movers take their places, and those of the last frame are still from now on.
  #follow(): void {
    const tree = this.#tree;
    if (this.#areStill) tree.place(this.#lastMovers, boxLimits.BYSTANDER);
    else tree.pack(0);
    this.#areStill = true;
    tree.place(this.#movers.subarray(0, this.#moverCount), 0);
    tree.rejoin();
    this.#clock.end('keep');
  }

  #findAll(reason: string, order: 'sorted' | 'any'): string {
    const tree = this.#tree;
    const host = this.#host;
    const history = this.#history;
    tree.pair(Math.max(host.pairCapacity, history.list.count));
    this.#clock.end('search');
    history.begin(pairsOf(this.#tree.lists, this.#host, this.count, order), order);
    this.#settle();
    return reason;
  }

  #findMovers(order: 'sorted' | 'any'): string {
    const tree = this.#tree;
    const host = this.#host;
    const history = this.#history;
    const boxes = this.#boxes;
    const clock = this.#clock;
    tree.pair(host.pairCapacity);
    clock.end('search');
    const kept = history.isSorted ? order : 'any';
    const added = pairsOf(this.#tree.lists, this.#host, this.count, kept);
    clock.end('join');
    history.replace(boxes.movedAt, [added], kept, clock);
    this.#settle();
    return "few boxes moved: the others' pairs were kept";
  }

  // The frame is over.
  #settle(): void {
    this.#tests = this.#tree.lists.sum('tests');
    this.#lastMovers =
      this.#moverCount < Infinity ? this.#movers.slice(0, this.#moverCount) : this.#movers.subarray(0, 0);
    this.#moverCount = 0;
    this.#boxes.settle();
  }
}
