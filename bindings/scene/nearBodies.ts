// Bodies of a scene -> pairs whose boxes overlap, kept from frame to frame: where few bodies move, only they
// are looked at.

import type { KeptMethod } from '../broadphase/incremental/makeKeeper.js';
import { MovingPairs } from '../broadphase/incremental/movingPairs.js';
import type { KeeperHost, KeptPairs } from '../broadphase/incremental/pairKeeper.js';
import type { PairsCopy } from '../core/results.js';
import { Buffer } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import type { Bodies } from './bodies.js';

/** Pairs of slots whose boxes overlap, sorted, and how long it took to find them. */
export interface FoundNear extends PairsCopy {
  milliseconds: number;
}

export class NearBodies {
  readonly #kept: MovingPairs;
  readonly #taken: Buffer;
  readonly #host: KeeperHost;
  /** Whether `#kept` knows where the bodies were. */
  #isKept = true;

  constructor(host: KeeperHost, method: KeptMethod) {
    this.#host = host;
    this.#taken = new Buffer(host.backend.arena);
    this.#kept = new MovingPairs(host, method);
  }

  /** Pairs of slots, sorted. @throws Capacity, Internal */
  pairs(bodies: Bodies): KeptPairs {
    const kept = this.#kept;
    return retry(() => {
      if (!this.#isKept || kept.count !== bodies.slots.length) kept.set(bodies.copyBoxes());
      else {
        const moved = bodies.movedSlots();
        if (moved.length > 0) kept.move(moved, bodies.copyBoxes(moved));
      }
      this.#isKept = true;
      return kept.pairs('sorted');
    });
  }

  /** The same pairs, found elsewhere. @throws Capacity */
  take({ count, a, b, milliseconds }: FoundNear): KeptPairs {
    this.#isKept = false;
    const aAt = this.#taken.reserve(8 * count + 16);
    const bAt = aAt + 4 * count;
    const { u32 } = this.#host.backend.arena;
    u32.set(a, aAt / 4);
    u32.set(b, bAt / 4);
    return {
      list: { aAt, bAt, count },
      stats: {
        method: 'cells',
        reason: 'on the GPU, since most bodies have moved',
        tests: 0,
        places: 0,
        milliseconds,
        stages: { search: milliseconds },
      },
    };
  }

  dispose(): void {
    this.#kept.dispose();
    this.#taken.dispose();
  }
}
