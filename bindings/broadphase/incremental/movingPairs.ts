// Keeps moving boxes and their overlapping pairs from frame to frame, with the method that the caller chose.

import { addStage } from '../../core/stageClock.js';
import { type BroadPhaseMethod, createIncrementalBroadPhase } from './createIncrementalBroadPhase.js';
import type { FramePairs, IncrementalBroadPhase, IncrementalHost } from './incrementalBroadPhase.js';
import { PairHistory } from './pairHistory.js';
import { TrackedBoxes } from './trackedBoxes.js';

export class MovingPairs {
  readonly history: PairHistory;
  private readonly boxes: TrackedBoxes;
  private readonly implementation: IncrementalBroadPhase;
  readonly #host: IncrementalHost;

  constructor(host: IncrementalHost, method: BroadPhaseMethod) {
    this.#host = host;
    this.history = new PairHistory(host.context);
    this.boxes = new TrackedBoxes(host);
    this.implementation = createIncrementalBroadPhase(method, {
      host,
      boxes: this.boxes,
      history: this.history,
    });
  }

  /** Number of boxes. */
  get count(): number {
    return this.boxes.count;
  }

  /** Replaces all boxes. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    this.boxes.set(boxes);
    this.implementation.reset();
  }

  /**
   * Moves the box with id ids[k] to boxes[6 * k .. 6 * k + 5], for each k. @throws InvalidBoxes, Capacity, with
   * nothing changed
   */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.boxes.move(ids, boxes);
  }

  /**
   * Returns the pairs of boxes that overlap in this frame, in memory that is valid until the next call.
   * `history` has the changes since the last frame. @throws Capacity
   */
  pairs(order: 'sorted' | 'any'): FramePairs {
    const { boxes, history } = this;
    const stats = this.implementation.update(order);
    if (order === 'sorted' && !history.isSorted) {
      const startedAt = performance.now();
      history.replaceAll(this.#host.finder.sort([history.list], boxes.count), 'sorted');
      addStage(stats, 'join', performance.now() - startedAt);
    }
    return { list: history.list, stats };
  }

  dispose(): void {
    for (const resource of [this.implementation, this.boxes, this.history]) resource.dispose();
  }
}
