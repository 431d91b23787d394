// A growable list of pairs in engine memory, which is kept from frame to frame.
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import type { PairList } from '../pairSort.js';

const SPARE = 64;

export class PairBuffer implements PairList {
  count = 0;
  readonly #context: EngineContext;
  readonly #a: GrowableBlock;
  readonly #b: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#a = new GrowableBlock(context.arena);
    this.#b = new GrowableBlock(context.arena);
  }

  get aAt(): number {
    return this.#a.at;
  }
  get bAt(): number {
    return this.#b.at;
  }

  /**
   * Reserves capacity for `count` pairs, and keeps the first `kept` pairs. @throws Capacity, after which the
   * buffer still has these pairs
   */
  reserve(count: number, kept: number): void {
    const { arena } = this.#context;
    for (const list of [this.#a, this.#b]) {
      const bytes = 4 * count + SPARE;
      if (arena.sizeOf(list.at) < bytes) list.growKeeping(bytes + (bytes >>> 2), 4 * kept);
    }
  }

  /** Replaces the content by copies of the lists, one after the other. @throws Capacity */
  take(lists: readonly PairList[]): void {
    this.reserve(
      lists.reduce((sum, { count }) => sum + count, 0),
      0,
    );
    const { u32 } = this.#context.arena;
    let to = 0;
    for (const { aAt, bAt, count } of lists) {
      u32.copyWithin(this.aAt / 4 + to, aAt / 4, aAt / 4 + count);
      u32.copyWithin(this.bAt / 4 + to, bAt / 4, bAt / 4 + count);
      to += count;
    }
    this.count = to;
  }

  /** Snapshot of the addresses and the count; later changes of the buffer do not affect it. */
  get pairs(): PairList {
    return { aAt: this.aAt, bAt: this.bAt, count: this.count };
  }

  dispose(): void {
    this.#a.dispose();
    this.#b.dispose();
  }
}
