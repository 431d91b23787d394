// A finished query -> what the user holds: sorted structure-of-arrays views into engine memory, guarded
// against reuse.
import { Stale } from './errors.js';
import type { BoxPairsStats, QueryStats } from './stats.js';

/** Counts the engine's computing calls: a view made before the last one is stale. */
export interface Clock {
  now: number;
}

/** Pairs in memory of their own: a[i] and b[i] are one pair. */
export interface PairsCopy {
  /** How many pairs there are. */
  count: number;
  /** First numbers. */
  a: Uint32Array;
  /** Second numbers. */
  b: Uint32Array;
}

/** The prototype of pairs in memory of their own: it says how they are printed. */
export const copied = {};

/** Where a result lies in engine memory: `count` words from byte aAt, and from bAt. */
export interface PairsPlace {
  arena: { readonly u32: Uint32Array };
  aAt: number;
  bAt: number;
  count: number;
}
export interface ResultPlace extends PairsPlace {
  pairsAt: Uint32Array;
}

function stale(): never {
  throw new Stale(
    'this result was read after a later call on its engine, or a pending promise of engine.async, reused the memory',
    'read results before the next call that computes and before any await, or keep .copy()',
  );
}

/** Pairs in engine memory, guarded: a[i] and b[i] are one pair. */
class PairViews<Place extends PairsPlace, Stats> {
  /** How many pairs there are; may be read at any time. */
  readonly count: number;
  readonly #place: Place;
  readonly #clock: Clock;
  readonly #madeAt: number;
  readonly #summarise: () => Stats;
  #viewOfA: Uint32Array | undefined;
  #viewOfB: Uint32Array | undefined;

  /** count: of the pairs found, where they are more than the place holds. @internal */
  constructor(place: Place, clock: Clock, summarise: () => Stats, count = place.count) {
    this.count = count;
    this.#place = place;
    this.#clock = clock;
    this.#madeAt = clock.now;
    this.#summarise = summarise;
  }

  /**
   * First numbers of the pairs: a view that holds until the engine is asked again, or a pending promise of
   * `engine.async` is computed on the CPU. @throws Stale
   */
  get a(): Uint32Array {
    this.fresh();
    return (this.#viewOfA ??= this.#view(this.#place.aAt));
  }
  /** Second numbers, likewise. @throws Stale */
  get b(): Uint32Array {
    this.fresh();
    return (this.#viewOfB ??= this.#view(this.#place.bAt));
  }
  /** What finding them cost. @throws Stale */
  get stats(): Stats {
    this.fresh();
    return this.#summarise();
  }

  /** The same pairs in memory of their own. @throws Stale */
  copy(): PairsCopy {
    return { __proto__: copied, count: this.count, a: this.a.slice(), b: this.b.slice() } as PairsCopy;
  }

  // Views are made when they are read: many results are only counted.
  #view(at: number): Uint32Array {
    return this.#place.arena.u32.subarray(at / 4, at / 4 + this.#place.count);
  }

  /** Where the pairs lie. @throws Stale @internal */
  protected fresh(): Place {
    return this.#clock.now === this.#madeAt ? this.#place : stale();
  }
}

/** Intersecting triangle pairs: a[i] of mesh A meets b[i] of mesh B; `a.length === count`. */
export class TrianglePairs extends PairViews<ResultPlace, QueryStats> {}

/**
 * Overlapping boxes: a[i] and b[i]; `a.length === count` unless they were only counted, or given chunk by
 * chunk.
 */
export class BoxPairs extends PairViews<PairsPlace, BoxPairsStats> {}

/** Pairs of many placed pairs in memory of their own. */
export interface ManyPairsCopy extends PairsCopy {
  /** Placed pair i owns entries pairsAt[i] <= k < pairsAt[i + 1]. */
  pairsAt: Uint32Array;
}

/** Triangle pairs of many placed pairs: pair i owns entries pairsAt[i] <= k < pairsAt[i + 1]. */
export class ManyTrianglePairs extends TrianglePairs {
  /** Number of placed pairs asked about. */
  readonly pairCount: number;

  /** @internal */
  constructor(place: ResultPlace, clock: Clock, summarise: () => QueryStats) {
    super(place, clock, summarise);
    this.pairCount = place.pairsAt.length - 1;
  }

  /** Offsets into a and b, pairCount + 1 of them: a view, as they are. @throws Stale */
  get pairsAt(): Uint32Array {
    return this.fresh().pairsAt;
  }

  /** The same pairs and their offsets in memory of their own. @throws Stale */
  override copy(): ManyPairsCopy {
    return Object.assign(super.copy(), { pairsAt: this.pairsAt.slice() });
  }
}
