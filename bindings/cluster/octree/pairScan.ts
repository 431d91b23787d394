// Finds pairs of overlapping boxes with a linear octree: a sorted list of octants (octree cells), each with a
// box that overlaps it. Each pair is found from two octants, one of each box. A search covers a range of the
// list and finds the pairs whose later octant lies in the range. The earlier octant may lie before the range.
// Such an octant contains the first octant of the range, and its box takes part in the search as a passive box.
// Passive boxes are not tested against each other.

import { BOX_BYTES, type BoxBounds, type BoxSet } from '../../broadphase/boxSet.js';
import type { SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import type { Octants } from '../../broadphase/incremental/octantList.js';
import type { LinearOctree } from '../../broadphase/octree/octree.js';
import { PairSort } from '../../broadphase/pairSort.js';
import { MapPairIdsJob } from '../../records/incrementalLayout.js';
import { limits } from '../../records/layout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import type { BoxesWithIds } from './boxBytes.js';
import { ancestorsBefore } from './ranges.js';

/**
 * The maximum number of pairs in engine memory at a time. A range with more pairs is split, unless it has
 * only one octant.
 */
const MAX_PAIRS = 2 ** 23;
const MIN_CAPACITY = 2 ** 12;

export type Grid = Pick<BoxBounds, 'low' | 'high'>;

export class PairScan {
  /** Number of box pairs tested since the caller last set this field to 0. */
  tests = 0;
  private readonly context: EngineContext;
  private readonly octree: LinearOctree;
  private readonly boxes: BoxSet;
  private readonly sorter: PairSort;
  private readonly table: GrowableBlock;
  private readonly ids: GrowableBlock;
  private readonly renamed: GrowableBlock;

  constructor(context: EngineContext, octree: LinearOctree, boxes: BoxSet) {
    this.context = context;
    this.octree = octree;
    this.boxes = boxes;
    this.sorter = new PairSort(context);
    this.table = new GrowableBlock(context.arena);
    this.ids = new GrowableBlock(context.arena);
    this.renamed = new GrowableBlock(context.arena);
  }

  /**
   * Copies boxes and their numbers into engine memory. Other methods refer to a loaded box by its index.
   * @returns the number of boxes. @throws InvalidBoxes, WorkerLost, Capacity
   */
  loadBoxes(boxes: readonly Float32Array[], ids: readonly Uint32Array[]): number {
    const count = ids.reduce((sum, { length }) => sum + length, 0);
    const { arena } = this.context;
    const at = this.table.reserve(count * BOX_BYTES + 64) / 4;
    const idsAt = this.ids.reserve(4 * count + 64) / 4;
    let first = 0;
    for (const [i, own] of ids.entries()) {
      arena.f32.set(boxes[i], at + 6 * first);
      arena.u32.set(own, idsAt + first);
      first += own.length;
    }
    this.boxes.adopt(this.table.at, count);
    return count;
  }

  /** Overwrites some loaded boxes, and their numbers if `ids` is passed. own: the indices of these boxes. */
  setBoxes(own: Uint32Array, boxes: Float32Array, ids?: Uint32Array): void {
    const { f32, u32 } = this.context.arena;
    const table = this.table.at / 4;
    for (let i = 0; i < own.length; i++)
      for (let k = 0; k < 6; k++) f32[table + 6 * own[i] + k] = boxes[6 * i + k];
    if (ids) for (let i = 0; i < own.length; i++) u32[this.ids.at / 4 + own[i]] = ids[i];
  }

  /** Returns copies of some loaded boxes and of their numbers. own: the indices of these boxes. */
  copyOf(own: Uint32Array): BoxesWithIds {
    const { f32, u32 } = this.context.arena;
    const ids = own.map(id => u32[this.ids.at / 4 + id]);
    const boxes = new Float32Array(6 * own.length);
    for (let i = 0; i < own.length; i++) {
      const at = this.table.at / 4 + 6 * own[i];
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = f32[at + k];
    }
    return { ids, boxes };
  }

  /** Places the first `count` loaded boxes on a grid. */
  placeOnGrid(grid: Grid, count: number): void {
    this.octree.setBoxes(this.at, grid, limits.NOTHING, { first: 0, last: count, passiveFrom: count });
  }

  /** Returns the number of the loaded box with the index `own`. */
  idOf = (own: number): number => this.context.arena.u32[this.ids.at / 4 + own];

  /**
   * Finds the pairs whose later octant has an index i with start <= i < end. count: the number of loaded
   * boxes. idLimit: all box numbers are less than this. @returns sorted lists that have no pair in common.
   * @throws WorkerLost, Capacity
   */
  find(
    octants: Octants,
    start: number,
    end: number,
    count: number,
    grid: Grid,
    idLimit: number,
  ): SortedPairs[] {
    if (start === end) return [];
    const found = this.search(octants, start, end, count, grid, Math.max(MIN_CAPACITY, count));
    if (found <= MAX_PAIRS || end - start === 1) {
      this.tests += this.octree.lists.sum('tests');
      return [this.sorted(idLimit)];
    }
    const middle = (start + end) >>> 1;
    return [
      ...this.find(octants, start, middle, count, grid, idLimit),
      ...this.find(octants, middle, end, count, grid, idLimit),
    ];
  }

  dispose(): void {
    for (const resource of [this.sorter, this.table, this.ids, this.renamed]) resource.dispose();
  }

  private get at() {
    return { at: this.table.at, slicesFor: (count: number) => this.boxes.slicesFor(count) };
  }

  // Searches a range with its passive boxes, and returns the number of pairs found. Passive boxes are copies,
  // stored after the loaded boxes. The original of a copy may also have an octant in the range, and is not
  // passive there. During the search, the octants of the copies overwrite the octants just before the range.
  private search(
    octants: Octants,
    start: number,
    end: number,
    count: number,
    grid: Grid,
    capacity: number,
  ): number {
    const { arena } = this.context;
    const { keysAt, idsAt } = octants;
    const key = arena.u32[keysAt / 4 + start];
    const passive = ancestorsBefore({ keys: arena.u32.subarray(keysAt / 4, keysAt / 4 + start) }, key, start);
    const first = start - passive.length;
    const table = this.table.growKeeping((count + passive.length) * BOX_BYTES + 64, count * BOX_BYTES) / 4;
    const ids = this.ids.growKeeping(4 * (count + passive.length) + 64, 4 * count) / 4;
    const { u32 } = arena;
    const before = [keysAt, idsAt].map(at => u32.slice(at / 4 + first, at / 4 + start));
    const copied = passive.map(i => [u32[keysAt / 4 + i], u32[idsAt / 4 + i]] as const);
    for (const [i, [copiedKey, id]] of copied.entries()) {
      u32.copyWithin(table + 6 * (count + i), table + 6 * id, table + 6 * id + 6);
      u32[ids + count + i] = u32[ids + id];
      u32[keysAt / 4 + first + i] = copiedKey;
      u32[idsAt / 4 + first + i] = count + i;
    }
    try {
      this.octree.setBoxes(this.at, grid, limits.NOTHING, {
        first: 0,
        last: count + passive.length,
        passiveFrom: count,
      });
      this.octree.search(
        { keysAt: keysAt + 4 * first, idsAt: idsAt + 4 * first, octantCount: end - first },
        capacity,
        end - start === 1 ? Infinity : MAX_PAIRS,
      );
    } finally {
      [keysAt, idsAt].forEach((at, i) => arena.u32.set(before[i], at / 4 + first));
    }
    return this.octree.lists.sum('found');
  }

  private sorted(idLimit: number): SortedPairs {
    const { arena, pool } = this.context;
    const { count, aAt, bAt } = this.octree.lists.pairs;
    const listBytes = 4 * count + 64;
    const jobAt = this.renamed.reserve(MapPairIdsJob.size + 2 * listBytes);
    const toAAt = jobAt + MapPairIdsJob.size;
    const toBAt = toAAt + listBytes;
    setWords(arena.u32, jobAt, MapPairIdsJob, { aAt, bAt, count, idsAt: this.ids.at, toAAt, toBAt });
    pool.kernels.mapPairIds(jobAt, 0, 1);
    const list = this.sorter.sort([{ aAt: toAAt, bAt: toBAt, count }], idLimit, idLimit);
    const { u32 } = arena;
    return {
      a: u32.slice(list.aAt / 4, list.aAt / 4 + count),
      b: u32.slice(list.bAt / 4, list.bAt / 4 + count),
    };
  }
}
