// Finds overlapping boxes with a bounding volume hierarchy. This method suits boxes whose sizes or densities
// differ by orders of magnitude, for which no single width of slabs or cells is good. The hull of a node is
// the smallest box around all boxes below the node.

import type { StageClock } from '../core/stageClock.js';
import { BoxNode, BoxTreeJob } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import { type Columns, sortByDigits } from '../runtime/digitSort.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { BoxLists } from './boxLists.js';
import { BOXES_PER_SAMPLE, MAX_SAMPLES, sampleIndex } from './boxSample.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import type { SweepRange } from './slabSweep.js';

/** Bits per axis of a Morton code. */
const AXIS_BITS = 10;
/**
 * Each axis is divided into numbered cells, at most CELLS. A Morton code uses the highest AXIS_BITS bits of a
 * box's cell number on each axis. If many boxes share a Morton code, boxes are also sorted by the next
 * MAX_SHIFT bits of the cell numbers.
 */
const MAX_SHIFT = 2 * AXIS_BITS;
const CELLS = 2 ** (3 * AXIS_BITS);
/**
 * Maximum fraction of duplicates among the Morton codes of the sampled boxes: of n equal codes, n - 1 are
 * duplicates. If the fraction is larger, boxes are also sorted by the lower bits of their cell numbers.
 */
const MAX_DUPLICATE_FRACTION = 1 / 16;
/** A tree of fewer boxes than this is searched by one thread. */
const FEW_BOXES = 512;
/** A level of the tree with fewer nodes than this is filled or refitted by one thread. */
const FEW_NODES = 4096;
const SPARE = 64;
/** Number of leaf pairs that are collected before they are tested together. */
const LEAF_PAIRS = boxLimits.MAX_FOUND / 16;

interface Level {
  first: number;
  count: number;
}

export class BoxTree {
  readonly lists: BoxLists;
  /** Sum of the sizes of all hulls: a measure of the quality of the tree. */
  size = 0;
  /** Number of boxes in the leaves. */
  count = 0;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #job: GrowableBlock;
  readonly #columns: GrowableBlock;
  readonly #nodes: GrowableBlock;
  readonly #places: GrowableBlock;
  readonly #stacks: GrowableBlock;
  readonly #nodeMarks: GrowableBlock;
  readonly #moved: GrowableBlock;
  readonly #codes: GrowableBlock;
  readonly #isKept: boolean;
  #levels: Level[] = [];

  /**
   * use: 'once' for a tree that is searched once; 'kept' for a tree that is kept between frames and refitted
   * when boxes move.
   */
  constructor(context: EngineContext, clock: StageClock, use: 'once' | 'kept' = 'once') {
    this.#context = context;
    this.#clock = clock;
    this.#isKept = use === 'kept';
    const { arena } = context;
    this.lists = new BoxLists(context);
    const make = (): GrowableBlock => new GrowableBlock(arena);
    [
      this.#job,
      this.#columns,
      this.#nodes,
      this.#places,
      this.#stacks,
      this.#nodeMarks,
      this.#moved,
      this.#codes,
    ] = [make(), make(), make(), make(), make(), make(), make(), make()];
  }

  /**
   * Finds all pairs and leaves them in the lists. The parameters are those of SlabSweep.run.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this object and start over
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    this.build(boxes, stats, secondFrom, range);
    this.findPairs(capacity);
  }

  /** Sorts the boxes by Morton code and builds the leaves and the hulls. */
  build(boxes: BoxSet, stats: BoxStats, secondFrom: number, { first, last, passiveFrom }: SweepRange): void {
    const { arena, pool } = this.#context;
    this.count = last - first;
    this.#measureLevels();
    const sliceCount = boxes.slicesFor(this.count);
    const jobAt = this.#job.reserve(BoxTreeJob.size + 8 * pool.wantedThreads);
    const growthsAt = jobAt + BoxTreeJob.size;
    const nodesAt = this.#nodes.reserve(this.#nodeCount * BoxNode.size);
    const placesAt = this.#isKept ? this.#places.reserve(4 * last) : 0;
    this.#clearMarks();
    setWords(arena.u32, jobAt, BoxTreeJob, {
      boxesAt: boxes.at,
      first,
      last,
      sliceCount,
      secondFrom,
      passiveFrom,
      nodesAt,
      leafCount: this.#leafCount,
      placesAt,
      growthsAt,
      packTableAt: this.#context.packTableAt,
    });
    this.#sort(jobAt, stats, sliceCount);
    this.#clock.end('sort');
    this.pack(passiveFrom);
  }

