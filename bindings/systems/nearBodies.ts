// Bodies of a scene -> pairs whose boxes overlap, kept from frame to frame: where few bodies move, only they are looked at.
import type { Bodies } from './bodies.js';
import { makeKeeper, type KeptMethod } from './makeKeeper.js';
import { PairHistory } from './pairHistory.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';

export class NearBodies {
  private readonly history: PairHistory;
  private readonly keeper: PairKeeper;

  constructor(host: KeeperHost, method: KeptMethod) {
    this.history = new PairHistory(host.backend);
    this.keeper = makeKeeper(host, this.history, method);
  }

  /** Pairs of slots, sorted. @throws Capacity */
  pairs(bodies: Bodies): KeptPairs {
    const { keeper } = this;
    if (keeper.count !== bodies.slots.length) keeper.set(bodies.copyBoxes());
    else {
      const moved = bodies.movedSlots();
      if (moved.length > 0) keeper.move(moved, bodies.copyBoxes(moved));
    }
    return keeper.pairs('sorted');
  }

  dispose(): void {
    this.keeper.dispose();
    this.history.dispose();
  }
}
