// Boxes that move -> their pairs, frame by frame, by a method of the caller's choice.

import { addStage } from '../../core/stageClock.js';
import { KeptBoxes } from './keptBoxes.js';
import { type KeptMethod, makeKeeper } from './makeKeeper.js';
import { PairHistory } from './pairHistory.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';

export class MovingPairs {
  readonly history: PairHistory;
  private readonly boxes: KeptBoxes;
  private readonly keeper: PairKeeper;
  readonly #host: KeeperHost;

  constructor(host: KeeperHost, method: KeptMethod) {
    this.#host = host;
    this.history = new PairHistory(host.backend);
    this.boxes = new KeptBoxes(host);
    this.keeper = makeKeeper(method, { host, boxes: this.boxes, history: this.history });
  }

  /** How many boxes there are. */
  get count(): number {
    return this.boxes.count;
  }

  /** Replaces all boxes. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    this.boxes.set(boxes);
    this.keeper.reset();
  }

  /** Moves boxes ids[k] to boxes[6 k .. 6 k + 5]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.boxes.move(ids, boxes);
  }

  /**
   * Pairs that overlap now, in memory that holds until the next call; `history` knows what has changed.
   * @throws Capacity
   */
  pairs(order: 'sorted' | 'any'): KeptPairs {
    const { boxes, history } = this;
    const stats = this.keeper.update(order);
    if (order === 'sorted' && !history.isSorted) {
      const startedAt = performance.now();
      history.begin(this.#host.finder.sort([history.list], boxes.count), 'sorted');
      addStage(stats, 'join', performance.now() - startedAt);
    }
    return { list: history.list, stats };
  }

  dispose(): void {
    for (const part of [this.keeper, this.boxes, this.history]) part.dispose();
  }
}
