// Keeps the endpoints of all boxes (min and max coordinates) in one sorted list per axis. When two boxes
// begin or cease to overlap, some of their endpoints change places, so re-sorting the lists in every frame
// finds the pairs that begin and end (Avril, Gouranton and Arnaldi, section 3.1.1; I-COLLIDE).

import { boxLimits } from '../../records/boxLimits.js';
import { EndpointJob, EndpointList } from '../../records/incrementalLayout.js';
import { setWords } from '../../records/record.js';
import { BlockGroup } from '../../runtime/blockGroup.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { runStep } from '../../runtime/steps.js';
import { BOX_BYTES } from '../boxSet.js';
import type { PairList } from '../pairSort.js';
import type { TrackedBoxes } from './trackedBoxes.js';

const AXES = [0, 1, 2];
const ENDPOINT_BYTES = 8;
const VALUES_BYTES = 8;
const PASSED_BYTES = 8 * (boxLimits.MAX_PASSED + 1);
/** Space before a list for a sentinel: an insertion that has reached the start of the list stops there. */
const HEAD_BYTES = 64;
const SPARE = 64;

/**
 * Result of sorting one frame. events: the pairs that began or ended, one list per axis, in the format of
 * EndpointList. isAborted: whether there were too many swaps, so that the events are incomplete.
 */
export interface Sorted {
  events: PairList[];
  swaps: number;
  tests: number;
  isAborted: boolean;
}

interface Events {
  a: GrowableBlock;
  b: GrowableBlock;
  capacity: number;
}

export class EndpointLists {
  readonly #context: EngineContext;
  readonly #initialCapacity: number;
  readonly #job: GrowableBlock;
  readonly #lists: GrowableBlock;
  readonly #endpoints: GrowableBlock;
  readonly #former: GrowableBlock;
  readonly #events: Events[];