  /**
   * Copies all boxes to the leaves again, in the order in which `build` sorted them, and refits all hulls.
   * passiveFrom: boxes from this index on are not tested against each other.
   */
  pack(passiveFrom: number): void {
    const sliceCount = this.#leafCount < FEW_NODES ? 1 : this.#context.pool.threadCount;
    setWords(this.#context.arena.u32, this.#job.at, BoxTreeJob, { sliceCount, passiveFrom });
    runStep(this.#context, 'packBoxes', this.#job.at, sliceCount);
    this.size = this.#refit(0);
    this.#clock.end('gather');
  }

  /**
   * Copies boxes to their leaves in a tree that is kept between frames, and marks these leaves and all nodes
   * above them. Call `refitMarked` afterwards to refit the hulls. ids: the boxes' indices. flags: 0, or PASSIVE
   * for boxes that are not tested against each other.
   */
  updateBoxes(ids: Uint32Array, flags: number): void {
    const { arena, pool } = this.#context;
    const { at: jobAt } = this.#job;
    const idsAt = this.#moved.reserve(4 * ids.length);
    arena.u32.set(ids, idsAt / 4);
    setWords(arena.u32, jobAt, BoxTreeJob, {
      movedIdsAt: idsAt,
      movedCount: ids.length,
      movedFlags: flags,
      touchedAt: this.#nodeMarks.at,
    });
    pool.kernels.updateTreeBoxes(jobAt, 0, 1);
  }

  /** Refits the hulls of the nodes above the boxes that `updateBoxes` copied. */
  refitMarked(): void {
    this.size += this.#refit(this.#nodeMarks.at);
    this.#clearMarks();
  }

  /**
   * Finds all pairs and leaves them in the lists. capacity: expected number of pairs, or 0 to only count the
   * pairs.
   */
  findPairs(capacity: number): void {
    const { arena, pool } = this.#context;
    const levels = this.#levels;
    const { at: jobAt } = this.#job;
    const threads = this.count < FEW_BOXES ? 1 : pool.threadCount;
    const taskLevel = Math.max(
      0,
      Math.min(
        levels.findIndex(({ count }) => count <= boxLimits.BOX_TASKS),
        levels.length - 2,
      ),
    );
    const { first: taskFirst, count: taskCount } = levels[taskLevel];
    // Each iteration of the traversal takes one pair of nodes from the stack, and pushes at most sixteen pairs
    // of nodes of the level below.
    const stackCapacity = Math.max(taskCount, LEAF_PAIRS) + 16 * (taskLevel + 1) + 8;
    const stacksAt = this.#stacks.reserve(16 * stackCapacity * threads);
    this.lists.prepare(threads, 1);
    this.lists.reserve(capacity);
    do {
      this.lists.reset();
      setWords(arena.u32, jobAt, BoxTreeJob, {
        listsAt: this.lists.at,
        cursor: 0,
        taskFirst,
        taskCount,
        taskHullsFirst: levels[taskLevel + 1].first,
        stacksAt,
        stackCapacity,
      });
      runStep(this.#context, 'traverseBoxTree', jobAt, threads);
    } while (capacity > 0 && this.lists.growOutput());
  }

  /** Number of tested copies of boxes. Other methods may make several copies of a box; a tree makes one. */
  get placeCount(): number {
    return this.count;
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [
      this.#job,
      this.#columns,
      this.#nodes,
      this.#places,
      this.#stacks,
      this.#nodeMarks,
      this.#moved,
      this.#codes,
    ])
      buffer.dispose();
  }

  get #leafCount(): number {
    return this.#levels[0].count;
  }

  get #nodeCount(): number {
    const top = this.#levels.at(-1)!;
    return top.first + top.count;
  }

  // Computes the number of nodes on each level. A parent has up to four children, and there is at least one
  // level above the leaves.
  #measureLevels(): void {
    this.#levels = [{ first: 0, count: Math.max(1, Math.ceil(this.count / 4)) }];
    do {
      const { first, count } = this.#levels.at(-1)!;
      this.#levels.push({ first: first + count, count: Math.ceil(count / 4) });
    } while (this.#levels.at(-1)!.count > 1);
  }

