// Finds intersecting triangle pairs of placed meshes with the work front of the S-AABB paper, section 2. The
// search runs in rounds. The work front is a list of pairs of boxes. A round replaces each pair in the list
// by the overlapping pairs of the two boxes' children. The new pairs form the list of the next round, except
// that pairs of leaves go to the triangle test.

import { SpherePairs } from '../hybrid/spherePairs.js';
import type { Mesh } from '../mesh/mesh.js';
import { type FrontOptions, FrontSystem } from '../narrowphase/front.js';
import { ListRecord, limits, MeshRecord, Node } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { RoundJob } from '../records/spheresLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';

/**
 * Min tasks per thread. A task is a pair of boxes to expand. Passing fewer tasks to another thread would cost
 * more than it saves.
 */
const MIN_TASKS_PER_SLICE = 64;
/** Initial capacity of each slice's output, in tasks of the next round. */
const INITIAL_CAPACITY = 64;
/**
 * Words of a task: the index of its mesh pair, a slot of tree A and a slot of tree B. An entry of
 * `exactPairs` has the same number of words.
 */
const WORDS = 3;

/**
 * How an engine of `createLaboratory` traverses two trees. 'front': with p-partition fronts, like an engine
 * of `createEngine`. 'work-front': in rounds, starting with the roots. 'no-hierarchy': tests all pairs of
 * leaves in one round.
 */
export type Traversal = 'front' | 'work-front' | 'no-hierarchy';

/**
 * Counters of one round. A task is a pair of boxes to expand. Costs are in box tests; a pair of leaves costs as
 * much as 12 box tests.
 */
export interface Round {
  /** Number of tasks. */
  tasks: number;
  /** Number of slices into which the tasks were divided. */
  slices: number;
  /** Total cost of all slices. */
  cost: number;
  /** Cost of the most expensive slice. */
  maxCost: number;
}

/** The setting that a WorkFront reads in every run, and the counters that it writes. */
export interface WorkFrontStudy {
  readonly traversal: Traversal;
  /** Rounds of the last run. */
  rounds: readonly Round[];
}

/**
 * Runs queries in rounds, as the S-AABB paper does, unless `study.traversal` is 'front'. The results are the
 * same as the results of FrontSystem, which traverses fronts depth first. Bounding spheres are used if both
 * trees have them. A round ends when all its tasks are done, so threads wait for each other once per level of
 * the trees. An any-hit query skips the tasks of mesh pairs that are known to intersect. It ends when every
 * mesh pair is known to intersect, or when no tasks remain.
 */
export class WorkFront extends FrontSystem {
  private readonly context: EngineContext;
  private readonly study: WorkFrontStudy;
  private readonly spheres: SpherePairs;
  private readonly job: GrowableBlock;
  private tasks: GrowableBlock;
  private next: GrowableBlock;
  private capacity = INITIAL_CAPACITY;

  constructor(context: EngineContext, pairCapacity: number, study: WorkFrontStudy) {
    super(context, pairCapacity);
    const { arena } = context;
    this.context = context;
    this.study = study;
    this.spheres = new SpherePairs(context);
    [this.job, this.tasks, this.next] = [
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
    ];
  }

  /** @throws as FrontSystem.run */
  override run(trees: readonly Mesh[], options: FrontOptions): void {
    if (!this.runsInRounds(options)) return super.run(trees, options);
    this.traverseAll(trees, options, 0);
  }

  /** @throws as FrontSystem.run */
  override runAny(trees: readonly Mesh[], options: FrontOptions): void {
    if (!this.runsInRounds(options)) return super.runAny(trees, options);
    const pairCount = trees.length / 2;
    const hitsAt = this.hits.reserve(Math.max(4, 4 * pairCount));
    const { u32 } = this.context.arena;
    u32.fill(0, hitsAt / 4, hitsAt / 4 + pairCount);
    this.traverseAll(trees, options, hitsAt);
    for (let i = 0; i < this.exactPairs.length; i += WORDS)
      this.context.arena.u32[hitsAt / 4 + this.exactPairs[i]] = 1;
  }

  override dispose(): void {
    super.dispose();
    for (const buffer of [this.job, this.tasks, this.next]) buffer.dispose();
  }

  // Self-intersection queries and queries with a clearance need tests that runFrontRound does not have.
  private runsInRounds({ mode }: FrontOptions): boolean {
    return this.study.traversal !== 'front' && (mode === undefined || mode === 'Spheres');
  }

  private traverseAll(trees: readonly Mesh[], options: FrontOptions, hitsAt: number): void {
    const startedAt = performance.now();
    const pairCount = trees.length / 2;
    const { parts } = options;
    this.prepare(trees, options, 1);
    this.parts = parts;
    this.maxNodeCost = 0;
    this.listMilliseconds = new Float64Array(parts);
    // The results of a list are stored in runs of consecutive results of one mesh pair. A list starts a new
    // run when the mesh pair changes. In the worst case, each list visits all mesh pairs in every round. Each
    // round descends one level or more, so the number of rounds is at most depth + 2.
    this.lists.reserve(parts, this.depth, Math.max(1, pairCount * (this.depth + 2)));
    const rounds: Round[] = [];
    this.study.rounds = rounds;
    if (pairCount > 0) this.spheres.prepareAll(trees, this, parts);
    do {
      this.lists.reset(parts);
      rounds.length = 0;
      this.runRounds(trees, hitsAt, rounds);
    } while (this.lists.growOutputs(parts));
    this.decideWithBigInt();
    this.milliseconds = performance.now() - startedAt;
  }

