// Groups the intersecting triangle pairs of two placed meshes into connected contact regions.
import { weldPositions } from '../core/weldPositions.js';
import { crosses, type MeshContacts, sharesArea } from './meshContacts.js';
import { UnionFind } from './shells.js';

/**
 * A connected set of intersecting triangle pairs. The two triangles of a pair share a point, a segment or a
 * polygon. Two pairs are neighbors if one of these points, ends of segments or corners of polygons is the same
 * in both, up to rounding. If the triangles of each mesh share nothing but common edges and corners, a region
 * is a connected component of the points that both surfaces share. The reason: the triangles of each pair share
 * a shape, which is a point, a segment or a polygon. If the shapes of two pairs have points in common, these
 * points are a corner, an edge or all of each shape. So both shapes have a corner in common.
 */
export interface Region {
  /** Indices of the region's pairs. */
  pairs: number[];
  trianglesA: Set<number>;
  trianglesB: Set<number>;
  /** Number of pairs that cross. */
  crossingCount: number;
  /** Number of pairs that share an area. */
  sharingCount: number;
  /** Points that the triangles of each pair share, three doubles each. A point may occur in several pairs. */
  points: number[];
  /**
   * Segments in which the surfaces cross, six doubles each, directed along n_a x n_b, the cross product of
   * the two triangles' normals.
   */
  curve: Float64Array[];
}

/** Returns the contact regions, in the order of their first pairs. */
export function regionsOf(contacts: MeshContacts): Region[] {
  const { pairs, pointsAt, points } = contacts;
  const joined = connectPairs(contacts);
  const regions = new Map<number, Region>();
  for (let i = 0; i < pairs.a.length; i++) {
    const first = joined.find(i);
    const ta = pairs.a[i];
    const tb = pairs.b[i];
    let region = regions.get(first);
    if (!region)
      regions.set(
        first,
        (region = {
          pairs: [],
          trianglesA: new Set(),
          trianglesB: new Set(),
          crossingCount: 0,
          sharingCount: 0,
          points: [],
          curve: [],
        }),
      );
    const kind = pairs.kind[i];
    const shared = points.subarray(3 * pointsAt[i], 3 * pointsAt[i + 1]);
    region.pairs.push(i);
    region.trianglesA.add(ta);
    region.trianglesB.add(tb);
    for (const value of shared) region.points.push(value);
    if (sharesArea(kind)) region.sharingCount++;
    if (!crosses(kind)) continue;
    region.crossingCount++;
    region.curve.push(shared);
  }
  return [...regions.values()];
}

/** Returns one region that consists of all pairs of the given regions. */
export const joinRegions = (regions: readonly Region[]): Region => ({
  pairs: regions.flatMap(({ pairs }) => pairs),
  trianglesA: new Set(regions.flatMap(({ trianglesA }) => [...trianglesA])),
  trianglesB: new Set(regions.flatMap(({ trianglesB }) => [...trianglesB])),
  crossingCount: regions.reduce((sum, { crossingCount }) => sum + crossingCount, 0),
  sharingCount: regions.reduce((sum, { sharingCount }) => sum + sharingCount, 0),
  points: regions.flatMap(({ points }) => points),
  curve: regions.flatMap(({ curve }) => curve),
});

// Joins all pairs that have a point in common. The same point has the same coordinates in all pairs.
function connectPairs({ pairs, pointsAt, points }: MeshContacts): UnionFind {
  const count = pairs.a.length;
  const joined = new UnionFind(count);
  const firstPoints = weldPositions(points);
  const firstPairs = new Int32Array(firstPoints.length).fill(-1);
  for (let i = 0; i < count; i++) {
    for (let k = pointsAt[i]; k < pointsAt[i + 1]; k++) {
      const point = firstPoints[k];
      if (firstPairs[point] < 0) firstPairs[point] = i;
      else joined.union(firstPairs[point], i);
    }
  }
  return joined;
}

/**
 * Returns the vector area that the intersection curve encloses. The vector points roughly out of A. The area
 * is measured from the center of the box around the region's points. The segments are added in the
 * lexicographic order of their coordinates, regardless of their directions. Swapping the meshes therefore gives
 * exactly the opposite vector.
 */
export function curveVectorArea({ points, curve }: Region): [number, number, number] {
  const center = [0, 1, 2].map(axis => {
    let min = Infinity;
    let max = -Infinity;
    for (let i = axis; i < points.length; i += 3) {
      min = Math.min(min, points[i]);
      max = Math.max(max, points[i]);
    }
    return min / 2 + max / 2;
  });
  const around: [number, number, number] = [0, 0, 0];
  for (const [from, to] of curve
    .map(endsOf)
    .sort(([, , one], [, , other]) => compareLexicographically(one, other))) {
    const area = crossOf(
      [0, 1, 2].map(axis => from[axis] - center[axis]),
      [0, 1, 2].map(axis => to[axis] - center[axis]),
    );
    for (let axis = 0; axis < 3; axis++) around[axis] += area[axis] / 2;
  }
  return around;
}

// Returns both ends of a segment, and its six numbers with the lexicographically smaller end first.
function endsOf(segment: Float64Array): [from: Float64Array, to: Float64Array, ordered: readonly number[]] {
  const from = segment.subarray(0, 3);
  const to = segment.subarray(3, 6);
  return [from, to, compareLexicographically(from, to) <= 0 ? [...from, ...to] : [...to, ...from]];
}

/** Compares two lists of numbers lexicographically. */
export function compareLexicographically(one: ArrayLike<number>, other: ArrayLike<number>): number {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return one[i] - other[i];
  return 0;
}

const crossOf = (a: readonly number[], b: readonly number[]): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Returns (b - a) x (c - a) of the triangle at offset `at`. */
export function normalOf(p: Float64Array, at: number): [number, number, number] {
  return crossOf(
    [0, 1, 2].map(axis => p[at + 3 + axis] - p[at + axis]),
    [0, 1, 2].map(axis => p[at + 6 + axis] - p[at + axis]),
  );
}
