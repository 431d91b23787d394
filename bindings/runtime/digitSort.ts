// Sorts keys and their values on all threads: a least-significant-digit radix sort.

import { DigitJob, limits } from '../records/layout.js';
import { BlockGroup } from './blockGroup.js';
import type { EngineContext } from './engineContext.js';
import { runStep } from './steps.js';

/** Byte addresses of keys and of their values. */
export type Columns = [keysAt: number, valuesAt: number];

/**
 * Sorts by the lowest `bits` bits of the keys; the sort is stable. The first pass moves the entries from
 * `from` to `to`, the second pass moves them back, and so on. Returns `from` or `to`: the columns that
 * contain the sorted entries.
 * @throws WorkerLost, Capacity
 */
export function sortByDigits(
  context: EngineContext,
  from: Columns,
  to: Columns,
  count: number,
  bits: number,
  sliceCount: number,
): Columns {
  const blocks = new BlockGroup(context.arena);
  try {
    const tableBytes = limits.DIGIT_BUCKETS * 4 * sliceCount;
    const [histogramsAt, placesAt] = [blocks.take(tableBytes), blocks.take(tableBytes)];
    const jobAt = blocks.take(DigitJob.size);
    // Uses as few passes as possible, with digits of about equal length.
    const digitBits = Math.ceil(bits / Math.ceil(bits / limits.DIGIT_BITS));
    for (let shift = 0; shift < bits; shift += digitBits) {
      context.arena.u32.set(
        [...from, ...to, count, shift, histogramsAt, placesAt, sliceCount, digitBits],
        jobAt / 4,
      );
      runStep(context, 'countDigits', jobAt, sliceCount);
      runStep(context, 'moveDigits', jobAt, sliceCount);
      [from, to] = [to, from];
    }
    return from;
  } finally {
    blocks.releaseAll();
  }
}
