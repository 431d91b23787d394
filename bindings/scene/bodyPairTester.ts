// Tests a list of pairs of bodies for intersecting triangles, on all threads, and counts the intersecting
// triangle pairs of each pair of bodies.
import { Capacity } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { PartitionOptions } from '../core/queryOptions.js';
import type { ResultLocation } from '../core/results.js';
import type { QueryStats } from '../core/stats.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import type { Bodies } from './bodies.js';
import { BodyPairWriter } from './bodyPairWriter.js';
import type { Narrow } from './frame.js';

/**
 * Maximum number of pairs of bodies in one query of the engine, if narrow is 'counts'. The limit keeps the
 * results of a query small, and allows progress reports between queries.
 */
const PAIRS_PER_CALL = 1 << 16;

/** The parts of an engine that BodyPairTester uses. */
export type BodyPairTesterHost = Pick<
  EngineHost,
  'context' | 'writer' | 'run' | 'join' | 'countPairs' | 'summarize'
>;

/**
 * Result of testing pairs of bodies. queries: statistics of each query that was run. result: the triangle
 * pairs if narrow is 'pairs' or 'contacts'; they are valid until the engine's next query. recordsAt: the byte
 * address of the PairRecords of the tested pairs of bodies.
 */
export interface BodyPairResults {
  queries: QueryStats[];
  result: ResultLocation | undefined;
  recordsAt?: number;
}

export class BodyPairTester {
  /** Number of pairs of bodies to test. */
  count = 0;
  /**
   * Number of intersecting triangle pairs of each pair of bodies. If narrow is 'any': 1 if the bodies
   * intersect, otherwise 0.
   */
  triangleCounts = new Uint32Array(64);
  /**
   * For each pair of bodies, the starting front, from which the traversal of the two trees starts; undefined
   * if the pair has no front. The list may be empty if no pair has a front.
   */
  readonly fronts: (StartingFront | undefined)[] = [];
  /** Slots of the two bodies of each pair. */
  a = new Uint32Array(64);
  b = new Uint32Array(64);
  /** Writes the pair records. */
  readonly pairs: BodyPairWriter;
  readonly #host: BodyPairTesterHost;
  #subsetTester: BodyPairTester | undefined;

  constructor(host: BodyPairTesterHost) {
    this.#host = host;
    this.pairs = new BodyPairWriter(host.context, host.writer);
  }

  /** Starts a new list of at most `capacity` pairs. */
  begin(capacity: number): void {
    this.count = this.fronts.length = 0;
    if (this.a.length >= capacity) return;
    [this.a, this.b, this.triangleCounts] = [
      new Uint32Array(2 * capacity),
      new Uint32Array(2 * capacity),
      new Uint32Array(2 * capacity),
    ];
  }

  add(slotA: number, slotB: number): void {
    this.a[this.count] = slotA;
    this.b[this.count++] = slotB;
  }

  /** Returns the largest triangle count among the second bodies of the pairs. */
  maxSecondTriangles(slots: Bodies['slots']): number {
    let maxCount = 0;
    for (let i = 0; i < this.count; i++) maxCount = Math.max(maxCount, slots[this.b[i]].mesh!.triangleCount);
    return maxCount;
  }

  /** Returns the sum of the triangle counts of both bodies over all pairs. It is a measure of the work. */
  countTriangles(slots: Bodies['slots']): number {
    let size = 0;
    for (let i = 0; i < this.count; i++)
      size += slots[this.a[i]].mesh!.triangleCount + slots[this.b[i]].mesh!.triangleCount;
    return size;
  }

  /**
   * Tests all pairs of the list. onProgress: if narrow is 'counts', receives the fraction that is done. @throws
   * Capacity; if narrow is 'counts', only if memory cannot hold the triangle pairs of a single pair of bodies
   */
  test(
    bodies: Bodies,
    narrow: Narrow,
    options: PartitionOptions,
    onProgress: (done: number) => void,
  ): BodyPairResults {
    const queries: QueryStats[] = [];
    let result: ResultLocation | undefined;
    let recordsAt: number | undefined;
    if (narrow === 'counts') {
      for (let begin = 0; begin < this.count; begin += PAIRS_PER_CALL) {
        const end = Math.min(begin + PAIRS_PER_CALL, this.count);
        this.#countInHalves(bodies, options, begin, end, queries);
        onProgress(end / this.count);
      }
    } else if (this.count > 0) {
      const front = this.#run(bodies, narrow === 'any' ? 'runAny' : 'run', options, 0, this.count);
      if (narrow === 'any') this.#takeHits(front.hitsAt / 4);
      else this.#takeCounts(0, (result = this.#host.join(this.count, this.pairs.swapped)).pairsAt);
      recordsAt = front.pairs.at;
      queries.push(this.#host.summarize());
    }
    return { queries, result, recordsAt };
  }

  /**
   * Tests only the pairs at `indices` of the list. found[i] of the result is the number of triangle pairs of
   * the pair at indices[i], as in `triangleCounts`. @throws Capacity
   */
  testSome(
    indices: readonly number[],
    bodies: Bodies,
    narrow: Narrow,
    options: PartitionOptions,
  ): BodyPairResults & { found: Uint32Array } {
    const { a, b, fronts } = this;
    const some = (this.#subsetTester ??= new BodyPairTester(this.#host));
    some.begin(indices.length);
    for (const place of indices) {
      some.add(a[place], b[place]);
      if (fronts.length > 0) some.fronts.push(fronts[place]);
    }
    const result = some.test(bodies, narrow, options, () => {});
    some.fronts.forEach((front, i) => {
      fronts[indices[i]] = front;
    });
    return { ...result, found: some.triangleCounts };
  }

  dispose(): void {
    this.pairs.dispose();
    this.#subsetTester?.dispose();
  }

  // Counts the triangle pairs of a range of pairs of bodies. If memory cannot hold all these triangle pairs,
  // the two halves of the range are counted one after the other. Only the counts are kept, so memory can be
  // reused.
  #countInHalves(
    bodies: Bodies,
    options: PartitionOptions,
    begin: number,
    end: number,
    queries: QueryStats[],
  ): void {
    try {
      this.#run(bodies, 'run', options, begin, end);
      this.#takeCounts(begin, this.#host.countPairs(end - begin));
      queries.push(this.#host.summarize());
    } catch (error) {
      if (!(error instanceof Capacity) || end - begin < 2) throw error;
      const middle = (begin + end) >>> 1;
      this.#countInHalves(bodies, options, begin, middle, queries);
      this.#countInHalves(bodies, options, middle, end, queries);
    }
  }

  #run(
    bodies: Bodies,
    run: 'run' | 'runAny',
    options: PartitionOptions,
    begin: number,
    end: number,
  ): FrontSystem {
    const bodyPairs = { count: end - begin, a: this.a.subarray(begin, end), b: this.b.subarray(begin, end) };
    const fronts = this.fronts.slice(begin, end);
    const front = this.#host.run(run, system => this.pairs.write(system, bodies, bodyPairs), options, fronts);
    for (let i = 0; i < fronts.length; i++) this.fronts[begin + i] = fronts[i];
    return front;
  }

  #takeHits(from: number): void {
    this.triangleCounts.set(this.#host.context.arena.u32.subarray(from, from + this.count));
  }

  #takeCounts(begin: number, pairsAt: Uint32Array): void {
    for (let i = 0; i + 1 < pairsAt.length; i++) this.triangleCounts[begin + i] = pairsAt[i + 1] - pairsAt[i];
  }
}