  #sort(jobAt: number, { low, high }: BoxStats, sliceCount: number): void {
    const { count } = this;
    const { arena } = this.#context;
    const bytes = 4 * Math.max(16, count);
    const columnsAt = this.#columns.reserve(4 * bytes + SPARE);
    const range = Math.max(0, ...low.map((min, axis) => high[axis] - min));
    for (let axis = 0; axis < 3; axis++) arena.f64[(jobAt + BoxTreeJob.at.origin) / 8 + axis] = 2 * low[axis];
    arena.f64[(jobAt + BoxTreeJob.at.scale) / 8] = range > 0 ? (CELLS - 1) / (2 * range) : 0;
    let from: Columns = [columnsAt, columnsAt + bytes];
    let to: Columns = [columnsAt + 2 * bytes, columnsAt + 3 * bytes];
    const minShift = this.#isCrowded(jobAt) ? 0 : MAX_SHIFT;
    const codesAt = minShift === 0 ? this.#codes.reserve(2 * bytes) : 0;
    for (let shift = minShift; shift <= MAX_SHIFT; shift += AXIS_BITS) {
      setWords(arena.u32, jobAt, BoxTreeJob, { shift, keysAt: from[0], idsAt: from[1], codesAt });
      runStep(this.#context, shift === minShift ? 'computeBoxCodes' : 'writeNextCodes', jobAt, sliceCount);
      const sorted = sortByDigits(this.#context, from, to, count, 3 * AXIS_BITS, sliceCount);
      if (sorted[0] !== from[0]) [from, to] = [to, from];
    }
    setWords(arena.u32, jobAt, BoxTreeJob, { keysAt: from[0], idsAt: from[1] });
  }

  // Returns whether many boxes of a sample share the highest bits of their cell numbers.
  #isCrowded(jobAt: number): boolean {
    const { count } = this;
    const {
      arena: { u32, f32, f64 },
    } = this.#context;
    const boxes = u32[(jobAt + BoxTreeJob.at.boxesAt) / 4] / 4 + 6 * u32[(jobAt + BoxTreeJob.at.first) / 4];
    const origin = (jobAt + BoxTreeJob.at.origin) / 8;
    const scale = f64[(jobAt + BoxTreeJob.at.scale) / 8] / 2 ** MAX_SHIFT;
    const size = Math.min(MAX_SAMPLES, Math.ceil(count / BOXES_PER_SAMPLE));
    const cells = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const box = boxes + 6 * sampleIndex(i, count);
      for (let axis = 0; axis < 3; axis++)
        cells[i] =
          cells[i] * 2 ** AXIS_BITS +
          Math.floor((f32[box + axis] + f32[box + axis + 3] - f64[origin + axis]) * scale);
    }
    cells.sort();
    let equal = 0;
    for (let i = 1; i < size; i++) if (cells[i] === cells[i - 1]) equal++;
    return equal > MAX_DUPLICATE_FRACTION * size;
  }

  // Refits hulls level by level. touchedAt: address of the marks of the nodes to refit, or 0 to refit all.
  // @returns the total growth of the marked hulls or, if all hulls are refitted, the sum of the sizes of all
  // hulls
  #refit(touchedAt: number): number {
    const { arena, pool } = this.#context;
    const levels = this.#levels;
    const { at: jobAt } = this.#job;
    const growthsAt = arena.u32[(jobAt + BoxTreeJob.at.growthsAt) / 4];
    arena.f64.fill(0, growthsAt / 8, growthsAt / 8 + pool.wantedThreads);
    for (let i = 1; i < levels.length; i++) {
      const below = levels[i - 1];
      const level = levels[i];
      const sliceCount = touchedAt > 0 || level.count < FEW_NODES ? 1 : pool.threadCount;
      setWords(arena.u32, jobAt, BoxTreeJob, {
        sliceCount,
        touchedAt,
        levelFirst: level.first,
        levelCount: level.count,
        belowFirst: below.first,
        belowCount: below.count,
      });
      runStep(this.#context, 'refitBoxNodes', jobAt, sliceCount);
    }
    return arena.f64
      .subarray(growthsAt / 8, growthsAt / 8 + pool.wantedThreads)
      .reduce((sum, growth) => sum + growth, 0);
  }

  #clearMarks(): void {
    if (!this.#isKept) return;
    const at = this.#nodeMarks.reserve(this.#nodeCount);
    this.#context.arena.u8.fill(0, at, at + this.#nodeCount);
  }
}
