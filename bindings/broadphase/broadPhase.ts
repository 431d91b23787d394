// Public class BroadPhase: keeps moving boxes and reports in every frame which pairs overlap, begin to overlap
// and cease to overlap.

import { type BodyPairs, PairTable } from '../core/bodyPairs.js';
import { checkAttached, copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import { Disposed, describe, InvalidBoxes } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { BROAD_PHASE, BROAD_PHASE_PAIRS, type BroadPhaseOptions } from '../core/moduleOptions.js';
import { printAs } from '../core/printing.js';
import { BoxPairs } from '../core/results.js';
import { addStage } from '../core/stageClock.js';
import { retry } from '../runtime/retry.js';
import type { BoxPairsOptions } from './boxPairs.js';
import { checkBoxes } from './boxSet.js';
import type { IncrementalHost } from './incremental/incrementalBroadPhase.js';
import { MovingPairs } from './incremental/movingPairs.js';

/** The parts of an engine that a broad phase uses. */
export interface BroadPhaseHost extends IncrementalHost, Pick<EngineHost, 'clock' | 'beginCall'> {}

/** Keeps moving boxes between frames and finds their overlapping pairs. Created by `createBroadPhase`. */
export class BroadPhase {
  private readonly host: BroadPhaseHost;
  readonly #hasEvents: boolean;
  private readonly movingPairs: MovingPairs;
  readonly #began = new PairTable();
  readonly #ended = new PairTable();
  #isDisposed = false;

  /** @internal */
  constructor(host: BroadPhaseHost, options: BroadPhaseOptions) {
    const { method = 'auto', events = 'on' } = copyOptions(BROAD_PHASE, options);
    // Reading options may run the caller's code, which may dispose of the engine.
    host.beginCall();
    this.host = host;
    this.#hasEvents = events === 'on';
    this.movingPairs = new MovingPairs(host, method);
  }

  /** Number of boxes. */
  get count(): number {
    return this.movingPairs.count;
  }

  /**
   * Replaces all boxes, six floats each: min x, y, z, then max x, y, z, in any frame and unit. Box i has id
   * i.
   * @throws InvalidBoxes, Unsupported, Disposed, Capacity, with nothing changed
   */
  set(boxes: Float32Array): void {
    rejectExtraArgument(arguments[1], 'set(boxes)');
    checkBoxes('boxes', boxes);
    this.#checkOpen();
    retry(() => this.movingPairs.set(boxes));
  }

  /**
   * Moves the box with id ids[k] to boxes[6 * k .. 6 * k + 5], for every k. Boxes have the format, frame and
   * unit of `set`.
   * @throws InvalidBoxes, Unsupported, Disposed, Capacity, with nothing changed
   */
  move(ids: Uint32Array, boxes: Float32Array): void {
    rejectExtraArgument(arguments[2], 'move(ids, boxes)');
    checkBoxes('boxes', boxes);
    checkAttached('ids', ids, InvalidBoxes);
    if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length) {
      throw new InvalidBoxes(
        `ids ${ids instanceof Uint32Array ? `has length ${ids.length}` : `is ${describe(ids)}`}, but must be a Uint32Array of ${boxes.length / 6} ids`,
        'pass a Uint32Array with one id per box',
      );
    }
    this.#checkOpen();
    retry(() => this.movingPairs.move(ids, boxes));
  }

  /**
   * Finds the pairs of boxes that overlap in this frame. The arrays of the result are views, which are valid
   * until the engine's next call.
   * @throws Unsupported, Capacity, Disposed
   */
  pairs(options: Pick<BoxPairsOptions, 'order'> = {}): BoxPairs {
    const { order = 'sorted' } = copyOptions(BROAD_PHASE_PAIRS, options);
    rejectExtraArgument(arguments[1], 'pairs(options)');
    this.#checkOpen();
    const {
      host: {
        context: { arena, pool },
        clock,
      },
    } = this;
    pool.chooseThreads('pairs', this.count);
    const hasEvents = this.#hasEvents;
    const { list, stats } = retry(() => this.movingPairs.pairs(hasEvents ? 'sorted' : order));
    if (hasEvents) {
      const startedAt = performance.now();
      this.movingPairs.history.writeChanges(this.#began, this.#ended);
      addStage(stats, 'join', performance.now() - startedAt);
    }
    pool.endCall();
    return new BoxPairs({ ...list, arena }, clock, () => stats, list.count);
  }

  /**
   * The pairs that began to overlap: the last `pairs()` call found them, and the `pairs()` call before it did
   * not. The arrays are views, valid until the next `pairs()` call. Empty if the option `events` is 'off'.
   */
  get began(): BodyPairs {
    return this.#began.view();
  }
  /**
   * The pairs that ceased to overlap: the last `pairs()` call did not find them, and the `pairs()` call
   * before it did. The arrays are views, valid until the next `pairs()` call. Empty if the option `events` is
   * 'off'.
   */
  get ended(): BodyPairs {
    return this.#ended.view();
  }

  /** Releases the memory. Later calls of other methods throw Disposed. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.movingPairs.dispose();
  }

  /** Calls `dispose`, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkOpen(): void {
    if (this.#isDisposed)
      throw new Disposed('the broad phase was disposed', 'create a new one with createBroadPhase()');
    this.host.beginCall();
  }
}
printAs(BroadPhase.prototype, 'BroadPhase', ['count', 'began', 'ended']);
