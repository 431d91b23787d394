// Boxes that move -> from frame to frame, which of them overlap, and what has begun and ended.
import { type BodyPairs, PairTable } from '../core/contacts.js';
import { Disposed, describe, InvalidBoxes } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { BROAD_PHASE, type BroadPhaseOptions, KEPT_PAIRS } from '../core/moduleOptions.js';
import { checkAttached, checkOptions, checkSurplus } from '../core/optionTable.js';
import { printAs } from '../core/printing.js';
import { BoxPairs } from '../core/results.js';
import { addStage } from '../core/stageClock.js';
import { retry } from '../runtime/retry.js';
import type { BoxPairsOptions } from './boxPairs.js';
import { checkBoxes } from './boxSet.js';
import { MovingPairs } from './incremental/movingPairs.js';
import type { KeeperHost } from './incremental/pairKeeper.js';

/** What a broad phase needs of its engine. */
export interface BroadPhaseHost extends KeeperHost, Pick<EngineHost, 'clock' | 'tick'> {}

/** Boxes kept between frames. Made by createBroadPhase. */
export class BroadPhase {
  private readonly host: BroadPhaseHost;
  readonly #hasEvents: boolean;
  private readonly kept: MovingPairs;
  readonly #begun = new PairTable();
  readonly #over = new PairTable();
  #isDisposed = false;

  /** @internal */
  constructor(host: BroadPhaseHost, options: BroadPhaseOptions) {
    checkOptions(BROAD_PHASE, options);
    const { method = 'auto', events = 'on' } = options;
    this.host = host;
    this.#hasEvents = events === 'on';
    this.kept = new MovingPairs(host, method);
  }

  /** How many boxes there are. */
  get count(): number {
    return this.kept.count;
  }

  /**
   * Replaces all boxes, six floats each: least x, y, z, then greatest. Box i has number i. @throws
   * InvalidBoxes, Unsupported, Disposed, Capacity, with nothing changed
   */
  set(boxes: Float32Array): void {
    this.#open();
    checkSurplus(arguments[1], 'set(boxes)');
    checkBoxes('boxes', boxes);
    retry(() => this.kept.set(boxes));
  }

  /**
   * Moves box ids[k] to boxes[6 k .. 6 k + 5], for every k. @throws InvalidBoxes, Disposed, Capacity, with
   * nothing changed
   */
  move(ids: Uint32Array, boxes: Float32Array): void {
    this.#open();
    checkSurplus(arguments[2], 'move(ids, boxes)');
    checkBoxes('boxes', boxes);
    checkAttached('ids', ids, InvalidBoxes);
    if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length) {
      throw new InvalidBoxes(
        `ids is ${ids instanceof Uint32Array ? `of length ${ids.length}` : describe(ids)} for ${boxes.length / 6} boxes`,
        'pass a Uint32Array with one number a box',
      );
    }
    retry(() => this.kept.move(ids, boxes));
  }

  /**
   * Pairs that overlap now: views that hold until the engine's next call. @throws Unsupported, Capacity,
   * Disposed
   */
  pairs(options: Pick<BoxPairsOptions, 'order'> = {}): BoxPairs {
    this.#open();
    checkOptions(KEPT_PAIRS, options);
    checkSurplus(arguments[1], 'pairs(options)');
    const { order = 'sorted' } = options;
    const {
      host: {
        backend: { arena },
        clock,
      },
    } = this;
    const hasEvents = this.#hasEvents;
    const { list, stats } = retry(() => this.kept.pairs(hasEvents ? 'sorted' : order));
    if (hasEvents) {
      const startedAt = performance.now();
      this.kept.history.tell(this.#begun, this.#over);
      addStage(stats, 'join', performance.now() - startedAt);
    }
    return new BoxPairs({ ...list, arena }, clock, () => stats, list.count);
  }

  /** Pairs of the last pairs() that the one before had not: views that hold until the next. */
  get began(): BodyPairs {
    return this.#begun.view();
  }
  /** Pairs of the one before that the last had not, likewise. */
  get ended(): BodyPairs {
    return this.#over.view();
  }

  /** Gives its memory back. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.kept.dispose();
  }

  /** As dispose, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #open(): void {
    if (this.#isDisposed)
      throw new Disposed('the broad phase was disposed', 'create another with createBroadPhase()');
    this.host.tick();
  }
}
printAs(BroadPhase.prototype, 'BroadPhase', ['count', 'began', 'ended']);
