// Finds intersecting triangle pairs of placed meshes in rounds over one list of node pairs: the work front of
// the S-AABB paper, section 2.

import { SpherePairs } from '../hybrid/spherePairs.js';
import type { Mesh } from '../mesh/mesh.js';
import { placedPoints } from '../mesh/placedPoints.js';
import { trianglesIntersectExact } from '../mesh/trianglesIntersectExact.js';
import { WorkLists } from '../narrowphase/workLists.js';
import { ListRecord, limits, MeshRecord, Node, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { RoundJob } from '../records/spheresLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';

/** Min tasks per thread; fewer tasks are not worth another thread. */
const MIN_TASKS_PER_SLICE = 64;
/** Initial capacity for the next round's tasks, per slice. */
const INITIAL_CAPACITY = 64;
/** Words of a task: its pair and one slot of each tree. */
const WORDS = 3;

/** Where traversals start: at the roots, or at all pairs of leaves, as without a hierarchy. */
export type TraversalStart = 'roots' | 'leaves';

/**
 * Traverses in rounds as the paper does, for comparison with depth-first lists. It is filled by PairWriter
 * and read by ResultGatherer, like a FrontSystem. Results are the same as those of depth-first lists; trees
 * need no spheres. A round ends when all its tasks are done, so threads wait for each other once per level.
 */
export class WorkFront {
  readonly lists: WorkLists;
  readonly pairs: GrowableBlock;
  /** Triangle pairs decided in BigInt that intersect: triples (pair, a, b). */
  readonly exactPairs: number[] = [];
  /** Number of lists of the last run, and of its rounds. */
  parts = 1;
  rounds = 0;
  private readonly context: EngineContext;
  private readonly spheres: SpherePairs;
  private readonly job: GrowableBlock;
  private readonly hits: GrowableBlock;
  private tasks: GrowableBlock;
  private next: GrowableBlock;
  private depth = 0;
  private capacity = INITIAL_CAPACITY;
  private start: TraversalStart = 'roots';

  constructor(context: EngineContext, pairCapacity: number) {
    const { arena } = context;
    this.context = context;
    this.lists = new WorkLists(arena, pairCapacity);
    this.spheres = new SpherePairs(context);
    [this.pairs, this.job, this.hits, this.tasks, this.next] = [
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
      new GrowableBlock(arena),
    ];
  }

  /**
   * Reserves memory for `count` pair records.
   * @returns their address.
   */
  reservePairs(count: number): number {
    this.depth = 0;
    return this.pairs.reserve(count * PairRecord.size);
  }

  noteDepth(sumOfDepths: number): void {
    this.depth = Math.max(this.depth, sumOfDepths);
  }

  /**
   * Finds all intersecting triangle pairs. trees: as for FrontSystem.run.
   * @throws WorkerLost if a worker was lost (then use another WorkFront); Capacity
   */
  run(trees: readonly Mesh[], threads: number, start: TraversalStart = 'roots'): void {
    this.start = start;
    this.traverseAll(trees, threads, 0);
  }

  /**
   * Tests whether each pair intersects. Stops when the results of all pairs are known.
   * @returns 1 or 0 per pair.
   * @throws as run
   */
  runAny(trees: readonly Mesh[], threads: number): Uint32Array {
    const { arena } = this.context;
    const pairCount = trees.length / 2;
    const hitsAt = this.hits.reserve(Math.max(4, 4 * pairCount));
    const word = hitsAt / 4;
    arena.u32.fill(0, word, word + pairCount);
    this.start = 'roots';
    this.traverseAll(trees, threads, hitsAt);
    for (let i = 0; i < this.exactPairs.length; i += WORDS) arena.u32[word + this.exactPairs[i]] = 1;
    return arena.u32.slice(word, word + pairCount);
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.pairs, this.job, this.hits, this.tasks, this.next]) buffer.dispose();
  }

  private traverseAll(trees: readonly Mesh[], threads: number, hitsAt: number): void {
    const pairCount = trees.length / 2;
    this.parts = threads;
    this.exactPairs.length = 0;
    // At worst a list visits all pairs in every round; a round descends at least one level.
    this.lists.reserve(threads, this.depth, Math.max(1, pairCount * (this.depth + 2)));
    this.lists.reset(threads);
    this.rounds = 0;
    if (pairCount === 0) return;
    this.spheres.prepareAll(trees, this, threads);
    do {
      this.lists.reset(threads);
      this.rounds = 0;
      this.walk(trees, threads, hitsAt);
    } while (this.lists.growOutputs(threads));
    this.decideWide();
  }

  private walk(trees: readonly Mesh[], threads: number, hitsAt: number): void {
    const pairCount = trees.length / 2;
    const slots = trees.map(tree => (this.start === 'roots' ? [limits.NOTHING] : this.leafSlots(tree)));
    let taskCount = 0;
    for (let i = 0; i < trees.length; i += 2) taskCount += slots[i].length * slots[i + 1].length;
    let tasksStride = 4 * taskCount;
    this.writeTasks(slots, taskCount);
    for (; taskCount > 0 && !this.isDecided(hitsAt, pairCount); this.rounds++) {
      const sliceCount = Math.max(1, Math.min(threads, Math.floor(taskCount / MIN_TASKS_PER_SLICE)));
      taskCount = this.round(taskCount, tasksStride, sliceCount, hitsAt);
      tasksStride = 4 * sliceCount * this.capacity;
      [this.tasks, this.next] = [this.next, this.tasks];
    }
  }

  // Writes each slot of A with each of B, pair by pair.
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

  // Runs one round. If the tasks exceed the capacity, it grows and the round is repeated from the same state.
  // @returns the number of tasks of the next round.
  private round(taskCount: number, tasksStride: number, sliceCount: number, hitsAt: number): number {
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
      runStep(context, 'walkRound', jobAt, sliceCount);
      const counts = arena.u32.slice(nextCountsAt / 4, nextCountsAt / 4 + sliceCount);
      const maxCount = Math.max(...counts);
      if (maxCount <= capacity) return this.gather(counts, nextAt, nextStride);
      this.capacity = maxCount + (maxCount >>> 2);
      arena.u8.set(before, recordsAt);
    }
  }

  // Concatenates the tasks of all slices.
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

  // Decides in BigInt the pairs whose coordinates span too many exponents for expansions.
  private decideWide(): void {
    const { arena } = this.context;
    for (let list = 0; list < this.parts; list++) {
      const at = this.lists.read(list, 'wideAt') / 4;
      const end = at + WORDS * this.lists.read(list, 'wideCount');
      for (let i = at; i < end; i += WORDS) {
        const pair = arena.u32[i];
        const a = arena.u32[i + 1];
        const b = arena.u32[i + 2];
        if (trianglesIntersectExact(placedPoints(arena, this.pairs.at + pair * PairRecord.size, a, b)))
          this.exactPairs.push(pair, a, b);
      }
    }
  }
}
