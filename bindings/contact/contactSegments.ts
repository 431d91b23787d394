// Defines the results of queries with the option `want: 'segments'`: the intersecting triangle pairs, and the
// points that each pair shares, as views of engine memory. Reading a view throws Stale if a later call may have
// reused its memory.
import { printAs } from '../core/printing.js';
import {
  type CallCounter,
  type ManyPairsCopy,
  type PairsCopy,
  type ResultLocation,
  TrianglePairs,
} from '../core/results.js';
import type { QueryStats } from '../core/stats.js';
import type { OverlapDepth, OverlapFigures } from './overlapFigures.js';
import type { ProvenBounds } from './volume/faceSums.js';

/** The values of `kind`: how two triangles intersect. */
export interface ContactKinds {
  /**
   * Each triangle has points strictly on both sides of the other's plane, and the triangles share a segment.
   */
  readonly CROSS: 1;
  /** The triangles share one point. */
  readonly TOUCH_POINT: 2;
  /**
   * The triangles share a segment, and at least one of them stays on one side of the other's plane, lies in
   * it, or has no area.
   */
  readonly TOUCH_SEGMENT: 3;
  /**
   * The triangles are coplanar, share an area and face the same way: n_a . n_b > 0 for the normals n_a and n_b,
   * whose directions follow from the order of the vertices.
   */
  readonly COPLANAR_SAME: 4;
  /** The triangles are coplanar, share an area and face opposite ways. */
  readonly COPLANAR_OPPOSITE: 5;
}

export const contactKinds: ContactKinds = {
  CROSS: 1,
  TOUCH_POINT: 2,
  TOUCH_SEGMENT: 3,
  COPLANAR_SAME: 4,
  COPLANAR_OPPOSITE: 5,
};

/** A copy of a ContactSegments result: pairs, points and figures of the overlap. The copy stays valid. */
export interface ContactSegmentsCopy extends PairsCopy, OverlapFigures {
  /** One of `kinds` for each pair. */
  kind: Uint8Array;
  /** The points of pair i have the numbers pointsAt[i] to pointsAt[i + 1] - 1. */
  pointsAt: Uint32Array;
  /** x, y, z of each point, in the common frame. */
  points: Float64Array;
  /** The contact normal of each pair, with the option `normals`; see `ContactSegments`. */
  normals?: Float64Array;
}

/** The byte addresses of pairs, kinds, offsets and points in engine memory. */
export interface SegmentsLocation extends ResultLocation {
  memory: { readonly u8: Uint8Array; readonly u32: Uint32Array; readonly f64: Float64Array };
  kindsAt: number;
  startsAt: number;
  coordinatesAt: number;
  pointCount: number;
}

/**
 * Intersecting triangle pairs, and what the two triangles of each pair share: a point, a segment, or, if they
 * are coplanar and share an area, a convex polygon of 3 to 6 corners.
 */
export class ContactSegments extends TrianglePairs implements OverlapFigures {
  /** Names of the values of `kind`. */
  readonly kinds: ContactKinds = contactKinds;
  /**
   * Bounds on how deeply the solids overlap: those that `classify` returns if it is called without the option
   * `tolerance`. Set only by `query` with the option `overlapDepth`, and only if both meshes are closed. It may
   * be read at any time.
   */
  declare readonly overlapDepth?: OverlapDepth;
  /**
   * Bounds of the length of the shortest translation that separates the solids, as `classify` returns them. Set
   * if `overlapDepth` is set. It may be read at any time.
   */
  declare readonly separation?: ProvenBounds;
  /**
   * Bounds of the volume of the common solid, as `classify` returns them. Set only by `query` with the option
   * `volume`, and only under the conditions that `OverlapFigures` states. It may be read at any time.
   */
  declare readonly volume?: ProvenBounds;
  /**
   * Bounds of the length of the contact, as `classify` returns them. Set only by `query` with the option
   * `contactSize`. It may be read at any time.
   */
  declare readonly contactLength?: ProvenBounds;
  /**
   * Bounds of the area of the contact, as `classify` returns them. Set only by `query` with the option
   * `contactSize`. It may be read at any time.
   */
  declare readonly contactArea?: ProvenBounds;
  /**
   * The contact normal of each pair: x, y and z of a unit vector in the common frame, which points from A to B.
   * It has the direction of n_a - n_b, where n_a and n_b are the unit normals of the two triangles. The normals
   * n_a and n_b point out of the solids if, seen from outside, the corners of each triangle run
   * counterclockwise. If the triangles are coplanar and face opposite ways, the contact normal is n_a. It is
   * 0, 0, 0 if the triangles face the same way, or if one has no area. Computed in doubles, with rounding
   * errors. Set only with the option `normals`. It may be read at any time.
   */
  declare readonly normals?: Float64Array;
  readonly #segments: SegmentsLocation;

