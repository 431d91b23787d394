// Sweeps slabs (or cells) into which boxes have been copied. Threads take one slab after another. The sweep
// is repeated until the output has the capacity for all pairs.

import type { StageClock } from '../core/stageClock.js';
import { SlabJob } from '../records/boxLayout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { runStep } from '../runtime/steps.js';
import type { BoxLists } from './boxLists.js';
import type { BoxStats } from './boxSet.js';

/**
 * Bytes of a cache line. The counts of two slices are never on one cache line, which avoids false sharing
 * between threads.
 */
const CACHE_LINE = 64;
/** Returns the stride in bytes from one slice's counts to the next; each slice has slabCount + 1 counts. */
export const countsStrideFor = (slabCount: number): number =>
  CACHE_LINE * (Math.ceil(((slabCount + 1) * 4) / CACHE_LINE) + 1);

/**
 * Returns the byte shuffle that puts a corner's coordinates into the order sweep axis, slab axis, column
 * axis, one word per lane; the last lane is unused.
 */
export const permutationOf = ({ sweepAxis, slabAxis, columnAxis }: BoxStats): number[] =>
  [sweepAxis, slabAxis, columnAxis, columnAxis].map(bytesOf);
const bytesOf = (axis: number): number => 0x03020100 + axis * 0x04040404;

/**
 * Finds the pairs of all slabs. jobAt: a SlabJob whose slabs already contain their boxes; this function sets
 * its lists and cursor. capacity: expected number of pairs, or 0 to only count the pairs. @throws WorkerLost,
 * Capacity
 */
export function runSlabKernels(
  context: EngineContext,
  clock: StageClock,
  lists: BoxLists,
  jobAt: number,
  threads: number,
  capacity: number,
): void {
  const { arena } = context;
  const word = (field: 'maxCount' | 'usedCount'): number => arena.u32[(jobAt + SlabJob.at[field]) / 4];
  const maxCount = word('maxCount');
  const usedCount = word('usedCount');
  if (threads > 1) orderSlabs(arena.u32, jobAt / 4);
  clock.end('distribute');
  // Each list needs scratch memory for the largest slab. A slab with fewer than two boxes has no pairs, so
  // there are at most as many lists as slabs with more than one box.
  const listCount = Math.max(1, Math.min(threads, usedCount));
  lists.prepare(listCount, maxCount);
  lists.reserve(capacity);
  do {
    lists.reset();
    setWords(arena.u32, jobAt, SlabJob, { listsAt: lists.at, cursor: 0 });
    runStep(context, 'sweepSlabs', jobAt, listCount);
  } while (capacity > 0 && lists.growOutput());
}

// Sorts the slabs by size, the largest first, so that threads finish at about the same time.
function orderSlabs(u32: Uint32Array, job: number): void {
  const { at } = SlabJob;
  const slabs = u32[job + at.slabsAt / 4] / 4;
  const count = u32[job + at.slabCount / 4];
  const order = u32[job + at.orderAt / 4] / 4;
  const size = (slab: number): number => u32[slabs + slab + 1] - u32[slabs + slab];
  u32.subarray(order, order + count).sort((a, b) => size(b) - size(a));
}
