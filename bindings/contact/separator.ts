// Finds a short translation that provably moves mesh A out of mesh B in one region of contact.

import { candidateDirections } from './candidateDirections.js';
import { CrossingCache } from './crossingCache.js';
import { gridPointAt } from './gridPoint.js';
import { joinLists } from './joinLists.js';
import { crosses, findContactKinds, type MeshContacts } from './meshContacts.js';
import { containsPoint, isClosed, overlapWithoutCrossing } from './overlapWithoutCrossing.js';
import type { Region } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import { matrixOf, Surface } from './surface.js';
import { SurfacePatches } from './surfacePatches.js';

export type Vector = [number, number, number];

/** How far A has to move, and in which direction. */
export interface Separation {
  depth: number;
  direction: Vector;
  /** Upper bound of the rounding error of the depth. */
  bound: number;
  /** The point of A that is farthest opposite to the direction, among the points known to be in the region. */
  pointA: Vector;
  /** The point of B that is farthest along the direction, among the points known to be in the region. */
  pointB: Vector;
}

/**
 * Upper bound of the rounding error of placed points and of their heights along a direction (see heightsOf),
 * relative to the largest coordinate.
 */
const ROUNDING = 2 ** -48;
/**
 * The same bound, relative to the translation of A's transform. The larger of both bounds is used, but at least
 * FLUSHED. Let r be the largest coordinate. A moves by at most 2 r, because the axes are among the directions.
 * Per axis, the movement of a vertex differs from the intended movement by at most 2^-53 (|p| + |q| + |t|): p
 * and q are the vertex's coordinates before and after the movement, and t is the translation of A's transform
 * after the movement. So the error of the movement is at most 2^-53 sqrt(3) (6 r + |translation|). The error of
 * a depth, which is a difference of two heights, is at most 2^-53 16 r. The sum is less than 2^-53 (27 r + 2
 * |translation|), which is at most the larger of ROUNDING r and TRANSLATION_ROUNDING |translation|.
 */
const TRANSLATION_ROUNDING = 2 ** -49;
/** A translation below 2^-200 becomes 0 (see matrixOf). This error is a small part of the following bound. */
const FLUSHED = 2 ** -195;
/**
 * Both meshes are scaled down if a coordinate, or an entry of a transform, exceeds this. Without
 * scaling, a tested translation might exceed 2^200, the limit of the entries of a transform.
 */
const MAX_REACH = 2 ** 190;

/**
 * The points and patches of one region, as `#regionPoints` finds them. pointsA, pointsB: points of A and of
 * B, three doubles each. patchesA, patchesB: the surface patches that contain a corner of at least one of the
 * region's triangles.
 */
interface RegionPoints {
  pointsA: Float64Array;
  pointsB: Float64Array;
  patchesA: Set<number>;
  patchesB: Set<number>;
}

/** Separates two placed meshes, one region at a time. */
export class Separator {
  readonly #finder: SegmentFinder;
  readonly #contacts: MeshContacts;
  readonly #regions: readonly Region[];
  readonly #patchesA: SurfacePatches;
  readonly #patchesB: SurfacePatches;
  readonly #closedA: boolean;
  readonly #closedB: boolean;
  // In each attempt (a test of one translation), the coordinates of both placed meshes are multiplied by this
  // power of two.
  readonly #scale: number;
  // The placements before A moves. B's placement is the same in every attempt.
  readonly #placedA: Surface;
  readonly #transformB: Float64Array;
  readonly #placedB: Surface;

  constructor(finder: SegmentFinder, contacts: MeshContacts, regions: readonly Region[]) {
    this.#finder = finder;
    this.#contacts = contacts;
    this.#regions = regions;
    this.#patchesA = new SurfacePatches(contacts.a, new Set(contacts.pairs.a));
    this.#patchesB = new SurfacePatches(contacts.b, new Set(contacts.pairs.b));
    this.#closedA = isClosed(contacts.a);
    this.#closedB = isClosed(contacts.b);
    const { a, b } = contacts;
    const reach = Math.max(a.reach, b.reach, ...[...a.rows, ...b.rows].map(Math.abs));
    this.#scale = reach > MAX_REACH ? MAX_REACH / 2 ** Math.ceil(Math.log2(reach)) : 1;
    this.#placedA = new Surface(a.mesh, matrixOf(a.rows, [0, 0, 0], this.#scale));
    this.#transformB = matrixOf(b.rows, [0, 0, 0], this.#scale);
    this.#placedB = new Surface(b.mesh, this.#transformB);
  }

