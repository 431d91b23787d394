// The result of a clearance query: views of the near triangle pairs in engine memory. After the engine's next
// call, which may overwrite this memory, the getters of the views throw Stale.
import { printAs } from '../core/printing.js';
import {
  type CallCounter,
  type ManyPairsCopy,
  type PairsCopy,
  type ResultLocation,
  TrianglePairs,
} from '../core/results.js';
import type { QueryStats } from '../core/stats.js';

/** Copies of near pairs in new arrays. */
export interface NearPairsCopy extends PairsCopy {
  /** The distance of each pair, in units of the common frame. */
  distances: Float64Array;
}

/**
 * Pairs of triangles within a clearance. The distance between triangle a[i] of mesh A and triangle b[i] of
 * mesh B is distances[i].
 */
export class NearPairs extends TrianglePairs {
  readonly #distancesAt: number;
  #distancesView: Float64Array | undefined;

  /** @internal */
  constructor(place: ResultLocation, clock: CallCounter, summarize: () => QueryStats, distancesAt: number) {
    super(place, clock, summarize);
    this.#distancesAt = distancesAt;
  }

  /**
   * The distance of each pair, in units of the common frame. It is 0 only for pairs that intersect. The array
   * is a view, which becomes invalid when the view `a` becomes invalid.
   * @throws Stale
   */
  get distances(): Float64Array {
    const { arena, count } = this.requireFresh();
    const at = this.#distancesAt / 8;
    return (this.#distancesView ??= (arena as unknown as { f64: Float64Array }).f64.subarray(at, at + count));
  }

  /** Returns copies of the pairs and distances in new arrays. @throws Stale */
  override copy(): NearPairsCopy {
    return Object.assign(super.copy(), { distances: this.distances.slice() });
  }
}
printAs(NearPairs.prototype, 'NearPairs', ['count', 'a', 'b', 'distances', 'stats']);

/**
 * Near triangle pairs of many placed pairs of meshes. The entries of placed pair i are k = pairsAt[i] to
 * pairsAt[i + 1] - 1.
 */
export class ManyNearPairs extends NearPairs {
  /** Number of placed pairs in the query. */
  readonly pairCount: number = this.pairsAt.length - 1;

  /**
   * Offsets into a, b and distances: one for each placed pair, and at the end the number of entries. The
   * array is a view, which becomes invalid when the view `a` becomes invalid.
   * @throws Stale
   */
  get pairsAt(): Uint32Array {
    return this.requireFresh().pairsAt;
  }

  /** Returns copies of the pairs, distances and offsets in new arrays. @throws Stale */
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
