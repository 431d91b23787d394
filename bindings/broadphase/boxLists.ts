// Manages one list of overlapping pairs per thread, and the scratch memory with which the thread finds these
// pairs. The pairs of all lists are stored in one shared output. All memory is kept from call to call.

import { BoxList, SapBox } from '../records/boxLayout.js';
import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { PairBlockSet } from './pairBlocks.js';
import type { PairList } from './pairSort.js';

const TILE_BYTES =
  7 * boxLimits.TILE_STRIDE + 8 * boxLimits.MAX_BLOCKS + boxLimits.TILE + 6 * boxLimits.MAX_FOUND + 128;
const [FOUND, TESTS, ENTRIES] = [BoxList.at.found / 8, BoxList.at.tests / 8, BoxList.at.entries / 8];
const BUCKET_BYTES = 4 * (2 ** boxLimits.SWEEP_BUCKET_BITS + 1);

export class BoxLists {
  count = 0;
  readonly #context: EngineContext;
  readonly #records: GrowableBlock;
  readonly #scratch: GrowableBlock[] = [];
  readonly #output: PairBlockSet;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#records = new GrowableBlock(context.arena);
    this.#output = new PairBlockSet(context.arena);
  }

  get at(): number {
    return this.#records.at;
  }

  /** All pairs, once `growOutput` has returned false. Valid until the next search. */
  get pairs(): PairList {
    return this.#output.pairs;
  }

  /** Prepares `count` lists, each with scratch memory for slabs of up to `maxBoxes` boxes. */
  prepare(count: number, maxBoxes: number): void {
    this.count = count;
    const { arena } = this.#context;
    this.#records.reserve(count * BoxList.size);
    const columns = Math.max(
      1,
      Math.min(boxLimits.SLAB_COLUMNS, Math.floor(maxBoxes / boxLimits.BOXES_PER_COLUMN)),
    );
    const sortedBytes = maxBoxes * SapBox.size;
    // Tiles are read eight boxes at a time, so the last read may extend past the last box.
    const columnBytes = (2 * maxBoxes + 8) * SapBox.size;
    for (let i = 0; i < count; i++) {
      const scratch = (this.#scratch[i] ??= new GrowableBlock(arena));
      const sortedAt = scratch.reserve(
        sortedBytes + columnBytes + TILE_BYTES + BUCKET_BYTES + 4 * (columns + 1),
      );
      const columnBoxesAt = sortedAt + sortedBytes;
      const tileAt = columnBoxesAt + columnBytes;
      const bucketsAt = tileAt + TILE_BYTES;
      const columnsAt = bucketsAt + BUCKET_BYTES;
      setWords(arena.u32, this.at + i * BoxList.size, BoxList, {
        sortedAt,
        columnBoxesAt,
        tileAt,
        bucketsAt,
        columnsAt,
      });
    }
  }

  /**
   * Reserves capacity for `capacity` pairs in all lists together. If `capacity` is 0, the lists only count
   * pairs. @throws Capacity
   */
  reserve(capacity: number): void {
    this.#output.reserve(this.count, capacity);
  }

  /** Clears the counts of all lists, and assigns each list its first block of the output. */
  reset(): void {
    const { f64 } = this.#context.arena;
    for (let i = 0, at = this.at / 8; i < this.count; i++, at += BoxList.size / 8)
      f64[at + FOUND] = f64[at + TESTS] = f64[at + ENTRIES] = 0;
    this.#output.assignFirstBlocks(this.at, this.count);
  }

  /** Sum of a counter over all lists. */
  sum(field: 'found' | 'tests' | 'entries'): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.#read(i, field);
    return sum;
  }

  /**
   * Returns false if the output had the capacity for all pairs, which are then in `pairs`. Otherwise reserves
   * capacity for the number of pairs that the search counted, and returns true: the search has to run again.
   * @throws Capacity
   */
  growOutput(): boolean {
    const { count, at } = this;
    if (this.#output.gather(at, count)) return false;
    this.#output.reserve(count, this.sum('found'));
    return true;
  }

  dispose(): void {
    for (const resource of [this.#records, this.#output, ...this.#scratch.splice(0)]) resource.dispose();
  }

  #read(i: number, field: 'found' | 'tests' | 'entries'): number {
    return this.#context.arena.f64[(this.at + i * BoxList.size + BoxList.at[field]) / 8];
  }
}
