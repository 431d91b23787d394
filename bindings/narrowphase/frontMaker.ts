// Builds the front from which a query starts: expands the starting fronts of all mesh pairs until each node
// costs less than a bound or is a pair of leaves. Also keeps the cost tree, from which the next run predicts
// its costs (Zhang and Kim 2014, section 3.2).

import { CostEntry, FrontJob, FrontNode, limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { FrontCache, type StartingFront, type Tree } from './startingFront.js';

/**
 * How the two trees of a pair are traversed. '': tests boxes. 'Self': tests a mesh against itself; each pair
 * of its boxes occurs once. 'Spheres': tests boxes and bounding spheres. 'Near': finds triangles within a
 * clearance; the pair records enlarge the boxes. The name of a mode is the suffix of its kernels.
 */
export type TraversalMode = '' | 'Self' | 'Spheres' | 'Near';

const CHILDREN = 16;
/**
 * If fewer nodes than this are expected, one thread makes the front, because a node takes about 0.25 us, and
 * passing work to the other threads takes 2 to 10 us. A larger front is made in slices of at least
 * NODES_PER_SLICE nodes.
 */
const MIN_PARALLEL_NODES = 96;
const NODES_PER_SLICE = 16;
/**
 * Max number of nodes of a starting front of a single pair, 16^2. With many pairs, each starting front has
 * fewer nodes (see #sizeFor).
 */
const STARTING_NODES = 256;

/** How a front is made: see FrontOptions. */
interface MakeOptions {
  coherence: 'on' | 'off';
  stealing: 'on' | 'off';
  fronts?: (StartingFront | undefined)[];
  mode?: TraversalMode;
}

export class FrontMaker {
  readonly cache = new FrontCache();
  /** Whether the last front was made from measured costs, at least for some nodes. */
  isCoherent = false;
  startCount = 0;
  frontCount = 0;
  readonly #context: EngineContext;
  readonly #pairs: GrowableBlock;
  readonly #starts: GrowableBlock;
  readonly #overlapping: GrowableBlock;
  readonly #front: GrowableBlock;
  readonly #stack: GrowableBlock;
  readonly #job: GrowableBlock;
  #tree: GrowableBlock;
  #lastTree: GrowableBlock;
  #stackBytes = 0;
  #sliceCount = 1;
  /** Number of entries of this run's cost tree. */
  #treeCount = 0;
  #expectedNodes = 0;
  #overlappingCount = 0;
  /** The starting fronts of the current run, one per pair. */
  #used: readonly StartingFront[] = [];
  /**
   * The starting fronts of the last run whose costs were stored. The run's cost tree is #lastTree. Because of
   * these references, the garbage collector cannot remove these fronts until other pairs are run, even if the
   * meshes or the scene were disposed of.
   */
  #lastUsed: readonly StartingFront[] = [];
  /** Identifies the last run. Each front remembers the last run from which it keeps costs. */
  #lastRun: object = {};
  /** Whether the nodes at #starts are the starting nodes of the last run. */
  #areStartsOfLastRun = false;
  /** Whether the fronts of the last run keep its costs; until then, only #lastTree has them. */
  #areCostsKept = true;
  /** The trees for which #find was called last, their versions at that time, and the result. */
  readonly #foundFor: Tree[] = [];
  readonly #foundVersions: number[] = [];
  #found: readonly StartingFront[] = [];

  constructor(context: EngineContext, pairs: GrowableBlock) {
    this.#context = context;
    this.#pairs = pairs;
    [this.#starts, this.#overlapping, this.#front, this.#stack, this.#job, this.#tree, this.#lastTree] =
      Array.from({ length: 7 }, () => new GrowableBlock(context.arena));
  }

  get frontAt(): number {
    return this.#front.at;
  }

  /** Bytes of the starting nodes (N_s), the front nodes (N_p) and the cost tree (section 5.3, Fig. 10). */
  get bytes(): number {
    return (this.startCount + this.frontCount) * FrontNode.size + this.#treeCount * CostEntry.size;
  }

  /**
   * Makes one front for all pairs. Pair i consists of trees[2 * i] and trees[2 * i + 1]. depth: an upper bound
   * of the sum of the depths of a pair's two trees. Each node that is not a pair of leaves has a predicted cost
   * below total / divisor, where total is the cost of all pairs (eq. 5). The divisor is divisorOf('on') for
   * nodes whose costs were measured, and divisorOf('off') for nodes whose costs are estimated. coherence: if
   * 'on', the costs of a pair that has run before are predicted from its last run; the costs of all other pairs
   * are estimated from the overlap of boxes. stealing: 'off' if each thread will traverse only the nodes of its
   * own list. fronts: the starting front of each pair, if the caller keeps the fronts; missing or outdated
   * fronts are created.
   * @throws WorkerLost, Capacity
   */
  make(
    trees: readonly Tree[],
    depth: number,
    divisorOf: (basis: 'on' | 'off') => number,
    { coherence, stealing, fronts, mode = '' }: MakeOptions,
  ): void {
    this.#used = fronts ? this.#complete(trees, fronts, mode === 'Self') : this.#find(trees);
    // From frame to frame, most calls have the same pairs. Their starting nodes are then in place already, and
    // their last costs are in the last run's cost tree.
    const isSame = this.#areStartsOfLastRun && areEqual(this.#used, this.#lastUsed);
    if (!isSame) {
      this.#keepCosts();
      this.#gatherStarts();
    }
    this.#stackBytes = (CHILDREN * (depth + 2) + 2) * FrontNode.size;
    this.#stack.reserve(this.#stackBytes * this.#context.pool.threadCount);
    this.#job.reserve(FrontJob.size * this.#context.pool.threadCount);
    const total = this.#estimateCosts(coherence, stealing, isSame);
    this.isCoherent = this.#get('coherent') === 1;
    this.#expand(divisorOf('on'), divisorOf('off'), total, mode);
  }

  /** Returns the number of slices in which `threadCount` threads would expand the last front. */
  slicesOn(threadCount: number): number {
    if (this.#expectedNodes < MIN_PARALLEL_NODES) return 1;
    return Math.min(
      threadCount,
      Math.floor(this.#expectedNodes / NODES_PER_SLICE),
      this.#overlappingCount || 1,
    );
  }

  /**
   * Sums the measured costs along the cost tree, from the front nodes up to the starting nodes. The sums
   * predict the costs of the next run.
   * @returns the max cost of a front node.
   * @throws WorkerLost
   */
  storeCosts(): number {
    const { arena } = this.#context;
    const jobAt = this.#job.at;
    runStep(this.#context, 'storeCosts', jobAt, this.#sliceCount);
    let maxCost = 0;
    for (let i = 0; i < this.#sliceCount; i++)
      maxCost = Math.max(maxCost, arena.f32[(jobAt + i * FrontJob.size + FrontJob.at.maxNodeCost) / 4]);
    // This run becomes the last run.
    [this.#tree, this.#lastTree] = [this.#lastTree, this.#tree];
    this.#lastRun = {};
    if (!this.#areStartsOfLastRun) {
      this.#lastUsed = this.#used;
      for (const front of this.#used) front.reserveCosts();
      this.#areStartsOfLastRun = true;
    }
    this.#areCostsKept = false;
    return maxCost;
  }

  /** Releases all memory. The fronts keep the costs of the last run. */
  dispose(): void {
    this.#keepCosts();
    this.#used = this.#lastUsed = this.#found = [];
    this.#foundFor.length = this.#foundVersions.length = 0;
    this.#areStartsOfLastRun = false;
    for (const buffer of [
      this.#starts,
      this.#overlapping,
      this.#front,
      this.#stack,
      this.#job,
      this.#tree,
      this.#lastTree,
    ])
      buffer.dispose();
  }

  #sizeFor(pairCount: number): number {
    return pairCount === 1 ? STARTING_NODES : Math.max(1, Math.floor((4 * STARTING_NODES) / pairCount));
  }

  // For a caller that keeps the fronts: adds missing fronts to its array, and replaces outdated ones.
  #complete(trees: readonly Tree[], fronts: (StartingFront | undefined)[], isSelf: boolean): StartingFront[] {
    const pairCount = trees.length / 2;
    const size = this.#sizeFor(pairCount);
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i];
      const b = trees[2 * i + 1];
      if (!fronts[i]?.matches(a, b)) fronts[i] = this.cache.make(this.#context.arena, a, b, size, isSelf);
    }
    fronts.length = pairCount;
    // A copy, because the caller may change its array before the next run.
    return fronts.slice() as StartingFront[];
  }

  // Finds the cached front of each pair by the pair's two meshes. If several pairs have the same two meshes,
  // their order in the call distinguishes them.
  #find(trees: readonly Tree[]): readonly StartingFront[] {
    if (this.#isFoundFor(trees)) return this.#found;
    const pairCount = trees.length / 2;
    const size = this.#sizeFor(pairCount);
    const seen = new Map<Tree, Map<Tree, number>>();
    const found: StartingFront[] = [];
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i];
      const b = trees[2 * i + 1];
      let byB = seen.get(a);
      if (!byB) seen.set(a, (byB = new Map()));
      const occurrence = byB.get(b) ?? 0;
      byB.set(b, occurrence + 1);
      found.push(this.cache.find(this.#context.arena, a, b, occurrence, size));
    }
    this.#foundFor.length = this.#foundVersions.length = 0;
    for (const tree of trees) {
      this.#foundFor.push(tree);
      this.#foundVersions.push(tree.treeVersion);
    }
    return (this.#found = found);
  }

  // Whether the last call of #find had the same trees in the same versions.
  #isFoundFor(trees: readonly Tree[]): boolean {
    if (trees.length !== this.#foundFor.length) return false;
    for (let i = 0; i < trees.length; i++) {
      if (trees[i] !== this.#foundFor[i] || trees[i].treeVersion !== this.#foundVersions[i]) return false;
    }
    return true;
  }

  // Copies the costs of the last run from its cost tree to its fronts, if this has not been done yet.
  #keepCosts(): void {
    if (this.#areCostsKept) return;
    let entry = 0;
    for (const front of this.#lastUsed) {
      front.keepCosts(this.#context.arena, this.#lastTree.at, entry, this.#lastRun);
      entry += front.count;
    }
    this.#areCostsKept = true;
  }

  // Concatenates the starting fronts of all pairs.
  #gatherStarts(): void {
    const { arena } = this.#context;
    this.#areStartsOfLastRun = false;
    let count = 0;
    for (const front of this.#used) count += front.count;
    const at = this.#starts.reserve(count * FrontNode.size);
    let offset = 0;
    this.#used.forEach((front, pair) => {
      front.write(arena, at + offset * FrontNode.size, pair, this.#lastRun);
      offset += front.count;
    });
    this.startCount = count;
  }

  // Keeps the starting nodes whose boxes overlap, and predicts or estimates their costs. @returns the sum of
  // these costs.
  #estimateCosts(coherence: 'on' | 'off', stealing: 'on' | 'off', isSame: boolean): number {
    const { pool } = this.#context;
    this.#tree.reserve(this.startCount * CostEntry.size);
    const outAt = this.#overlapping.reserve(this.startCount * FrontNode.size);
    const isStatic = coherence === 'off' && stealing === 'off';
    this.#setWords(0, {
      pairsAt: this.#pairs.at,
      startAt: this.#starts.at,
      startCount: this.startCount,
      isSame: isSame ? 1 : 0,
      outAt,
      treeAt: this.#tree.at,
      lastTreeAt: this.#lastTree.at,
      stackAt: this.#stack.at,
      coherent: coherence === 'on' ? 1 : 0,
      weight:
        this.#context.extensions.study?.weight ?? (isStatic ? limits.WEIGHT_ROOT : limits.WEIGHT_VOLUME),
      byCount: isStatic ? 1 : 0,
    });
    pool.kernels.estimateCosts(this.#job.at, 0, 1);
    return this.#getSum('total');
  }

  // Expands the nodes. A large front is expanded in slices of equal cost, whose outputs are concatenated in
  // order. A node with a measured cost is expanded if it costs at least `cost` / measuredDivisor; `cost` is
  // computed below. A node with an estimated cost is expanded if it costs at least `cost` / estimatedDivisor.
  // Usually `estimatedDivisor` is larger, so that errors of the estimates average out.
  #expand(measuredDivisor: number, estimatedDivisor: number, total: number, mode: TraversalMode): void {
    const { arena, pool } = this.#context;
    const overlappingCount = (this.#overlappingCount = this.#get('outCount'));
    const estimated = this.#getSum('estimated');
    const expectedNodes = this.isCoherent
      ? measuredDivisor + (estimatedDivisor * estimated) / total
      : estimatedDivisor;
    this.#expectedNodes = expectedNodes;
    const sliceCount = (this.#sliceCount = this.slicesOn(pool.threadCount));
    // The bounds are derived from the costs of the last run, plus the estimates of nodes that were not in it.
    // The predicted total can exceed this sum, because a node whose overlap has grown is predicted to cost
    // more than in the last run. Bounds derived from the predicted total could be so large that nodes that
    // are known to be expensive would not be expanded.
    const known = this.isCoherent ? Math.min(total, this.#getSum('lastTotal') + estimated) : total;
    // If all costs are estimated as 0, no node is worth splitting.
    const cost = known || Infinity;
    const bounds = [cost / measuredDivisor, cost / estimatedDivisor] as const;
    for (
      let capacity = Math.max(256, 2 * overlappingCount, Math.ceil((4 * expectedNodes) / sliceCount));
      ;
    ) {
      this.#tree.growKeeping(
        (this.startCount + sliceCount * capacity) * CostEntry.size,
        this.startCount * CostEntry.size,
      );
      this.#front.reserve(sliceCount * capacity * FrontNode.size);
      this.#writeSlices(sliceCount, capacity, overlappingCount, total, bounds);
      // The mode 'Near' has no expandFront kernel of its own: enlarged boxes are expanded like other boxes.
      runStep(this.#context, `expandFront${mode === 'Near' ? '' : mode}`, this.#job.at, sliceCount);
      let maxCount = 0;
      this.#treeCount = this.startCount;
      for (let i = 0; i < sliceCount; i++) {
        const entryCount = this.#get('treeCount', i) - this.#get('treeFirst', i);
        this.#treeCount += entryCount;
        maxCount = Math.max(maxCount, this.#get('outCount', i), entryCount);
      }
      if (maxCount <= capacity) break;
      capacity = maxCount + (maxCount >>> 2);
    }
    this.frontCount = 0;
    for (let i = 0; i < sliceCount; i++) {
      const count = this.#get('outCount', i);
      const from = this.#get('outAt', i);
      const outAt = this.#front.at + this.frontCount * FrontNode.size;
      if (outAt !== from) {
        arena.u8.copyWithin(outAt, from, from + count * FrontNode.size);
        this.#setWords(i, { outAt });
      }
      this.frontCount += count;
    }
  }

  #writeSlices(
    sliceCount: number,
    capacity: number,
    overlappingCount: number,
    total: number,
    [bound, estimateBound]: readonly [number, number],
  ): void {
    const { f32, u8 } = this.#context.arena;
    const jobAt = this.#job.at;
    f32[(jobAt + FrontJob.at.bound) / 4] = bound;
    f32[(jobAt + FrontJob.at.estimateBound) / 4] = estimateBound;
    this.#setWords(0, { treeAt: this.#tree.at, outCapacity: capacity });
    for (let i = 1; i < sliceCount; i++)
      u8.copyWithin(jobAt + i * FrontJob.size, jobAt, jobAt + FrontJob.size);
    let node = 0;
    let sum = 0;
    for (let i = 0; i < sliceCount; i++) {
      const first = node;
      for (
        ;
        node < overlappingCount && (i === sliceCount - 1 || sum < ((i + 1) * total) / sliceCount);
        node++
      ) {
        sum += f32[(this.#overlapping.at + node * FrontNode.size + FrontNode.at.cost) / 4];
      }
      this.#setWords(i, {
        startAt: this.#overlapping.at + first * FrontNode.size,
        startCount: node - first,
        outAt: this.#front.at + i * capacity * FrontNode.size,
        treeFirst: this.startCount + i * capacity,
        treeCapacity: this.startCount + (i + 1) * capacity,
        stackAt: this.#stack.at + i * this.#stackBytes,
      });
    }
  }

  #get(field: JobField, slice = 0): number {
    return this.#context.arena.u32[(this.#job.at + slice * FrontJob.size + FrontJob.at[field]) / 4];
  }

  #getSum(field: 'total' | 'estimated' | 'lastTotal'): number {
    return this.#context.arena.f64[(this.#job.at + FrontJob.at[field]) / 8];
  }

  // Sets words of a slice's job.
  #setWords(slice: number, words: { readonly [Field in JobField]?: number }): void {
    setWords(this.#context.arena.u32, this.#job.at + slice * FrontJob.size, FrontJob, words);
  }
}

type JobField = keyof typeof FrontJob.at;

const areEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
