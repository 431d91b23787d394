// Finds the intersecting triangle pairs of placed meshes by p-partition fronts (Zhang and Kim 2014,
// section 3).

import { placedPoints } from '../mesh/placedPoints.js';
import { trianglesIntersectExact } from '../mesh/trianglesIntersectExact.js';
import { DistributeJob, FrontNode, limits, PairRecord, TraverseJob } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { WorkerLost } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import { FrontMaker, type TraversalMode } from './frontMaker.js';
import type { StartingFront, Tree } from './startingFront.js';
import { WorkLists } from './workLists.js';

/**
 * An any-hit query of a single mesh pair runs on one thread until its cost exceeds this many box tests; then
 * the search starts again on all threads. This many box tests take about 10 times as long as passing work to
 * the other threads.
 */
const SINGLE_THREAD_BUDGET = 4096;

/**
 * If there are at least this many mesh pairs per work list, and none of them is large (see areManySmall),
 * whole mesh pairs are distributed without making a front. With so many pairs per list, the costs of the
 * lists are nearly equal, and stealing balances the rest.
 */
const MIN_PAIRS_PER_LIST = 256;

/**
 * If the calling thread's own list took at least this many milliseconds, the calling thread looks for workers
 * that have died.
 */
const LONG_MILLISECONDS = 20;

/** Options of a run: how the front is made and how its nodes are executed. */
export interface FrontOptions {
  /** Number of work lists, p in the paper. Each list is run by one thread. */
  parts: number;
  /**
   * 'on': predicts the costs of this run from the costs of the last run (section 3.2.1). 'off': predicts them
   * from the overlaps of boxes (section 3.2.2).
   */
  coherence: 'on' | 'off';
  /** 'on': a thread whose list is finished takes nodes from other lists. */
  stealing: 'on' | 'off';
  /**
   * Pass an array if the caller keeps the fronts. fronts[i]: the starting front of pair i with its costs.
   * Missing fronts are created and stored in the array. Default: this FrontSystem keeps the fronts, and finds
   * the front of a pair by the pair's two meshes.
   */
  fronts?: (StartingFront | undefined)[];
  mode?: TraversalMode;
}

export class FrontSystem {
  readonly lists: WorkLists;
  readonly maker: FrontMaker;
  readonly pairs: GrowableBlock;
  /** Number of lists of the last run. */
  parts = 1;
  /**
   * Max measured cost of a front node in the last run; 0 if the pairs were run from their roots, without a
   * front.
   */
  maxNodeCost = 0;
  /** Time of the last run. */
  milliseconds = 0;
  /** Time that each list of the last run took on its thread; 0 if there were more lists than threads. */
  listMilliseconds = new Float64Array(1);
  /** Intersecting triangle pairs that were decided in BigInt: triples (pair, a, b). */
  readonly exactPairs: number[] = [];
  readonly #context: EngineContext;
  readonly order: GrowableBlock;
  readonly #job: GrowableBlock;
  /** Results of runAny, one word per pair. */
  protected readonly hits: GrowableBlock;
  readonly #roots: GrowableBlock;
  /** Max over all pairs of the sum of the depths of the pair's two trees. */
  protected depth = 0;
  frontAt = 0;
  #rootCount = 0;
  /**
   * Whether the last run had a front that was made and partitioned. Otherwise its front nodes were the pairs
   * of roots.
   */
  #isPartitioned = false;

  constructor(context: EngineContext, pairCapacity: number) {
    this.#context = context;
    const { arena } = context;
    this.lists = new WorkLists(arena, pairCapacity);
    this.pairs = new GrowableBlock(arena);
    this.maker = new FrontMaker(context, this.pairs);
    this.order = new GrowableBlock(arena);
    this.#job = new GrowableBlock(arena);
    this.hits = new GrowableBlock(arena);
    this.#roots = new GrowableBlock(arena);
  }

  /**
   * Reserves memory for `count` pair records.
   * @returns their address.
   */
  reservePairs(count: number): number {
    this.depth = 0;
    return this.pairs.reserve(count * PairRecord.size);
  }

  /** Records the sum of the depths of a pair's trees. Stacks are sized for the deepest pair. */
  noteDepth(sumOfDepths: number): void {
    this.depth = Math.max(this.depth, sumOfDepths);
  }