  /** @internal */
  constructor(
    place: SegmentsLocation,
    clock: CallCounter,
    summarize: () => QueryStats,
    figures?: OverlapFigures & { normals?: Float64Array },
  ) {
    super(place, clock, summarize);
    this.#segments = place;
    Object.assign(this, figures);
  }

  /** One of `kinds` for each pair. @throws Stale */
  get kind(): Uint8Array {
    this.requireFresh();
    const { memory, kindsAt } = this.#segments;
    return memory.u8.subarray(kindsAt, kindsAt + this.count);
  }

  /**
   * count + 1 offsets: the points of pair i have the numbers pointsAt[i] to pointsAt[i + 1] - 1.
   * @throws Stale
   */
  get pointsAt(): Uint32Array {
    this.requireFresh();
    const { memory, startsAt } = this.#segments;
    return memory.u32.subarray(startsAt / 4, startsAt / 4 + this.count + 1);
  }

  /**
   * x, y, z of each point, in the common frame. Each coordinate is the double nearest to the exact value. If
   * both triangles have an area and lie in different planes, the ends of a segment are ordered along
   * n_a x n_b, the cross product of the triangles' normals. Otherwise the end with the smaller coordinates
   * comes first, compared by x, then y, then z. The corners of a polygon run counterclockwise around n_a, and
   * the corner with the smallest coordinates comes first.
   * @throws Stale
   */
  get points(): Float64Array {
    this.requireFresh();
    const { memory, coordinatesAt, pointCount } = this.#segments;
    return memory.f64.subarray(coordinatesAt / 8, coordinatesAt / 8 + 3 * pointCount);
  }

  /** Returns a copy of the result. The copy stays valid. @throws Stale */
  override copy(): ContactSegmentsCopy {
    return Object.assign(super.copy(), {
      kind: this.kind.slice(),
      pointsAt: this.pointsAt.slice(),
      points: this.points.slice(),
      ...(this.normals && { normals: this.normals.slice() }),
      ...(this.overlapDepth && { overlapDepth: structuredClone(this.overlapDepth) }),
      ...(this.separation && { separation: structuredClone(this.separation) }),
      ...(this.volume && { volume: structuredClone(this.volume) }),
      ...(this.contactLength && { contactLength: structuredClone(this.contactLength) }),
      ...(this.contactArea && { contactArea: structuredClone(this.contactArea) }),
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
  'normals',
  'overlapDepth',
  'separation',
  'volume',
  'contactLength',
  'contactArea',
  'stats',
]);

/**
 * The intersecting triangle pairs of many placed pairs of meshes, and what each triangle pair shares. Entries
 * pairsAt[i] to pairsAt[i + 1] - 1 of a, b and kind belong to placed pair i.
 */
export class ManyContactSegments extends ContactSegments {
  /** Number of placed pairs in the query. */
  readonly pairCount: number = this.pairsAt.length - 1;

  /** A view of the pairCount + 1 offsets into a, b and kind. @throws Stale */
  get pairsAt(): Uint32Array {
    return this.requireFresh().pairsAt;
  }

  /**
   * Returns a copy of the result, including the offsets of its placed pairs. The copy stays valid.
   * @throws Stale
   */
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
  'normals',
  'stats',
]);
