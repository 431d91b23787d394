// Near triangle pairs of a finished query -> what the user holds: views into engine memory, guarded against
// reuse.
import { printAs } from '../core/printing.js';
import {
  type Clock,
  type ManyPairsCopy,
  type PairsCopy,
  type ResultPlace,
  TrianglePairs,
} from '../core/results.js';
import type { QueryStats } from '../core/stats.js';

/** Near pairs in memory of their own. */
export interface NearPairsCopy extends PairsCopy {
  /** How far the pairs are apart. */
  distances: Float64Array;
}

/** Pairs of triangles that are near each other: a[i] of mesh A is distances[i] from b[i] of mesh B. */
export class NearPairs extends TrianglePairs {
  readonly #distancesAt: number;
  #viewOfDistances: Float64Array | undefined;

  /** @internal */
  constructor(place: ResultPlace, clock: Clock, summarise: () => QueryStats, distancesAt: number) {
    super(place, clock, summarise);
    this.#distancesAt = distancesAt;
  }

  /**
   * How far the pairs are apart; 0 only for those that meet. A view that holds until the engine is asked
   * again. @throws Stale
   */
  get distances(): Float64Array {
    const { arena, count } = this.fresh();
    const at = this.#distancesAt / 8;
    return (this.#viewOfDistances ??= (arena as unknown as { f64: Float64Array }).f64.subarray(
      at,
      at + count,
    ));
  }

  /** The same pairs and distances in memory of their own. @throws Stale */
  override copy(): NearPairsCopy {
    return Object.assign(super.copy(), { distances: this.distances.slice() });
  }
}
printAs(NearPairs.prototype, 'NearPairs', ['count', 'a', 'b', 'distances', 'stats']);

/** Near pairs of many placed pairs of meshes: pair i owns entries pairsAt[i] <= k < pairsAt[i + 1]. */
export class ManyNearPairs extends NearPairs {
  /** Number of placed pairs asked about. */
  readonly pairCount: number = this.pairsAt.length - 1;

  /** Offsets into a, b and distances, one more than placed pairs: a view, as they are. @throws Stale */
  get pairsAt(): Uint32Array {
    return this.fresh().pairsAt;
  }

  /** The same pairs, distances and offsets in memory of their own. @throws Stale */
  override copy(): NearPairsCopy & ManyPairsCopy {
    return Object.assign(super.copy(), { pairsAt: this.pairsAt.slice() });
  }
}
printAs(ManyNearPairs.prototype, 'ManyNearPairs', [
  'pairCount',
  'count',
  'pairsAt',
  'a',
  'b',
  'distances',
  'stats',
]);