  /** Whether the last run's front was made from measured costs, at least for some nodes. */
  get isCoherent(): boolean {
    return this.#isPartitioned && this.maker.isCoherent;
  }
  /**
   * Number of nodes of the last run's starting fronts (N_s). If the pairs were run from their roots, without
   * a front: the number of pairs.
   */
  get startCount(): number {
    return this.#isPartitioned ? this.maker.startCount : this.#rootCount;
  }
  /**
   * Number of nodes of the last run's front (N_p). If the pairs were run from their roots, without a front:
   * the number of pairs.
   */
  get frontCount(): number {
    return this.#isPartitioned ? this.maker.frontCount : this.#rootCount;
  }
  /** Current size in bytes of the fronts, the cost tree, and the node indices of all lists (section 5.3). */
  get frontBytes(): number {
    return (this.#isPartitioned ? this.maker.bytes : this.#rootCount * FrontNode.size) + this.frontCount * 4;
  }

  /**
   * Finds the intersecting triangles of all pairs. trees[2 * i] and trees[2 * i + 1] are the trees of pair i,
   * in the order of the pair's record.
   * @throws Capacity; or WorkerLost, after which the caller must dispose of this object and start over
   */
  run(trees: readonly Tree[], options: FrontOptions): void {
    const startedAt = performance.now();
    if (options.parts > 1) this.#context.pool.wake();
    this.prepare(trees, options, options.parts);
    this.traverse(options);
    this.maxNodeCost = this.#isPartitioned ? this.maker.storeCosts() : 0;
    this.decideWithBigInt();
    this.milliseconds = performance.now() - startedAt;
  }

  /**
   * Tests whether each pair intersects, and sets the pair's word at `hitsAt` to 1 if it does. Searches first
   * where boxes overlap deepest. The search of a single pair starts on one thread, with a fixed budget of
   * tests if `parts` is more than 1. If the budget does not suffice, or if triangle pairs remain for BigInt
   * to decide, the search starts again on all work lists.
   * @throws as run
   */
  runAny(trees: readonly Tree[], options: FrontOptions): void {
    const context = this.#context;
    const { pool, arena } = context;
    const kernel = `anyHit${options.mode ?? ''}` as const;
    const pairCount = trees.length / 2;
    // Reserve before reading `arena.u32`: reserving may grow the memory, which replaces the view.
    const hitsAt = this.hits.reserve(4 * pairCount) / 4;
    arena.u32.fill(0, hitsAt, hitsAt + pairCount);
    if (pairCount === 1) {
      this.prepare(trees, options, 1);
      this.lists.reset(1);
      pool.kernels[kernel](this.writeJob('off', options.parts <= 1 ? 0 : SINGLE_THREAD_BUDGET), 0, 1);
      if (this.lists.isComplete(0)) return;
    }
    this.prepare(trees, { ...options, coherence: 'off' }, options.parts);
    do {
      this.lists.reset(this.parts);
      runStep(context, kernel, this.writeJob('off'), this.parts);
    } while (this.lists.growOutputs(this.parts));
    this.decideWithBigInt();
    for (let i = 0; i < this.exactPairs.length; i += 3) arena.u32[this.hits.at / 4 + this.exactPairs[i]] = 1;
  }

  /** Address of the results of runAny, one word per pair. */
  get hitsAt(): number {
    return this.hits.at;
  }

  dispose(): void {
    this.lists.dispose();
    this.maker.dispose();
    for (const buffer of [this.pairs, this.order, this.#job, this.hits, this.#roots]) buffer.dispose();
  }

  /** Measured cost of the last run, in box tests. */
  get cost(): number {
    let sum = 0;
    for (let list = 0; list < this.parts; list++) sum += this.listCost(list);
    return sum;
  }

  /** Measured cost of one list, in box tests. */
  listCost(list: number): number {
    return (
      this.lists.counter(list, 'boxTests') + limits.LEAF_PAIR_COST * this.lists.counter(list, 'leafPairs')
    );
  }

  protected prepare(trees: readonly Tree[], options: FrontOptions, wantedParts: number): void {
    const pairCount = trees.length / 2;
    const parts = (this.parts = pairCount === 0 ? 1 : Math.max(1, wantedParts));
    this.exactPairs.length = 0;
    const usesRootsOnly = parts === 1 || areManySmall(trees, parts);
    this.#isPartitioned = !usesRootsOnly;
    if (usesRootsOnly) this.makeRootFront(pairCount);
    else {
      const divisorOf = (basis: 'on' | 'off'): number =>
        (this.#context.extensions.study?.grain ?? grainOf(parts, basis, options.stealing, pairCount)) * parts;
      this.maker.make(trees, this.depth, divisorOf, options);
      this.frontAt = this.maker.frontAt;
    }
    // The results of a list consist of runs; here, a run is a sequence of consecutive results of one mesh pair.
    // A list starts a new run whenever the mesh pair changes, so it has at most one run per front node.
    this.lists.reserve(parts, this.depth, pairCount === 1 ? 1 : Math.max(1, this.frontCount));
    if (usesRootsOnly) this.#assignRoundRobin(parts, pairCount);
    else this.#distribute(parts, pairCount);
  }

  /**
   * Makes a front of one node for each mesh pair: its two roots.
   * @internal
   */
  makeRootFront(pairCount: number): void {
    const at = this.#roots.reserve(pairCount * FrontNode.size);
    this.order.reserve(pairCount * 4);
    const { u32 } = this.#context.arena;
    for (let i = 0; i < pairCount; i++) {
      const node = at + i * FrontNode.size;
      u32[(node + FrontNode.at.pair) / 4] = i;
      u32[(node + FrontNode.at.slotA) / 4] = u32[(node + FrontNode.at.slotB) / 4] = limits.NOTHING;
    }
    this.frontAt = at;
    this.#rootCount = pairCount;
  }

  // Assigns pair i to list i mod parts.
  #assignRoundRobin(parts: number, pairCount: number): void {
    const { u32 } = this.#context.arena;
    let at = this.order.at;
    for (let list = 0; list < parts; list++) {
      const from = at;
      for (let i = list; i < pairCount; i += parts, at += 4) u32[at / 4] = i;
      this.lists.setOrder(list, from, (at - from) / 4);
    }
  }

  // Distributes the nodes to lists of nearly equal cost. For one pair, each list runs its most expensive
  // nodes first, so that only cheap nodes are left to steal. For several pairs, lists keep the order of the
  // front, because every change of the pair flushes the leaf pairs that wait to be tested.
  #distribute(parts: number, pairCount: number): void {
    const { arena, pool } = this.#context;
    const { frontCount } = this.maker;
    const orderBytes = 4 * frontCount;
    const scratchBytes = 3 * orderBytes + 4 * limits.WEIGHT_BUCKETS + 12 * parts;
    const jobAt = this.order.reserve(DistributeJob.size + orderBytes + scratchBytes);
    const orderAt = jobAt + DistributeJob.size;
    setWords(arena.u32, jobAt, DistributeJob, {
      frontAt: this.frontAt,
      frontCount,
      listsAt: this.lists.recordsAt,
      listCount: parts,
      orderAt,
      isInOrder: pairCount === 1 ? 0 : 1,
      scratchAt: orderAt + orderBytes,
    });
    pool.kernels.distributeNodes(jobAt, 0, 1);
  }

  // Runs all lists. If the output buffer of a list overflows, the list only counts its further results. The
  // buffer is then enlarged for all of its results, and all lists run again.
  private traverse({ stealing, mode: pairing = '' }: FrontOptions): void {
    const context = this.#context;
    const {
      pool,
      extensions: { study },
    } = context;
    const { parts } = this;
    do {
      this.lists.reset(parts);
      const jobAt = this.writeJob(stealing);
      if (study && parts > pool.threadCount) study.runSimulated(pairing, jobAt);
      // The mode 'Spheres' must not use #runAndSteal, which begins the caller's list twice: `traverseSpheres`
      // clears a list's counters whenever it begins the list.
      else if (stealing === 'off' || parts === 1 || pairing === 'Spheres')
        runStep(context, `traverse${pairing}`, jobAt, parts);
      else this.#runAndSteal(`traverse${pairing}`, jobAt);
    } while (this.lists.growOutputs(parts));
    this.#noteTimes();
  }

  // Runs all lists, with stealing. If a worker dies, its results are lost, and all lists must run again. It
  // would then be useless to steal the rest of its list. So if the calling thread's own list took long, the
  // calling thread looks for dead workers before it begins to steal.
  #runAndSteal(kernel: `traverse${Exclude<TraversalMode, 'Spheres'>}`, jobAt: number): void {
    const { arena, pool } = this.#context;
    const { parts } = this;
    const ownJobAt = jobAt + TraverseJob.size;
    arena.u32.copyWithin(ownJobAt / 4, jobAt / 4, ownJobAt / 4);
    arena.u32[(ownJobAt + TraverseJob.at.stealCount) / 4] = 0;
    let hasDied = false;
    runStep(this.#context, kernel, jobAt, parts, () => {
      const beganAt = performance.now();
      pool.kernels[kernel](ownJobAt, 0, 1);
      hasDied = performance.now() - beganAt >= LONG_MILLISECONDS && pool.expelDead();
      if (hasDied) this.lists.skipRest(parts);
    });
    if (hasDied) throw new WorkerLost();
  }

