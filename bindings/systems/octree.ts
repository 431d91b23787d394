// Boxes -> lists of overlapping pairs by a parallel linear octree (Lucchesi 2002).
import type { Backend } from '../backend.js';
import { sortByDigits, type Columns } from '../digitSort.js';
import { limits, OctantBlock, OctreeJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { sumCounts } from '../offsets.js';
import { setWords } from '../record.js';
import type { StageClock } from '../stageClock.js';
import { runStep } from '../steps.js';
import { BoxLists } from './boxLists.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import type { SweepRange } from './slabSweep.js';

const CELLS = limits.OCTREE_CELLS;
const KEY_BITS = 3 * limits.OCTREE_LEVELS + limits.LEVEL_BITS;
/** Fewer octants than this are scanned by one thread. */
const FEW_OCTANTS = 2 * limits.OCTANTS_A_TURN;

export class LinearOctree {
  readonly lists: BoxLists;
  /** Octants of the last run, all boxes together. */
  octantCount = 0;
  private readonly backend: Backend;
  private readonly clock: StageClock;
  private readonly job: Buffer;
  private readonly starts: Buffer;
  private readonly counts: Buffer;
  private readonly columns: Buffer;
  private readonly blocks: Buffer;

  constructor(backend: Backend, clock: StageClock) {
    this.backend = backend;
    this.clock = clock;
    const { arena } = backend;
    this.lists = new BoxLists(backend);
    this.job = new Buffer(arena);
    this.starts = new Buffer(arena);
    this.counts = new Buffer(arena);
    this.columns = new Buffer(arena);
    this.blocks = new Buffer(arena);
  }

  /** As SlabSweep.run. @throws LostSlice: dispose of this system and start over; Capacity */
  run(boxes: BoxSet, stats: BoxStats, secondFrom: number, range: SweepRange, capacity: number): void {
    const { arena, pool } = this.backend;
    const sliceCount = boxes.slicesFor(range.last - range.first);
    const jobAt = this.job.reserve(OctreeJob.size), startsAt = this.starts.reserve(3 * (CELLS + 1) * 4), countsAt = this.counts.reserve(4 * (sliceCount + 2));
    setWords(arena.u32, jobAt, OctreeJob, { boxesAt: boxes.at, ...range, sliceCount, secondFrom, startsAt, countsAt, packTableAt: this.backend.packTableAt });
    for (let axis = 0; axis < 3; axis++) this.cut(jobAt, startsAt, axis, stats.low[axis]!, stats.high[axis]!);
    runStep(this.backend, 'countOctants', jobAt, sliceCount);
    this.octantCount = sumCounts(arena.u32, countsAt / 4, sliceCount, 1, 1, countsAt / 4 + sliceCount).sum;
    this.list(jobAt, sliceCount);
    const threads = this.octantCount < FEW_OCTANTS ? 1 : pool.threadCount;
    this.lists.prepare(threads, 1, Math.ceil(capacity / threads));
    do {
      this.lists.reset();
      setWords(arena.u32, jobAt, OctreeJob, { listsAt: this.lists.at, cursor: 0 });
      runStep(this.backend, 'scanOctants', jobAt, threads);
    } while (capacity > 0 && this.lists.growOutputs());
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.job, this.starts, this.counts, this.columns, this.blocks]) buffer.dispose();
  }

  // Starts of the finest cells: rounded once, then compared with, so that a box's cells are never in doubt.
  private cut(jobAt: number, startsAt: number, axis: number, low: number, high: number): void {
    const { f32 } = this.backend.arena;
    const at = startsAt / 4 + axis * (CELLS + 1), width = (high - low) / CELLS;
    for (let cell = 0; cell < CELLS; cell++) f32[at + cell] = low + cell * width;
    f32[at + CELLS] = Infinity;
    // Where there is no range all coordinates are equal, and lie in the first cell.
    f32[(jobAt + OctreeJob.at.scale) / 4 + axis] = width > 0 ? Math.min(1 / width, 1e38) : 0;
    if (!(width > 0)) f32.fill(Infinity, at + 1, at + CELLS);
  }

  // Octal codes and box numbers, sorted, then gathered with their boxes.
  private list(jobAt: number, sliceCount: number): void {
    const { arena } = this.backend;
    const bytes = 4 * Math.max(16, this.octantCount);
    const columnsAt = this.columns.reserve(4 * bytes), blocksAt = this.blocks.reserve((Math.ceil(this.octantCount / 4) + 1) * OctantBlock.size);
    setWords(arena.u32, jobAt, OctreeJob, { octantCount: this.octantCount, keysAt: columnsAt, idsAt: columnsAt + bytes, blocksAt });
    runStep(this.backend, 'octalCodes', jobAt, sliceCount);
    this.clock.end('codes');
    const [from, to]: [Columns, Columns] = [[columnsAt, columnsAt + bytes], [columnsAt + 2 * bytes, columnsAt + 3 * bytes]];
    const [keysAt, idsAt] = sortByDigits(this.backend, from, to, this.octantCount, KEY_BITS, sliceCount);
    this.clock.end('sort');
    setWords(arena.u32, jobAt, OctreeJob, { keysAt, idsAt });
    runStep(this.backend, 'gatherOctants', jobAt, sliceCount);
    this.clock.end('gather');
  }
}
