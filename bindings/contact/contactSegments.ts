// What the triangles of two placed meshes share -> what the user holds: views into engine memory, guarded
// against reuse.
import { printAs } from '../core/printing.js';
import {
  type Clock,
  type ManyPairsCopy,
  type PairsCopy,
  type ResultPlace,
  TrianglePairs,
} from '../core/results.js';
import type { QueryStats } from '../core/stats.js';

/** Values of `kind`. */
export interface ContactKinds {
  /** Each has points strictly on both sides of the other's plane, and they share a segment. */
  readonly CROSS: 1;
  /** They share a point. */
  readonly TOUCH_POINT: 2;
  /** They share a segment, and one lies on one side of the other's plane, or in it, or has no area. */
  readonly TOUCH_SEGMENT: 3;
  /**
   * They lie in one plane, share an area and face the same way: n_a . n_b > 0, by the order of their
   * vertices.
   */
  readonly COPLANAR_SAME: 4;
  /** The same, facing opposite ways. */
  readonly COPLANAR_OPPOSITE: 5;
}

export const contactKinds: ContactKinds = {
  CROSS: 1,
  TOUCH_POINT: 2,
  TOUCH_SEGMENT: 3,
  COPLANAR_SAME: 4,
  COPLANAR_OPPOSITE: 5,
};

/** What triangle pairs share, in memory of their own. */
export interface ContactSegmentsCopy extends PairsCopy {
  /** A value of `kinds` a pair. */
  kind: Uint8Array;
  /** Pair i owns the points pointsAt[i] <= k < pointsAt[i + 1]. */
  pointsAt: Uint32Array;
  /** x, y, z a point, in the common frame. */
  points: Float64Array;
}

/** Where kinds, offsets and points lie besides the pairs. */
export interface SegmentsPlace extends ResultPlace {
  memory: { readonly u8: Uint8Array; readonly u32: Uint32Array; readonly f64: Float64Array };
  kindsAt: number;
  startsAt: number;
  coordinatesAt: number;
  pointCount: number;
}

/**
 * Intersecting triangle pairs and what each shares: a point, a segment, or a convex polygon of 3 to 6 corners
 * where both lie in one plane.
 */
export class ContactSegments extends TrianglePairs {
  /** Names of the values of `kind`. */
  readonly kinds: ContactKinds = contactKinds;
  readonly #segments: SegmentsPlace;

  /** @internal */
  constructor(place: SegmentsPlace, clock: Clock, summarise: () => QueryStats) {
    super(place, clock, summarise);
    this.#segments = place;
  }

  /** One of `kinds` a pair. @throws Stale */
  get kind(): Uint8Array {
    this.fresh();
    const { memory, kindsAt } = this.#segments;
    return memory.u8.subarray(kindsAt, kindsAt + this.count);
  }

  /** Pair i owns the points pointsAt[i] <= k < pointsAt[i + 1]; count + 1 of them. @throws Stale */
  get pointsAt(): Uint32Array {
    this.fresh();
    const { memory, startsAt } = this.#segments;
    return memory.u32.subarray(startsAt / 4, startsAt / 4 + this.count + 1);
  }

  /**
   * x, y, z a point, in the common frame: each the double nearest to the exact coordinate. Ends of a segment
   * in the direction n_a x n_b, where the triangles span two planes, else from the lesser end, by x, then y,
   * then z; corners of a polygon counterclockwise around n_a, from the least. @throws Stale
   */
  get points(): Float64Array {
    this.fresh();
    const { memory, coordinatesAt, pointCount } = this.#segments;
    return memory.f64.subarray(coordinatesAt / 8, coordinatesAt / 8 + 3 * pointCount);
  }

  /** All of it in memory of its own. @throws Stale */
  override copy(): ContactSegmentsCopy {
    return Object.assign(super.copy(), {
      kind: this.kind.slice(),
      pointsAt: this.pointsAt.slice(),
      points: this.points.slice(),
    });
  }
}
printAs(ContactSegments.prototype, 'ContactSegments', [
  'count',
  'a',
  'b',
  'kind',
  'pointsAt',
  'points',
  'stats',
]);

/**
 * The same of many placed pairs of meshes: pair i owns entries pairsAt[i] <= k < pairsAt[i + 1] of a, b and
 * kind.
 */
export class ManyContactSegments extends ContactSegments {
  /** Number of placed pairs asked about. */
  readonly pairCount: number = this.pairsAt.length - 1;

  /** Offsets, one more than placed pairs: a view, as they are. @throws Stale */
  get pairsAt(): Uint32Array {
    return this.fresh().pairsAt;
  }

  /** All of it in memory of its own. @throws Stale */
  override copy(): ContactSegmentsCopy & ManyPairsCopy {
    return Object.assign(super.copy(), { pairsAt: this.pairsAt.slice() });
  }
}
printAs(ManyContactSegments.prototype, 'ManyContactSegments', [
  'pairCount',
  'count',
  'pairsAt',
  'a',
  'b',
  'kind',
  'pointsAt',
  'points',
  'stats',
]);
