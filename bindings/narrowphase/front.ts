// Placed mesh pairs -> lists of intersecting triangle pairs by p-partition fronts (Zhang & Kim 2014, s3).

import { Partition } from '../core/partition.js';
import { trianglesMeetExact } from '../mesh/exact.js';
import { placedPoints } from '../mesh/placedPoints.js';
import { FrontNode, limits, PairRecord, TraverseJob } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { FrontMaker, type Pairing } from './frontMaker.js';
import { Lists } from './lists.js';
import type { StartingFront, Tree } from './startingFront.js';

const NODE_WORDS = FrontNode.size / 4;
const NODE_COST = FrontNode.at.cost / 4;

/**
 * Cost of a leaf pair (up to 16 triangle pairs) in box tests: k of s2.2, measured by `npm run bench -- cost`.
 */
export const LEAF_PAIR_COST = 12;

/** Cost, in box tests, of what 'any' does alone before other threads are woken: about 10 hand-offs' worth. */
const ALONE_TESTS = 4096;

/**
 * Pairs a list from which on they need not be divided: they even out, and taking over from others does the
 * rest.
 */
const WHOLE_PAIRS = 256;

/** How the front is made and run. */
export interface FrontOptions {
  /** Lists that the work is dealt to: p. */
  parts: number;
  /** Whether last run's costs predict this one's (s3.2.1), or overlap volumes do (s3.2.2). */
  coherence: 'on' | 'off';
  /** Whether lists that are done take over from others. */
  stealing: 'on' | 'off';
  /**
   * Pair i's starting front with its costs, where the caller keeps them; what is missing is added. Default:
   * kept by meshes.
   */
  fronts?: (StartingFront | undefined)[];
  pairing?: Pairing;
}

export class FrontSystem {
  readonly lists: Lists;
  readonly maker: FrontMaker;
  readonly pairs: Buffer;
  /** Lists of the last run. */
  parts = 1;
  /** Greatest measured cost of a front node of the last run (0: one list took all), and the run's time. */
  greatest = 0;
  milliseconds = 0;
  /** Time that each list of the last run took its thread; 0 where there were more lists than threads. */
  listMilliseconds = new Float64Array(1);
  /** Triangle pairs found by exact integers in TypeScript: (pair, a, b). */
  readonly extra: number[] = [];
  readonly #backend: Backend;
  readonly #partition = new Partition();
  readonly order: Buffer;
  readonly #job: Buffer;
  readonly #hits: Buffer;
  readonly #roots: Buffer;
  #depth = 0;
  frontAt = 0;
  #rootCount = 0;
  /** Whether the last front was made and dealt; else the roots were all of it. */
  #wasDealt = false;

  constructor(backend: Backend, pairCapacity: number) {
    this.#backend = backend;
    const { arena } = backend;
    this.lists = new Lists(arena, pairCapacity);
    this.pairs = new Buffer(arena);
    this.maker = new FrontMaker(backend, this.pairs);
    this.order = new Buffer(arena);
    this.#job = new Buffer(arena);
    this.#hits = new Buffer(arena);
    this.#roots = new Buffer(arena);
  }

  /** Room for `count` pair records. @returns their address. */
  reservePairs(count: number): number {
    this.#depth = 0;
    return this.pairs.reserve(count * PairRecord.size);
  }

  /** Tells the system how deep the trees of a pair are; stacks are sized by the deepest. */
  noteDepth(sumOfDepths: number): void {
    this.#depth = Math.max(this.#depth, sumOfDepths);
  }

