// Finds overlapping boxes with a parallel linear octree (Lucchesi 2002): a sorted list of the octants that
// the boxes overlap. The octants are listed from scratch, or kept from frame to frame and updated.

import type { StageClock } from '../../core/stageClock.js';
import { boxLimits } from '../../records/boxLimits.js';
import { OctantBlock, OctreeJob } from '../../records/octreeLayout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { runStep } from '../../runtime/steps.js';
import { BoxLists } from '../boxLists.js';
import type { BoxBounds, BoxSet, BoxStats } from '../boxSet.js';
import { OctantList, type Octants } from '../incremental/octantList.js';
import type { SweepRange } from '../slabSweep.js';

const CELLS = boxLimits.OCTREE_CELLS;
/** If there are fewer octants than this, one thread scans all of them. */
const FEW_OCTANTS = 2 * boxLimits.OCTANT_CHUNK;

export class LinearOctree {
  readonly lists: BoxLists;
  readonly octants: OctantList;
  readonly #context: EngineContext;
  readonly #clock: StageClock;
  readonly #job: GrowableBlock;
  readonly #starts: GrowableBlock;
  readonly #blocks: GrowableBlock;
  #last = 0;

  constructor(context: EngineContext, clock: StageClock) {
    this.#context = context;
    this.#clock = clock;
    const { arena } = context;
    this.lists = new BoxLists(context);
    this.octants = new OctantList(context, clock);
    this.#job = new GrowableBlock(arena);
    this.#starts = new GrowableBlock(arena);
    this.#blocks = new GrowableBlock(arena);
  }

  /**
   * Finds all pairs and leaves them in the lists. The parameters are those of SlabSweep.run.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this object and start over
   */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    this.setBoxes(boxes, stats, secondFrom, range);
    this.search(this.list(), capacity);
  }

  /**
   * Sets the boxes, and the grid of the octants, which extends from the corner `grid.low` to the corner
   * `grid.high`.
   */
  setBoxes(
    boxes: Pick<BoxSet, 'at' | 'slicesFor'>,
    grid: Pick<BoxBounds, 'low' | 'high'>,
    secondFrom: number,
    range: SweepRange,
  ): void {
    const { arena } = this.#context;
    const sliceCount = boxes.slicesFor(range.last - range.first);
    const jobAt = this.#job.reserve(OctreeJob.size);
    const startsAt = this.#starts.reserve(3 * (CELLS + 1) * 4);
    setWords(arena.u32, jobAt, OctreeJob, {
      boxesAt: boxes.at,
      sliceCount,
      secondFrom,
      startsAt,
      packTableAt: this.#context.packTableAt,
      movedAt: 0,
      ...range,
    });
    for (let axis = 0; axis < 3; axis++)
      this.#cutAxis(jobAt, startsAt, axis, grid.low[axis], grid.high[axis]);
    this.#last = range.last;
  }

  /**
   * Lists and sorts the octants of the boxes passed to `setBoxes`. @throws WorkerLost, Capacity, as `run`
   * does
   */
  list(): Octants {
    const { octants } = this;
    const job = this.#job;
    octants.list(job.at, this.#last, this.#context.arena.u32[(job.at + OctreeJob.at.sliceCount) / 4]);
    return octants.all;
  }

  /**
   * Updates the octants that `list` listed, after some of the boxes have moved; the grid stays the same.
   * movedAt: address of one byte per box, 1 if it has moved. maxChanged: see OctantList.update. @returns
   * whether the octants were merged or sorted from scratch. @throws WorkerLost, Capacity, as `run` does
   */
  updateList(movedAt: number, maxChanged: number): 'merged' | 'sorted' {
    return this.octants.update(this.#job.at, this.#last, movedAt, maxChanged);
  }

  /**
   * Updates the octants with `updateList`, and finds the pairs. movedAt, maxChanged: see `updateList`. scope:
   * with 'movers', only pairs in which at least one box has moved are found. @returns whether the octants were
   * merged or sorted from scratch. @throws WorkerLost, Capacity, as `run` does
   */
  update(
    movedAt: number,
    maxChanged: number,
    scope: 'all' | 'movers',
    capacity: number,
  ): 'merged' | 'sorted' {
    const { octants } = this;
    const job = this.#job;
    const octantUpdate = this.updateList(movedAt, maxChanged);
    let octantsToSearch = octants.all;
    if (scope === 'movers') {
      octantsToSearch = octants.select(job.at);
      this.#clock.end('keep');
    } else setWords(this.#context.arena.u32, job.at, OctreeJob, { movedAt: 0 });
    this.search(octantsToSearch, capacity);
    return octantUpdate;
  }

  /**
   * Finds the pairs of the boxes passed to `setBoxes`: gathers the boxes in the order of their sorted
   * octants, then scans them. If there are more than `maxPairs` pairs, only their number is valid, and the
   * lists may be incomplete. @throws WorkerLost, Capacity, as `run` does
   */
  search(octants: Octants, capacity: number, maxPairs = Infinity): void {
    const context = this.#context;
    const { at: jobAt } = this.#job;
    const { arena, pool } = context;
    const { octantCount } = octants;
    const blocksAt = this.#blocks.reserve((Math.ceil(octantCount / 4) + 1) * OctantBlock.size);
    const threads = octantCount < FEW_OCTANTS ? 1 : pool.threadCount;
    setWords(arena.u32, jobAt, OctreeJob, { blocksAt, ...octants });
    runStep(context, 'gatherOctants', jobAt, arena.u32[(jobAt + OctreeJob.at.sliceCount) / 4]);
    this.#clock.end('gather');
    this.lists.prepare(threads, 1);
    this.lists.reserve(capacity);
    do {
      this.lists.reset();
      setWords(arena.u32, jobAt, OctreeJob, { listsAt: this.lists.at, cursor: 0 });
      runStep(context, 'scanOctants', jobAt, threads);
    } while (capacity > 0 && this.lists.sum('found') <= maxPairs && this.lists.growOutput());
  }

  /** Number of octants that were tested. A box may have several octants. */
  get placeCount(): number {
    return this.lists.sum('entries');
  }

  dispose(): void {
    for (const resource of [this.lists, this.octants, this.#job, this.#starts, this.#blocks])
      resource.dispose();
  }

  // Computes where the finest cells start on one axis. These starts are rounded once, here, and every
  // coordinate is then compared with the rounded starts, so the cells of a box are well defined. The first
  // and the last cell are unbounded.
  #cutAxis(jobAt: number, startsAt: number, axis: number, low: number, high: number): void {
    const { f32 } = this.#context.arena;
    const at = startsAt / 4 + axis * (CELLS + 1);
    const width = (high - low) / CELLS;
    const isWide = width > 0;
    for (let cell = 1; cell < CELLS; cell++) f32[at + cell] = isWide ? low + cell * width : Infinity;
    f32[at] = -Infinity;
    f32[at + CELLS] = Infinity;
    // If the grid has no extent on this axis, all coordinates are in the first cell.
    f32[(jobAt + OctreeJob.at.origin) / 4 + axis] = isWide ? low : 0;
    f32[(jobAt + OctreeJob.at.scale) / 4 + axis] = isWide ? Math.min(1 / width, 1e38) : 0;
  }
}
