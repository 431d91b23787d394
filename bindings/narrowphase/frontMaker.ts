// Starting fronts of placed pairs -> a front whose nodes' costs are bounded (Zhang & Kim s3.2), and
// afterwards its cost tree.

import { CostEntry, FrontNode, limits, WeighJob } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { FrontCache, type StartingFront, type Tree } from './startingFront.js';

/**
 * 'Self': both trees of each pair are one, and each two boxes of it are a pair once. 'Spheres': trees have
 * spheres beside their boxes. 'Near': triangles need not meet, boxes are widened in the pairs' records.
 * Kernels for these are those of the same names with this behind them.
 */
export type Pairing = '' | 'Self' | 'Spheres' | 'Near';

const CHILDREN = 16;
/** A front of fewer pieces is made by one thread: a second would cost more to wake than it saves. */
const PIECES_A_SLICE = 256;
/** Starting fronts: 4^4 nodes where a pair stands alone, fewer each where there are many pairs. */
const STARTING_NODES = 256;

export class FrontMaker {
  readonly cache = new FrontCache();
  /** Whether the last front was made of measured costs. */
  coherent = false;
  startCount = 0;
  frontCount = 0;
  readonly #backend: Backend;
  readonly #pairs: Buffer;
  readonly #starts: Buffer;
  readonly #weighed: Buffer;
  readonly #front: Buffer;
  readonly #stack: Buffer;
  readonly #job: Buffer;
  #tree: Buffer;
  #lastTree: Buffer;
  #stackBytes = 0;
  #sliceCount = 1;
  /** Names this run: fronts remember which run they took part in last. */
  #run: object = {};
  #lastTotal = 0;
  #used: StartingFront[] = [];
  readonly #found: StartingFront[] = [];

