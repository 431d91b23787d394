// Lists the buffers of parts that a worker transfers instead of copying them.
import type { Part } from './part.js';

/**
 * Smaller buffers are copied. Node compares each buffer of a transfer list with all others, so a list of all
 * buffers of a file with 128,000 small parts takes 14 s.
 */
const MIN_BYTES = 2 ** 16;

/**
 * Returns the large buffers of parts. A buffer that several parts share occurs once. The list stays short: for
 * 4 GiB of parts, it has at most 65,536 buffers.
 */
export function transferListOf(
  parts: readonly Pick<Part, 'positions' | 'indices' | 'exact'>[],
): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { positions, indices, exact } of parts)
    for (const { buffer } of [positions, indices, ...(exact ? [exact.positions] : [])])
      if (buffer.byteLength >= MIN_BYTES) buffers.add(buffer as ArrayBuffer);
  return [...buffers];
}
