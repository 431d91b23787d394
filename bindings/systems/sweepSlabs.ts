// Slabs, or cells, that hold their boxes already -> lists of overlapping pairs: the slabs dealt to all threads, swept until no list is short of room.
import type { Backend } from '../backend.js';
import { SlabJob } from '../boxLayout.js';
import { setWords } from '../record.js';
import type { StageClock } from '../stageClock.js';
import { runStep } from '../steps.js';
import type { BoxLists } from './boxLists.js';

/** Bytes of a corner's coordinates as the sweep has them; the last lane is not looked at. */
export function permutationOf({ sweep, slab, column }: { sweep: number; slab: number; column: number }): number[] {
  return [sweep, slab, column, column].flatMap((axis) => [0, 1, 2, 3].map((byte) => 4 * axis + byte));
}

/** jobAt: a SlabJob that lacks lists and the cursor. capacity: pairs expected, 0 to count only. @throws LostSlice, Capacity */
export function sweepSlabs(backend: Backend, clock: StageClock, lists: BoxLists, jobAt: number, threads: number, capacity: number): void {
  const { arena } = backend;
  // No more lists than slabs that hold a pair: each has scratch for the largest.
  const { largest, usedCount } = orderSlabs(arena.u32, jobAt / 4);
  clock.end('distribute');
  const listCount = Math.max(1, Math.min(threads, usedCount));
  lists.prepare(listCount, largest, Math.ceil(capacity / listCount));
  do {
    lists.reset();
    setWords(arena.u32, jobAt, SlabJob, { listsAt: lists.at, cursor: 0 });
    runStep(backend, 'sweepSlabs', jobAt, listCount);
  } while (capacity > 0 && lists.growOutputs());
}

// Largest first. @returns the boxes of the largest, and how many slabs hold more than one.
function orderSlabs(u32: Uint32Array, job: number): { largest: number; usedCount: number } {
  const { at } = SlabJob, slabs = u32[job + at.slabsAt / 4]! / 4, count = u32[job + at.slabCount / 4]!;
  const size = (slab: number): number => u32[slabs + slab + 1]! - u32[slabs + slab]!;
  const order = Array.from({ length: count }, (_, slab) => slab).sort((a, b) => size(b) - size(a));
  u32.set(order, u32[job + at.orderAt / 4]! / 4);
  return { largest: size(order[0]!), usedCount: order.filter((slab) => size(slab) > 1).length };
}
