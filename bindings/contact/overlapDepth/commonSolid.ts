// Bounds how deeply two placed, closed meshes overlap: the diameter of the largest ball that lies in both
// solids and crosses none of their triangles.

import { emptyBox, extendBox } from '../boxAround.js';
import { gridPointAt } from '../gridPoint.js';
import { incidenceOf } from '../incidence.js';
import { joinLists } from '../joinLists.js';
import type { MeshContacts } from '../meshContacts.js';
import type { OverlapComponent } from '../overlapComponents.js';
import { containsPoint, isClosed } from '../overlapWithoutCrossing.js';
import { shellsOf } from '../shells.js';
import type { Surface } from '../surface.js';
import { SurfacePatches } from '../surfacePatches.js';
import { type BallBounds, boundBalls } from './boundBalls.js';
import type { Piece, Vector } from './piece.js';
import { piecesOf } from './pieces.js';
import { TriangleTree } from './triangleTree.js';

/**
 * The upper bound exceeds the lower one by at most this share, unless the search ends early or is incomplete.
 */
const GAP = 0.01;
/** The search ends after about this many examined pieces, unless the caller gives another number. */
export const MAX_PIECES = 50_000;
/**
 * If more triangles bound the common solid, only some of them are searched, so the upper bound is not close.
 */
const MAX_TRIANGLES = 20_000;

/**
 * Bound of the error of an extent of the common solid, relative to the largest coordinate. An extent is the
 * difference of two coordinates, which may be rounded by 2^-53 each. Their difference is rounded by at most
 * 2^-52.
 */
const EXTENT_ERROR = 2 ** -50;

/** Which bounds of an overlap depth are needed, and how long to search for them. */
export interface DepthSearch {
  /** A length that the overlap depth is known not to exceed, such as the penetration depth. */
  maxDepth: number;
  /** If set, the bounds only need to decide whether the overlap depth exceeds this length. */
  limit?: number;
  /** The search ends after it has examined at least this many pieces of the surfaces (see BallSearch). */
  maxPieces?: number;
}

type SearchPlace = Pick<OverlapComponent, 'triangles' | 'box'> & Partial<Pick<OverlapComponent, 'has'>>;

/**
 * Bounds the overlap depth of two placed meshes. The bounds differ by at most 1 %, unless the search would take
 * too long, or only has to decide whether the depth exceeds `limit`. The bounds hold in any case.
 * @param component The component of the common solid to which the balls must belong. By default, they may
 * belong to any component.
 * @returns undefined if a mesh is not closed; 0 for both bounds if the surfaces share no point, and no point of
 * one surface lies inside the other solid
 */
export function overlapDepthOf(
  contacts: MeshContacts,
  { maxDepth, limit, maxPieces = MAX_PIECES }: DepthSearch,
  component?: OverlapComponent,
): BallBounds | undefined {
  const { a, b } = contacts;
  if (!isClosed(a) || !isClosed(b)) return undefined;
  const {
    triangles: [ofA, ofB],
    box,
    has,
  }: SearchPlace = component ?? wholeOf(contacts);
  const [min, max] = [[...box.subarray(0, 3)], [...box.subarray(3)]] as unknown as [Vector, Vector];
  if (min[0] > max[0]) return { lower: 0, upper: 0 };
  const maxDiameter = Math.min(maxDepth, ...max.map((value, axis) => value - min[axis]));
  const upper = maxDiameter + EXTENT_ERROR * Math.max(...box.map(Math.abs));
  if (maxDiameter <= 0) return { lower: 0, upper };
  // The search computes fourth powers of lengths. Coordinates are divided by this number, so that the powers do
  // not overflow. It is a power of two, so the division rounds nothing.
  const unit = 2 ** Math.ceil(Math.log2(Math.max(a.reach, b.reach)));
  const inUnits = <List extends readonly number[] | Float64Array>(list: List): List =>
    list.map(value => value / unit) as List;
  const near = [a, b].flatMap(surface => trianglesNear(surface, [min, max], 2 * maxDiameter));
  const step = Math.ceil((ofA.length + ofB.length) / MAX_TRIANGLES);
  const some = (triangles: readonly number[]): number[] => triangles.filter((_, i) => i % step === 0);
  const bounds = boundBalls({
    tree: new TriangleTree(inUnits(joinLists(near))),
    pieces: [...piecesAt(a, some(ofA), inUnits), ...piecesAt(b, some(ofB), inUnits)],
    box: [inUnits(min), inUnits(max)],
    isInside: point => {
      const position = Float64Array.from(point, value => value * unit);
      // A ball in both solids belongs to the component if and only if the ball's center does.
      if (has && !has(position)) return false;
      const place = gridPointAt(position);
      return containsPoint(a, place) && containsPoint(b, place);
    },
    maxDiameter: maxDiameter / unit,
    limit: limit === undefined ? undefined : limit / unit,
    gap: GAP,
    maxPieces,
  });
  const lower = bounds.lower * unit;
  return {
    lower,
    // The errors of the search are relative to the largest coordinate of all triangles, so its upper bound may
    // exceed `upper`.
    upper: Math.max(lower, step === 1 ? Math.min(bounds.upper * unit, upper) : upper),
    ...(bounds.center && { center: bounds.center.map(value => value * unit) as [number, number, number] }),
  };
}

