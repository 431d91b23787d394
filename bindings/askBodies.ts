// Pairs of bodies that the last frame does not know -> how many triangle pairs each of them has, asked on all threads.
import { Capacity } from './errors.js';
import type { EngineHost } from './feature.js';
import type { Narrow } from './frame.js';
import type { PartitionOptions } from './options.js';
import type { ResultPlace } from './results.js';
import type { QueryStats } from './stats.js';
import type { Bodies } from './systems/bodies.js';
import { BodyPairWriter } from './systems/bodyPairs.js';
import type { FrontSystem } from './systems/front.js';
import type { StartingFront } from './systems/startingFront.js';

/** Pairs that are counted in one call: results of a call stay small, and progress is told. */
const PAIRS_A_CALL = 1 << 16;

/** What an asker needs of its engine. */
export type AskHost = Pick<EngineHost, 'backend' | 'writer' | 'run' | 'join' | 'countPairs' | 'summarise'>;

export class BodyAsker {
  /** Pairs to be asked. */
  count = 0;
  /** Triangle pairs of each; of 'any' 1 where there are some. */
  found = new Uint32Array(64);
  /** Starting front of each, once it has one; none where none was ever made. */
  readonly fronts: (StartingFront | undefined)[] = [];
  private a = new Uint32Array(64);
  private b = new Uint32Array(64);
  private readonly host: AskHost;
  private readonly pairs: BodyPairWriter;

  constructor(host: AskHost) {
    this.host = host;
    this.pairs = new BodyPairWriter(host.backend, host.writer);
  }

  /** Begins a list of at most `most` pairs. */
  begin(most: number): void {
    this.count = this.fronts.length = 0;
    if (this.a.length >= most) return;
    [this.a, this.b, this.found] = [new Uint32Array(2 * most), new Uint32Array(2 * most), new Uint32Array(2 * most)];
  }

  add(slotA: number, slotB: number): void {
    this.a[this.count] = slotA;
    this.b[this.count++] = slotB;
  }

  /**
   * Asks about all of the list. result: their triangle pairs, where narrow is 'pairs'; it holds until the engine is asked again.
   * onProgress is told what part is done. @throws Capacity: of 'counts' only where memory cannot hold what one pair has.
   */
  ask(bodies: Bodies, narrow: Narrow, options: PartitionOptions, onProgress: (done: number) => void): { queries: QueryStats[]; result: ResultPlace | undefined } {
    const queries: QueryStats[] = [];
    let result: ResultPlace | undefined;
    if (narrow === 'counts') {
      for (let begin = 0; begin < this.count; begin += PAIRS_A_CALL) {
        const end = Math.min(begin + PAIRS_A_CALL, this.count);
        this.countInHalves(bodies, options, begin, end, queries);
        onProgress(end / this.count);
      }
    } else if (this.count > 0) {
      const front = this.run(bodies, narrow === 'any' ? 'runAny' : 'run', options, 0, this.count);
      if (narrow === 'any') this.takeHits(front.hitsAt / 4);
      else this.takeCounts(0, (result = this.host.join(this.count, this.pairs.swapped)).pairsAt);
      queries.push(this.host.summarise());
    }
    return { queries, result };
  }

  dispose(): void { this.pairs.dispose(); }

  // Lists that memory cannot hold at once are made in halves: only their lengths are kept.
  private countInHalves(bodies: Bodies, options: PartitionOptions, begin: number, end: number, queries: QueryStats[]): void {
    try {
      this.run(bodies, 'run', options, begin, end);
      this.takeCounts(begin, this.host.countPairs(end - begin));
      queries.push(this.host.summarise());
    } catch (error) {
      if (!(error instanceof Capacity) || end - begin < 2) throw error;
      const middle = (begin + end) >>> 1;
      this.countInHalves(bodies, options, begin, middle, queries);
      this.countInHalves(bodies, options, middle, end, queries);
    }
  }

  private run(bodies: Bodies, run: 'run' | 'runAny', options: PartitionOptions, begin: number, end: number): FrontSystem {
    const asked = { count: end - begin, a: this.a.subarray(begin, end), b: this.b.subarray(begin, end) };
    const fronts = this.fronts.slice(begin, end);
    const front = this.host.run(run, (system) => this.pairs.write(system, bodies, asked), options, fronts);
    for (let i = 0; i < fronts.length; i++) this.fronts[begin + i] = fronts[i];
    return front;
  }

  private takeHits(from: number): void {
    this.found.set(this.host.backend.arena.u32.subarray(from, from + this.count));
  }

  private takeCounts(begin: number, pairsAt: Uint32Array): void {
    for (let i = 0; i + 1 < pairsAt.length; i++) this.found[begin + i] = pairsAt[i + 1]! - pairsAt[i]!;
  }
}
