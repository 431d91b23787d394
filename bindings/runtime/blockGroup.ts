// Groups memory blocks of an arena (`memory.ts`) that are released together, for example when a job ends.
import type { Arena } from './memory.js';

export class BlockGroup {
  readonly #arena: Arena;
  #taken: number[] = [];

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Allocates a block and returns its byte address, 64-byte aligned. @throws Capacity */
  take(bytes: number): number {
    const at = this.#arena.allocate(bytes);
    this.#taken.push(at);
    return at;
  }

  /** Allocates a block of u32 words with these values and returns its byte address. @throws Capacity */
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
