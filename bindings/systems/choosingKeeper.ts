// Boxes that move -> their pairs, by whichever keeper a sample of the boxes speaks for: 'auto' of a broad phase. Chosen again
// for every frame whose pairs are found anew anyway.
import { addStage } from '../stageClock.js';
import { Movers } from './movers.js';
import type { PairHistory } from './pairHistory.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';
import { TreeKeeper } from './treeKeeper.js';

export class ChoosingKeeper implements PairKeeper {
  private readonly host: KeeperHost;
  private readonly history: PairHistory;
  private keeper: Movers | TreeKeeper;

  constructor(host: KeeperHost, history: PairHistory) {
    this.host = host;
    this.history = history;
    this.keeper = new Movers(host, history, 'sap');
  }

  get count(): number { return this.keeper.count; }

  set(boxes: Float32Array): void { this.keeper.set(boxes); }
  move(ids: Uint32Array, boxes: Float32Array): void { this.keeper.move(ids, boxes); }

  pairs(order: 'sorted' | 'any'): KeptPairs {
    if (!this.keeper.startsAnew) return this.keeper.pairs(order);
    const { host, history, keeper: { boxesAt, count } } = this, startedAt = performance.now();
    const { method, reason } = host.choose(boxesAt, count);
    if ((method === 'tree') !== this.keeper instanceof TreeKeeper) this.change(method === 'tree' ? new TreeKeeper(host, history) : new Movers(host, history, 'sap'));
    const milliseconds = performance.now() - startedAt;
    const kept = this.keeper.pairs(order);
    kept.stats.reason = reason;
    addStage(kept.stats, 'survey', milliseconds);
    return kept;
  }

  dispose(): void { this.keeper.dispose(); }

  private change(next: Movers | TreeKeeper): void {
    const { boxesAt, count } = this.keeper;
    next.set(this.host.backend.arena.f32.slice(boxesAt / 4, boxesAt / 4 + 6 * count));
    this.keeper.dispose();
    this.keeper = next;
  }
}
