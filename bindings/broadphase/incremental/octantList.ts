// Keeps a sorted list of the octants (octree cells) that boxes overlap. The list is either made and sorted
// from scratch, or updated from the last frame: if the octants of a box have changed, its former octants are
// removed, and its new octants are merged in (Lucchesi, section 6.2, item 4).

import { prefixSums } from '../../core/prefixSums.js';
import type { StageClock } from '../../core/stageClock.js';
import { boxLimits } from '../../records/boxLimits.js';
import { OctantCounts, OctreeJob } from '../../records/octreeLayout.js';
import { setWords } from '../../records/record.js';
import { type Columns, sortByDigits } from '../../runtime/digitSort.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { sliceCountOf } from '../../runtime/sliceCount.js';
import { runStep } from '../../runtime/steps.js';
import { type MergeOf, mergeRuns, sortByMerging } from '../runMerge.js';

const KEY_BITS = 3 * boxLimits.OCTREE_LEVELS + boxLimits.LEVEL_BITS;
/**
 * Minimum number of octants per thread. With fewer, handing work to the thread takes longer than it saves.
 */
const OCTANTS_PER_SLICE = 8192;

/** Addresses of sorted octants: keys, and the ids of their boxes. */
export interface Octants {
  keysAt: number;
  idsAt: number;
  octantCount: number;
}

export class OctantList {
  /** Number of octants of all boxes. */
  count = 0;
  /** Number of octants that the last `update` removed, plus the number of octants that it inserted. */
  changed = 0;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #counts: GrowableBlock;
  readonly #octants: GrowableBlock;
  readonly #marks: GrowableBlock;
  #keys: GrowableBlock;
  #ids: GrowableBlock;
  #toKeys: GrowableBlock;
  #toIds: GrowableBlock;
  #sliceCount = 1;

  constructor(context: EngineContext, clock: StageClock) {
    const { arena } = context;
    this.#context = context;
    this.#clock = clock;
    this.#counts = new GrowableBlock(arena);
    this.#octants = new GrowableBlock(arena);
    this.#marks = new GrowableBlock(arena);
    this.#keys = new GrowableBlock(arena);
    this.#ids = new GrowableBlock(arena);
    this.#toKeys = new GrowableBlock(arena);
    this.#toIds = new GrowableBlock(arena);
  }

