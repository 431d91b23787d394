// Bounds the volume that two placed, closed meshes have in common.
//
// Let a(x) and b(x) be the winding numbers of the meshes around a point x. The integral of a(x) b(x) is the volume of
// the common solid if each mesh winds once around its solid. By the divergence theorem, it is the sum of cones from a
// fixed apex over the part of each triangle that lies in the other solid. The vector area of this part is an integral
// along its border, which consists of the segments in which the triangle crosses the other mesh, and of parts of the
// triangle's edges. Hence the sum needs only three kinds of local terms: segments, points at which edges cross
// triangles, and corners inside the other solid (W. R. Franklin, Polygon properties calculated from the vertex
// neighborhoods, 1987). Their order does not matter.
//
// The formula holds for meshes in general position. So mesh A moves by an infinitesimal vector (see generalPosition.ts),
// which decides exactly which terms occur. The integral and the terms depend continuously on the vector, so their
// limits are equal, and all points can be taken from the meshes as they are. Triangles that share an area do not cross
// after the movement, and have no term.

import { type MeshContacts, sharesArea } from '../meshContacts.js';
import { isClosed } from '../overlapWithoutCrossing.js';
import type { SegmentFinder } from '../segmentFinder.js';
import type { Surface } from '../surface.js';
import { boundsSolid } from './boundsSolid.js';
import { type Face, FaceSums, type ProvenBounds } from './faceSums.js';
import { facesOneWay } from './facesOneWay.js';
import { crossingsOf } from './generalPosition.js';
import { PatchWindings } from './patchWindings.js';

/** One of the two meshes, and what its triangles add to the volume. */
interface Side {
  readonly surface: Surface;
  /** The faces in the planes of the intersecting triangles. */
  readonly faces: Map<number, Face>;
  /** A point on each edge that has a term; edge 3 t + i goes from corner i of triangle t to corner i + 1. */
  readonly edgePoints: Map<number, readonly [number, number, number]>;
  /** By how much the winding number of the other mesh changes along each edge. */
  readonly jumps: Map<number, number>;
}

/**
 * Bounds the volume that two placed meshes have in common: the magnitude of the integral of the product of their winding
 * numbers. Only rounding separates the bounds.
 * @returns undefined if a mesh is not closed, or if its shells face in different directions and are not proven to bound
 * a solid
 */
export function commonVolumeOf(
  finder: SegmentFinder,
  { a, b, pairs, pointsAt, points }: MeshContacts,
): ProvenBounds | undefined {
  if (![a, b].every(surface => isClosed(surface) && windsOneWay(finder, surface))) return undefined;
  const box = commonBox(a, b);
  if (!box) return { lower: 0, upper: 0 };
  const sums = new FaceSums(box);
  const [ofA, ofB] = [sideOf(a), sideOf(b)];
  const corners = new Float64Array(18);
  for (let i = 0; i < pairs.a.length; i++) {
    if (sharesArea(pairs.kind[i])) continue;
    const [ta, tb] = [pairs.a[i], pairs.b[i]];
    a.writeCorners(ta, corners, 0);
    b.writeCorners(tb, corners, 9);
    const found = crossingsOf(corners);
    // What the triangles share after the movement tends to the whole segment that they share before, or to a point, or to
    // nothing: the line of the planes moves parallel to itself, and a triangle has the whole of its line or an end of it.
    // The segment runs along n_a x n_b, which has the inner side of B on its left in the plane of A's triangle, and
    // the inner side of A on its right in the plane of B's.
    const first = 3 * pointsAt[i];
    const last = 3 * (pointsAt[i + 1] - 1);
    if (found.cross) {
      addSegment(sums, ofA, ta, points, first, last);
      addSegment(sums, ofB, tb, points, last, first);
    }
    for (let edge = 0; edge < 3; edge++) {
      const inA = found.edgesA[edge];
      const inB = found.edgesB[edge];
      // An edge of A that leads to the inner side of B is where the segment leaves A's triangle.
      if (inA !== 0) addCrossing(sums, ofA, ta, edge, -inA, points, inA < 0 ? last : first);
      if (inB !== 0) addCrossing(sums, ofB, tb, edge, -inB, points, inB < 0 ? first : last);
    }
  }
  addInnerCorners(sums, ofA, b, 1, new Set(pairs.a));
  addInnerCorners(sums, ofB, a, -1, new Set(pairs.b));
  return sums.volume;
}

