// Pairs of bodies that the last frame does not know -> how many triangle pairs each of them has, asked on all
// threads.
import { Capacity } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { PartitionOptions } from '../core/options.js';
import type { ResultPlace } from '../core/results.js';
import type { QueryStats } from '../core/stats.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import type { Bodies } from './bodies.js';
import { BodyPairWriter } from './bodyPairs.js';
import type { Narrow } from './frame.js';

/** Pairs that are counted in one call: results of a call stay small, and progress is told. */
const PAIRS_A_CALL = 1 << 16;

/** What an asker needs of its engine. */
export type AskHost = Pick<EngineHost, 'backend' | 'writer' | 'run' | 'join' | 'countPairs' | 'summarise'>;

/**
 * What was found of pairs that were asked. result: their triangle pairs, where narrow is 'pairs'; it holds
 * until the engine is asked again.
 */
export interface Answered {
  queries: QueryStats[];
  result: ResultPlace | undefined;
}

export class BodyAsker {
  /** Pairs to be asked. */
  count = 0;
  /** Triangle pairs of each; of 'any' 1 where there are some. */
  found = new Uint32Array(64);
  /** Starting front of each, once it has one; none where none was ever made. */
  readonly fronts: (StartingFront | undefined)[] = [];
  /** Slots of each pair's bodies. */
  a = new Uint32Array(64);
  b = new Uint32Array(64);
  /** What writes records of pairs. */
  readonly pairs: BodyPairWriter;
  readonly #host: AskHost;
  #some: BodyAsker | undefined;

  constructor(host: AskHost) {
    this.#host = host;
    this.pairs = new BodyPairWriter(host.backend, host.writer);
  }

  /** Begins a list of at most `most` pairs. */
  begin(most: number): void {
    this.count = this.fronts.length = 0;
    if (this.a.length >= most) return;
    [this.a, this.b, this.found] = [
      new Uint32Array(2 * most),
      new Uint32Array(2 * most),
      new Uint32Array(2 * most),
    ];
  }

  add(slotA: number, slotB: number): void {
    this.a[this.count] = slotA;
    this.b[this.count++] = slotB;
  }

  /** Triangles of all pairs. */
  sizeOf(slots: Bodies['slots']): number {
    let size = 0;
    for (let i = 0; i < this.count; i++)
      size += slots[this.a[i]].mesh!.triangleCount + slots[this.b[i]].mesh!.triangleCount;
    return size;
  }

  /**
   * Asks about all of the list. onProgress is told what part is done. @throws Capacity: of 'counts' only
   * where memory cannot hold what one pair has.
   */
  ask(
    bodies: Bodies,
    narrow: Narrow,
    options: PartitionOptions,
    onProgress: (done: number) => void,
  ): Answered {
    const queries: QueryStats[] = [];
    let result: ResultPlace | undefined;
    if (narrow === 'counts') {
      for (let begin = 0; begin < this.count; begin += PAIRS_A_CALL) {
        const end = Math.min(begin + PAIRS_A_CALL, this.count);
        this.#countInHalves(bodies, options, begin, end, queries);
        onProgress(end / this.count);
      }
    } else if (this.count > 0) {
      const front = this.#run(bodies, narrow === 'any' ? 'runAny' : 'run', options, 0, this.count);
      if (narrow === 'any') this.#takeHits(front.hitsAt / 4);
      else this.#takeCounts(0, (result = this.#host.join(this.count, this.pairs.swapped)).pairsAt);
      queries.push(this.#host.summarise());
    }
    return { queries, result };
  }

  /**
   * The same of some of the list alone: what was found of places[i] is found[i] of the answer. @throws
   * Capacity
   */
  askSome(
    places: readonly number[],
    bodies: Bodies,
    narrow: Narrow,
    options: PartitionOptions,
  ): Answered & { found: Uint32Array } {
    const { a, b, fronts } = this;
    const some = (this.#some ??= new BodyAsker(this.#host));
    some.begin(places.length);
    for (const place of places) {
      some.add(a[place], b[place]);
      if (fronts.length > 0) some.fronts.push(fronts[place]);
    }
    const answered = some.ask(bodies, narrow, options, () => {});
    some.fronts.forEach((front, i) => {
      fronts[places[i]] = front;
    });
    return { ...answered, found: some.found };
  }

  dispose(): void {
    this.pairs.dispose();
    this.#some?.dispose();
  }

  // Lists that memory cannot hold at once are made in halves: only their lengths are kept.
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
      queries.push(this.#host.summarise());
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
    const asked = { count: end - begin, a: this.a.subarray(begin, end), b: this.b.subarray(begin, end) };
    const fronts = this.fronts.slice(begin, end);
    const front = this.#host.run(run, system => this.pairs.write(system, bodies, asked), options, fronts);
    for (let i = 0; i < fronts.length; i++) this.fronts[begin + i] = fronts[i];
    return front;
  }

  #takeHits(from: number): void {
    this.found.set(this.#host.backend.arena.u32.subarray(from, from + this.count));
  }

  #takeCounts(begin: number, pairsAt: Uint32Array): void {
    for (let i = 0; i + 1 < pairsAt.length; i++) this.found[begin + i] = pairsAt[i + 1] - pairsAt[i];
  }
}