  /** All octants, sorted. */
  get all(): Octants {
    return { keysAt: this.#keys.at, idsAt: this.#ids.at, octantCount: this.count };
  }

  /**
   * Lists and sorts the octants of the job's boxes from scratch. jobAt: an OctreeJob. last: the end of the
   * job's range of boxes.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this list
   */
  list(jobAt: number, last: number, sliceCount: number): void {
    this.#sliceCount = sliceCount;
    const countsAt = this.#counts.reserve(sliceCount * OctantCounts.size + 16);
    const octantsAt = this.#octants.reserve(8 * last + 8);
    setWords(this.#context.arena.u32, jobAt, OctreeJob, { countsAt, octantsAt, movedAt: 0 });
    runStep(this.#context, 'countOctants', jobAt, sliceCount);
    this.#sortAll(jobAt);
  }

  /**
   * Updates the octants after boxes have moved on the same grid. If the octants of a box have changed, its
   * former octants are removed, and its new octants are merged in. If the number of removed octants plus the
   * number of inserted octants is more than `maxChanged` times the number of all octants, all octants are
   * sorted from scratch instead.
   * @returns 'merged' or 'sorted', whichever was done
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this list
   */
  update(jobAt: number, last: number, movedAt: number, maxChanged: number): 'merged' | 'sorted' {
    const context = this.#context;
    const sliceCount = this.#sliceCount;
    const { arena } = context;
    const changedAt = this.#marks.reserve(last + 8);
    setWords(arena.u32, jobAt, OctreeJob, { movedAt, changedAt });
    runStep(context, 'countOctants', jobAt, sliceCount);
    const insertedCount = this.#sum('now');
    this.changed = insertedCount + this.#total('before');
    if (this.changed > maxChanged * this.count) {
      this.#sortAll(jobAt);
      return 'sorted';
    }
    if (this.changed > 0) this.#merge(jobAt, insertedCount);
    return 'merged';
  }

  /**
   * Returns the octants that contain an octant of a moved box or lie in an octant of a moved box. @throws
   * WorkerLost, Capacity, as `list` does
   */
  select(jobAt: number): Octants {
    const context = this.#context;
    const sliceCount = this.#sliceCount;
    const keysAt = this.#toKeys.growKeeping(4 * this.count + 16, 0);
    const idsAt = this.#toIds.growKeeping(4 * this.count + 16, 0);
    setWords(context.arena.u32, jobAt, OctreeJob, { toKeysAt: keysAt, toIdsAt: idsAt, ...this.all });
    runStep(context, 'findMovedOctants', jobAt, sliceCount);
    runStep(context, 'selectOctants', jobAt, sliceCount);
    const { u32 } = context.arena;
    let octantCount = 0;
    for (let slice = 0; slice < sliceCount; slice++) {
      const first = this.#firstOf(slice);
      const end = first + this.#read(slice, 'selected');
      for (const at of [keysAt, idsAt]) u32.copyWithin(at / 4 + octantCount, at / 4 + first, at / 4 + end);
      octantCount += end - first;
    }
    return { keysAt, idsAt, octantCount };
  }

  dispose(): void {
    for (const buffer of [
      this.#counts,
      this.#octants,
      this.#marks,
      this.#keys,
      this.#ids,
      this.#toKeys,
      this.#toIds,
    ])
      buffer.dispose();
    this.count = 0;
  }

  #sortAll(jobAt: number): void {
    const context = this.#context;
    const sliceCount = this.#sliceCount;
    this.count = this.#sum('all');
    this.#reserve(this.count, 0);
    setWords(context.arena.u32, jobAt, OctreeJob, {
      changedAt: 0,
      toKeysAt: this.#keys.at,
      toIdsAt: this.#ids.at,
    });
    runStep(context, 'writeOctants', jobAt, sliceCount);
    this.#clock.end('codes');
    const [keysAt] = sortByDigits(context, this.#columns, this.#spare, this.count, KEY_BITS, sliceCount);
    if (keysAt !== this.#keys.at) this.#swap();
    this.#clock.end('sort');
  }

  // Stores the new octants of the changed boxes, sorted, after all other octants. Then merges these new
  // octants with the unchanged octants of each slice. insertedCount: number of new octants.
  #merge(jobAt: number, insertedCount: number): void {
    const { count } = this;
    const context = this.#context;
    const sliceCount = this.#sliceCount;
    this.#reserve(count + insertedCount, count);
    const { arena } = context;
    const [keysAt, idsAt] = this.#columns;
    const [spareKeysAt, spareIdsAt] = this.#spare;
    const added: Columns = [keysAt + 4 * count, idsAt + 4 * count];
    setWords(arena.u32, jobAt, OctreeJob, { toKeysAt: added[0], toIdsAt: added[1], ...this.all });
    runStep(context, 'writeOctants', jobAt, sliceCount);
    this.#clock.end('codes');
    const slices = sliceCountOf(sliceCount, insertedCount, OCTANTS_PER_SLICE);
    const sorted = sortByMerging(
      context,
      added,
      [spareKeysAt + 4 * count, spareIdsAt + 4 * count],
      insertedCount,
      slices,
    );
    if (sorted[0] !== added[0])
      sorted.forEach((at, i) => arena.u32.copyWithin(added[i] / 4, at / 4, at / 4 + insertedCount));
    runStep(context, 'removeChangedOctants', jobAt, sliceCount);
    const merges = this.#mergesOf(keysAt / 4, insertedCount);
    mergeRuns(context, this.#columns, this.#spare, merges, sliceCount);
    this.count += insertedCount - this.#total('before');
    this.#swap();
    this.#clock.end('sort');
  }

  // Returns one merge per slice. The merge of a slice combines its unchanged octants with added octants: all
  // that are in no earlier merge and whose keys are at most the slice's last unchanged key. The last merge gets
  // all remaining added octants.
  #mergesOf(keys: number, insertedCount: number): MergeOf[] {
    const { count } = this;
    const sliceCount = this.#sliceCount;
    const {
      arena: { u32 },
    } = this.#context;
    let to = 0;
    let firstB = count;
    return Array.from({ length: sliceCount }, (_, slice) => {
      const firstA = this.#firstOf(slice);
      const endA = firstA + this.#read(slice, 'kept');
      const isLast = slice === sliceCount - 1;
      let endB = firstB;
      // Binary search for the first added key above the slice's last unchanged key.
      for (let high = count + insertedCount; endB < high; ) {
        const middle = (endB + high) >>> 1;
        if (isLast || (endA > firstA && u32[keys + middle] <= u32[keys + endA - 1])) endB = middle + 1;
        else high = middle;
      }
      const merge = { firstA, endA, firstB, endB, to };
      to += endA - firstA + endB - firstB;
      firstB = endB;
      return merge;
    });
  }

  get #columns(): Columns {
    return [this.#keys.at, this.#ids.at];
  }
  get #spare(): Columns {
    return [this.#toKeys.at, this.#toIds.at];
  }

  #swap(): void {
    [this.#keys, this.#toKeys] = [this.#toKeys, this.#keys];
    [this.#ids, this.#toIds] = [this.#toIds, this.#ids];
  }

  #reserve(count: number, kept: number): void {
    const bytes = 4 * count + 64;
    const grownBytes = kept > 0 ? bytes + (bytes >>> 3) : bytes;
    for (const buffer of [this.#keys, this.#ids])
      if (this.#context.arena.sizeOf(buffer.at) < bytes) buffer.replace(grownBytes, 4 * kept);
    for (const buffer of [this.#toKeys, this.#toIds])
      if (this.#context.arena.sizeOf(buffer.at) < bytes) buffer.replace(grownBytes, 0);
  }

  #firstOf(slice: number): number {
    return Math.floor((slice * this.count) / this.#sliceCount);
  }

  #read(slice: number, field: keyof typeof OctantCounts.at): number {
    return this.#context.arena.u32[
      (this.#counts.at + slice * OctantCounts.size + OctantCounts.at[field]) / 4
    ];
  }

  #total(field: keyof typeof OctantCounts.at): number {
    let total = 0;
    for (let slice = 0; slice < this.#sliceCount; slice++) total += this.#read(slice, field);
    return total;
  }

  // Replaces the slices' counts by their prefix sums. @returns the total
  #sum(field: keyof typeof OctantCounts.at): number {
    const counts = this.#counts;
    const sliceCount = this.#sliceCount;
    const { arena } = this.#context;
    return prefixSums(
      arena.u32,
      (counts.at + OctantCounts.at[field]) / 4,
      sliceCount,
      OctantCounts.size / 4,
      1,
      (counts.at + sliceCount * OctantCounts.size) / 4,
    ).sum;
  }
}
