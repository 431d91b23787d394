// An arena -> blocks that belong together: all given back at once when a job ends or fails.
import type { Arena } from './memory.js';

export class Blocks {
  readonly #arena: Arena;
  #taken: number[] = [];

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** @returns byte address, 64-byte aligned. @throws Capacity. */
  take(bytes: number): number {
    const at = this.#arena.allocate(bytes);
    this.#taken.push(at);
    return at;
  }

  /** A block of u32 words with these values. */
  takeWords(values: ArrayLike<number>): number {
    const at = this.take(values.length * 4);
    this.#arena.u32.set(values, at / 4);
    return at;
  }

  get bytes(): number {
    return this.#taken.reduce((sum, at) => sum + this.#arena.sizeOf(at), 0);
  }

  releaseAll(): void {
    for (const at of this.#taken) this.#arena.release(at);
    this.#taken = [];
  }
}
