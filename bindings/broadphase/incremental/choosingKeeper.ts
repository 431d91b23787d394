// Method 'auto' of an incremental broad phase: chooses by a sample of the boxes between sweep and prune and a
// tree, which serves boxes that slabs do not suit. It chooses again in every frame whose pairs have to be
// found from scratch anyway.
import { Capacity } from '../../core/errors.js';
import { addStage } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import type { Choice } from '../chooseMethod.js';
import { Movers } from './movers.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';
import { TreeKeeper } from './treeKeeper.js';

export class ChoosingKeeper implements PairKeeper {
  readonly #frame: KeptFrame;
  #current: Movers | TreeKeeper;

  constructor(frame: KeptFrame) {
    this.#frame = frame;
    this.#current = new Movers(frame, 'sap');
  }

  reset(): void {
    this.#current.reset();
  }

  update(order: 'sorted' | 'any'): BoxPairsStats {
    if (!this.#current.startsAnew) return this.#current.update(order);
    const { host, boxes } = this.#frame;
    const startedAt = performance.now();
    const { method, reason } = host.finder.choose(boxes.at, boxes.count);
    const milliseconds = performance.now() - startedAt;
    const stats = this.#findAll(method, reason, order);
    addStage(stats, 'survey', milliseconds);
    return stats;
  }

  dispose(): void {
    this.#current.dispose();
  }

  #findAll(method: Choice['method'], reason: string, order: 'sorted' | 'any'): BoxPairsStats {
    try {
      this.#use(method);
      const stats = this.#current.update(order);
      stats.reason = reason;
      return stats;
    } catch (error) {
      if (method === 'sap' || !(error instanceof Capacity)) throw error;
      return this.#findAll('sap', 'not enough memory for a tree', order);
    }
  }

  #use(method: Choice['method']): void {
    if ((method === 'cells') === this.#current instanceof TreeKeeper) return;
    const next = method === 'cells' ? new TreeKeeper(this.#frame) : new Movers(this.#frame, 'sap');
    this.#current.dispose();
    this.#current = next;
  }
}