  constructor(context: EngineContext, initialCapacity: number) {
    const { arena } = context;
    this.#context = context;
    this.#initialCapacity = initialCapacity;
    this.#job = new GrowableBlock(arena);
    this.#lists = new GrowableBlock(arena);
    this.#endpoints = new GrowableBlock(arena);
    this.#former = new GrowableBlock(arena);
    this.#events = AXES.map(() => ({
      a: new GrowableBlock(arena),
      b: new GrowableBlock(arena),
      capacity: 0,
    }));
  }

  /**
   * Sorts all endpoints from scratch, then calls `storeFormerBounds`.
   * @throws WorkerLost or Capacity, after which the caller must dispose of these lists and start over
   */
  sortFromScratch(boxes: TrackedBoxes): void {
    const { arena } = this.#context;
    const { count } = boxes;
    const bytes = 2 * count * ENDPOINT_BYTES;
    const stride = HEAD_BYTES + PASSED_BYTES + bytes + count * VALUES_BYTES;
    const spareStride = bytes + boxLimits.SORT_BUCKETS * 4;
    const blocks = new BlockGroup(arena);
    try {
      const spareAt = blocks.take(AXES.length * spareStride);
      const endpointsAt = this.#endpoints.reserve(AXES.length * stride);
      const formerAt = this.#former.reserve(count * BOX_BYTES + SPARE);
      const listsAt = this.#lists.reserve(AXES.length * EndpointList.size);
      const jobAt = this.#job.reserve(EndpointJob.size);
      for (const axis of AXES) this.#reserveEvents(axis, this.#initialCapacity, 0);
      setWords(arena.u32, jobAt, EndpointJob, { boxesAt: boxes.at, formerAt, boxCount: count, listsAt });
      for (const axis of AXES) {
        const passedAt = endpointsAt + axis * stride;
        const at = passedAt + PASSED_BYTES + HEAD_BYTES;
        setWords(arena.u32, listsAt + axis * EndpointList.size, EndpointList, {
          at,
          spareAt: spareAt + axis * spareStride,
          valuesAt: at + bytes,
          passedAt,
        });
      }
      runStep(this.#context, 'listEndpoints', jobAt, AXES.length);
    } finally {
      blocks.releaseAll();
    }
    this.storeFormerBounds(boxes);
  }

  /**
   * Re-sorts the endpoints after boxes have moved. If an axis needs more than `maxSwaps` swaps, the sort is
   * aborted: `isAborted` of the result is true, and the next call must be `sortFromScratch`.
   * @throws WorkerLost or Capacity, as `sortFromScratch` does
   */
  sort(boxes: TrackedBoxes, maxSwaps: number): Sorted {
    const { arena } = this.#context;
    const jobAt = this.#job.at;
    setWords(arena.u32, jobAt, EndpointJob, { boxesAt: boxes.at, movedAt: boxes.movedAt });
    arena.f64[(jobAt + EndpointJob.at.maxSwaps) / 8] = maxSwaps;
    for (const axis of AXES) {
      const listAt = this.#listAt(axis);
      const at = this.#word(axis, 'at');
      const passedAt = this.#word(axis, 'passedAt');
      setWords(arena.u32, listAt, EndpointList, {
        next: at,
        hole: at,
        eventCount: 0,
        passedFrom: passedAt,
        passedEnd: passedAt,
      });
      for (const field of ['swaps', 'tests'] as const) arena.f64[(listAt + EndpointList.at[field]) / 8] = 0;
    }
    do runStep(this.#context, 'sortEndpoints', jobAt, AXES.length);
    while (!this.#isAborted && this.#growEvents());
    return {
      events: this.#events.map(({ a, b }, axis) => ({
        aAt: a.at,
        bAt: b.at,
        count: this.#word(axis, 'eventCount'),
      })),
      swaps: this.#sum('swaps'),
      tests: this.#sum('tests'),
      isAborted: this.#isAborted,
    };
  }

  /** Stores the boxes' current bounds as the former bounds for the next frame. */
  storeFormerBounds(boxes: TrackedBoxes): void {
    this.#context.arena.u8.copyWithin(this.#former.at, boxes.at, boxes.at + boxes.count * BOX_BYTES);
    boxes.endFrame();
  }

  dispose(): void {
    for (const buffer of [this.#job, this.#lists, this.#endpoints, this.#former]) buffer.dispose();
    for (const buffers of this.#events) {
      buffers.a.dispose();
      buffers.b.dispose();
      buffers.capacity = 0;
    }
  }

  get #isAborted(): boolean {
    return AXES.some(axis => this.#word(axis, 'state') === boxLimits.OVER);
  }

  // Returns whether an axis lacked capacity for an event. If so, its list of events has been enlarged, and
  // the sort can resume at that event.
  #growEvents(): boolean {
    const full = AXES.filter(axis => this.#word(axis, 'state') === boxLimits.FULL);
    for (const axis of full)
      this.#reserveEvents(axis, 2 * this.#events[axis].capacity + 16, this.#word(axis, 'eventCount'));
    return full.length > 0;
  }

  #reserveEvents(axis: number, capacity: number, kept: number): void {
    const buffers = this.#events[axis];
    const eventsAAt = buffers.a.growKeeping(4 * capacity, 4 * kept);
    const eventsBAt = buffers.b.growKeeping(4 * capacity, 4 * kept);
    buffers.capacity = Math.max(buffers.capacity, capacity);
    setWords(this.#context.arena.u32, this.#listAt(axis), EndpointList, {
      eventsAAt,
      eventsBAt,
      eventCapacity: buffers.capacity,
    });
  }

  #listAt(axis: number): number {
    return this.#lists.at + axis * EndpointList.size;
  }
  #word(axis: number, field: 'at' | 'passedAt' | 'state' | 'eventCount'): number {
    return this.#context.arena.u32[(this.#listAt(axis) + EndpointList.at[field]) / 4];
  }
  #sum(field: 'swaps' | 'tests'): number {
    const { f64 } = this.#context.arena;
    return AXES.reduce((sum, axis) => sum + f64[(this.#listAt(axis) + EndpointList.at[field]) / 8], 0);
  }
}