  // Stores the thread times before another job of the same query overwrites them.
  #noteTimes(): void {
    const { parts } = this;
    const { pool } = this.#context;
    if (this.listMilliseconds.length < parts) this.listMilliseconds = new Float64Array(parts);
    for (let list = 0; list < parts; list++)
      this.listMilliseconds[list] = parts > pool.threadCount ? 0 : pool.sliceMilliseconds[list];
  }

  writeJob(stealing: 'on' | 'off', budget = 0): number {
    const { arena, packTableAt } = this.#context;
    // The second record is for the calling thread's own list (see #runAndSteal).
    const jobAt = this.#job.reserve(2 * TraverseJob.size);
    setWords(arena.u32, jobAt, TraverseJob, {
      pairsAt: this.pairs.at,
      frontAt: this.frontAt,
      listsAt: this.lists.recordsAt,
      packTableAt,
      hitsAt: this.hits.at,
      budget,
      listCount: this.parts,
      stealCount: stealing === 'on' && this.parts > 1 ? this.parts : 0,
    });
    return jobAt;
  }

  // Decides in BigInt the triangle pairs that the kernels could not decide, because the exponents of their
  // coordinates span too wide a range for floating-point expansions.
  protected decideWithBigInt(): void {
    const { arena } = this.#context;
    for (let list = 0; list < this.parts; list++) {
      const count = this.lists.read(list, 'wideCount');
      if (count === 0) continue;
      const at = this.lists.read(list, 'wideAt') / 4;
      for (let i = at; i < at + 3 * count; i += 3) {
        const pair = arena.u32[i];
        const a = arena.u32[i + 1];
        const b = arena.u32[i + 2];
        if (trianglesIntersectExact(placedPoints(arena, this.pairs.at + pair * PairRecord.size, a, b)))
          this.exactPairs.push(pair, a, b);
      }
    }
  }
}