  /** Whether the last run's front was made of measured costs. */
  get coherent(): boolean {
    return this.#wasDealt && this.maker.coherent;
  }
  /**
   * Nodes of the last run's starting fronts (N_s) and front (N_p); the roots alone where one list took all.
   */
  get startCount(): number {
    return this.#wasDealt ? this.maker.startCount : this.#rootCount;
  }
  get frontCount(): number {
    return this.#wasDealt ? this.maker.frontCount : this.#rootCount;
  }
  /** Bytes of fronts, cost tree and orders now (s5.3). */
  get frontBytes(): number {
    return (this.#wasDealt ? this.maker.bytes : this.#rootCount * FrontNode.size) + this.frontCount * 4;
  }

  /**
   * Runs all pairs; trees[2 i] and trees[2 i + 1] are pair i's, in the order of its record. @throws
   * WorkerLost: dispose of this system and start over; Capacity
   */
  run(trees: readonly Tree[], options: FrontOptions): void {
    const startedAt = performance.now();
    if (options.parts > 1) this.#backend.pool.wake();
    this.prepare(trees, options, options.parts);
    this.traverse(options);
    this.greatest = this.#wasDealt ? this.maker.remember(LEAF_PAIR_COST) : 0;
    this.#settleWide();
    this.milliseconds = performance.now() - startedAt;
  }

  /**
   * Does each pair meet? The words at `hitsAt` turn 1 for those that do. A single pair starts alone, deepest
   * overlap first, for a fixed budget of tests; only what takes longer is dealt to all threads. @throws as
   * run
   */
  runAny(trees: readonly Tree[], options: FrontOptions): void {
    const backend = this.#backend;
    const { pool, arena } = backend;
    const kernel = `touchAny${options.pairing ?? ''}` as const;
    const pairCount = trees.length / 2;
    // Before the view is read: reserving may grow the memory.
    const hitsAt = this.#hits.reserve(4 * pairCount) / 4;
    for (let i = 0; i < pairCount; i++) arena.u32[hitsAt + i] = 0;
    if (pairCount === 1) {
      this.prepare(trees, options, 1);
      this.lists.reset(1);
      pool.kernels[kernel](this.writeJob('off', options.parts <= 1 ? 0 : ALONE_TESTS), 0, 1);
      if (this.lists.isSettled(0)) return;
    }
    this.prepare(trees, { ...options, coherence: 'off' }, options.parts);
    do {
      this.lists.reset(this.parts);
      runStep(backend, kernel, this.writeJob('off'), this.parts);
    } while (this.lists.growOutputs(this.parts));
    this.#settleWide();
    for (let i = 0; i < this.extra.length; i += 3) arena.u32[this.#hits.at / 4 + this.extra[i]] = 1;
  }

  /** Answers of runAny, a word a pair. */
  get hitsAt(): number {
    return this.#hits.at;
  }

  dispose(): void {
    this.lists.dispose();
    this.maker.dispose();
    for (const buffer of [this.pairs, this.order, this.#job, this.#hits, this.#roots]) buffer.dispose();
  }

  /** Measured cost of the last run in box tests. */
  get cost(): number {
    let sum = 0;
    for (let list = 0; list < this.parts; list++) sum += this.listCost(list);
    return sum;
  }

  /** Measured load of a list in cost units. */
  listCost(list: number): number {
    return this.lists.counter(list, 'boxTests') + LEAF_PAIR_COST * this.lists.counter(list, 'leafPairs');
  }

  private prepare(trees: readonly Tree[], options: FrontOptions, wantedParts: number): void {
    const pairCount = trees.length / 2;
    const parts = (this.parts = pairCount === 0 ? 1 : Math.max(1, wantedParts));
    if (this.extra.length > 0) this.extra.length = 0;
    const isWhole = parts === 1 || areManyAlike(trees, parts);
    this.#wasDealt = !isWhole;
    if (isWhole) this.takeRoots(pairCount);
    else {
      const pieces = (basis: 'on' | 'off'): number =>
        (this.#backend.extensions.study?.grain ?? grainOf(parts, basis, options.stealing)) * parts;
      this.maker.make(trees, this.#depth, pieces, options.coherence, options.fronts, options.pairing);
      this.frontAt = this.maker.frontAt;
    }
    // Every change of pair begins a run: at worst one a front node.
    this.lists.reserve(parts, this.#depth, pairCount === 1 ? 1 : Math.max(1, this.frontCount));
    if (isWhole) this.#dealInTurn(parts, pairCount);
    else this.#deal(parts, pairCount);
  }

  /** Makes the roots the whole front. @internal */
  takeRoots(pairCount: number): void {
    const at = this.#roots.reserve(pairCount * FrontNode.size);
    this.order.reserve(pairCount * 4);
    const { u32 } = this.#backend.arena;
    for (let i = 0; i < pairCount; i++) {
      const node = at + i * FrontNode.size;
      u32[(node + FrontNode.at.pair) / 4] = i;
      u32[(node + FrontNode.at.slotA) / 4] = u32[(node + FrontNode.at.slotB) / 4] = limits.NOTHING;
    }
    this.frontAt = at;
    this.#rootCount = pairCount;
  }

  // Pair i to list i mod parts.
  #dealInTurn(parts: number, pairCount: number): void {
    const { u32 } = this.#backend.arena;
    let at = this.order.at;
    for (let list = 0; list < parts; list++) {
      const from = at;
      for (let i = list; i < pairCount; i += parts, at += 4) u32[at / 4] = i;
      this.lists.setOrder(list, from, (at - from) / 4);
    }
  }

  // Nodes go to lists of equal cost. Of one pair, heaviest first: what is left for others to steal is light.
  // Of many pairs, in the front's own order: every change of pair tests the leaf pairs that wait.
  #deal(parts: number, pairCount: number): void {
    const { arena } = this.#backend;
    const count = this.maker.frontCount;
    this.#partition.deal(arena.f32, arena.u32, this.frontAt / 4 + NODE_COST, NODE_WORDS, count, parts);
    const { part, order } = this.#partition;
    const orderAt = this.order.reserve((count + parts) * 4);
    const next = arena.u32.subarray(orderAt / 4 + count, orderAt / 4 + count + parts).fill(0);
    for (let i = 0; i < count; i++) next[part[i]]++;
    for (let p = 0, offset = 0; p < parts; p++) {
      const size = next[p];
      this.lists.setOrder(p, orderAt + offset * 4, size);
      next[p] = offset;
      offset += size;
    }
    for (let k = 0; k < count; k++) {
      const node = pairCount === 1 ? order[k] : k;
      arena.u32[orderAt / 4 + next[part[node]]++] = node;
    }
  }

  // Runs every list to its end; lists that overflow have counted on, get room and run again.
  private traverse({ stealing, pairing = '' }: FrontOptions): void {
    const backend = this.#backend;
    const {
      pool,
      extensions: { study },
    } = backend;
    const { parts } = this;
    do {
      this.lists.reset(parts);
      const jobAt = this.writeJob(stealing);
      if (study && parts > pool.threadCount) study.runInTurn(pairing, jobAt);
      else runStep(backend, `traverse${pairing}`, jobAt, parts);
    } while (this.lists.growOutputs(parts));
    this.#noteTimes();
  }

  // Before another step of the same query is timed.
  #noteTimes(): void {
    const { parts } = this;
    const { pool } = this.#backend;
    if (this.listMilliseconds.length < parts) this.listMilliseconds = new Float64Array(parts);
    for (let list = 0; list < parts; list++)
      this.listMilliseconds[list] = parts > pool.threadCount ? 0 : pool.shareMilliseconds[list];
  }

  writeJob(stealing: 'on' | 'off', budget = 0): number {
    const { arena, packTableAt } = this.#backend;
    const jobAt = this.#job.reserve(TraverseJob.size);
    const w = jobAt / 4;
    const at = TraverseJob.at;
    arena.u32[w + at.pairsAt / 4] = this.pairs.at;
    arena.u32[w + at.frontAt / 4] = this.frontAt;
    arena.u32[w + at.listsAt / 4] = this.lists.recordsAt;
    arena.u32[w + at.packTableAt / 4] = packTableAt;
    arena.u32[w + at.hitsAt / 4] = this.#hits.at;
    arena.u32[w + at.budget / 4] = budget;
    arena.u32[w + at.listCount / 4] = this.parts;
    arena.u32[w + at.stealCount / 4] = stealing === 'on' && this.parts > 1 ? this.parts : 0;
    arena.f32[w + at.leafPairCost / 4] = LEAF_PAIR_COST;
    return jobAt;
  }

  // Coordinates that span too many exponents for expansions: integers of any size decide.
  #settleWide(): void {
    const { arena } = this.#backend;
    for (let list = 0; list < this.parts; list++) {
      const count = this.lists.read(list, 'wideCount');
      if (count === 0) continue;
      const at = this.lists.read(list, 'wideAt') / 4;
      for (let i = at; i < at + 3 * count; i += 3) {
        const pair = arena.u32[i];
        const a = arena.u32[i + 1];
        const b = arena.u32[i + 2];
        if (trianglesMeetExact(placedPoints(arena, this.pairs.at + pair * PairRecord.size, a, b)))
          this.extra.push(pair, a, b);
      }
    }
  }
}

/**
 * Are there so many pairs that they can be dealt whole, and is none of them likely to be a quarter of a
 * list's work?
 */
function areManyAlike(trees: readonly Tree[], parts: number): boolean {
  if (trees.length < 2 * WHOLE_PAIRS * parts) return false;
  let total = 0;
  let greatest = 0;
  for (let i = 0; i < trees.length; i += 2) {
    const leaves = trees[i].leafCount + trees[i + 1].leafCount;
    total += leaves;
    greatest = Math.max(greatest, leaves);
  }
  return 4 * greatest * parts <= total;
}

/**
 * g by p: by predicted cost a static deal's makespan is at most (1 + (p-1)/(g p)) of the mean, 1.06 at g =
 * 16, 1.04 at 24. Overlap predicts worse than the last run: finer nodes average its errors out, or stealing
 * makes up for them. The figures are the least with which `npm run bench -- imbalance` keeps its bounds on
 * all scenes.
 */
function grainOf(parts: number, coherence: 'on' | 'off', stealing: 'on' | 'off'): number {
  if (coherence === 'on') return parts <= 2 ? 16 : 24;
  if (parts <= 2) return 32;
  if (parts > 16) return 448;
  return stealing === 'on' ? 32 : 96;
}
