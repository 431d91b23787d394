// Computes box-pair tasks on a node's engine: sorts the octants of boxes, merges lists of octants, and finds
// the pairs of all boxes or of a range of octant codes. Sends no messages.

import { type BoxBounds, BoxSet, nonFiniteError } from '../../broadphase/boxSet.js';
import type { SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { LinearOctree } from '../../broadphase/octree/octree.js';
import { mergeAllRuns } from '../../broadphase/runMerge.js';
import type { EngineHost } from '../../core/module.js';
import { StageClock } from '../../core/stageClock.js';
import type { BoxPairsStage } from '../../core/stats.js';
import type { Engine } from '../../engine/engine.js';
import { limits } from '../../records/layout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { RetryingScratch } from '../../runtime/retry.js';
import { pick } from '../pick.js';
import type { BoxesWithIds } from './boxBytes.js';
import type { KeyedList } from './listEncoding.js';
import { type Grid, PairScan } from './pairScan.js';
import { RangeState, type RangeStateOptions } from './rangeState.js';
import { ancestorsBefore, lowerBoundOf, type OctantPosition, type OctantRange } from './ranges.js';

export interface RangePairs {
  lists: SortedPairs[];
  tests: number;
}

const makeSystems = (context: EngineContext, clock: StageClock) => {
  const octree = new LinearOctree(context, clock);
  const boxes = new BoxSet(context);
  const make = () => new GrowableBlock(context.arena);
  return {
    octree,
    boxes,
    scan: new PairScan(context, octree, boxes),
    keys: make(),
    ids: make(),
    toKeys: make(),
    toIds: make(),
  };
};

/** Makes the computation that all tasks of a node share. */
export const makeComputation = (engine: Engine): OctreeComputation => new OctreeComputation(engine);

export class OctreeComputation {
  /** The times of the stages of the last computation. */
  readonly clock: StageClock<BoxPairsStage | 'merge'> = new StageClock();
  private readonly host: EngineHost;
  private readonly scratch: RetryingScratch<ReturnType<typeof makeSystems>>;

  constructor(engine: Engine) {
    this.host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());
    this.scratch = new RetryingScratch(() => makeSystems(this.host.context, this.clock));
  }

  /** Returns how many boxes are not empty, and their bounds. @throws InvalidBoxes, Capacity */
  statistics(boxes: Float32Array): BoxBounds {
    return this.run(({ boxes: set }) => pick(set.take(boxes), ['count', 'low', 'high']));
  }

  /** Returns the sorted octants of boxes on a grid; ids count from `firstId`. @throws Capacity */
  listOctants(boxes: Float32Array, grid: Grid, firstId: number): KeyedList {
    return this.run(({ boxes: set, octree }) => {
      set.take(boxes);
      this.clock.end('statistics');
      octree.setBoxes(set, grid, limits.NOTHING, { first: 0, last: set.count, passiveFrom: set.count });
      const { keysAt, idsAt, octantCount } = octree.list();
      const { u32 } = this.host.context.arena;
      const ids = u32.slice(idsAt / 4, idsAt / 4 + octantCount);
      if (firstId > 0) for (let i = 0; i < octantCount; i++) ids[i] = ids[i] + firstId;
      return { keys: u32.slice(keysAt / 4, keysAt / 4 + octantCount), ids };
    });
  }

  /** Merges sorted lists two by two. Of equal keys, those of the earlier list come first. @throws Capacity */
  merge(lists: readonly KeyedList[]): KeyedList {
    if (lists.length === 1) return lists[0];
    return this.run(systems => {
      const [keysAt, idsAt, count] = this.mergeInEngine(systems, lists);
      const { u32 } = this.host.context.arena;
      return {
        keys: u32.slice(keysAt / 4, keysAt / 4 + count),
        ids: u32.slice(idsAt / 4, idsAt / 4 + count),
      };
    });
  }

  /** Finds all pairs, given all boxes and sorted lists of their octants. @throws Capacity */
  findAllPairs(boxes: readonly Float32Array[], lists: readonly KeyedList[], grid: Grid): RangePairs {
    return this.run(systems => {
      let first = 0;
      const ids = boxes.map(({ length }) => Uint32Array.from({ length: length / 6 }, () => first++));
      const count = systems.scan.loadBoxes(boxes, ids);
      this.clock.end('statistics');
      const [keysAt, idsAt, octantCount] = this.mergeInEngine(systems, lists);
      systems.scan.tests = 0;
      const found = systems.scan.find({ keysAt, idsAt, octantCount }, 0, octantCount, count, grid, count);
      this.clock.end('search');
      return { lists: found, tests: systems.scan.tests };
    });
  }

  /**
   * Finds the pairs of a range. Each pair is found from two octants, one of each box, and belongs to the range
   * that contains the later of these octants. subsets: all boxes that have an octant in the range, or an
   * earlier octant that reaches into the range. idLimit: all box ids must be less than this. @throws Capacity
   */
  findRangePairs(
    subsets: readonly BoxesWithIds[],
    { from, to }: OctantRange,
    grid: Grid,
    idLimit: number,
  ): RangePairs {
    return this.run(({ scan, octree }) => {
      const count = scan.loadBoxes(
        subsets.map(({ boxes }) => boxes),
        subsets.map(({ ids }) => ids),
      );
      scan.placeOnGrid(grid, count);
      this.clock.end('statistics');
      const octants = octree.list();
      const { u32 } = this.host.context.arena;
      const { keysAt, idsAt, octantCount } = octants;
      const list = {
        keys: u32.subarray(keysAt / 4, keysAt / 4 + octantCount),
        ids: u32.subarray(idsAt / 4, idsAt / 4 + octantCount),
      };
      const start = borderOf(list, from, scan.idOf);
      const end = borderOf(list, to, scan.idOf);
      scan.tests = 0;
      const found = scan.find(octants, start, Math.max(start, end), count, grid, idLimit);
      this.clock.end('search');
      return { lists: found, tests: scan.tests };
    });
  }

  /** Makes the state of a range that is kept between frames. The caller disposes of it. */
  makeRangeState(options: RangeStateOptions): RangeState {
    return new RangeState(this.host, options);
  }

  dispose(): void {
    this.scratch.dispose();
  }

  // Copies lists into engine memory and merges them.
  private mergeInEngine(
    { keys, ids, toKeys, toIds }: ReturnType<typeof makeSystems>,
    lists: readonly KeyedList[],
  ): [keysAt: number, idsAt: number, count: number] {
    const { context } = this.host;
    const { arena, pool } = context;
    const count = lists.reduce((sum, list) => sum + list.keys.length, 0);
    const bytes = 4 * count + 64;
    for (const buffer of [keys, ids, toKeys, toIds]) buffer.reserve(bytes);
    const borders = [0];
    for (const list of lists) {
      arena.u32.set(list.keys, keys.at / 4 + borders.at(-1)!);
      arena.u32.set(list.ids, ids.at / 4 + borders.at(-1)!);
      borders.push(borders.at(-1)! + list.keys.length);
    }
    const [keysAt, idsAt] = mergeAllRuns(
      context,
      [keys.at, ids.at],
      [toKeys.at, toIds.at],
      borders,
      pool.threadCount,
    );
    this.clock.end('merge');
    return [keysAt, idsAt, count];
  }

  private run<Result>(step: (systems: ReturnType<typeof makeSystems>) => Result): Result {
    this.host.beginCall();
    this.clock.start();
    return this.scratch.run(step);
  }
}

