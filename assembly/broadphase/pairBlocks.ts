// Pairs that a list is about to write -> room for them, in its block or in the next that no list has taken.
import { BoxList, PairBlocks } from '../records';

/** Pairs are written four at a time: so many may be written behind the last one. */
const BEHIND: u32 = 3;

/**
 * count: MOST_FOUND at most, so that blocks are filled all but that. @returns whether `count` pairs more may
 * be written from the list's `next` on; a list that was told that they may not asks for no block again.
 */
export function hasRoom(list: usize, count: u32): bool {
  const next = load<u32>(list, BoxList.next);
  const end = load<u32>(list, BoxList.end);
  if (next + count + BEHIND <= end) return true;
  if (load<u32>(list, BoxList.isFull) != 0) return false;
  const output: usize = load<u32>(list, BoxList.outputAt);
  const size = load<u32>(output, PairBlocks.blockPairs);
  const first = atomic.add<u32>(output, size, PairBlocks.taken);
  if (first + size > load<u32>(output, PairBlocks.capacity) || count + BEHIND > size) {
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
