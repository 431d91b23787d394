// Placed mesh pairs -> lists of intersecting triangle pairs by p-partition fronts (Zhang & Kim 2014, s3).
import type { Backend } from '../backend.js';
import { trianglesMeetExact } from '../exact.js';
import { FrontNode, limits, MeshRecord, PairRecord, TraverseJob, WeighJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { Partition } from '../partition.js';
import { placedPoints } from './placedPoints.js';
import { Lists } from './lists.js';
import { FrontCache, type StartingFront, type Tree } from './startingFront.js';

const NODE_WORDS = FrontNode.size / 4;
const NODE = { pair: FrontNode.at.pair / 4, start: FrontNode.at.start / 4, cost: FrontNode.at.cost / 4, boxTests: FrontNode.at.boxTests / 4, leafPairs: FrontNode.at.leafPairs / 4 };
const CHILDREN = 16;

/** Cost of a leaf pair (up to 16 triangle pairs) in box tests: k of s2.2, measured by `npm run bench -- cost`. */
export const LEAF_PAIR_COST = 4;

/** Box tests that 'any' does alone before other threads are woken: about 10 hand-offs' worth. */
const ALONE_TESTS = 4096;

/** How the front is made. */
export interface FrontOptions {
  /** Lists that the work is dealt to. */
  parts: number;
  /** Whether last run's costs predict this one's (s3.2.1), or overlap volumes do (s3.2.2). */
  coherence: 'on' | 'off';
  /** No node costs more than total / (grain * parts): eq. 1's g. Default follows p. */
  grain?: number;
}

/** Starting fronts: 4^4 nodes where a pair stands alone, its root only where there are many pairs. */
const STARTING_NODES = 256;

export class FrontSystem {
  readonly lists: Lists;
  readonly partition = new Partition();
  readonly cache = new FrontCache();
  /** Numbers of the last run. */
  startCount = 0;
  frontCount = 0;
  /** Greatest and summed measured cost of a node, by starting node: eq. 6. */
  greatestCost = 0;
  totalCost = 0;
  parts = 1;
  /** Triangle pairs found by exact integers in TypeScript: (pair, a, b). */
  readonly extra: number[] = [];
  private readonly backend: Backend;
  private readonly pairs: Buffer;
  private readonly starts: Buffer;
  private readonly weighed: Buffer;
  private readonly front: Buffer;
  private readonly order: Buffer;
  private readonly job: Buffer;
  private readonly stack: Buffer;
  private readonly hits: Buffer;
  private readonly used: StartingFront[] = [];
  private depth = 0;

  constructor(backend: Backend, pairCapacity: number) {
    this.backend = backend;
    const { arena } = backend;
    this.lists = new Lists(arena, pairCapacity);
    this.pairs = new Buffer(arena);
    this.starts = new Buffer(arena);
    this.weighed = new Buffer(arena);
    this.front = new Buffer(arena);
    this.order = new Buffer(arena);
    this.stack = new Buffer(arena);
    this.job = new Buffer(arena);
    this.hits = new Buffer(arena);
  }

  /** Room for `count` pair records. @returns their address. */
  reservePairs(count: number): number {
    this.depth = 0;
    return this.pairs.reserve(count * PairRecord.size);
  }

  get pairsAt(): number { return this.pairs.at; }

  /** Bytes of fronts, orders and stacks now: O(N_s + N_p + p log m) (s5.3). */
  get frontBytes(): number { return (this.startCount + this.frontCount) * FrontNode.size + this.frontCount * 4; }

  /** Tells the system how deep the trees of a pair are; stacks are sized by the deepest. */
  noteDepth(sumOfDepths: number): void { this.depth = Math.max(this.depth, sumOfDepths); }

  /**
   * Runs all pairs; trees[2 i] and trees[2 i + 1] are pair i's, in the order of its record.
   * @returns false when a worker was lost midway: dispose of this system, which it may still write to, and start over.
   */
  run(trees: readonly Tree[], options: FrontOptions): boolean {
    const pairCount = trees.length / 2;
    this.extra.length = 0;
    const parts = Math.max(1, options.parts);
    this.parts = parts;
    this.lists.reserve(parts, this.depth, pairCount + 1);
    if (parts === 1 && pairCount === 1) this.rootOnly();
    else this.dealFront(trees, parts, options);
    if (!this.traverse(parts)) return false;
    if (this.used.length > 0) this.writeBack();
    this.settleWide(parts);
    return true;
  }

  /**
   * Does each pair meet? The words at `hitsAt` turn 1 for those that do. A single pair starts alone, deepest overlap first,
   * for a fixed budget of tests; only what takes longer is dealt to all threads.
   * @returns false when a worker was lost midway, as `run`.
   */
  runAny(trees: readonly Tree[], options: FrontOptions): boolean {
    const { pool } = this.backend;
    const pairCount = trees.length / 2, parts = Math.max(1, options.parts);
    this.extra.length = 0;
    this.parts = 1;
    this.used.length = 0;
    this.lists.reserve(parts, this.depth, pairCount + 1);
    this.backend.arena.u32.fill(0, this.hits.reserve(4 * pairCount) / 4, this.hits.at / 4 + pairCount);
    if (pairCount === 1) {
      this.rootOnly();
      this.lists.reset(1);
      pool.kernels.touchAny(this.writeTraverseJob(parts === 1 ? 0 : ALONE_TESTS), 0, 1);
      if (this.lists.read(0, 'rest') === 0 && this.lists.read(0, 'wideCount') === 0) return true;
    }
    this.parts = parts;
    this.dealFront(trees, parts, { ...options, coherence: 'off' });
    do {
      this.lists.reset(parts);
      if (!pool.run('touchAny', this.writeTraverseJob(0), parts)) return false;
    } while (this.lists.growOutputs(parts));
    this.settleWide(parts);
    for (let i = 0; i < this.extra.length; i += 3) this.backend.arena.u32[this.hits.at / 4 + this.extra[i]!] = 1;
    return true;
  }

  /** Answers of runAny, a word a pair. */
  get hitsAt(): number { return this.hits.at; }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.pairs, this.starts, this.weighed, this.front, this.order, this.stack, this.job, this.hits]) buffer.dispose();
  }

  // One list, one pair: the root is the whole front.
  private rootOnly(): void {
    const at = this.front.reserve(FrontNode.size), orderAt = this.order.reserve(4);
    const { u32 } = this.backend.arena;
    u32.fill(0, at / 4, at / 4 + NODE_WORDS);
    u32[(at + FrontNode.at.slotA) / 4] = u32[(at + FrontNode.at.slotB) / 4] = limits.NOTHING;
    u32[orderAt / 4] = 0;
    this.used.length = 0;
    this.startCount = this.frontCount = 1;
    this.lists.setOrder(0, orderAt, 1);
  }

  private dealFront(trees: readonly Tree[], parts: number, options: FrontOptions): void {
    const coherent = this.gatherStarts(trees, options.coherence);
    const grain = options.grain ?? grainOf(parts);
    const total = this.weigh(coherent);
    this.expand(total / (grain * parts), coherent);
    const { arena } = this.backend;
    this.partition.deal(arena.f32, arena.u32, this.front.at / 4 + NODE.cost, NODE_WORDS, this.frontCount, parts);
    this.orderLists(parts);
  }

  // Concatenates the pairs' starting fronts. @returns whether all have run before and may be trusted.
  private gatherStarts(trees: readonly Tree[], coherence: 'on' | 'off'): boolean {
    const { arena } = this.backend;
    const pairCount = trees.length / 2;
    const size = pairCount === 1 ? STARTING_NODES : Math.max(1, Math.floor(4 * STARTING_NODES / pairCount));
    const seen = new Map<Tree, Map<Tree, number>>();
    this.used.length = 0;
    let count = 0, coherent = coherence === 'on';
    for (let i = 0; i < pairCount; i++) {
      const [a, b] = [trees[2 * i]!, trees[2 * i + 1]!];
      let ofA = seen.get(a);
      if (!ofA) seen.set(a, ofA = new Map());
      const occurrence = ofA.get(b) ?? 0;
      ofA.set(b, occurrence + 1);
      const front = this.cache.find(arena, a, b, occurrence, size);
      this.used.push(front);
      count += front.count;
      if (front.total === 0) coherent = false;
    }
    const at = this.starts.reserve(count * FrontNode.size);
    for (let i = 0, offset = 0; i < pairCount; i++) {
      this.used[i]!.write(arena, at + offset * FrontNode.size, i);
      offset += this.used[i]!.count;
    }
    this.startCount = count;
    return coherent;
  }

  private jobAt(): number { return this.job.reserve(Math.max(WeighJob.size, TraverseJob.size) + 64); }

  // Starting nodes -> those that overlap, with costs. @returns the sum of the costs.
  private weigh(coherent: boolean): number {
    const { arena, pool } = this.backend;
    const outAt = this.weighed.reserve(this.startCount * FrontNode.size + FrontNode.size);
    const jobAt = this.jobAt(), countsAt = jobAt + WeighJob.size;
    this.writeWeighJob(jobAt, this.starts.at, this.startCount, outAt, this.startCount, countsAt, 0, coherent);
    pool.kernels.weighFront(jobAt, 0, 1);
    this.frontCount = arena.u32[countsAt / 4 + 2]!;
    return arena.f64[countsAt / 8]!;
  }

  private expand(bound: number, coherent: boolean): void {
    const { arena, pool } = this.backend;
    const stackBytes = (CHILDREN * (this.depth + 2) + 2) * FrontNode.size;
    const stackAt = this.stack.reserve(stackBytes);
    const jobAt = this.jobAt(), countsAt = jobAt + WeighJob.size;
    const weighedCount = this.frontCount;
    for (let capacity = Math.max(64, 2 * weighedCount); ;) {
      const outAt = this.front.reserve(capacity * FrontNode.size);
      this.writeWeighJob(jobAt, this.weighed.at, weighedCount, outAt, capacity, countsAt, bound, coherent);
      arena.u32[(jobAt + WeighJob.at.stackAt) / 4] = stackAt;
      arena.u32[(jobAt + WeighJob.at.stackBytes) / 4] = stackBytes;
      pool.kernels.expandFront(jobAt, 0, 1);
      this.frontCount = arena.u32[countsAt / 4 + 2]!;
      if (this.frontCount <= capacity) return;
      capacity = this.frontCount;
    }
  }

  private writeWeighJob(jobAt: number, startAt: number, startCount: number, outAt: number, outCapacity: number, countsAt: number, bound: number, coherent: boolean): void {
    const { u32, f32 } = this.backend.arena;
    const w = jobAt / 4;
    u32[w + WeighJob.at.pairsAt / 4] = this.pairs.at;
    u32[w + WeighJob.at.startAt / 4] = startAt;
    u32[w + WeighJob.at.startCount / 4] = startCount;
    u32[w + WeighJob.at.sliceCount / 4] = 1;
    u32[w + WeighJob.at.outAt / 4] = outAt;
    u32[w + WeighJob.at.outCapacity / 4] = outCapacity;
    u32[w + WeighJob.at.countsAt / 4] = countsAt;
    f32[w + WeighJob.at.bound / 4] = bound;
    u32[w + WeighJob.at.coherent / 4] = coherent ? 1 : 0;
  }

  // Each list takes its nodes in the front's own order: pairs stay together, neighbours stay near.
  private orderLists(parts: number): void {
    const { arena } = this.backend;
    const { part } = this.partition;
    const orderAt = this.order.reserve(this.frontCount * 4 + parts * 4);
    const sizes = arena.u32.subarray(orderAt / 4 + this.frontCount, orderAt / 4 + this.frontCount + parts).fill(0);
    for (let i = 0; i < this.frontCount; i++) sizes[part[i]!]!++;
    for (let p = 0, offset = 0; p < parts; p++) {
      const size = sizes[p]!;
      this.lists.setOrder(p, orderAt + offset * 4, size);
      sizes[p] = offset;
      offset += size;
    }
    for (let i = 0; i < this.frontCount; i++) arena.u32[orderAt / 4 + sizes[part[i]!]!++] = i;
  }

  // Runs every list to its end; lists that overflow have counted on, get room and run again.
  private traverse(parts: number): boolean {
    const { pool } = this.backend;
    do {
      this.lists.reset(parts);
      if (!pool.run('traverse', this.writeTraverseJob(), parts)) return false;
    } while (this.lists.growOutputs(parts));
    return true;
  }

  private writeTraverseJob(budget = 0): number {
    const { arena, packTableAt } = this.backend;
    const jobAt = this.jobAt();
    const { u32 } = arena;
    u32[(jobAt + TraverseJob.at.pairsAt) / 4] = this.pairs.at;
    u32[(jobAt + TraverseJob.at.frontAt) / 4] = this.front.at;
    u32[(jobAt + TraverseJob.at.listsAt) / 4] = this.lists.recordsAt;
    u32[(jobAt + TraverseJob.at.packTableAt) / 4] = packTableAt;
    u32[(jobAt + TraverseJob.at.hitsAt) / 4] = this.hits.at;
    u32[(jobAt + TraverseJob.at.budget) / 4] = budget;
    return jobAt;
  }

  // Measured costs go back to the starting nodes: the next frame's prediction (s3.4).
  private writeBack(): void {
    const { arena } = this.backend;
    const { u32, f32 } = arena;
    const starts = this.starts.at / 4, front = this.front.at / 4;
    for (let i = 0; i < this.startCount; i++) f32[starts + i * NODE_WORDS + NODE.cost] = 0;
    for (let i = 0; i < this.frontCount; i++) {
      const node = front + i * NODE_WORDS;
      f32[starts + u32[node + NODE.start]! * NODE_WORDS + NODE.cost]! += u32[node + NODE.boxTests]! + LEAF_PAIR_COST * u32[node + NODE.leafPairs]!;
    }
    let at = this.starts.at;
    for (const used of this.used) { used.read(arena, at); at += used.count * FrontNode.size; }
  }

  // Coordinates that span too many exponents for expansions: integers of any size decide.
  private settleWide(parts: number): void {
    const { arena } = this.backend;
    for (let list = 0; list < parts; list++) {
      const count = this.lists.read(list, 'wideCount');
      if (count === 0) continue;
      const wide = arena.u32.slice(this.lists.read(list, 'wideAt') / 4, this.lists.read(list, 'wideAt') / 4 + 3 * count);
      for (let i = 0; i < count; i++) {
        const [pair, a, b] = [wide[3 * i]!, wide[3 * i + 1]!, wide[3 * i + 2]!];
        if (trianglesMeetExact(placedPoints(arena, this.pairs.at + pair * PairRecord.size, a, b))) this.extra.push(pair, a, b);
      }
    }
  }

  /** Predicted or measured load of each list in cost units, for imbalance: greatest / mean. */
  listCost(list: number): number {
    return this.lists.counter(list, 'boxTests') + LEAF_PAIR_COST * this.lists.counter(list, 'leafPairs');
  }

  meshRecord(pair: number, side: 'meshA' | 'meshB'): number {
    return this.backend.arena.u32[(this.pairs.at + pair * PairRecord.size + PairRecord.at[side]) / 4]!;
  }

  triangleCount(pair: number, side: 'meshA' | 'meshB'): number {
    return this.backend.arena.u32[(this.meshRecord(pair, side) + MeshRecord.at.triangleCount) / 4]!;
  }
}

/** g by p: bounds the makespan at (1 + (p-1)/(g p)) of the mean: 1.06 at g = 16, 1.03 at 32. */
function grainOf(parts: number): number { return parts <= 2 ? 16 : 32; }