// Returns the index in the list at which a range begins or ends. A range may begin between two octants with
// equal keys. Octants with equal keys are still in the order in which their boxes were loaded. So this function
// first sorts all octants that have the key of `position`, in place, by the ids of their boxes.
function borderOf(list: KeyedList, position: OctantPosition, idOf: (id: number) => number): number {
  const first = lowerBoundOf(list, { key: position.key, id: 0 }, idOf);
  let end = first;
  while (list.keys[end] === position.key) end++;
  list.ids.set(
    list.ids.slice(first, end).sort((p, q) => idOf(p) - idOf(q)),
    first,
  );
  return lowerBoundOf(list, position, idOf, first, end);
}

/**
 * Returns the boxes of a subset that have an octant in a range, or an earlier octant that reaches into the
 * range. Each box is returned once, roughly in the order of octant codes. list: the octants of the subset, with
 * ids that count from `firstId`. marks: one byte per box; boxes whose byte is not 0 are skipped, and the
 * bytes of returned boxes are set to 1.
 */
export function boxesOfRange(
  list: KeyedList,
  boxes: Float32Array,
  firstId: number,
  { from, to }: OctantRange,
  marks: Uint8Array,
): BoxesWithIds {
  const { ids } = list;
  const start = lowerBoundOf(list, from);
  const end = Math.max(start, lowerBoundOf(list, to));
  const own = new Int32Array(marks.length);
  let count = 0;
  for (const i of ancestorsBefore(list, from.key, start)) {
    const id = ids[i] - firstId;
    if (marks[id] === 0) own[count++] = id;
    marks[id] = 1;
  }
  for (let i = start; i < end; i++) {
    const id = ids[i] - firstId;
    if (marks[id] !== 0) continue;
    marks[id] = 1;
    own[count++] = id;
  }
  return { ids: numbered(own, count, firstId), boxes: copyBoxes(boxes, own, count) };
}

function numbered(ids: Int32Array, count: number, firstId: number): Uint32Array {
  const allIds = new Uint32Array(count);
  for (let i = 0; i < count; i++) allIds[i] = ids[i] + firstId;
  return allIds;
}

// Copies boxes as six integer words each, so that all bit patterns survive.
function copyBoxes(boxes: Float32Array, ids: Int32Array, count: number): Float32Array {
  const from = new Int32Array(boxes.buffer, boxes.byteOffset, boxes.length);
  const to = new Int32Array(6 * count);
  for (let i = 0, at = 0; i < count; i++, at += 6) {
    const box = 6 * ids[i];
    to[at] = from[box];
    to[at + 1] = from[box + 1];
    to[at + 2] = from[box + 2];
    to[at + 3] = from[box + 3];
    to[at + 4] = from[box + 4];
    to[at + 5] = from[box + 5];
  }
  return new Float32Array(to.buffer);
}

/**
 * Returns the error that the engine reports for the first value that is NaN, or that is infinite in a box that
 * is not empty; undefined if there is no such value.
 */
export function firstNonFiniteError(boxes: Float32Array): Error | undefined {
  for (let at = 0; at < boxes.length; at += 6) {
    const isEmpty =
      boxes[at] > boxes[at + 3] || boxes[at + 1] > boxes[at + 4] || boxes[at + 2] > boxes[at + 5];
    for (let k = 0; k < 6; k++) {
      const value = boxes[at + k];
      if (Number.isNaN(value) || (!isEmpty && !Number.isFinite(value)))
        return nonFiniteError('boxes', at + k, value);
    }
  }
  return undefined;
}
