// Pairs in engine memory that their owner keeps from frame to frame.
import type { Backend } from '../backend.js';
import { KeepStillJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { BoxLists } from './boxLists.js';
import type { PairList } from './pairSort.js';

const SPARE = 64;

export class PairBuffer implements PairList {
  count = 0;
  private readonly backend: Backend;
  private readonly a: Buffer;
  private readonly b: Buffer;
  private readonly job: Buffer;

  constructor(backend: Backend) {
    this.backend = backend;
    this.a = new Buffer(backend.arena);
    this.b = new Buffer(backend.arena);
    this.job = new Buffer(backend.arena);
  }

  get aAt(): number { return this.a.at; }
  get bAt(): number { return this.b.at; }

  /** Room for `count` pairs; the first `kept` stay. @throws Capacity, with nothing lost */
  makeRoom(count: number, kept: number): void {
    const { arena } = this.backend;
    for (const list of [this.a, this.b]) {
      const bytes = 4 * count + SPARE;
      if (arena.sizeOf(list.at) < bytes) list.grow(bytes + (bytes >>> 2), 4 * kept);
    }
  }

  /** Copies a list in, over what is there. @throws Capacity */
  take({ aAt, bAt, count }: PairList): void {
    this.makeRoom(count, 0);
    const { u32 } = this.backend.arena;
    u32.copyWithin(this.aAt / 4, aAt / 4, aAt / 4 + count);
    u32.copyWithin(this.bAt / 4, bAt / 4, bAt / 4 + count);
    this.count = count;
  }

  /** Pairs of two boxes that have not moved go to the front, over the others. @returns how many they are. */
  keepStill(movedAt: number): number {
    const { backend: { arena, pool } } = this, jobAt = this.job.reserve(KeepStillJob.size);
    setWords(arena.u32, jobAt, KeepStillJob, { ...this.place, movedAt });
    pool.kernels.keepStill(jobAt, 0, 1);
    return arena.u32[(jobAt + KeepStillJob.at.kept) / 4]!;
  }

  /** All lists behind the first `kept` pairs. @throws Capacity */
  append(lists: BoxLists, kept: number): void {
    this.makeRoom(kept + lists.sum('found'), kept);
    const { u32 } = this.backend.arena;
    for (let i = 0; i < lists.count; i++) {
      const { aAt, bAt, count } = lists.output(i);
      u32.copyWithin(this.aAt / 4 + kept, aAt / 4, aAt / 4 + count);
      u32.copyWithin(this.bAt / 4 + kept, bAt / 4, bAt / 4 + count);
      kept += count;
    }
    this.count = kept;
  }

  /** Where they are: what the owner changes later, this does not. */
  get place(): PairList { return { aAt: this.aAt, bAt: this.bAt, count: this.count }; }

  dispose(): void {
    this.a.dispose();
    this.b.dispose();
    this.job.dispose();
  }
}
