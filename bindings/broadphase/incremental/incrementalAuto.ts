// Implements the method 'auto' of an incremental broad phase. Uses sweep and prune in slabs by default. Uses
// a tree of boxes if `chooseMethod` estimates, from a sample of the boxes, that sweep and prune in cells
// would be faster than in slabs. The choice is made again in every frame whose pairs have to be found from
// scratch anyway.
import { Capacity } from '../../core/errors.js';
import { addStage } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import type { Choice } from '../chooseMethod.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';
import { IncrementalSweep } from './incrementalSweep.js';
import { IncrementalTree } from './incrementalTree.js';

export class IncrementalAuto implements IncrementalBroadPhase {
  readonly #state: IncrementalState;
  #current: IncrementalSweep | IncrementalTree;

  constructor(state: IncrementalState) {
    this.#state = state;
    this.#current = new IncrementalSweep(state, 'sap');
  }

  reset(): void {
    this.#current.reset();
  }

  update(order: 'sorted' | 'any'): BoxPairsStats {
    if (!this.#current.needsFullSearch) return this.#current.update(order);
    const { host, boxes } = this.#state;
    const startedAt = performance.now();
    const { method, reason } = host.finder.choose(boxes.at, boxes.count);
    const milliseconds = performance.now() - startedAt;
    const stats = this.#findAll(method, reason, order);
    addStage(stats, 'statistics', milliseconds);
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
    if ((method === 'cells') === this.#current instanceof IncrementalTree) return;
    const next =
      method === 'cells' ? new IncrementalTree(this.#state) : new IncrementalSweep(this.#state, 'sap');
    this.#current.dispose();
    this.#current = next;
  }
}