  private runRounds(trees: readonly Mesh[], hitsAt: number, rounds: Round[]): void {
    const isFromRoots = this.study.traversal === 'work-front';
    const slots = trees.map(tree => (isFromRoots ? [limits.NOTHING] : this.leafSlots(tree)));
    let tasks = 0;
    for (let i = 0; i < trees.length; i += 2) tasks += slots[i].length * slots[i + 1].length;
    let tasksStride = 4 * tasks;
    this.writeTasks(slots, tasks);
    while (tasks > 0 && !this.isDecided(hitsAt, trees.length / 2)) {
      const slices = Math.max(1, Math.min(this.parts, Math.floor(tasks / MIN_TASKS_PER_SLICE)));
      const before = Array.from({ length: slices }, (_, slice) => this.listCost(slice));
      const nextTasks = this.runRound(tasks, tasksStride, slices, hitsAt);
      const costs = before.map((cost, slice) => this.listCost(slice) - cost);
      rounds.push({
        tasks,
        slices,
        cost: costs.reduce((sum, cost) => sum + cost, 0),
        maxCost: Math.max(...costs),
      });
      tasks = nextTasks;
      tasksStride = 4 * slices * this.capacity;
      [this.tasks, this.next] = [this.next, this.tasks];
    }
  }

  // Writes the tasks of all mesh pairs, in order: for each pair, every combination of a slot of A and a slot
  // of B.
  private writeTasks(slots: readonly (readonly number[])[], taskCount: number): void {
    const from = this.tasks.reserve(WORDS * 4 * taskCount) / 4;
    const { u32 } = this.context.arena;
    let at = from;
    for (let i = 0; i < slots.length; i += 2) {
      for (const slotB of slots[i + 1]) {
        const { length } = slots[i];
        u32.fill(i / 2, at, at + length);
        u32.set(slots[i], at + taskCount);
        u32.fill(slotB, at + 2 * taskCount, at + 2 * taskCount + length);
        at += length;
      }
    }
  }

  private leafSlots({ recordAt, nodeCount }: Mesh): number[] {
    const { u32 } = this.context.arena;
    const nodesAt = u32[(recordAt + MeshRecord.at.nodesAt) / 4];
    const isLeaf = (slot: number): boolean => {
      const child = u32[(nodesAt + (slot >>> 2) * Node.size + Node.at.child) / 4 + (slot & 3)];
      return child !== limits.NOTHING && child >= limits.LEAF_BIT;
    };
    return Array.from({ length: 4 * nodeCount }, (_, slot) => slot).filter(isLeaf);
  }

  private isDecided(hitsAt: number, pairCount: number): boolean {
    return (
      hitsAt !== 0 &&
      this.context.arena.u32.subarray(hitsAt / 4, hitsAt / 4 + pairCount).every(hit => hit !== 0)
    );
  }

  // Runs one round. If the next round's tasks exceed the capacity, the capacity is increased and the round is
  // repeated from the same state. Returns the number of tasks of the next round.
  private runRound(taskCount: number, tasksStride: number, sliceCount: number, hitsAt: number): number {
    const {
      context,
      context: { arena, packTableAt },
      lists: { recordsAt },
    } = this;
    const recordBytes = sliceCount * ListRecord.size;
    const before = arena.u8.slice(recordsAt, recordsAt + recordBytes);
    for (;;) {
      const { capacity } = this;
      const nextStride = 4 * sliceCount * capacity;
      const jobAt = this.job.reserve(RoundJob.size + 4 * 256);
      const nextCountsAt = jobAt + RoundJob.size;
      const nextAt = this.next.reserve(WORDS * nextStride);
      setWords(arena.u32, jobAt, RoundJob, {
        pairsAt: this.pairs.at,
        listsAt: recordsAt,
        packTableAt,
        hitsAt,
        tasksAt: this.tasks.at,
        tasksStride,
        taskCount,
        nextAt,
        nextStride,
        nextCountsAt,
        capacity,
        sliceCount,
      });
      runStep(context, 'runFrontRound', jobAt, sliceCount);
      const counts = arena.u32.slice(nextCountsAt / 4, nextCountsAt / 4 + sliceCount);
      const maxCount = Math.max(...counts);
      if (maxCount <= capacity) return this.gather(counts, nextAt, nextStride);
      this.capacity = maxCount + (maxCount >>> 2);
      arena.u8.set(before, recordsAt);
    }
  }

  // Concatenates the next round's tasks of all slices. Returns their number.
  private gather(counts: Uint32Array, nextAt: number, nextStride: number): number {
    const { u8 } = this.context.arena;
    let total = 0;
    for (const [slice, count] of counts.entries()) {
      for (let array = 0; array < WORDS; array++) {
        const at = nextAt + array * nextStride;
        const from = at + 4 * slice * this.capacity;
        u8.copyWithin(at + 4 * total, from, from + 4 * count);
      }
      total += count;
    }
    return total;
  }
}