  /**
   * Tries translations in order of length and returns the first one that is proven to separate the region. In
   * each direction, two lengths are tried. One moves all of A beyond all of B, and needs no test. The other one
   * moves only the points of A in the region beyond those of B, and is tested if it is shorter.
   * @param region Undefined if the surfaces do not intersect and one solid contains parts of the other mesh.
   */
  separate(region: Region | undefined): Separation {
    const { a, b } = this.#contacts;
    const regionPoints = this.#regionPoints(region);
    const bound = Math.max(
      ROUNDING * Math.max(a.reach, b.reach),
      TRANSLATION_ROUNDING * Math.max(...[3, 7, 11].map(at => Math.abs(a.rows[at]))),
      FLUSHED / this.#scale,
    );
    const attempts = candidateDirections(this.#contacts, region).flatMap(direction => {
      const proven = overlapAlong(b.placedVertices, a.placedVertices, direction);
      const estimate = overlapAlong(regionPoints.pointsB, regionPoints.pointsA, direction);
      return [0, 1].flatMap(side => {
        const along = side === 0 ? direction : opposite(direction);
        return [
          { depth: estimate[side], direction: along, isSure: estimate[side] >= proven[side] },
          { depth: proven[side], direction: along, isSure: true },
        ];
      });
    });
    attempts.sort((left, right) => left.depth - right.depth);
    const witnesses = this.#witnessesOf(region);
    const { depth, direction } = attempts.find(
      one =>
        one.isSure ||
        this.#isSeparated(
          region,
          regionPoints,
          witnesses,
          one.direction.map(part => part * (one.depth + bound)) as Vector,
        ),
    )!;
    return {
      depth,
      direction,
      bound,
      pointA: farthest(regionPoints.pointsA, opposite(direction)),
      pointB: farthest(regionPoints.pointsB, direction),
    };
  }

  // Finds the points of each mesh that lie in the region: the points that both surfaces share, and the points
  // of the mesh's patches that lie inside the other mesh and contain a corner of one of the region's triangles.
  // If the other mesh is not closed, the corners of the region's triangles are used instead of the patches.
  // Without a region, all vertices are used.
  #regionPoints(region: Region | undefined): RegionPoints {
    const { a, b } = this.#contacts;
    if (!region)
      return {
        pointsA: a.placedVertices,
        pointsB: b.placedVertices,
        patchesA: new Set(),
        patchesB: new Set(),
      };
    const patchesA = this.#patchesA.at(region.trianglesA);
    const patchesB = this.#patchesB.at(region.trianglesB);
    const points = (
      own: Surface,
      patches: SurfacePatches,
      reached: Set<number>,
      triangles: Set<number>,
      other: Surface,
      isOtherClosed: boolean,
    ): Float64Array => {
      if (!isOtherClosed)
        return joinLists([
          region.points,
          ...[...triangles].map(triangle => {
            const corners = new Float64Array(9);
            own.writeCorners(triangle, corners, 0);
            return corners;
          }),
        ]);
      return joinLists([
        region.points,
        ...[...reached].filter(patch => patches.isInside(patch, other)).map(patch => patches.pointsOf(patch)),
      ]);
    };
    return {
      pointsA: points(a, this.#patchesA, patchesA, region.trianglesA, b, this.#closedB),
      pointsB: points(b, this.#patchesB, patchesB, region.trianglesB, a, this.#closedA),
      patchesA,
      patchesB,
    };
  }

  // Caches the region's crossing pairs of triangles. After a short translation of A, some of them often still
  // cross, which proves without a query that the translation is too short.
  #witnessesOf(region: Region | undefined): CrossingCache {
    const {
      pairs: { a, b, kind },
    } = this.#contacts;
    const witnesses = new CrossingCache(this.#placedA, this.#placedB);
    const crossing = region?.pairs.filter(pair => crosses(kind[pair])) ?? [];
    witnesses.add(
      crossing.map(pair => a[pair]),
      crossing.map(pair => b[pair]),
    );
    return witnesses;
  }

  // Returns whether A and B no longer overlap in the region after A has moved.
  #isSeparated(
    region: Region | undefined,
    regionPoints: RegionPoints,
    witnesses: CrossingCache,
    translation: Vector,
  ): boolean {
    const finder = this.#finder;
    const { a, b } = this.#contacts;
    const regions = this.#regions;
    const transformB = this.#transformB;
    const transformA = matrixOf(a.rows, translation, this.#scale);
    const scaled = translation.map(part => part * this.#scale) as Vector;
    if (witnesses.provesCrossing(new Surface(a.mesh, transformA), scaled)) return false;
    const moved = findContactKinds(finder, a.mesh, b.mesh, { transformA, transformB });
    const isOnlyRegion = regions.length < 2 || !region;
    const crossingA: number[] = [];
    const crossingB: number[] = [];
    for (let i = 0; i < moved.pairs.a.length; i++) {
      const ta = moved.pairs.a[i];
      const tb = moved.pairs.b[i];
      if (!crosses(moved.pairs.kind[i]) || !(isOnlyRegion || this.#belongsTo(region, ta, tb))) continue;
      crossingA.push(ta);
      crossingB.push(tb);
    }
    witnesses.add(crossingA, crossingB);
    if (crossingA.length > 0) return false;
    if (isOnlyRegion) return !overlapWithoutCrossing(moved.a, moved.b, moved.pairs);
    const isIn = (patches: SurfacePatches, reached: Set<number>, other: Surface, sign: number): boolean =>
      [...reached].some(patch => {
        return containsPoint(
          other,
          gridPointAt(patches.pointOf(patch).map((value, axis) => value + sign * translation[axis])),
        );
      });
    return (
      !(this.#closedB && isIn(this.#patchesA, regionPoints.patchesA, b, 1)) &&
      !(this.#closedA && isIn(this.#patchesB, regionPoints.patchesB, a, -1))
    );
  }

  // Returns whether a pair of triangles belongs to the region. It does if the region contains both triangles,
  // or if the region contains one of them and no other region contains both.
  #belongsTo(region: Region, ta: number, tb: number): boolean {
    const inA = region.trianglesA.has(ta);
    const inB = region.trianglesB.has(tb);
    if (!inA && !inB) return false;
    return (inA && inB) || !this.#regions.some(other => other.trianglesA.has(ta) && other.trianglesB.has(tb));
  }
}

const opposite = ([x, y, z]: Vector): Vector => [0 - x, 0 - y, 0 - z];

/** Returns the minimum and maximum height of points along a direction. points: three doubles each. */
function heightsOf(points: Float64Array, [x, y, z]: Vector): [min: number, max: number] {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const height = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (height < min) min = height;
    if (height > max) max = height;
  }
  return [min, max];
}

// Returns how far A has to move along a direction, and how far in the opposite direction, until all points of
// A are beyond all points of B.
function overlapAlong(b: Float64Array, a: Float64Array, direction: Vector): [along: number, against: number] {
  const [minA, maxA] = heightsOf(a, direction);
  const [minB, maxB] = heightsOf(b, direction);
  return [Math.max(0, maxB - minA), Math.max(0, maxA - minB)];
}

// Returns the point that is farthest along a direction; if several points are equally far, the first of them.
function farthest(points: Float64Array, direction: Vector): Vector {
  const [x, y, z] = direction;
  const [, height] = heightsOf(points, direction);
  let at = 0;
  while (at < points.length && points[at] * x + points[at + 1] * y + points[at + 2] * z !== height) at += 3;
  return [points[at], points[at + 1], points[at + 2]];
}
