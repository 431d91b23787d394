// Runs the broad phase of a single-threaded engine in virtual time, as if the engine had more threads. The
// slices of a parallel step run one after the other, and the time of each virtual thread is measured. Then
// the clock is set back, so that the step seems to have taken as long as its slowest thread.
//
// Everything that reads `performance.now` during the run sees virtual time. Virtual time does not contain
// the overhead of real threads, which hand out slices and share caches and memory bandwidth. Serial steps
// count in full.

import type { Engine } from '../../dist/index.js';
import { SlabJob } from '../../dist/records/boxLayout.js';
import { BoxStatisticsJob } from '../../dist/records/boxStatisticsLayout.js';
import type { KernelName } from '../../dist/records/kernels.js';
import { internalsOf } from './internals.js';

/**
 * The formula of the times, for the column `how` of recorded rows. In this text, "longest slice" means the
 * slowest virtual thread of the step, although such a thread may run several slices.
 */
export const VIRTUAL_MODEL =
  'modeled: serial steps + longest slice of each parallel step, slices measured one after the other on one thread';

/** Kernels whose slices are fixed before the kernel runs, so that the slices may run one after the other. */
const FIXED: readonly string[] = [
  'placeBodies',
  'pruneBodyPairs',
  'countSlabs',
  'moveToSlabs',
  'countPairs',
  'movePairs',
  'sortBuckets',
];
/** Number of boxes that a thread of the kernel `computeBoxStatistics` takes at a time. */
const STATISTICS_BLOCK = 2048;

/**
 * Calls `use` while the engine has `threads` virtual threads. The engine must have one thread.
 * @throws an Error if `use` needs a kernel that cannot run in virtual time
 */
export function withVirtualThreads<Result>(engine: Engine, threads: number, use: () => Result): Result {
  if (threads === 1) return use();
  const {
    context: { arena, pool },
  } = internalsOf(engine);
  const now = performance.now.bind(performance);
  let skippedMilliseconds = 0;
  const timeOf = (run: () => void): number => {
    const startedAt = now();
    run();
    return now() - startedAt;
  };

  // Each thread runs about the same number of slices, in order.
  const runFixed = (kernel: KernelName, jobAt: number, sliceCount: number): number[] => {
    const shares = Math.min(threads, sliceCount);
    return Array.from({ length: shares }, (_, share) =>
      timeOf(() =>
        pool.kernels[kernel](
          jobAt,
          Math.floor((share * sliceCount) / shares),
          Math.floor(((share + 1) * sliceCount) / shares),
        ),
      ),
    );
  };

  // Real threads take blocks one by one. All blocks cost about the same, so each virtual thread gets a fixed
  // share.
  const runStatistics = (jobAt: number, sliceCount: number): number[] => {
    const count = jobAt / 4 + BoxStatisticsJob.at.boxCount / 4;
    const cursor = jobAt / 4 + BoxStatisticsJob.at.cursor / 4;
    const boxCount = arena.u32[count];
    const blocks = Math.ceil(boxCount / STATISTICS_BLOCK);
    const boundary = (slice: number): number =>
      Math.min(boxCount, STATISTICS_BLOCK * Math.floor((slice * blocks) / sliceCount));
    const times = Array.from({ length: sliceCount }, (_, slice) => {
      arena.u32[cursor] = boundary(slice);
      arena.u32[count] = boundary(slice + 1);
      return timeOf(() => pool.kernels.computeBoxStatistics(jobAt, slice, slice + 1));
    });
    arena.u32[count] = boxCount;
    return times;
  };

  // Like real threads, virtual threads take slabs in order: the next slab goes to the thread that is free
  // first.
  const runSlabs = (jobAt: number, listCount: number): number[] => {
    const count = jobAt / 4 + SlabJob.at.slabCount / 4;
    const cursor = jobAt / 4 + SlabJob.at.cursor / 4;
    const slabCount = arena.u32[count];
    const times = new Array<number>(listCount).fill(0);
    for (let slab = 0; slab < slabCount; slab++) {
      const list = times.indexOf(Math.min(...times));
      arena.u32[cursor] = slab;
      arena.u32[count] = slab + 1;
      times[list] += timeOf(() => pool.kernels.sweepSlabs(jobAt, list, list + 1));
    }
    arena.u32[count] = slabCount;
    return times;
  };

  const run: typeof pool.run = (kernel, jobAt, sliceCount, meanwhile) => {
    meanwhile?.();
    const startedAt = now();
    let times: number[];
    if (kernel === 'sweepSlabs') times = runSlabs(jobAt, sliceCount);
    else if (kernel === 'computeBoxStatistics') times = runStatistics(jobAt, sliceCount);
    else if (FIXED.includes(kernel) || sliceCount === 1) times = runFixed(kernel, jobAt, sliceCount);
    else throw new Error(`${kernel} cannot run in virtual time`);
    skippedMilliseconds += now() - startedAt - Math.max(...times);
    return true;
  };

  Object.defineProperty(pool, 'threadCount', { configurable: true, get: () => threads });
  Object.assign(pool, { run });
  performance.now = () => now() - skippedMilliseconds;
  try {
    return use();
  } finally {
    // Deletes the properties that were set on the pool object, so that the properties of its class are
    // visible again.
    Reflect.deleteProperty(pool, 'threadCount');
    Reflect.deleteProperty(pool, 'run');
    performance.now = now;
  }
}

/** Returns the milliseconds that `run` takes with `threads` virtual threads. */
export function virtualMilliseconds(engine: Engine, threads: number, run: () => unknown): number {
  return withVirtualThreads(engine, threads, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
}
