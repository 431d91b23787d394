// Provides lists of numbers whose final length is unknown. A list grows in chunks as numbers are added. So
// growing copies nothing, and a false count in the header of a file does not cause a large allocation.
import type { MemoryBudget } from './memoryBudget.js';
import { InvalidFile } from './part.js';

const FIRST_CHUNK = 16;
const MAX_CHUNK = 1 << 16;
// The maximum length of a list. A longer list would not fit into the memory of an engine.
const MAX_LENGTH = 1 << 27;

type Numbers = Float32Array | Float64Array | Uint32Array;

/** A list that grows in chunks. Its memory is counted by a budget. */
export class GrowingList<List extends Numbers> {
  private readonly full: List[] = [];
  private chunk: List;
  private used = 0;
  private fullLength = 0;

  /**
   * @param empty An empty array, shared by all empty lists.
   * @param what The content of the list for error messages, in the plural, such as 'its triangles'.
   */
  constructor(
    private readonly make: (length: number) => List,
    private readonly empty: List,
    private readonly budget: MemoryBudget,
    private readonly what: string,
  ) {
    this.chunk = empty;
  }

  get length(): number {
    return this.fullLength + this.used;
  }

  push(value: number): void {
    if (this.used === this.chunk.length) this.grow();
    this.chunk[this.used++] = value;
  }

  /** Moves the numbers into one array. The list is empty afterwards. */
  toArray(): List {
    this.budget.take(this.empty.BYTES_PER_ELEMENT * this.length, this.what);
    const all = this.make(this.length);
    let at = 0;
    for (const chunk of this.full) {
      all.set(chunk, at);
      at += chunk.length;
    }
    all.set(this.chunk.subarray(0, this.used), at);
    this.clear();
    return all;
  }

  private clear(): void {
    this.budget.release(this.empty.BYTES_PER_ELEMENT * (this.fullLength + this.chunk.length));
    this.full.length = 0;
    this.chunk = this.empty;
    this.used = this.fullLength = 0;
  }

  private grow(): void {
    if (this.length >= MAX_LENGTH)
      throw new InvalidFile(
        `has more than ${MAX_LENGTH} numbers in ${this.what}, the maximum`,
        'Simplify the meshes, or split the file into smaller ones.',
      );
    if (this.used > 0) this.full.push(this.chunk);
    this.fullLength += this.used;
    const length = Math.min(MAX_CHUNK, Math.max(FIRST_CHUNK, this.fullLength));
    this.budget.take(this.empty.BYTES_PER_ELEMENT * length, this.what);
    this.chunk = this.make(length);
    this.used = 0;
  }
}

const NO_FLOATS = new Float32Array(0);
const NO_DOUBLES = new Float64Array(0);
const NO_INDICES = new Uint32Array(0);
const makeFloats = (length: number) => new Float32Array(length);
const makeDoubles = (length: number) => new Float64Array(length);
const makeIndices = (length: number) => new Uint32Array(length);

export const growingFloats = (budget: MemoryBudget) =>
  new GrowingList(makeFloats, NO_FLOATS, budget, 'its coordinates');
export const growingDoubles = (budget: MemoryBudget) =>
  new GrowingList(makeDoubles, NO_DOUBLES, budget, 'its coordinates');
export const growingIndices = (budget: MemoryBudget) =>
  new GrowingList(makeIndices, NO_INDICES, budget, 'its triangles');
