// Boxes that move -> their pairs by lists of endpoints that stay sorted from frame to frame: pairs begin and
// end as endpoints pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE).
import { addStage, StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { retry, WorkerLost } from '../../runtime/retry.js';
import { NO_PAIRS } from '../pairSort.js';
import { EndpointLists } from './endpointLists.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';

/**
 * Of an axis: where endpoints pass more others than this, in the mean, finding all pairs anew is quicker, and
 * the sort is given up.
 */
const SWAPS_AN_ENDPOINT = 2;
/** Given up no sooner than this: few boxes are sorted in no time. */
const FEW_SWAPS = 1024;
/** Frames without lists after one that was given up; twice as many after the next. */
const MOST_RESTS = 15;
const TOO_FAR = 'endpoints passed too many others: all pairs were found anew';

export class PersistentSweep implements PairKeeper {
  readonly #frame: KeptFrame;
  private readonly swapsAnEndpoint: number;
  readonly #clock = new StageClock();
  #lists: EndpointLists;
  // Why the lists hold nothing, if so.
  #reason: string | undefined = 'boxes were set';
  /** Frames to come without lists, and how many there were after the last sort that was given up. */
  #restsLeft = 0;
  #rests = 0;

  constructor(frame: KeptFrame, swapsAnEndpoint = SWAPS_AN_ENDPOINT) {
    this.#frame = frame;
    this.swapsAnEndpoint = swapsAnEndpoint;
    this.#lists = this.#makeLists();
  }

  reset(): void {
    this.#reason = 'boxes were set';
    this.#restsLeft = this.#rests = 0;
  }

  // Sorted, whatever the order: they are kept so.
  update(): BoxPairsStats {
    const clock = this.#clock;
    clock.start();
    const startedAt = clock.last;
    const stats = retry(
      () => (this.#reason === undefined ? this.#follow() : this.#findAnew(this.#reason, 0)),
      error => {
        this.#lists.dispose();
        this.#lists = this.#makeLists();
        this.#reason =
          error instanceof WorkerLost
            ? 'a worker was lost: all pairs were found anew'
            : 'the last call did not end: all pairs were found anew';
      },
    );
    for (const stage of ['sort', 'join'] as const)
      if (clock.stages[stage] !== undefined) addStage(stats, stage, clock.stages[stage]);
    stats.milliseconds = performance.now() - startedAt;
    return stats;
  }

  dispose(): void {
    this.#lists.dispose();
  }

  #makeLists(): EndpointLists {
    const { backend, pairCapacity } = this.#frame.host;
    return new EndpointLists(backend, pairCapacity);
  }

  // With new lists for the next frame, unless it is likely to give them up.
  #findAnew(reason: string, swaps: number): BoxPairsStats {
    const { host, boxes, history } = this.#frame;
    const lists = this.#lists;
    const clock = this.#clock;
    if (this.#restsLeft === 0) {
      lists.list(boxes);
      clock.end('sort');
    }
    const { list, stats } = host.finder.findAt(boxes.at, boxes.count, {});
    clock.skip();
    history.begin(list, 'sorted');
    boxes.settle();
    clock.end('join');
    this.#reason = this.#restsLeft > 0 ? TOO_FAR : undefined;
    this.#restsLeft = Math.max(0, this.#restsLeft - 1);
    return { ...stats, method: 'sap-persistent', reason, swaps };
  }

  #follow(): BoxPairsStats {
    const { host, boxes, history } = this.#frame;
    const lists = this.#lists;
    const clock = this.#clock;
    if (boxes.movedCount === 0) {
      history.apply(NO_PAIRS);
      return this.#followed('nothing has moved', { tests: 0, places: 0, swaps: 0 });
    }
    const { events, swaps, tests, isOver } = lists.sort(
      boxes,
      Math.max(FEW_SWAPS, this.swapsAnEndpoint * 2 * boxes.count),
    );
    clock.end('sort');
    if (isOver) {
      this.#restsLeft = this.#rests = Math.min(MOST_RESTS, 2 * this.#rests + 1);
      return this.#findAnew(TOO_FAR, swaps);
    }
    this.#rests = 0;
    history.apply(
      events.some(({ count }) => count > 0) ? host.finder.sort(events, 2 * boxes.count) : NO_PAIRS,
    );
    lists.settle(boxes);
    clock.end('join');
    return this.#followed('endpoints stayed sorted from the last frame', {
      tests,
      places: 6 * boxes.count,
      swaps,
    });
  }

  #followed(reason: string, counts: Pick<BoxPairsStats, 'tests' | 'places' | 'swaps'>): BoxPairsStats {
    return { method: 'sap-persistent', reason, ...counts, milliseconds: 0, stages: {} };
  }
}
