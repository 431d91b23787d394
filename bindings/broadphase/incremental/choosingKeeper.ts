// Boxes that move -> their pairs, by whichever keeper a sample of the boxes speaks for: 'auto' of a broad
// phase. Where slabs do not suit the boxes a tree is kept. Chosen again for every frame whose pairs are found
// anew anyway.
import { Capacity } from '../../core/errors.js';
import { addStage } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import type { Choice } from '../chooseMethod.js';
import { Movers } from './movers.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';
import { TreeKeeper } from './treeKeeper.js';

export class ChoosingKeeper implements PairKeeper {
  readonly #frame: KeptFrame;
  #keeper: Movers | TreeKeeper;

  constructor(frame: KeptFrame) {
    this.#frame = frame;
    this.#keeper = new Movers(frame, 'sap');
  }

  reset(): void {
    this.#keeper.reset();
  }

  update(order: 'sorted' | 'any'): BoxPairsStats {
    if (!this.#keeper.startsAnew) return this.#keeper.update(order);
    const { host, boxes } = this.#frame;
    const startedAt = performance.now();
    const { method, reason } = host.finder.choose(boxes.at, boxes.count);
    const milliseconds = performance.now() - startedAt;
    const stats = this.#findAnew(method, reason, order);
    addStage(stats, 'survey', milliseconds);
    return stats;
  }

  dispose(): void {
    this.#keeper.dispose();
  }

  #findAnew(method: Choice['method'], reason: string, order: 'sorted' | 'any'): BoxPairsStats {
    try {
      this.#use(method);
      const stats = this.#keeper.update(order);
      stats.reason = reason;
      return stats;
    } catch (error) {
      if (method === 'sap' || !(error instanceof Capacity)) throw error;
      return this.#findAnew('sap', 'memory has no room for a tree', order);
    }
  }

  #use(method: Choice['method']): void {
    if ((method === 'cells') === this.#keeper instanceof TreeKeeper) return;
    const next = method === 'cells' ? new TreeKeeper(this.#frame) : new Movers(this.#frame, 'sap');
    this.#keeper.dispose();
    this.#keeper = next;
  }
}
