// Checks an engine's allocator: every byte from address 64 on belongs to exactly one block, in use or free.

import type { Arena } from '../runtime/memory.js';
import { MAX_FAULTS } from './validateTree.js';

/**
 * Address of the first block, and the alignment of all blocks. Address 0 means "none", so no block begins
 * there.
 */
const FIRST = 64;
/** The arena allocates no block that ends beyond this address, so that every end fits in 32 bits. */
const MAX_END = 2 ** 32 - FIRST;

/**
 * Checks that the used and the free blocks cover an engine's memory without gaps or overlaps, that they are
 * aligned to 64 bytes, and that no two free blocks are adjacent. `engine` is what createEngine returned.
 * @returns one sentence per fault, at most 20; an empty array if there is no fault. Please add the faults to
 * a bug report.
 */
export function checkMemory(engine: object): string[] {
  const { arena } = (engine as { context: { arena: Arena } }).context;
  const free = (arena as unknown as { free: readonly { at: number; bytes: number }[] }).free;
  const faults: string[] = [];
  const end = Math.min(arena.memory.buffer.byteLength, MAX_END);
  let used = 0;
  let next = 0;
  let wasFree = false;
  for (let at = FIRST; at < end && faults.length < MAX_FAULTS; ) {
    if (at % FIRST !== 0) faults.push(`a block begins at ${at}, not at a multiple of ${FIRST}`);
    const isFree = free[next]?.at === at;
    const bytes = isFree ? free[next++].bytes : arena.sizeOf(at);
    if (!(bytes > 0)) {
      faults.push(`no block begins at ${at}`);
      break;
    }
    if (isFree && wasFree) faults.push(`the free block at ${at} is adjacent to the free block before it`);
    if (!isFree) used += bytes;
    wasFree = isFree;
    at += bytes;
    if (at > end) faults.push(`the last block ends at ${at}, beyond the end of the memory at ${end}`);
  }
  if (faults.length === 0 && next !== free.length)
    faults.push(`the free block at ${free[next].at} lies inside another block`);
  if (faults.length === 0 && used !== arena.usedBytes)
    faults.push(`blocks in use have ${used} bytes in total, but usedBytes is ${arena.usedBytes}`);
  return faults;
}
