// Keys and values -> both sorted by key: least-significant-digit radix sort on all threads.

import { DigitJob, limits } from '../records/layout.js';
import type { Backend } from './backend.js';
import { Blocks } from './blocks.js';
import { runStep } from './steps.js';

/** Addresses of keys and of the values that travel with them. */
export type Columns = [keysAt: number, valuesAt: number];

/**
 * Stable, by the lowest `bits` bits. @returns which columns the sorted ones ended in. @throws WorkerLost,
 * Capacity
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
    // As few passes as there may be, of digits of about one length.
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
