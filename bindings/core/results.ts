// Defines the results of queries: views of pairs in engine memory. Reading a view throws an error if a later
// call may have reused its memory.
import { Stale } from './errors.js';
import type { BoxPairsStats, QueryStats } from './stats.js';

/**
 * Counts the calls of an engine that may reuse the memory of results. A view is stale if such a call has begun
 * since the view was made.
 */
export interface CallCounter {
  now: number;
}

/** A copy of pairs, outside of engine memory: a[i] and b[i] are one pair. */
export interface PairsCopy {
  /** The number of pairs. */
  count: number;
  /** The first number of each pair. */
  a: Uint32Array;
  /** The second number of each pair. */
  b: Uint32Array;
}

/** The prototype of copies of pairs, which defines how they are printed. */
export const copyPrototype = {};

/** Location of a result in engine memory: `count` words at byte address aAt, and `count` words at bAt. */
export interface PairsLocation {
  arena: { readonly u32: Uint32Array };
  aAt: number;
  bAt: number;
  count: number;
}
/** `pairsAt[i]`: index of the first triangle pair of placed pair i. The last entry is `count`. */
export interface ResultLocation extends PairsLocation {
  pairsAt: Uint32Array;
}

function throwStale(): never {
  throw new Stale(
    'the memory of this result was reused by a later call on its engine, or by a pending call of engine.async',
    'read results before the next engine call and before any await, or keep a copy()',
  );
}

/** Pairs in engine memory: a[i] and b[i] are one pair. Reading stale pairs throws. */
class PairViews<Place extends PairsLocation, Stats> {
  /** The number of pairs. It may be read at any time. */
  readonly count: number;
  readonly #place: Place;
  readonly #clock: CallCounter;
  readonly #madeAt: number;
  readonly #summarize: () => Stats;
  #viewOfA: Uint32Array | undefined;
  #viewOfB: Uint32Array | undefined;

  /** count: number of pairs that were found; needed only if not all found pairs are stored. @internal */
  constructor(place: Place, clock: CallCounter, summarize: () => Stats, count = place.count) {
    this.count = count;
    this.#place = place;
    this.#clock = clock;
    this.#madeAt = clock.now;
    this.#summarize = summarize;
  }

  /**
   * First numbers of the pairs: a view that is valid until the engine's next call, or until a pending call of
   * `engine.async` computes on the CPU.
   * @throws Stale
   */
  get a(): Uint32Array {
    this.requireFresh();
    return (this.#viewOfA ??= this.#view(this.#place.aAt));
  }
  /** Second numbers of the pairs: a view that is valid as long as `a`. @throws Stale */
  get b(): Uint32Array {
    this.requireFresh();
    return (this.#viewOfB ??= this.#view(this.#place.bAt));
  }
  /** Statistics of the query. @throws Stale */
  get stats(): Stats {
    this.requireFresh();
    return this.#summarize();
  }

  /** Returns a copy of the pairs, which stays valid. @throws Stale */
  copy(): PairsCopy {
    return { __proto__: copyPrototype, count: this.count, a: this.a.slice(), b: this.b.slice() } as PairsCopy;
  }

  // Views are created only when they are read, because often only the count of a result is used.
  #view(at: number): Uint32Array {
    return this.#place.arena.u32.subarray(at / 4, at / 4 + this.#place.count);
  }

  /**
   * Returns the location of the pairs, unless they are stale.
   * @throws Stale
   * @internal
   */
  protected requireFresh(): Place {
    return this.#clock.now === this.#madeAt ? this.#place : throwStale();
  }
}

/**
 * Intersecting triangle pairs: triangle a[i] of mesh A and triangle b[i] of mesh B share a point. `a.length
 * === count`.
 */
export class TrianglePairs extends PairViews<ResultLocation, QueryStats> {}

/**
 * Overlapping boxes a[i] and b[i]. `a.length === count`, unless the pairs were only counted or were passed to
 * forEachChunk.
 */
export class BoxPairs extends PairViews<PairsLocation, BoxPairsStats> {}

/** A copy of the triangle pairs of many placed pairs of meshes, outside of engine memory. */
export interface ManyPairsCopy extends PairsCopy {
  /** Placed pair i owns the entries k with pairsAt[i] <= k < pairsAt[i + 1]. */
  pairsAt: Uint32Array;
}

/**
 * Triangle pairs of many placed pairs of meshes: placed pair i owns the entries k with
 * pairsAt[i] <= k < pairsAt[i + 1].
 */
export class ManyTrianglePairs extends TrianglePairs {
  /** Number of placed pairs in the query. */
  readonly pairCount: number;

  /** @internal */
  constructor(place: ResultLocation, clock: CallCounter, summarize: () => QueryStats) {
    super(place, clock, summarize);
    this.pairCount = place.pairsAt.length - 1;
  }

  /** pairCount + 1 offsets into a and b: a view that is valid as long as a and b. @throws Stale */
  get pairsAt(): Uint32Array {
    return this.requireFresh().pairsAt;
  }

  /** Returns a copy of the pairs and their offsets, which stays valid. @throws Stale */
  override copy(): ManyPairsCopy {
    return Object.assign(super.copy(), { pairsAt: this.pairsAt.slice() });
  }
}