// Returns whether the winding number is nowhere positive and elsewhere negative. The proof that a mesh bounds a solid
// takes longer than the test of directions, so it is only tried if the directions differ.
const windsOneWay = (finder: SegmentFinder, surface: Surface): boolean =>
  facesOneWay(surface.mesh) || boundsSolid(finder, surface);

const sideOf = (surface: Surface): Side => ({
  surface,
  faces: new Map(),
  edgePoints: new Map(),
  jumps: new Map(),
});

/** Returns the box that the bounds of both meshes have in common, or undefined if there is none. */
function commonBox(a: Surface, b: Surface): Float64Array | undefined {
  const box = a.bounds.map((value, i) =>
    i < 3 ? Math.max(value, b.bounds[i]) : Math.min(value, b.bounds[i]),
  );
  return [0, 1, 2].some(axis => box[axis] > box[3 + axis]) ? undefined : box;
}

function faceOf(sums: FaceSums, { faces }: Side, triangle: number, points: Float64Array, at: number): Face {
  let face = faces.get(triangle);
  if (!face) faces.set(triangle, (face = sums.faceAt(points, at)));
  return face;
}

function addSegment(
  sums: FaceSums,
  side: Side,
  triangle: number,
  points: Float64Array,
  from: number,
  to: number,
): void {
  sums.addTriangle(faceOf(sums, side, triangle, points, from), points, from, points, to, 1);
}

// Adds a point at which the winding number changes along an edge: the border of the inner part ends or begins there.
function addCrossing(
  sums: FaceSums,
  side: Side,
  triangle: number,
  edge: number,
  jump: number,
  points: Float64Array,
  at: number,
): void {
  const key = 3 * triangle + edge;
  side.jumps.set(key, (side.jumps.get(key) ?? 0) + jump);
  addEdgeEnd(sums, side, triangle, edge, -jump, points, at);
}

// Adds an end of a part of an edge: the weight is positive at its end, and negative at its start. The parts of one edge
// are measured from one point of the edge.
function addEdgeEnd(
  sums: FaceSums,
  side: Side,
  triangle: number,
  edge: number,
  weight: number,
  points: Float64Array,
  at: number,
): void {
  const key = 3 * triangle + edge;
  const face = faceOf(sums, side, triangle, points, at);
  const known = side.edgePoints.get(key);
  if (known) sums.addTriangle(face, known, 0, points, at, weight);
  else side.edgePoints.set(key, [points[at], points[at + 1], points[at + 2]]);
}

// Adds the corners of one mesh that lie inside the other one, and the cones over all faces.
function addInnerCorners(
  sums: FaceSums,
  side: Side,
  other: Surface,
  sign: 1 | -1,
  intersecting: ReadonlySet<number>,
): void {
  const { surface, faces, jumps } = side;
  const windings = new PatchWindings(surface, other, sign, intersecting, jumps);
  const corners = new Float64Array(9);
  for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
    const around = windings.at(triangle);
    if (intersecting.has(triangle)) {
      if (around.some(winding => winding !== 0)) {
        surface.writeCorners(triangle, corners, 0);
        for (let i = 0; i < 3; i++) {
          const j = i === 2 ? 0 : i + 1;
          if (around[i] !== 0) addEdgeEnd(sums, side, triangle, i, -around[i], corners, 3 * i);
          if (around[j] !== 0) addEdgeEnd(sums, side, triangle, i, around[j], corners, 3 * j);
        }
      }
      const face = faces.get(triangle);
      if (face) sums.addCone(face);
    } else if (around[0] !== 0) {
      surface.writeCorners(triangle, corners, 0);
      const face = sums.faceAt(corners);
      sums.addTriangle(face, corners, 3, corners, 6, around[0]);
      sums.addCone(face);
    }
  }
}
