// The output array that the pair lists of several threads share. The threads write to it concurrently: each
// list takes one block after another. Afterwards, the gaps at the ends of the blocks are closed.
import { BoxList, PairBlocks } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import { type Arena, GrowableBlock } from '../runtime/memory.js';
import { NO_PAIRS, type PairList } from './pairSort.js';

/**
 * Number of pairs per block if several lists share the output. The number is small enough that few pairs have
 * to be moved to close gaps, and large enough that lists seldom take a new block.
 */
const BLOCK_PAIRS = 8192;
/**
 * Maximum number of pairs for which a list requests space at once, plus 3 pairs that a vector store may write
 * after the last one. Space for up to this many pairs may stay unused at the end of a block.
 */
const MAX_REQUEST = boxLimits.MAX_FOUND + 3;

const [OUTPUT, NEXT, END, IS_FULL] = [
  BoxList.at.outputAt / 4,
  BoxList.at.next / 4,
  BoxList.at.end / 4,
  BoxList.at.isFull / 4,
];
const TAKEN = PairBlocks.at.taken / 4;

export class PairBlockSet {
  /** All pairs, after `gather` has returned true. */
  pairs: PairList = NO_PAIRS;
  readonly #arena: Arena;
  readonly #record: GrowableBlock;
  readonly #a: GrowableBlock;
  readonly #b: GrowableBlock;
  /** Capacity of both arrays, in pairs. */
  #capacity = 0;
  #blockPairs = 0;
  #blockCount = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
    [this.#record, this.#a, this.#b] = [
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
    ];
  }

  /**
   * Reserves capacity for `capacity` pairs, however they are distributed among the lists. If `capacity` is 0,
   * the lists only count pairs.
   * @throws Capacity
   */
  reserve(listCount: number, capacity: number): void {
    this.pairs = NO_PAIRS;
    const isShared = listCount > 1;
    if (capacity > 0)
      this.#grow(
        isShared
          ? BLOCK_PAIRS * (listCount + Math.ceil(capacity / (BLOCK_PAIRS - MAX_REQUEST)))
          : capacity + MAX_REQUEST,
      );
    this.#blockPairs = isShared ? BLOCK_PAIRS : this.#capacity;
    this.#blockCount = capacity === 0 ? 0 : isShared ? Math.floor(this.#capacity / BLOCK_PAIRS) : 1;
    const at = this.#record.reserve(PairBlocks.size + 4 * this.#blockCount);
    setWords(this.#arena.u32, at, PairBlocks, {
      aAt: this.#a.at,
      bAt: this.#b.at,
      blockPairs: this.#blockPairs,
      capacity: this.#blockCount * this.#blockPairs,
      writtenAt: at + PairBlocks.size,
    });
  }

  /** Assigns each list its first block. */
  assignFirstBlocks(listsAt: number, listCount: number): void {
    const { u32 } = this.#arena;
    const blockPairs = this.#blockPairs;
    const blockCount = this.#blockCount;
    const { at } = this.#record;
    const isFull = blockCount === 0 ? 1 : 0;
    u32[at / 4 + TAKEN] = listCount * blockPairs;
    for (let i = 0, list = listsAt / 4; i < listCount; i++, list += BoxList.size / 4) {
      u32[list + OUTPUT] = at;
      u32[list + NEXT] = i * blockPairs;
      u32[list + END] = isFull ? 0 : (i + 1) * blockPairs;
      u32[list + IS_FULL] = isFull;
    }
  }

  /** Closes the gaps between the blocks. @returns whether all pairs fit */
  gather(listsAt: number, listCount: number): boolean {
    const { u32 } = this.#arena;
    const blockPairs = this.#blockPairs;
    const written = (this.#record.at + PairBlocks.size) / 4;
    for (let i = 0, list = listsAt / 4; i < listCount; i++, list += BoxList.size / 4) {
      if (u32[list + IS_FULL]) return false;
      const end = u32[list + END];
      u32[written + end / blockPairs - 1] = u32[list + NEXT] - end + blockPairs;
    }
    const taken = u32[this.#record.at / 4 + TAKEN] / blockPairs;
    this.pairs = {
      aAt: this.#a.at,
      bAt: this.#b.at,
      count: taken === 1 ? u32[written] : this.#closeGaps(u32.subarray(written, written + taken)),
    };
    return true;
  }

  dispose(): void {
    for (const buffer of [this.#record, this.#a, this.#b]) buffer.dispose();
    this.#capacity = 0;
  }

  // Fills the gaps, from the first block on, with pairs from the end of the last block that is not empty.
  // @returns the number of pairs
  #closeGaps(written: Uint32Array): number {
    const { u32 } = this.#arena;
    const blockPairs = this.#blockPairs;
    const a = this.#a.at / 4;
    const b = this.#b.at / 4;
    let last = written.length - 1;
    for (let block = 0; block < last; ) {
      const gap = blockPairs - written[block];
      const moved = Math.min(gap, written[last]);
      const to = block * blockPairs + written[block];
      const end = last * blockPairs + written[last];
      u32.copyWithin(a + to, a + end - moved, a + end);
      u32.copyWithin(b + to, b + end - moved, b + end);
      written[last] -= moved;
      if (moved === gap) written[block++] = blockPairs;
      else {
        written[block] += moved;
        last--;
      }
    }
    return last * blockPairs + written[last];
  }

  #grow(required: number): void {
    if (required <= this.#capacity) return;
    this.#capacity = 0;
    // GrowableBlock.reserve frees the old memory before it allocates new memory. The old content is not
    // needed.
    for (const list of [this.#a, this.#b]) list.reserve(4 * required);
    this.#capacity = required;
  }
}
