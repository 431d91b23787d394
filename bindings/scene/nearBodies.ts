// Finds the pairs of bodies whose boxes overlap, and keeps these pairs from frame to frame. If only a few
// bodies move, only the boxes of these bodies are tested.

import type { BroadPhaseMethod } from '../broadphase/incremental/createIncrementalBroadPhase.js';
import type { FramePairs, IncrementalHost } from '../broadphase/incremental/incrementalBroadPhase.js';
import { MovingPairs } from '../broadphase/incremental/movingPairs.js';
import type { PairsCopy } from '../core/results.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import type { Bodies } from './bodies.js';

/** Sorted pairs of slots whose boxes overlap, and how long the search for them took, in milliseconds. */
export interface PrecomputedPairs extends PairsCopy {
  milliseconds: number;
}

export class NearBodies {
  readonly #kept: MovingPairs;
  readonly #copy: GrowableBlock;
  readonly #host: IncrementalHost;
  /**
   * Whether `#kept` has the boxes of the last frame. False after a frame whose pairs were precomputed.
   */
  #isUpToDate = true;

  constructor(host: IncrementalHost, method: BroadPhaseMethod) {
    this.#host = host;
    this.#copy = new GrowableBlock(host.context.arena);
    this.#kept = new MovingPairs(host, method);
  }

  /** Returns the sorted pairs of slots. @throws Capacity, Internal */
  pairs(bodies: Bodies): FramePairs {
    const kept = this.#kept;
    return retry(() => {
      if (!this.#isUpToDate || kept.count !== bodies.slots.length) kept.set(bodies.copyBoxes());
      else {
        const moved = bodies.movedSlots();
        if (moved.length > 0) kept.move(moved, bodies.copyBoxes(moved));
      }
      this.#isUpToDate = true;
      return kept.pairs('sorted');
    });
  }

  /** Copies pairs that the GPU has found to engine memory. @throws Capacity */
  takePrecomputed({ count, a, b, milliseconds }: PrecomputedPairs): FramePairs {
    this.#isUpToDate = false;
    const aAt = this.#copy.reserve(8 * count + 16);
    const bAt = aAt + 4 * count;
    const { u32 } = this.#host.context.arena;
    u32.set(a, aAt / 4);
    u32.set(b, bAt / 4);
    return {
      list: { aAt, bAt, count },
      stats: {
        method: 'cells',
        reason: 'on the GPU, since at least half of the bodies moved',
        tests: 0,
        places: 0,
        milliseconds,
        stages: { search: milliseconds },
      },
    };
  }

  dispose(): void {
    this.#kept.dispose();
    this.#copy.dispose();
  }
}
