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
  /** Whether the last front was based on measured costs. */
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
  /** Identifies the current run. Each front remembers the last run in which it was used. */
  #run: object = {};
  #lastTotal = 0;
  #used: StartingFront[] = [];
  readonly #found: StartingFront[] = [];

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
   * of the sum of the depths of a pair's two trees. Except for pairs of leaves, each node has a predicted cost
   * below total / divisor, where total is the cost of all pairs (eq. 5). The divisor is divisorOf('on') for
   * nodes whose costs were measured, and divisorOf('off') for nodes whose costs are estimated. coherence: if
   * 'on', a pair that has run before uses the costs of its last run; the costs of all other pairs are
   * estimated from the overlap of boxes. stealing: 'off' if each thread will traverse only the nodes of its own
   * lists. fronts: the starting front of each pair, if the caller keeps the fronts; missing or outdated fronts
   * are created.
   * @throws WorkerLost, Capacity
   */
  make(
    trees: readonly Tree[],
    depth: number,
    divisorOf: (basis: 'on' | 'off') => number,
    { coherence, stealing, fronts, mode = '' }: MakeOptions,
  ): void {
    const lastRun = this.#run;
    this.#run = {};
    [this.#tree, this.#lastTree] = [this.#lastTree, this.#tree];
    this.#used = fronts ? this.#complete(trees, fronts, mode === 'Self') : this.#find(trees);
    this.#gatherStarts(coherence, lastRun);
    this.#stackBytes = (CHILDREN * (depth + 2) + 2) * FrontNode.size;
    this.#stack.reserve(this.#stackBytes * this.#context.pool.threadCount);
    this.#job.reserve(FrontJob.size * this.#context.pool.threadCount);
    const total = this.#estimateCosts(coherence, stealing);
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
    let entry = 0;
    for (const front of this.#used) {
      front.storeCosts(arena, this.#tree.at, entry, this.#run);
      entry += front.count;
    }
    // Drop the references, so that a front that a caller keeps can be garbage-collected once the caller drops
    // it.
    this.#used = [];
    return maxCost;
  }

  dispose(): void {
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
    return fronts as StartingFront[];
  }

  // Finds the cached front of each pair by the pair's two meshes. If several pairs have the same two meshes,
  // their order in the call distinguishes them.
  #find(trees: readonly Tree[]): StartingFront[] {
    const pairCount = trees.length / 2;
    const size = this.#sizeFor(pairCount);
    const seen = new Map<Tree, Map<Tree, number>>();
    this.#found.length = 0;
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i];
      const b = trees[2 * i + 1];
      let byB = seen.get(a);
      if (!byB) seen.set(a, (byB = new Map()));
      const occurrence = byB.get(b) ?? 0;
      byB.set(b, occurrence + 1);
      this.#found.push(this.cache.find(this.#context.arena, a, b, occurrence, size));
    }
    return this.#found;
  }

  // Concatenates the starting fronts of all pairs, and sums the costs of their last runs.
  #gatherStarts(coherence: 'on' | 'off', lastRun: object): void {
    const { arena } = this.#context;
    let count = 0;
    this.#lastTotal = 0;
    for (const front of this.#used) {
      count += front.count;
      this.#lastTotal += front.totalCost;
    }
    const at = this.#starts.reserve(count * FrontNode.size);
    let offset = 0;
    this.#used.forEach((front, pair) => {
      front.write(arena, at + offset * FrontNode.size, pair, lastRun, coherence);
      offset += front.count;
    });
    this.startCount = count;
  }

  // Keeps the starting nodes whose boxes overlap, and predicts or estimates their costs. @returns the sum of
  // these costs.
  #estimateCosts(coherence: 'on' | 'off', stealing: 'on' | 'off'): number {
    const { arena, pool } = this.#context;
    this.#tree.reserve(this.startCount * CostEntry.size);
    const outAt = this.#overlapping.reserve(this.startCount * FrontNode.size);
    const jobAt = this.#job.at;
    const isStatic = coherence === 'off' && stealing === 'off';
    this.#setWords(0, {
      startAt: this.#starts.at,
      startCount: this.startCount,
      outAt,
      coherent: coherence === 'on' ? 1 : 0,
      weight:
        this.#context.extensions.study?.weight ?? (isStatic ? limits.WEIGHT_ROOT : limits.WEIGHT_VOLUME),
      byCount: isStatic ? 1 : 0,
    });
    arena.f64[(jobAt + FrontJob.at.total) / 8] = this.#lastTotal;
    pool.kernels.estimateCosts(jobAt, 0, 1);
    return arena.f64[(jobAt + FrontJob.at.total) / 8];
  }

  // Expands the nodes. A large front is expanded in slices of equal cost, whose outputs are concatenated in
  // order. A node with a measured cost is expanded if it costs at least 1 / measuredDivisor of the total. A
  // node with an estimated cost is expanded if it costs at least 1 / estimatedDivisor of the total. Usually
  // `estimatedDivisor` is larger, so that errors of the estimates average out.
  #expand(measuredDivisor: number, estimatedDivisor: number, total: number, mode: TraversalMode): void {
    const { arena, pool } = this.#context;
    const overlappingCount = (this.#overlappingCount = this.#get('outCount'));
    const estimated = arena.f64[(this.#job.at + FrontJob.at.estimated) / 8];
    const expectedNodes = this.isCoherent
      ? measuredDivisor + (estimatedDivisor * estimated) / total
      : estimatedDivisor;
    this.#expectedNodes = expectedNodes;
    const sliceCount = (this.#sliceCount = this.slicesOn(pool.threadCount));
    // The bounds are derived from the costs of the last run, plus the estimates of nodes that were not in it.
    // The predicted total can exceed this sum, because a node whose overlap has grown is predicted to cost
    // more than in the last run. Bounds derived from the predicted total could be so large that nodes that
    // are known to be expensive would not be expanded.
    const known = this.isCoherent ? Math.min(total, this.#lastTotal + estimated) : total;
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
      arena.u8.copyWithin(outAt, from, from + count * FrontNode.size);
      this.#setWords(i, { outAt });
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
    const jobBytes = FrontJob.size;
    for (let i = 1; i < sliceCount; i++)
      u8.copyWithin(this.#job.at + i * jobBytes, this.#job.at, this.#job.at + jobBytes);
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
        outCapacity: capacity,
        treeFirst: this.startCount + i * capacity,
        treeCapacity: this.startCount + (i + 1) * capacity,
      });
      f32[(this.#job.at + i * jobBytes + FrontJob.at.bound) / 4] = bound;
      f32[(this.#job.at + i * jobBytes + FrontJob.at.estimateBound) / 4] = estimateBound;
    }
  }

  #get(field: keyof typeof FrontJob.at, slice = 0): number {
    return this.#context.arena.u32[(this.#job.at + slice * FrontJob.size + FrontJob.at[field]) / 4];
  }

  // Sets words of a slice's job: the given words, the addresses that all slices share, and the slice's stack.
  #setWords(slice: number, words: { readonly [Field in keyof typeof FrontJob.at]?: number }): void {
    setWords(this.#context.arena.u32, this.#job.at + slice * FrontJob.size, FrontJob, {
      pairsAt: this.#pairs.at,
      treeAt: this.#tree.at,
      lastTreeAt: this.#lastTree.at,
      stackAt: this.#stack.at + slice * this.#stackBytes,
      ...words,
    });
  }
}
