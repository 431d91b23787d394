// Workers' scratch and output of a sweep -> BoxLists; grows by what was counted, is kept from call to call.
import type { Backend } from '../backend.js';
import { BoxList, ListCopy, SweptBox } from '../boxLayout.js';
import { boxLimits } from '../boxLimits.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { runStep } from '../steps.js';
import { cutLists, type PairList } from './pairSort.js';

const TILE_BYTES = 7 * boxLimits.TILE_STRIDE + 8 * boxLimits.MOST_BLOCKS + boxLimits.TILE + 6 * boxLimits.MOST_FOUND + 128;
const BUCKET_BYTES = 4 * (2 ** boxLimits.SWEEP_BUCKET_BITS + 1);

interface Own { scratch: Buffer; a: Buffer; b: Buffer; capacity: number }

export class BoxLists {
  count = 0;
  private readonly backend: Backend;
  private readonly records: Buffer;
  private readonly copies: Buffer;
  private readonly own: Own[] = [];

  constructor(backend: Backend) {
    this.backend = backend;
    this.records = new Buffer(backend.arena);
    this.copies = new Buffer(backend.arena);
  }

  get at(): number { return this.records.at; }

  /** Makes `count` lists fit for slabs of up to `mostBoxes`, with room for `capacity` pairs each (0: they only count). */
  prepare(count: number, mostBoxes: number, capacity: number): void {
    this.count = count;
    const { arena } = this.backend;
    this.records.reserve(count * BoxList.size);
    const columns = Math.max(1, Math.min(boxLimits.SLAB_COLUMNS, mostBoxes >> 3));
    // Twice as many as there are boxes: a slab that needs more makes fewer columns.
    const columnCapacity = 2 * mostBoxes;
    // Tiles are read eight boxes at a time.
    const sortedBytes = mostBoxes * SweptBox.size, columnBytes = (columnCapacity + 8) * SweptBox.size;
    for (let i = 0; i < count; i++) {
      const own = this.own[i] ??= { scratch: new Buffer(arena), a: new Buffer(arena), b: new Buffer(arena), capacity: 0 };
      const sortedAt = own.scratch.reserve(sortedBytes + columnBytes + TILE_BYTES + BUCKET_BYTES + 4 * (columns + 1));
      if (capacity > 0 && own.capacity < capacity) this.makeRoom(own, capacity);
      const columnBoxesAt = sortedAt + sortedBytes, tileAt = columnBoxesAt + columnBytes, bucketsAt = tileAt + TILE_BYTES, columnsAt = bucketsAt + BUCKET_BYTES;
      setWords(arena.u32, this.at + i * BoxList.size, BoxList, { sortedAt, columnBoxesAt, tileAt, columnCapacity, bucketsAt, columnsAt });
      this.setOutput(i, capacity > 0 ? own.capacity : 0);
    }
  }

  /** Clears the counts of all lists. */
  reset(): void {
    const { f64 } = this.backend.arena;
    for (let i = 0; i < this.count; i++) {
      for (const field of ['found', 'tests', 'entries'] as const) f64[(this.at + i * BoxList.size + BoxList.at[field]) / 8] = 0;
    }
  }

  /** Sum of a counter over all lists. */
  sum(field: 'found' | 'tests' | 'entries'): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.read(i, field);
    return sum;
  }

  /** Gives all lists room for the most that one of them found, and a quarter. @returns whether any had too little. */
  growOutputs(): boolean {
    let most = 0, isShort = false;
    for (let i = 0; i < this.count; i++) {
      const found = this.read(i, 'found');
      most = Math.max(most, found);
      isShort ||= found > this.own[i]!.capacity;
    }
    if (!isShort) return false;
    for (let i = 0; i < this.count; i++) {
      if (this.own[i]!.capacity < most) this.makeRoom(this.own[i]!, Math.ceil(most * (this.count > 1 ? 1.25 : 1)));
      this.setOutput(i, this.own[i]!.capacity);
    }
    return true;
  }

  /** Where list i's pairs lie. */
  output(i: number): PairList {
    return { aAt: this.own[i]!.a.at, bAt: this.own[i]!.b.at, count: this.read(i, 'found') };
  }

  /** Where all lists' pairs lie. */
  get outputs(): PairList[] { return Array.from({ length: this.count }, (_, i) => this.output(i)); }

  /** All pairs behind each other: those of the other lists behind list 0's. @throws LostSlice, Capacity */
  join(): PairList {
    if (this.count === 1) return this.output(0);
    const total = this.sum('found'), { count } = this.output(0), { arena } = this.backend;
    if (this.own[0]!.capacity < total) this.makeRoom(this.own[0]!, total, count);
    const { a, b } = this.own[0]!, pieces = cutLists(this.outputs.slice(1), this.backend.pool.threadCount, total - count);
    if (pieces.length > 0) {
      const jobAt = this.copies.reserve(pieces.length * ListCopy.size);
      let end = count;
      pieces.forEach((from, i) => {
        setWords(arena.u32, jobAt + i * ListCopy.size, ListCopy, { ...from, toAAt: a.at + 4 * end, toBAt: b.at + 4 * end });
        end += from.count;
      });
      runStep(this.backend, 'joinLists', jobAt, pieces.length);
    }
    return { aAt: a.at, bAt: b.at, count: total };
  }

  dispose(): void {
    this.records.dispose();
    this.copies.dispose();
    for (const { scratch, a, b } of this.own) for (const buffer of [scratch, a, b]) buffer.dispose();
    this.own.length = 0;
  }

  private read(i: number, field: 'found' | 'tests' | 'entries'): number {
    return this.backend.arena.f64[(this.at + i * BoxList.size + BoxList.at[field]) / 8]!;
  }

  // Whoever begins within the capacity may write as many pairs as are kept to be settled.
  private makeRoom(own: Own, capacity: number, kept = 0): void {
    const bytes = capacity > 0 ? 4 * (capacity + boxLimits.MOST_FOUND) + 32 : 0;
    own.capacity = 0;
    for (const list of [own.a, own.b]) {
      // What holds nothing yet is given back before its successor is taken.
      if (kept > 0) list.grow(bytes, 4 * kept);
      else list.reserve(bytes);
    }
    own.capacity = capacity;
  }

  private setOutput(i: number, pairsCapacity: number): void {
    setWords(this.backend.arena.u32, this.at + i * BoxList.size, BoxList, { pairsAAt: this.own[i]!.a.at, pairsBAt: this.own[i]!.b.at, pairsCapacity });
  }
}
