// Keeps the pairs of the last frame, applies the changes of the current frame, and reports which pairs began
// and ended.

import { type BodyPairs, comparePairs, PairTable } from '../../core/bodyPairs.js';
import type { StageClock } from '../../core/stageClock.js';
import {
  MergeEventsJob,
  MovedPairsJob,
  PairEventsJob,
  ReplacePairsJob,
} from '../../records/incrementalLayout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { retry } from '../../runtime/retry.js';
import { sliceCountOf } from '../../runtime/sliceCount.js';
import { runStep } from '../../runtime/steps.js';
import { NO_PAIRS, type PairList } from '../pairSort.js';
import { PairBuffer } from './pairBuffer.js';

/** Minimum number of pairs per thread. With fewer, handing work to the thread takes longer than it saves. */
const PAIRS_PER_SLICE = 2 ** 16;
const SPARE = 64;

/**
 * The pairs of one set of boxes. The history does not depend on the method that finds them, so the method may
 * change between two frames.
 */
export class PairHistory {
  /** Whether the last frame's pairs are sorted. */
  isSorted = true;
  readonly #context: EngineContext;
  readonly #scanJob: GrowableBlock;
  readonly #places: GrowableBlock;
  readonly #job: GrowableBlock;
  readonly #events: PairBuffer;
  readonly #joined: PairBuffer;
  #last: PairBuffer;
  // The pairs of the frame before the last one, if the last frame's pairs were found from scratch and are
  // sorted; otherwise memory for temporary data.
  #former: PairBuffer;
  /**
   * The changes of the last frame: a list of events (pairs that begin or end) in the format of EndpointList.
   * Undefined if the changes have to be derived by comparing `#former` with `#last`.
   */
  #changes: PairList | undefined;
  readonly #persisted = new PairTable();

  constructor(context: EngineContext) {
    const { arena } = context;
    this.#context = context;
    [this.#scanJob, this.#places, this.#job] = [
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
    ];
    [this.#events, this.#joined, this.#last, this.#former] = [
      new PairBuffer(context),
      new PairBuffer(context),
      new PairBuffer(context),
      new PairBuffer(context),
    ];
  }

  /** The last frame's pairs. */
  get list(): PairList {
    return this.#last.pairs;
  }

  /**
   * Replaces all pairs by the pairs of `list`. @throws Capacity; if `order` is 'sorted', the pairs are
   * unchanged after this error
   */
  replaceAll(list: PairList, order: 'sorted' | 'any'): void {
    if (order === 'any') {
      this.isSorted = false;
      return this.#last.take([list]);
    }
    this.#former.take([list]);
    this.#swap();
    this.isSorted = true;
    this.#changes = undefined;
  }

