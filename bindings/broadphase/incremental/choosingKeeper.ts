// Boxes that move -> their pairs, by whichever keeper a sample of the boxes speaks for: 'auto' of a broad
// phase. Where slabs do not suit the boxes a tree is kept. Chosen again for every frame whose pairs are found
// anew anyway.
import { Capacity } from '../../core/errors.js';
import { addStage } from '../../core/stageClock.js';
import type { Choice } from '../chooseMethod.js';
import { Movers } from './movers.js';
import type { PairHistory } from './pairHistory.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';
import { TreeKeeper } from './treeKeeper.js';

export class ChoosingKeeper implements PairKeeper {
  readonly #host: KeeperHost;
  readonly #history: PairHistory;
  #keeper: Movers | TreeKeeper;

  constructor(host: KeeperHost, history: PairHistory) {
    this.#host = host;
    this.#history = history;
    this.#keeper = new Movers(host, history, 'sap');
  }

  get count(): number {
    return this.#keeper.count;
  }

  set(boxes: Float32Array): void {
    this.#keeper.set(boxes);
  }
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.#keeper.move(ids, boxes);
  }

  pairs(order: 'sorted' | 'any'): KeptPairs {
    if (!this.#keeper.startsAnew) return this.#keeper.pairs(order);
    const host = this.#host;
    const { boxesAt, count } = this.#keeper;
    const startedAt = performance.now();
    const { method, reason } = host.choose(boxesAt, count);
    const milliseconds = performance.now() - startedAt;
    const kept = this.#findAnew(method, reason, order);
    addStage(kept.stats, 'survey', milliseconds);
    return kept;
  }

  dispose(): void {
    this.#keeper.dispose();
  }

  #findAnew(method: Choice['method'], reason: string, order: 'sorted' | 'any'): KeptPairs {
    try {
      this.#use(method);
      const kept = this.#keeper.pairs(order);
      kept.stats.reason = reason;
      return kept;
    } catch (error) {
      if (method === 'sap' || !(error instanceof Capacity)) throw error;
      return this.#findAnew('sap', 'memory has no room for a tree', order);
    }
  }

  #use(method: Choice['method']): void {
    const host = this.#host;
    const history = this.#history;
    const keeper = this.#keeper;
    if ((method === 'cells') === keeper instanceof TreeKeeper) return;
    const next = method === 'cells' ? new TreeKeeper(host, history) : new Movers(host, history, 'sap');
    try {
      next.set(host.backend.arena.f32.slice(keeper.boxesAt / 4, keeper.boxesAt / 4 + 6 * keeper.count));
    } catch (error) {
      next.dispose();
      throw error;
    }
    keeper.dispose();
    this.#keeper = next;
  }
}
