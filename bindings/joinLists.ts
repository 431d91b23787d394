// Lists of p workers -> one result: per placed pair, its triangle pairs together, sorted by (a, b) when asked.
import { SortJob } from './layout.js';
import { Buffer } from './memory.js';
import type { Backend } from './backend.js';
import type { ResultPlace } from './results.js';
import type { FrontSystem } from './systems/front.js';

const HISTOGRAM_BYTES = 256 * 4;
/** Pairs are compared sixteen at a time. */
const SORT_ROOM = 64;

/** Owns the joined result and the sort's spare memory. */
export class Joiner {
  private readonly backend: Backend;
  private readonly a: Buffer;
  private readonly b: Buffer;
  private readonly spareA: Buffer;
  private readonly spareB: Buffer;
  private readonly job: Buffer;
  private segments = new Uint32Array(2);

  constructor(backend: Backend) {
    this.backend = backend;
    const { arena } = backend;
    this.a = new Buffer(arena);
    this.b = new Buffer(arena);
    this.spareA = new Buffer(arena);
    this.spareB = new Buffer(arena);
    this.job = new Buffer(arena);
  }

  /** Joins `front`'s lists of its last run. `swapped[i]` says that pair i ran with its meshes exchanged. */
  join(front: FrontSystem, pairCount: number, swapped: Uint8Array, order: 'sorted' | 'any'): ResultPlace {
    const pairsAt = this.countSegments(front, pairCount);
    const total = pairsAt[pairCount]!;
    this.gather(front, pairsAt, total);
    const { arena } = this.backend;
    for (let i = 0; i < pairCount; i++) {
      const from = pairsAt[i]!, count = pairsAt[i + 1]! - from;
      if (swapped[i]) exchange(arena.u32, this.a.at / 4 + from, this.b.at / 4 + from, count);
      if (order === 'sorted' && count > 1) {
        const [trianglesA, trianglesB] = [front.triangleCount(i, 'meshA'), front.triangleCount(i, 'meshB')];
        this.sort(from, count, swapped[i] ? trianglesB : trianglesA, swapped[i] ? trianglesA : trianglesB);
      }
    }
    return { arena, aAt: this.a.at, bAt: this.b.at, count: total, pairsAt };
  }

  /** Offsets of each pair's entries: what `join` would give, with nothing joined. */
  count(front: FrontSystem, pairCount: number): Uint32Array { return this.countSegments(front, pairCount); }

  dispose(): void { for (const buffer of [this.a, this.b, this.spareA, this.spareB, this.job]) buffer.dispose(); }

  // Offsets of each pair's entries, from the runs of all lists and the pairs settled in TypeScript.
  private countSegments(front: FrontSystem, pairCount: number): Uint32Array {
    if (this.segments.length < pairCount + 1) this.segments = new Uint32Array(2 * pairCount + 2);
    const pairsAt = this.segments.subarray(0, pairCount + 1).fill(0);
    this.eachRun(front, (pair, _list, from, to) => { pairsAt[pair + 1]! += to - from; });
    for (let i = 0; i < front.extra.length; i += 3) pairsAt[front.extra[i]! + 1]!++;
    for (let i = 0; i < pairCount; i++) pairsAt[i + 1]! += pairsAt[i]!;
    return pairsAt;
  }

  private gather(front: FrontSystem, pairsAt: Uint32Array, total: number): void {
    const { arena } = this.backend;
    const a = this.a.reserve(4 * total + 16) / 4, b = this.b.reserve(4 * total + 16) / 4;
    const next = pairsAt.length === 2 ? [0] : Array.from(pairsAt);
    const { u32 } = arena;
    this.eachRun(front, (pair, list, from, to) => {
      const listA = front.lists.read(list, 'pairsAAt') / 4, listB = front.lists.read(list, 'pairsBAt') / 4;
      u32.copyWithin(a + next[pair]!, listA + from, listA + to);
      u32.copyWithin(b + next[pair]!, listB + from, listB + to);
      next[pair]! += to - from;
    });
    for (let i = 0; i < front.extra.length; i += 3) {
      const to = next[front.extra[i]!]!++;
      u32[a + to] = front.extra[i + 1]!;
      u32[b + to] = front.extra[i + 2]!;
    }
  }

  private eachRun(front: FrontSystem, visit: (pair: number, list: number, from: number, to: number) => void): void {
    const { arena } = this.backend;
    for (let list = 0; list < front.parts; list++) {
      const runs = front.lists.read(list, 'runsAt') / 4, count = front.lists.read(list, 'runsCount');
      for (let r = 0; r < count; r++) {
        const to = r + 1 < count ? arena.u32[runs + 2 * r + 3]! : front.lists.read(list, 'pairsCount');
        visit(arena.u32[runs + 2 * r]!, list, arena.u32[runs + 2 * r + 1]!, to);
      }
    }
  }

  private sort(from: number, count: number, trianglesA: number, trianglesB: number): void {
    const { arena, pool } = this.backend;
    const spareA = this.spareA.reserve(4 * count + SORT_ROOM), spareB = this.spareB.reserve(4 * count + SORT_ROOM);
    const jobAt = this.job.reserve(SortJob.size + HISTOGRAM_BYTES);
    const w = jobAt / 4, at = SortJob.at;
    arena.u32[w + at.aAt / 4] = this.a.at + 4 * from;
    arena.u32[w + at.bAt / 4] = this.b.at + 4 * from;
    arena.u32[w + at.count / 4] = count;
    arena.u32[w + at.spareAAt / 4] = spareA;
    arena.u32[w + at.spareBAt / 4] = spareB;
    arena.u32[w + at.histogramAt / 4] = jobAt + SortJob.size;
    arena.u32[w + at.bitsA / 4] = 32 - Math.clz32(Math.max(1, trianglesA - 1));
    arena.u32[w + at.bitsB / 4] = 32 - Math.clz32(Math.max(1, trianglesB - 1));
    pool.kernels.sortPairs(jobAt, 0, 1);
  }
}

function exchange(u32: Uint32Array, a: number, b: number, count: number): void {
  const kept = u32.slice(a, a + count);
  u32.copyWithin(a, b, b + count);
  u32.set(kept, b);
}
