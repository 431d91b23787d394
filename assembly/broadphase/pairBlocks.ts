// Reserves space for pairs in an output that several lists share. A list writes to its current block of the
// output. When the block is full, the list takes the next free block.
import { BoxList, PairBlocks } from '../records';

/** Maximum number of entries written past the last pair, since pairs are stored four at a time. */
const OVERRUN: u32 = 3;

/**
 * Reserves space for `count` more pairs (at most MAX_FOUND). If the list's current block has too little free
 * space, the list takes a new block.
 * @returns true if the pairs may be written to the output, from index `BoxList.next` on; false if no block is
 * left or if the pairs do not fit in a block. Once this function has returned false, the list takes no more
 * blocks.
 */
export function reserveSpace(list: usize, count: u32): bool {
  const next = load<u32>(list, BoxList.next);
  const end = load<u32>(list, BoxList.end);
  if (next + count + OVERRUN <= end) return true;
  if (load<u32>(list, BoxList.isFull) != 0) return false;
  const output: usize = load<u32>(list, BoxList.outputAt);
  const size = load<u32>(output, PairBlocks.blockPairs);
  const first = atomic.add<u32>(output, size, PairBlocks.taken);
  if (first + size > load<u32>(output, PairBlocks.capacity) || count + OVERRUN > size) {
    store<u32>(list, 1, BoxList.isFull);
    return false;
  }
  if (end > 0)
    store<u32>(
      <usize>load<u32>(output, PairBlocks.writtenAt) + ((<usize>(end / size - 1)) << 2),
      next - (end - size),
    );
  store<u32>(list, first, BoxList.next);
  store<u32>(list, first + size, BoxList.end);
  return true;
}