  /**
   * Replaces the former pairs of moved boxes by the current pairs. movedAt: one byte per box, 1 if it has
   * moved. added: all current pairs of these boxes, sorted in one list if pairs have to stay sorted. @throws
   * Capacity, with nothing changed
   */
  replace(movedAt: number, added: readonly PairList[], order: 'sorted' | 'any', clock: StageClock): void {
    const movedPairCount = this.#findMovedPairs(movedAt);
    clock.end('keep');
    if (order === 'sorted') this.apply(this.#eventsOf(movedPairCount, added[0] ?? NO_PAIRS));
    else this.#replaceMovedPairs(movedPairCount, added);
    clock.end('join');
  }

  /**
   * Applies sorted events to the last frame's pairs: adds the pairs that begin, and removes the pairs that
   * end. @throws Capacity, with nothing changed
   */
  apply(events: PairList): void {
    const last = this.#last;
    const former = this.#former;
    const { arena, pool } = this.#context;
    if (events.count > 0) {
      former.reserve(last.count + events.count, 0);
      const jobAt = this.#job.reserve(MergeEventsJob.size);
      setWords(arena.u32, jobAt, MergeEventsJob, {
        eventsAAt: events.aAt,
        eventsBAt: events.bAt,
        eventCount: events.count,
        toAAt: former.aAt,
        toBAt: former.bAt,
        ...last.pairs,
      });
      pool.kernels.mergeEvents(jobAt, 0, 1);
      former.count = arena.u32[(jobAt + MergeEventsJob.at.toCount) / 4];
      this.#swap();
    }
    this.#changes = events;
  }

  /**
   * Writes the pairs that began in the last frame, and the pairs that ended in it. The pairs of that frame and
   * of the frame before it must be sorted. Call it directly after the update, or not at all: the events may be
   * in memory that later searches overwrite.
   */
  writeChanges(began: PairTable, ended: PairTable): void {
    if (!this.#changes)
      return comparePairs(this.#view(this.#former), this.#view(this.#last), began, this.#persisted, ended);
    const { aAt, bAt, count } = this.#changes;
    const { u32 } = this.#context.arena;
    began.clear();
    ended.clear();
    for (let i = 0; i < count; i++) {
      const a = u32[aAt / 4 + i];
      const code = u32[bAt / 4 + i];
      (code & 1 ? ended : began).add(a, code >>> 1);
    }
  }

  dispose(): void {
    for (const resource of [
      this.#scanJob,
      this.#places,
      this.#job,
      this.#events,
      this.#joined,
      this.#last,
      this.#former,
    ])
      resource.dispose();
  }

  #swap(): void {
    [this.#last, this.#former] = [this.#former, this.#last];
  }

  // Finds the indices of the pairs with a moved box, in ascending order. @returns their number
  #findMovedPairs(movedAt: number): number {
    return retry(
      () => this.#scan(movedAt),
      () => {
        this.#scanJob.dispose();
        this.#places.dispose();
      },
    );
  }

  #scan(movedAt: number): number {
    const last = this.#last;
    const { arena, pool } = this.#context;
    const sliceCount = sliceCountOf(pool.threadCount, last.count, PAIRS_PER_SLICE);
    const jobAt = this.#scanJob.reserve(MovedPairsJob.size + 4 * sliceCount);
    const countsAt = jobAt + MovedPairsJob.size;
    const placesAt = this.#places.reserve(4 * last.count + SPARE);
    setWords(arena.u32, jobAt, MovedPairsJob, { movedAt, sliceCount, placesAt, countsAt, ...last.pairs });
    runStep(this.#context, 'listMovedPairs', jobAt, sliceCount);
    const { u32 } = arena;
    let sum = 0;
    for (let slice = 0; slice < sliceCount; slice++) {
      const from = placesAt / 4 + Math.floor((slice * last.count) / sliceCount);
      const count = u32[countsAt / 4 + slice];
      u32.copyWithin(placesAt / 4 + sum, from, from + count);
      sum += count;
    }
    return sum;
  }

  #eventsOf(placeCount: number, added: PairList): PairList {
    const last = this.#last;
    const events = this.#events;
    const { arena, pool } = this.#context;
    events.reserve(placeCount + added.count, 0);
    const jobAt = this.#job.reserve(PairEventsJob.size);
    setWords(arena.u32, jobAt, PairEventsJob, {
      aAt: last.aAt,
      bAt: last.bAt,
      placesAt: this.#places.at,
      placeCount,
      addedAAt: added.aAt,
      addedBAt: added.bAt,
      addedCount: added.count,
      eventsAAt: events.aAt,
      eventsBAt: events.bAt,
    });
    pool.kernels.findPairEvents(jobAt, 0, 1);
    return { ...events.pairs, count: arena.u32[(jobAt + PairEventsJob.at.eventCount) / 4] };
  }

  // Overwrites the former pairs of moved boxes with the added pairs. Afterwards, the list of pairs is not
  // sorted.
  #replaceMovedPairs(placeCount: number, added: readonly PairList[]): void {
    const last = this.#last;
    const joined = this.#joined;
    const { arena, pool } = this.#context;
    joined.take(added);
    const count = last.count - placeCount + joined.count;
    last.reserve(count, last.count);
    const jobAt = this.#job.reserve(ReplacePairsJob.size);
    setWords(arena.u32, jobAt, ReplacePairsJob, {
      placesAt: this.#places.at,
      placeCount,
      addedAAt: joined.aAt,
      addedBAt: joined.bAt,
      addedCount: joined.count,
      ...last.pairs,
    });
    pool.kernels.replacePairs(jobAt, 0, 1);
    last.count = count;
    this.isSorted = false;
  }

  #view({ aAt, bAt, count }: PairList): BodyPairs {
    const { u32 } = this.#context.arena;
    return { count, a: u32.subarray(aAt / 4, aAt / 4 + count), b: u32.subarray(bAt / 4, bAt / 4 + count) };
  }
}
