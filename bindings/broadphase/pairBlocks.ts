// Lists that write pairs at the same time -> one output: each takes block after block of it, and the gaps
// that are left are closed.
import { BoxList, PairBlocks } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import { type Arena, Buffer } from '../runtime/memory.js';
import { NO_PAIRS, type PairList } from './pairSort.js';

/**
 * Pairs of a block, where several lists share the output: few, so that little is moved; many, so that they
 * are seldom taken.
 */
const BLOCK_PAIRS = 8192;
/**
 * Pairs that a list may ask room for at a time, and those that are written behind them: as much of a block
 * may stay empty.
 */
const MOST_ASKED = boxLimits.MOST_FOUND + 3;

const [OUTPUT, NEXT, END, IS_FULL] = [
  BoxList.at.outputAt / 4,
  BoxList.at.next / 4,
  BoxList.at.end / 4,
  BoxList.at.isFull / 4,
];
const TAKEN = PairBlocks.at.taken / 4;

export class PairBlockSet {
  /** All pairs, once they are gathered. */
  place: PairList = NO_PAIRS;
  readonly #arena: Arena;
  readonly #record: Buffer;
  readonly #a: Buffer;
  readonly #b: Buffer;
  /** Pairs that both arrays have room for. */
  #room = 0;
  #blockPairs = 0;
  #blockCount = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
    [this.#record, this.#a, this.#b] = [new Buffer(arena), new Buffer(arena), new Buffer(arena)];
  }

  /** Room for `capacity` pairs, however they are shared among the lists; 0: for none. @throws Capacity */
  reserve(listCount: number, capacity: number): void {
    this.place = NO_PAIRS;
    const isShared = listCount > 1;
    if (capacity > 0)
      this.#makeRoom(
        isShared
          ? BLOCK_PAIRS * (listCount + Math.ceil(capacity / (BLOCK_PAIRS - MOST_ASKED)))
          : capacity + MOST_ASKED,
      );
    this.#blockPairs = isShared ? BLOCK_PAIRS : this.#room;
    this.#blockCount = capacity === 0 ? 0 : isShared ? Math.floor(this.#room / BLOCK_PAIRS) : 1;
    const at = this.#record.reserve(PairBlocks.size + 4 * this.#blockCount);
    setWords(this.#arena.u32, at, PairBlocks, {
      aAt: this.#a.at,
      bAt: this.#b.at,
      blockPairs: this.#blockPairs,
      capacity: this.#blockCount * this.#blockPairs,
      writtenAt: at + PairBlocks.size,
    });
  }

  /** Gives each list its first block. */
  deal(listsAt: number, listCount: number): void {
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

  /** Closes the gaps that lists have left. @returns whether all pairs had room */
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
    this.place = {
      aAt: this.#a.at,
      bAt: this.#b.at,
      count: taken === 1 ? u32[written] : this.#closeGaps(u32.subarray(written, written + taken)),
    };
    return true;
  }

  dispose(): void {
    for (const buffer of [this.#record, this.#a, this.#b]) buffer.dispose();
    this.#room = 0;
  }

  // From the last block's end to the first block's gap, and so on. @returns the number of all pairs
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

  #makeRoom(wanted: number): void {
    if (wanted <= this.#room) return;
    this.#room = 0;
    // What holds nothing is given back before its successor is taken.
    for (const list of [this.#a, this.#b]) list.reserve(4 * wanted);
    this.#room = wanted;
  }
}
