// Sorts keys and their values on all threads: a least-significant-digit radix sort.

import { DigitJob, limits } from '../records/layout.js';
import type { Backend } from './backend.js';
import { Blocks } from './blocks.js';
import { runStep } from './steps.js';

/** Byte addresses of keys and of their values. */
export type Columns = [keysAt: number, valuesAt: number];

/**
 * Sorts by the lowest `bits` bits of the keys; the sort is stable. `from` and `to` are used in turn; returns
 * the columns that contain the sorted ones.
 * @throws WorkerLost, Capacity
 */
export function sortByDigits(
  backend: Backend,
  from: Columns,
  to: Columns,
  count: number,
  bits: number,
  sliceCount: number,
): Columns {
  const blocks = new Blocks(backend.arena);
  try {
    const tableBytes = limits.DIGIT_BUCKETS * 4 * sliceCount;
    const [histogramsAt, placesAt] = [blocks.take(tableBytes), blocks.take(tableBytes)];
    const jobAt = blocks.take(DigitJob.size);
    // The minimum number of passes, with digits of about equal length.
    const digitBits = Math.ceil(bits / Math.ceil(bits / limits.DIGIT_BITS));
    for (let shift = 0; shift < bits; shift += digitBits) {
      backend.arena.u32.set(
        [...from, ...to, count, shift, histogramsAt, placesAt, sliceCount, digitBits],
        jobAt / 4,
      );
      runStep(backend, 'countDigits', jobAt, sliceCount);
      runStep(backend, 'moveDigits', jobAt, sliceCount);
      [from, to] = [to, from];
    }
    return from;
  } finally {
    blocks.releaseAll();
  }
}
