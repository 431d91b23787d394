// Starting fronts of placed pairs -> a front whose nodes' costs are bounded (Zhang & Kim s3.2), and afterwards its cost tree.
import type { Backend } from '../backend.js';
import { CostEntry, FrontNode, limits, WeighJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { FrontCache, type StartingFront, type Tree } from './startingFront.js';

/** How overlap stands for cost: eq. 2's alpha V with alpha = V^-1/2 ('root'), alpha = 1 ('volume'), or penetration depth. */
export type OverlapWeight = 'root' | 'volume' | 'depth';

const weights = { root: limits.WEIGHT_ROOT, volume: limits.WEIGHT_VOLUME, depth: limits.WEIGHT_DEPTH } as const;
const CHILDREN = 16;
/** Starting fronts: 4^4 nodes where a pair stands alone, fewer each where there are many pairs. */
const STARTING_NODES = 256;

export class FrontMaker {
  readonly cache = new FrontCache();
  startCount = 0;
  frontCount = 0;
  private readonly backend: Backend;
  private readonly pairs: Buffer;
  private readonly starts: Buffer;
  private readonly weighed: Buffer;
  private readonly front: Buffer;
  private readonly stack: Buffer;
  private readonly job: Buffer;
  private tree: Buffer;
  private lastTree: Buffer;
  private treeCapacity = 0;
  private weight: OverlapWeight = 'root';
  private run = 0;
  private lastTotal = 0;
  private readonly used: StartingFront[] = [];

  constructor(backend: Backend, pairs: Buffer) {
    this.backend = backend;
    this.pairs = pairs;
    const make = (): Buffer => new Buffer(backend.arena);
    [this.starts, this.weighed, this.front, this.stack, this.job, this.tree, this.lastTree] = [make(), make(), make(), make(), make(), make(), make()];
  }

  get frontAt(): number { return this.front.at; }

  /** Bytes of N_s and N_p and their cost tree (s5.3, Fig. 10). */
  get bytes(): number {
    return (this.startCount + this.frontCount) * FrontNode.size + this.treeCount * CostEntry.size;
  }

  /**
   * Makes the front of trees[2 i] against trees[2 i + 1]. `depth` bounds the sum of their depths; no node costs more than
   * total / pieces, total over all pairs (eq. 5). Costs are the last run's where every pair has one and coherence is on.
   * @returns whether they are.
   */
  make(trees: readonly Tree[], depth: number, pieces: (coherence: 'on' | 'off') => number, coherence: 'on' | 'off', weight: OverlapWeight = 'root'): boolean {
    this.weight = weight;
    this.run++;
    [this.tree, this.lastTree] = [this.lastTree, this.tree];
    const coherent = this.gatherStarts(trees, coherence);
    this.stack.reserve((CHILDREN * (depth + 2) + 2) * FrontNode.size);
    const total = this.weigh(coherent);
    this.expand(total / pieces(coherent ? 'on' : 'off'), coherent);
    return coherent;
  }

  /** Sums the measured costs up to the starting nodes: the next run's prediction. @returns the greatest cost of a front node. */
  remember(leafPairCost: number): number {
    const { arena, pool } = this.backend;
    const jobAt = this.job.at;
    arena.f32[(jobAt + WeighJob.at.leafPairCost) / 4] = leafPairCost;
    pool.kernels.rememberCosts(jobAt, 0, 1);
    let entry = 0;
    for (const front of this.used) { front.read(arena, this.tree.at, entry, this.run); entry += front.count; }
    return arena.f32[(jobAt + WeighJob.at.greatest) / 4]!;
  }

  dispose(): void {
    for (const buffer of [this.starts, this.weighed, this.front, this.stack, this.job, this.tree, this.lastTree]) buffer.dispose();
  }

  private get treeCount(): number { return this.job.at === 0 ? 0 : this.backend.arena.u32[(this.job.at + WeighJob.at.treeCount) / 4]!; }

  // Concatenates the pairs' starting fronts. @returns whether all have run before and may be trusted.
  private gatherStarts(trees: readonly Tree[], coherence: 'on' | 'off'): boolean {
    const { arena } = this.backend;
    const pairCount = trees.length / 2;
    const size = pairCount === 1 ? STARTING_NODES : Math.max(1, Math.floor(4 * STARTING_NODES / pairCount));
    const seen = new Map<Tree, Map<Tree, number>>();
    this.used.length = 0;
    let count = 0, coherent = coherence === 'on';
    this.lastTotal = 0;
    for (let i = 0; i < pairCount; i++) {
      const a = trees[2 * i]!, b = trees[2 * i + 1]!;
      let ofA = seen.get(a);
      if (!ofA) seen.set(a, ofA = new Map());
      const occurrence = ofA.get(b) ?? 0;
      ofA.set(b, occurrence + 1);
      const front = this.cache.find(arena, a, b, occurrence, size);
      this.used.push(front);
      count += front.count;
      if (!front.hasRun) coherent = false;
      this.lastTotal += front.total;
    }
    const at = this.starts.reserve(count * FrontNode.size);
    for (let i = 0, offset = 0; i < pairCount; i++) {
      this.used[i]!.write(arena, at + offset * FrontNode.size, i, this.run);
      offset += this.used[i]!.count;
    }
    this.startCount = count;
    return coherent;
  }

  // Starting nodes -> those that overlap, with costs. @returns the sum of the costs.
  private weigh(coherent: boolean): number {
    const { arena, pool } = this.backend;
    this.growTree(this.startCount);
    const outAt = this.weighed.reserve((this.startCount + 1) * FrontNode.size);
    const jobAt = this.job.reserve(WeighJob.size);
    this.set('startAt', this.starts.at);
    this.set('startCount', this.startCount);
    this.set('outAt', outAt);
    this.set('outCapacity', this.startCount);
    this.set('coherent', coherent ? 1 : 0);
    this.set('weight', weights[this.weight]);
    this.setPlaces();
    arena.f64[(jobAt + WeighJob.at.total) / 8] = this.lastTotal;
    pool.kernels.weighFront(jobAt, 0, 1);
    return arena.f64[(jobAt + WeighJob.at.total) / 8]!;
  }

  private expand(bound: number, coherent: boolean): void {
    const { arena, pool } = this.backend;
    const weighedCount = this.get('outCount');
    for (let capacity = Math.max(256, 2 * weighedCount); ;) {
      const outAt = this.front.reserve(capacity * FrontNode.size);
      this.set('startAt', this.weighed.at);
      this.set('startCount', weighedCount);
      this.set('outAt', outAt);
      this.set('outCapacity', capacity);
      this.set('treeCount', this.startCount);
      this.setPlaces();
      arena.f32[(this.job.at + WeighJob.at.bound) / 4] = bound;
      pool.kernels.expandFront(this.job.at, 0, 1);
      this.frontCount = this.get('outCount');
      if (this.frontCount <= capacity && this.get('treeCount') <= this.treeCapacity) return;
      capacity = Math.max(capacity, this.frontCount);
      // A larger tree loses its starting entries: they are weighed again.
      if (this.get('treeCount') > this.treeCapacity) { this.growTree(2 * this.get('treeCount')); this.weigh(coherent); }
    }
  }

  // Both trees have one capacity: they change places every run.
  private growTree(entries: number): void {
    if (entries > this.treeCapacity) this.treeCapacity = entries + 1024;
    this.tree.reserve(this.treeCapacity * CostEntry.size);
  }

  private setPlaces(): void {
    this.set('pairsAt', this.pairs.at);
    this.set('treeAt', this.tree.at);
    this.set('treeCapacity', this.treeCapacity);
    this.set('lastTreeAt', this.lastTree.at);
    this.set('stackAt', this.stack.at);
  }

  private get(field: keyof typeof WeighJob.at): number { return this.backend.arena.u32[(this.job.at + WeighJob.at[field]) / 4]!; }

  private set(field: keyof typeof WeighJob.at, value: number): void { this.backend.arena.u32[(this.job.at + WeighJob.at[field]) / 4] = value; }
}