  constructor(backend: Backend, pairs: Buffer) {
    this.#backend = backend;
    this.#pairs = pairs;
    const make = (): Buffer => new Buffer(backend.arena);
    [this.#starts, this.#weighed, this.#front, this.#stack, this.#job, this.#tree, this.#lastTree] = [
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

  /** Bytes of N_s and N_p and their cost tree (s5.3, Fig. 10). */
  get bytes(): number {
    return (this.startCount + this.frontCount) * FrontNode.size + this.#treeCount * CostEntry.size;
  }

  /**
   * Makes the front of trees[2 i] against trees[2 i + 1]. `depth` bounds the sum of their depths; no node
   * costs more than total / pieces, total over all pairs (eq. 5). Costs are the last run's where coherence is
   * on and the pair has one; overlap tells those of the others. fronts: pair i's starting front where the
   * caller keeps them; what is missing or out of date is made.
   * @throws WorkerLost, Capacity
   */
  make(
    trees: readonly Tree[],
    depth: number,
    pieces: (basis: 'on' | 'off') => number,
    coherence: 'on' | 'off',
    fronts?: (StartingFront | undefined)[],
    pairing: Pairing = '',
  ): void {
    const lastRun = this.#run;
    this.#run = {};
    [this.#tree, this.#lastTree] = [this.#lastTree, this.#tree];
    this.#used = fronts ? this.#complete(trees, fronts, pairing === 'Self') : this.#find(trees);
    this.#gatherStarts(coherence, lastRun);
    this.#stackBytes = (CHILDREN * (depth + 2) + 2) * FrontNode.size;
    this.#stack.reserve(this.#stackBytes * this.#backend.pool.threadCount);
    this.#job.reserve(WeighJob.size * this.#backend.pool.threadCount);
    const total = this.#weigh(coherence);
    this.coherent = this.#get('coherent') === 1;
    this.#expand(pieces('on'), pieces('off'), total, coherence, pairing);
  }

  /**
   * Sums the measured costs up to the starting nodes: the next run's prediction. @returns the greatest cost
   * of a front node.
   */
  remember(leafPairCost: number): number {
    const { arena, pool } = this.#backend;
    const jobAt = this.#job.at;
    this.#set('outAt', this.#front.at);
    this.#set('outCount', this.frontCount);
    this.#set('sliceCount', this.#sliceCount);
    arena.f32[(jobAt + WeighJob.at.leafPairCost) / 4] = leafPairCost;
    pool.kernels.rememberCosts(jobAt, 0, 1);
    let entry = 0;
    for (const front of this.#used) {
      front.read(arena, this.#tree.at, entry, this.#run);
      entry += front.count;
    }
    // Whoever keeps fronts lets them go, too.
    this.#used = [];
    return arena.f32[(jobAt + WeighJob.at.greatest) / 4];
  }

  dispose(): void {
    for (const buffer of [
      this.#starts,
      this.#weighed,
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

  // Fronts of a caller who keeps them himself.
  #complete(trees: readonly Tree[], fronts: (StartingFront | undefined)[], isSelf: boolean): StartingFront[] {
    const pairCount = trees.length / 2;
    const size = this.#sizeFor(pairCount);
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i];
      const b = trees[2 * i + 1];
      if (!fronts[i]?.isOf(a, b)) fronts[i] = this.cache.make(this.#backend.arena, a, b, size, isSelf);
    }
    fronts.length = pairCount;
    return fronts as StartingFront[];
  }

  // Fronts by meshes: pairs of the same two are told apart by their turn.
  #find(trees: readonly Tree[]): StartingFront[] {
    const pairCount = trees.length / 2;
    const size = this.#sizeFor(pairCount);
    const seen = new Map<Tree, Map<Tree, number>>();
    this.#found.length = 0;
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i];
      const b = trees[2 * i + 1];
      let ofA = seen.get(a);
      if (!ofA) seen.set(a, (ofA = new Map()));
      const occurrence = ofA.get(b) ?? 0;
      ofA.set(b, occurrence + 1);
      this.#found.push(this.cache.find(this.#backend.arena, a, b, occurrence, size));
    }
    return this.#found;
  }

  // Concatenates the pairs' starting fronts and sums up what they cost last.
  #gatherStarts(coherence: 'on' | 'off', lastRun: object): void {
    const { arena } = this.#backend;
    let count = 0;
    this.#lastTotal = 0;
    for (const front of this.#used) {
      count += front.count;
      this.#lastTotal += front.total;
    }
    const at = this.#starts.reserve(count * FrontNode.size);
    let offset = 0;
    this.#used.forEach((front, pair) => {
      front.write(arena, at + offset * FrontNode.size, pair, lastRun, coherence);
      offset += front.count;
    });
    this.startCount = count;
  }

  // Starting nodes -> those that overlap, with costs. @returns the sum of the costs.
  #weigh(coherence: 'on' | 'off'): number {
    const { arena, pool } = this.#backend;
    this.#growTree(this.startCount);
    const outAt = this.#weighed.reserve((this.startCount + 1) * FrontNode.size);
    const jobAt = this.#job.at;
    this.#set('startAt', this.#starts.at);
    this.#set('startCount', this.startCount);
    this.#set('outAt', outAt);
    this.#set('outCapacity', this.startCount);
    this.#set('coherent', coherence === 'on' ? 1 : 0);
    this.#set('weight', this.#backend.extensions.study?.weight ?? limits.WEIGHT_VOLUME);
    this.#setPlaces();
    arena.f64[(jobAt + WeighJob.at.total) / 8] = this.#lastTotal;
    pool.kernels.weighFront(jobAt, 0, 1);
    return arena.f64[(jobAt + WeighJob.at.total) / 8];
  }

  // Nodes are shared out by cost among slices where the front is large; what a slice makes stands behind what
  // the one before made. What was measured is cut into `pieces`, what is guessed more finely: errors average
  // out.
  #expand(
    measuredPieces: number,
    guessedPieces: number,
    total: number,
    coherence: 'on' | 'off',
    pairing: Pairing,
  ): void {
    const { arena, pool } = this.#backend;
    const weighedCount = this.#get('outCount');
    const guessed = arena.f64[(this.#job.at + WeighJob.at.guessed) / 8];
    const pieces = this.coherent ? measuredPieces + (guessedPieces * guessed) / total : guessedPieces;
    const sliceCount =
      pieces < PIECES_A_SLICE
        ? 1
        : Math.min(pool.threadCount, Math.floor(pieces / PIECES_A_SLICE) + 1, weighedCount || 1);
    this.#sliceCount = sliceCount;
    // What overlap lets one fear of measured nodes is not counted in: it would let nodes grow that are known
    // to be heavy.
    const known = this.coherent ? Math.min(total, this.#lastTotal + guessed) : total;
    // Where nothing weighs anything, nothing is known to be worth splitting.
    const bounds =
      known > 0
        ? ([known / measuredPieces, known / guessedPieces] as const)
        : ([Infinity, Infinity] as const);
    for (let room = Math.max(256, 2 * weighedCount, Math.ceil((4 * pieces) / sliceCount)); ; ) {
      if (this.#growTree(this.startCount + sliceCount * room)) this.#weigh(coherence);
      this.#front.reserve(sliceCount * room * FrontNode.size);
      this.#writeSlices(sliceCount, room, weighedCount, total, bounds);
      // Boxes that were widened are cut as boxes are.
      runStep(this.#backend, `expandFront${pairing === 'Near' ? '' : pairing}`, this.#job.at, sliceCount);
      let most = 0;
      for (let i = 0; i < sliceCount; i++)
        most = Math.max(
          most,
          this.#get('outCount', i),
          this.#get('treeCount', i) - this.#get('treeFirst', i),
        );
      if (most <= room) break;
      room = most + (most >>> 2);
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
    room: number,
    weighedCount: number,
    total: number,
    [bound, guessBound]: readonly [number, number],
  ): void {
    const { f32, u8 } = this.#backend.arena;
    const words = WeighJob.size;
    for (let i = 1; i < sliceCount; i++)
      u8.copyWithin(this.#job.at + i * words, this.#job.at, this.#job.at + words);
    let node = 0;
    let sum = 0;
    for (let i = 0; i < sliceCount; i++) {
      const first = node;
      for (; node < weighedCount && (i === sliceCount - 1 || sum < ((i + 1) * total) / sliceCount); node++) {
        sum += f32[(this.#weighed.at + node * FrontNode.size + FrontNode.at.cost) / 4];
      }
      this.#setPlaces(i);
      this.#set('startAt', this.#weighed.at + first * FrontNode.size, i);
      this.#set('startCount', node - first, i);
      this.#set('outAt', this.#front.at + i * room * FrontNode.size, i);
      this.#set('outCapacity', room, i);
      this.#set('treeFirst', this.startCount + i * room, i);
      this.#set('treeCapacity', this.startCount + (i + 1) * room, i);
      this.#set('stackAt', this.#stack.at + i * this.#stackBytes, i);
      f32[(this.#job.at + i * words + WeighJob.at.bound) / 4] = bound;
      f32[(this.#job.at + i * words + WeighJob.at.guessBound) / 4] = guessBound;
    }
  }

  // @returns whether the tree lost what it held: it grows by replacement.
  #growTree(entries: number): boolean {
    const before = this.#tree.at;
    return this.#tree.reserve(entries * CostEntry.size) !== before;
  }

  #setPlaces(slice = 0): void {
    this.#set('pairsAt', this.#pairs.at, slice);
    this.#set('treeAt', this.#tree.at, slice);
    this.#set('lastTreeAt', this.#lastTree.at, slice);
    this.#set('stackAt', this.#stack.at, slice);
  }

  #get(field: keyof typeof WeighJob.at, slice = 0): number {
    return this.#backend.arena.u32[(this.#job.at + slice * WeighJob.size + WeighJob.at[field]) / 4];
  }

  #set(field: keyof typeof WeighJob.at, value: number, slice = 0): void {
    this.#backend.arena.u32[(this.#job.at + slice * WeighJob.size + WeighJob.at[field]) / 4] = value;
  }
}
