// A finished query -> what the user holds: sorted structure-of-arrays views into engine memory, guarded against reuse.
import { Stale } from './errors.js';
import type { QueryStats } from './stats.js';

/** Counts the engine's computing calls: a view made before the last one is stale. */
export interface Clock { now: number }

/** A triangle pair list of its own memory. */
export interface PairsCopy { count: number; a: Uint32Array; b: Uint32Array }

/** Where a result lies in engine memory: `count` words from byte aAt, and from bAt. */
export interface ResultPlace { arena: { readonly u32: Uint32Array }; aAt: number; bAt: number; count: number; pairsAt: Uint32Array }

function stale(): never {
  throw new Stale('this result was read after a later call on its engine reused the memory',
    'read results before the next call that computes, or keep .copy()');
}

/** Intersecting triangle pairs: a[i] of mesh A meets b[i] of mesh B; `a.length === count`. */
export class TrianglePairs {
  readonly count: number;
  private readonly place: ResultPlace;
  private readonly clock: Clock;
  private readonly madeAt: number;
  private readonly summarise: () => QueryStats;
  private viewOfA: Uint32Array | undefined;
  private viewOfB: Uint32Array | undefined;

  constructor(place: ResultPlace, clock: Clock, summarise: () => QueryStats) {
    this.count = place.count;
    this.place = place;
    this.clock = clock;
    this.madeAt = clock.now;
    this.summarise = summarise;
  }

  /** Triangle numbers of mesh A: a view, valid until the engine computes again. @throws Stale */
  get a(): Uint32Array { return this.fresh(), this.viewOfA ??= this.view(this.place.aAt); }
  /** Triangle numbers of mesh B. @throws Stale */
  get b(): Uint32Array { return this.fresh(), this.viewOfB ??= this.view(this.place.bAt); }
  /** What the query cost: tests, fronts, balance, bytes. @throws Stale */
  get stats(): QueryStats { this.fresh(); return this.summarise(); }

  /** The same pairs in memory of their own. */
  copy(): PairsCopy { return { count: this.count, a: this.a.slice(), b: this.b.slice() }; }

  // Views are made when they are read: many results are only counted.
  private view(at: number): Uint32Array { return this.place.arena.u32.subarray(at / 4, at / 4 + this.count); }

  protected fresh(): ResultPlace { return this.clock.now === this.madeAt ? this.place : stale(); }
}

/** Triangle pairs of many placed pairs: pair i owns entries pairsAt[i] <= k < pairsAt[i + 1]. */
export class ManyTrianglePairs extends TrianglePairs {
  /** Number of placed pairs asked about. */
  readonly pairCount: number;

  constructor(place: ResultPlace, clock: Clock, summarise: () => QueryStats) {
    super(place, clock, summarise);
    this.pairCount = place.pairsAt.length - 1;
  }

  /** Offsets into a and b, pairCount + 1 of them: a view, as they are. @throws Stale */
  get pairsAt(): Uint32Array { return this.fresh().pairsAt; }

  override copy(): PairsCopy & { pairsAt: Uint32Array } { return { ...super.copy(), pairsAt: this.pairsAt.slice() }; }
}
