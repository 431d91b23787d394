// Builds the front from which a query starts. It expands the starting fronts of all mesh pairs until no node
// costs more than a bound. It keeps the cost tree, from which the next run predicts its costs (Zhang and Kim
// 2014, section 3.2).

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
 * A front is split into pieces: nodes of about the maximum cost. One thread makes a front of fewer pieces
 * than this, because a piece takes about 0.25 us, and passing work to the other threads takes 2 to 10 us. A
 * larger front is made in slices of at least PIECES_PER_SLICE pieces.
 */
const MIN_PARALLEL_PIECES = 96;
const PIECES_PER_SLICE = 16;
/** Size of a starting front: 4^4 nodes for a single pair, fewer per pair for many pairs. */
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
  #pieces = 0;
  #overlappingCount = 0;
  /** Identifies the current run. Each front remembers the last run in which it was used. */
  #run: object = {};
  #lastTotal = 0;
  #used: StartingFront[] = [];
  readonly #found: StartingFront[] = [];

  constructor(context: EngineContext, pairs: GrowableBlock) {
    this.#context = context;
    this.#pairs = pairs;
    const make = (): GrowableBlock => new GrowableBlock(context.arena);
    [this.#starts, this.#overlapping, this.#front, this.#stack, this.#job, this.#tree, this.#lastTree] = [
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ];
  }

  get frontAt(): number {
    return this.#front.at;
  }

  /** Bytes of the starting nodes (N_s), the front nodes (N_p) and the cost tree (section 5.3, Fig. 10). */
  get bytes(): number {
    return (this.startCount + this.frontCount) * FrontNode.size + this.#treeCount * CostEntry.size;
  }

  /**
   * Makes the front of all pairs i, that is, of trees[2 i] against trees[2 i + 1]. depth: an upper bound of
   * the sum of a pair's two depths. No node costs more than total / divisor, where total is the cost of all
   * pairs (eq. 5). The divisor is pieces('on') for nodes whose costs were measured, and pieces('off') for
   * nodes whose costs are estimated. coherence: if 'on', a pair that has run before uses the costs of its
   * last run; the costs of all other pairs are estimated from the overlap of boxes. stealing: 'off' if each
   * list will run its own nodes only. fronts: the starting front of each pair, if the caller keeps the
   * fronts; missing or outdated fronts are created.
   * @throws WorkerLost, Capacity
   */
  make(
    trees: readonly Tree[],
    depth: number,
    pieces: (basis: 'on' | 'off') => number,
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
    const estimate = (): number => this.#estimateCosts(coherence, stealing);
    const total = estimate();
    this.isCoherent = this.#get('coherent') === 1;
    this.#expand(pieces('on'), pieces('off'), total, mode, estimate);
  }

  /** Returns the number of slices in which `threadCount` threads would expand the last front. */
  slicesOn(threadCount: number): number {
    if (this.#pieces < MIN_PARALLEL_PIECES) return 1;
    return Math.min(threadCount, Math.floor(this.#pieces / PIECES_PER_SLICE), this.#overlappingCount || 1);
  }

  /**
   * Sums the measured costs along the cost tree, from the front nodes up to the starting nodes. The sums
   * predict the costs of the next run.
   * @returns the max cost of a front node.
   */
  storeCosts(leafPairCost: number): number {
    const { arena, pool } = this.#context;
    const jobAt = this.#job.at;
    this.#setWords(0, { outAt: this.#front.at, outCount: this.frontCount, sliceCount: this.#sliceCount });
    arena.f32[(jobAt + FrontJob.at.leafPairCost) / 4] = leafPairCost;
    pool.kernels.storeCosts(jobAt, 0, 1);
    let entry = 0;
    for (const front of this.#used) {
      front.storeCosts(arena, this.#tree.at, entry, this.#run);
      entry += front.count;
    }
    // Drop the references, so that a front can be garbage-collected once its owner drops it.
    this.#used = [];
    return arena.f32[(jobAt + FrontJob.at.maxNodeCost) / 4];
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

  get #treeCount(): number {
    let count = this.startCount;
    for (let i = 0; i < this.#sliceCount && this.#job.at !== 0; i++)
      count += this.#get('treeCount', i) - this.#get('treeFirst', i);
    return count;
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
    this.#growTree(this.startCount);
    const outAt = this.#overlapping.reserve((this.startCount + 1) * FrontNode.size);
    const jobAt = this.#job.at;
    const isStatic = coherence === 'off' && stealing === 'off';
    this.#setWords(0, {
      startAt: this.#starts.at,
      startCount: this.startCount,
      outAt,
      outCapacity: this.startCount,
      coherent: coherence === 'on' ? 1 : 0,
      weight:
        this.#context.extensions.study?.weight ?? (isStatic ? limits.WEIGHT_ROOT : limits.WEIGHT_VOLUME),
      byCount: isStatic ? 1 : 0,
    });
    arena.f64[(jobAt + FrontJob.at.total) / 8] = this.#lastTotal;
    pool.kernels.estimateCosts(jobAt, 0, 1);
    return arena.f64[(jobAt + FrontJob.at.total) / 8];
  }

  // Expands the starting nodes that overlap. A large front is expanded in slices of equal cost, and the
  // outputs of the slices are concatenated in order. `measuredPieces` is the divisor for nodes with measured
  // costs. The divisor for nodes with estimated costs, `estimatedPieces`, is larger: finer nodes average out
  // the errors of the estimates.
  #expand(
    measuredPieces: number,
    estimatedPieces: number,
    total: number,
    mode: TraversalMode,
    estimateAgain: () => void,
  ): void {
    const { arena, pool } = this.#context;
    const overlappingCount = (this.#overlappingCount = this.#get('outCount'));
    const estimated = arena.f64[(this.#job.at + FrontJob.at.estimated) / 8];
    const pieces = this.isCoherent ? measuredPieces + (estimatedPieces * estimated) / total : estimatedPieces;
    this.#pieces = pieces;
    const sliceCount = (this.#sliceCount = this.slicesOn(pool.threadCount));
    // The bounds are derived from the costs of the last run, plus the estimates of nodes that were not in it.
    // The predicted total can be larger, because a node whose overlap has grown is predicted to cost more
    // than in the last run. Bounds derived from that total could be too large to split nodes that are known
    // to be expensive.
    const known = this.isCoherent ? Math.min(total, this.#lastTotal + estimated) : total;
    // If all costs are estimated as 0, no node is worth splitting.
    const bounds =
      known > 0
        ? ([known / measuredPieces, known / estimatedPieces] as const)
        : ([Infinity, Infinity] as const);
    for (let capacity = Math.max(256, 2 * overlappingCount, Math.ceil((4 * pieces) / sliceCount)); ; ) {
      if (this.#growTree(this.startCount + sliceCount * capacity)) estimateAgain();
      this.#front.reserve(sliceCount * capacity * FrontNode.size);
      this.#writeSlices(sliceCount, capacity, overlappingCount, total, bounds);
      // The mode 'Near' has no expandFront kernel: enlarged boxes are expanded like all others.
      runStep(this.#context, `expandFront${mode === 'Near' ? '' : mode}`, this.#job.at, sliceCount);
      let maxCount = 0;
      for (let i = 0; i < sliceCount; i++)
        maxCount = Math.max(
          maxCount,
          this.#get('outCount', i),
          this.#get('treeCount', i) - this.#get('treeFirst', i),
        );
      if (maxCount <= capacity) break;
      capacity = maxCount + (maxCount >>> 2);
    }
    this.frontCount = 0;
    for (let i = 0; i < sliceCount; i++) {
      const count = this.#get('outCount', i);
      const from = this.#get('outAt', i);
      arena.u8.copyWithin(
        this.#front.at + this.frontCount * FrontNode.size,
        from,
        from + count * FrontNode.size,
      );
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

  // Ensures space for `entries` in the cost tree. @returns whether the tree was replaced, which loses its
  // contents.
  #growTree(entries: number): boolean {
    const before = this.#tree.at;
    return this.#tree.reserve(entries * CostEntry.size) !== before;
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