/**
 * Returns whether whole mesh pairs can be distributed: there are many of them, and none is likely to be more
 * than a quarter of a list's work.
 */
function areManySmall(trees: readonly Tree[], parts: number): boolean {
  if (trees.length < 2 * MIN_PAIRS_PER_LIST * parts) return false;
  let total = 0;
  let maxLeaves = 0;
  for (let i = 0; i < trees.length; i += 2) {
    const leaves = trees[i].leafCount + trees[i + 1].leafCount;
    total += leaves;
    maxLeaves = Math.max(maxLeaves, leaves);
  }
  return 4 * maxLeaves * parts <= total;
}

/**
 * Returns the grain g for p lists: no front node costs more than total / (g * p). So in a static partition
 * (without stealing), the predicted cost of the most expensive list is at most 1 + (p - 1) / (g * p) times the
 * mean. With g = 16, this factor is less than 1.07 for any p. Errors of the predictions cause further
 * imbalance. Finer nodes average the errors out; stealing compensates for the errors.
 *
 * So with stealing and costs from the last run, a coarse front suffices: in the model of
 * `npm run bench -- frontCost`, a query of a dragon of 810K triangles takes 0.44 ms on 16 threads with g = 8,
 * and 0.50 ms with g = 24. With several mesh pairs, lists keep the order of the front, so expensive nodes may
 * remain at the end. A finer front limits the imbalance that they cause.
 *
 * Overlaps predict costs less accurately than the last run does, so a static partition by overlaps needs the
 * finest nodes. For such a partition, the returned grains are the smallest that meet the limits of
 * `npm run bench -- imbalance` for up to 16 lists. If costs come from the last run, a grain larger than the
 * returned one would not pay: making and running the finer nodes takes more time than their better balance
 * saves.
 */
export function grainOf(
  parts: number,
  coherence: 'on' | 'off',
  stealing: 'on' | 'off',
  pairCount: number,
): number {
  if (coherence === 'on' && stealing === 'on') return pairCount === 1 ? 8 : 16;
  if (coherence === 'on') return parts <= 2 ? 16 : 48;
  if (parts <= 2) return 32;
  if (stealing === 'on') return parts <= 16 ? 32 : 448;
  return parts <= 4 ? 96 : parts <= 8 ? 256 : parts <= 16 ? 448 : 768;
}
