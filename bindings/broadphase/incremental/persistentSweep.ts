// Persistent sweep and prune: keeps the boxes' endpoints (min and max coordinates) sorted from frame to
// frame. When two boxes begin or cease to overlap, endpoints of these boxes change places (Avril, Gouranton
// and Arnaldi, section 3.1.1; I-COLLIDE).
import { addStage, StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { retry, WorkerLost } from '../../runtime/retry.js';
import { NO_PAIRS } from '../pairSort.js';
import { EndpointLists } from './endpointLists.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';

/**
 * Maximum mean number of swaps per endpoint of an axis: above it, finding all pairs from scratch is faster,
 * and the sort is aborted.
 */
const MAX_SWAPS_PER_ENDPOINT = 2;
/**
 * The sort is not aborted before this many swaps, since sorting a small number of boxes is fast in any case.
 */
const FEW_SWAPS = 1024;
/**
 * Maximum number of frames without sorted lists after an aborted sort. The number is 1 after the first
 * aborted sort; if the next sorts are aborted, too, the number is 3, then 7, then 15.
 */
const MAX_BACKOFF = 15;
const TOO_MANY_SWAPS = 'endpoints swapped too often: all pairs were found from scratch';

export class PersistentSweep implements IncrementalBroadPhase {
  readonly #state: IncrementalState;
  private readonly swapsPerEndpoint: number;
  readonly #clock = new StageClock();
  #lists: EndpointLists;
  // Why the lists are not valid; undefined if the lists are valid.
  #reason: string | undefined = 'boxes were set';
  /** Remaining number of frames without sorted lists. */
  #backoffLeft = 0;
  /** Number of frames without sorted lists after the last sort: 0 if this sort was not aborted. */
  #backoff = 0;

  constructor(state: IncrementalState, swapsPerEndpoint = MAX_SWAPS_PER_ENDPOINT) {
    this.#state = state;
    this.swapsPerEndpoint = swapsPerEndpoint;
    this.#lists = this.#makeLists();
  }

  reset(): void {
    this.#reason = 'boxes were set';
    this.#backoffLeft = this.#backoff = 0;
  }

  // Pairs are kept sorted, so the requested order is ignored.
  update(): BoxPairsStats {
    const clock = this.#clock;
    clock.start();
    const startedAt = clock.last;
    const stats = retry(
      () => (this.#reason === undefined ? this.#updateIncrementally() : this.#findAll(this.#reason, 0)),
      error => {
        this.#lists.dispose();
        this.#lists = this.#makeLists();
        this.#reason =
          error instanceof WorkerLost
            ? 'a worker was lost: all pairs were found from scratch'
            : 'the last call failed: all pairs were found from scratch';
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
    const { context, pairCapacity } = this.#state.host;
    return new EndpointLists(context, pairCapacity);
  }

  // Finds all pairs from scratch. Also sorts new lists for the next frame, unless the next frame's sort would
  // probably be aborted again.
  #findAll(reason: string, swaps: number): BoxPairsStats {
    const { host, boxes, history } = this.#state;
    const lists = this.#lists;
    const clock = this.#clock;
    if (this.#backoffLeft === 0) {
      lists.sortFromScratch(boxes);
      clock.end('sort');
    }
    const { list, stats } = host.finder.findAt(boxes.at, boxes.count, {});
    clock.skip();
    history.replaceAll(list, 'sorted');
    boxes.endFrame();
    clock.end('join');
    this.#reason = this.#backoffLeft > 0 ? TOO_MANY_SWAPS : undefined;
    this.#backoffLeft = Math.max(0, this.#backoffLeft - 1);
    return { ...stats, method: 'sap-persistent', reason, swaps };
  }

  #updateIncrementally(): BoxPairsStats {
    const { host, boxes, history } = this.#state;
    const lists = this.#lists;
    const clock = this.#clock;
    if (boxes.movedCount === 0) {
      history.apply(NO_PAIRS);
      return this.#stats('no box moved', { tests: 0, places: 0, swaps: 0 });
    }
    const { events, swaps, tests, isAborted } = lists.sort(
      boxes,
      Math.max(FEW_SWAPS, this.swapsPerEndpoint * 2 * boxes.count),
    );
    clock.end('sort');
    if (isAborted) {
      this.#backoffLeft = this.#backoff = Math.min(MAX_BACKOFF, 2 * this.#backoff + 1);
      return this.#findAll(TOO_MANY_SWAPS, swaps);
    }
    this.#backoff = 0;
    history.apply(
      events.some(({ count }) => count > 0) ? host.finder.sort(events, 2 * boxes.count) : NO_PAIRS,
    );
    lists.storeFormerBounds(boxes);
    clock.end('join');
    return this.#stats('sorted endpoints of the last frame were reused', {
      tests,
      places: 6 * boxes.count,
      swaps,
    });
  }

  #stats(reason: string, counts: Pick<BoxPairsStats, 'tests' | 'places' | 'swaps'>): BoxPairsStats {
    return { method: 'sap-persistent', reason, ...counts, milliseconds: 0, stages: {} };
  }
}