// Returns the triangles of each mesh that bound the common solid, and its box.
function wholeOf({ a, b, pairs, points }: MeshContacts): SearchPlace {
  const ofA = insideOf(a, b, new Set(pairs.a));
  const ofB = insideOf(b, a, new Set(pairs.b));
  const box = emptyBox();
  for (const list of [points, ofA.points, ofB.points]) extendBox(box, list);
  return { triangles: [ofA.triangles, ofB.triangles], box };
}

// Finds the triangles of a surface that intersect the other solid's surface or lie inside that solid, and the
// vertices of the surface that lie inside that solid.
function insideOf(
  own: Surface,
  other: Surface,
  intersecting: ReadonlySet<number>,
): { triangles: number[]; points: Float64Array } {
  const patches = new SurfacePatches(own, intersecting);
  const { indices } = own;
  const { weldedVertices } = shellsOf(own.mesh);
  const all = patches.at(Array.from({ length: indices.length / 3 }, (_, triangle) => triangle));
  const inside = new Set([...all].filter(patch => patches.isInside(patch, other)));
  const triangles: number[] = [];
  for (let triangle = 0; triangle < indices.length / 3; triangle++)
    if (intersecting.has(triangle) || inside.has(patches.patchOf(weldedVertices[indices[3 * triangle]])))
      triangles.push(triangle);
  return { triangles, points: joinLists([...inside].map(patch => patches.pointsOf(patch))) };
}

// Returns the corners of all triangles whose boxes are at most `reach` away from a box along each axis.
function trianglesNear(
  surface: Surface,
  [min, max]: readonly [Vector, Vector],
  reach: number,
): Float64Array[] {
  const low = min.map(value => value - reach);
  const high = max.map(value => value + reach);
  const corners = new Float64Array(9);
  const found: number[] = [];
  surface.forEachNearBox(low, high, triangle => {
    surface.writeCorners(triangle, corners, 0);
    const isNear = [0, 1, 2].every(
      axis =>
        Math.max(corners[axis], corners[3 + axis], corners[6 + axis]) >= low[axis] &&
        Math.min(corners[axis], corners[3 + axis], corners[6 + axis]) <= high[axis],
    );
    if (isNear) found.push(triangle);
  });
  // The order in the tree depends on how it was built. Results must not depend on this, so triangles are
  // sorted.
  return found
    .sort((one, other) => one - other)
    .map(triangle => {
      const list = new Float64Array(9);
      surface.writeCorners(triangle, list, 0);
      return list;
    });
}

// Returns the pieces of the given triangles, which are all or some of the triangles that bound the common solid
// or one of its components. An edge or corner yields no piece if it also belongs to a triangle outside of this
// list. If all bounding triangles are in the list, a triangle outside of it does not bound the solid, so no
// ball in the solid touches the edges and corners of that triangle.
function piecesAt(
  surface: Surface,
  triangles: readonly number[],
  inUnits: (position: Float64Array) => Float64Array,
): Piece[] {
  const incidence = incidenceOf(surface.mesh);
  const place = new Float64Array(3);
  const positions = new Map<number, Vector>();
  return piecesOf({
    indices: incidence.cornersOf(triangles),
    others: incidence.cornersOf(incidence.neighborsOf(triangles)),
    positionOf: vertex => {
      let known = positions.get(vertex);
      if (known) return known;
      surface.place(vertex, place, 0);
      const [x, y, z] = inUnits(place);
      positions.set(vertex, (known = [x, y, z]));
      return known;
    },
  });
}
