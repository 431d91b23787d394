// A growable list of pairs in engine memory that its owner keeps from frame to frame.
import type { Backend } from '../../runtime/backend.js';
import { Buffer } from '../../runtime/memory.js';
import type { PairList } from '../pairSort.js';

const SPARE = 64;

export class PairBuffer implements PairList {
  count = 0;
  readonly #backend: Backend;
  readonly #a: Buffer;
  readonly #b: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#a = new Buffer(backend.arena);
    this.#b = new Buffer(backend.arena);
  }

  get aAt(): number {
    return this.#a.at;
  }
  get bAt(): number {
    return this.#b.at;
  }

  /** Reserves capacity for `count` pairs, and keeps the first `kept`. @throws Capacity, with nothing lost */
  makeRoom(count: number, kept: number): void {
    const { arena } = this.#backend;
    for (const list of [this.#a, this.#b]) {
      const bytes = 4 * count + SPARE;
      if (arena.sizeOf(list.at) < bytes) list.grow(bytes + (bytes >>> 2), 4 * kept);
    }
  }

  /** Replaces the content by copies of the lists, one after the other. @throws Capacity */
  take(lists: readonly PairList[]): void {
    this.makeRoom(
      lists.reduce((sum, { count }) => sum + count, 0),
      0,
    );
    const { u32 } = this.#backend.arena;
    let to = 0;
    for (const { aAt, bAt, count } of lists) {
      u32.copyWithin(this.aAt / 4 + to, aAt / 4, aAt / 4 + count);
      u32.copyWithin(this.bAt / 4 + to, bAt / 4, bAt / 4 + count);
      to += count;
    }
    this.count = to;
  }

  /** Snapshot of the addresses and the count; later changes of the buffer do not affect it. */
  get place(): PairList {
    return { aAt: this.aAt, bAt: this.bAt, count: this.count };
  }

  dispose(): void {
    this.#a.dispose();
    this.#b.dispose();
  }
}
