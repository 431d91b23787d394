// Slabs, or cells, that hold their boxes already -> lists of overlapping pairs: the slabs dealt to all
// threads, swept until no list is short of room.

import type { StageClock } from '../core/stageClock.js';
import { SlabJob } from '../records/boxLayout.js';
import { setWords } from '../records/record.js';
import type { Backend } from '../runtime/backend.js';
import { runStep } from '../runtime/steps.js';
import type { BoxLists } from './boxLists.js';
import type { BoxStats } from './boxSet.js';

/** Threads that write to one at the same time wait for each other. */
const CACHE_LINE = 64;
/** From one slice's counts of so many slabs to the next one's. */
export const countsStrideFor = (slabCount: number): number =>
  CACHE_LINE * (Math.ceil(((slabCount + 1) * 4) / CACHE_LINE) + 1);

/** Bytes of a corner's coordinates as the sweep has them, a word a lane; the last lane is not looked at. */
export const permutationOf = ({ sweepAxis, slabAxis, columnAxis }: BoxStats): number[] =>
  [sweepAxis, slabAxis, columnAxis, columnAxis].map(bytesOf);
const bytesOf = (axis: number): number => 0x03020100 + axis * 0x04040404;

/**
 * jobAt: a SlabJob whose slabs are placed, and that lacks lists and the cursor. capacity: pairs expected, 0
 * to count only. @throws WorkerLost, Capacity
 */
export function sweepSlabs(
  backend: Backend,
  clock: StageClock,
  lists: BoxLists,
  jobAt: number,
  threads: number,
  capacity: number,
): void {
  const { arena } = backend;
  // No more lists than slabs that hold a pair: each has scratch for the largest.
  const word = (field: 'largest' | 'usedCount'): number => arena.u32[(jobAt + SlabJob.at[field]) / 4];
  const largest = word('largest');
  const usedCount = word('usedCount');
  if (threads > 1) orderSlabs(arena.u32, jobAt / 4);
  clock.end('distribute');
  const listCount = Math.max(1, Math.min(threads, usedCount));
  lists.prepare(listCount, largest);
  lists.reserve(capacity);
  do {
    lists.reset();
    setWords(arena.u32, jobAt, SlabJob, { listsAt: lists.at, cursor: 0 });
    runStep(backend, 'sweepSlabs', jobAt, listCount);
  } while (capacity > 0 && lists.growOutput());
}

// Largest first: what is left for the last thread is little.
function orderSlabs(u32: Uint32Array, job: number): void {
  const { at } = SlabJob;
  const slabs = u32[job + at.slabsAt / 4] / 4;
  const count = u32[job + at.slabCount / 4];
  const order = u32[job + at.orderAt / 4] / 4;
  const size = (slab: number): number => u32[slabs + slab + 1] - u32[slabs + slab];
  u32.subarray(order, order + count).sort((a, b) => size(b) - size(a));
}
