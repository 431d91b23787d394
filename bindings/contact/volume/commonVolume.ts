// Bounds the volume that two placed, closed meshes have in common.
//
// Let a(x) and b(x) be the winding numbers of the meshes around a point x. The integral of a(x) b(x) is the
// volume of the common solid if each mesh winds once around its solid. By the divergence theorem, the integral
// is the sum of the volumes of cones from a fixed apex over the part of each triangle that lies in the other
// solid. The vector area of this part is an integral along its border, which consists of the segments in which
// the triangle crosses the other mesh, and of parts of the triangle's edges. Hence the sum needs only three
// kinds of local terms: segments, points at which edges cross triangles, and corners inside the other solid (W.
// R. Franklin, Polygon properties calculated from the vertex neighborhoods, 1987). The order of the terms does
// not matter.
//
// The formula holds for meshes in general position. So mesh A moves by an infinitesimal vector (see
// generalPosition.ts), which decides exactly which terms occur. The integral and the terms depend continuously
// on the vector. So the integral before the movement is the sum of the limits of the terms, and all points can
// be taken from the meshes as they are. Two triangles that share an area do not cross after the movement, so
// this pair has no term.

import { type MeshContacts, sharesArea } from '../meshContacts.js';
import type { Division, OverlapComponent } from '../overlapComponents.js';
import { isClosed } from '../overlapWithoutCrossing.js';
import type { SegmentFinder } from '../segmentFinder.js';
import type { Surface } from '../surface.js';
import { boundsSolid } from './boundsSolid.js';
import { type Face, FaceSums, type ProvenBounds } from './faceSums.js';
import { facesOneWay } from './facesOneWay.js';
import { hitPoint, type MovedCrossings, SIDES, type SideNumber } from './movedCrossings.js';

/** What the triangles of one of the two meshes add to a volume. */
interface Side {
  /** For each intersecting triangle that has a term: the part of the triangle inside the other solid. */
  readonly faces: Map<number, Face>;
  /** A point on each edge that has a term; edge 3 t + i goes from corner i of triangle t to corner i + 1. */
  readonly edgePoints: Map<number, readonly [number, number, number]>;
}

/** The sum of the terms of one component of the common solid. */
interface Sum {
  readonly sums: FaceSums;
  readonly sides: readonly [Side, Side];
}

/**
 * Says to which of several sums each term belongs. `all`: for each sum, a box that contains all points of its
 * terms.
 */
interface Terms extends Pick<Division, 'ofPair' | 'ofVertex'> {
  readonly all: readonly Pick<OverlapComponent, 'box'>[];
}

/**
 * Returns whether the volume that two placed meshes have in common can be bounded: both are closed, and in each
 * of them, either all shells face the same way, or the mesh is proven to wind once.
 */
export const haveVolume = (finder: SegmentFinder, { a, b }: MeshContacts): boolean =>
  [a, b].every(surface => isClosed(surface) && windsOneWay(finder, surface));

/**
 * Bounds the volume that two placed meshes have in common: the magnitude of the integral of the product of
 * their winding numbers. Only rounding separates the bounds. The meshes must pass `haveVolume`.
 */
export function commonVolumeOf(contacts: MeshContacts, crossings: MovedCrossings): ProvenBounds {
  const box = commonBox(contacts.a, contacts.b);
  if (!box) return { lower: 0, upper: 0 };
  const [volume] = componentVolumesOf(contacts, crossings, {
    all: [{ box }],
    ofPair: () => 0,
    ofVertex: () => 0,
  });
  return volume;
}

/**
 * Bounds the volume of each component of the common solid, as `commonVolumeOf` does for the whole common solid.
 */
export const componentVolumesOf = (
  contacts: MeshContacts,
  crossings: MovedCrossings,
  components: Terms,
): ProvenBounds[] => sumsOf(contacts, crossings, components).map(({ volume }) => volume);

/**
 * Bounds the signed volume of each boundary: the volume of the closed surface that the filled parts and the
 * turned fillings of the boundary form (see overlapComponents.ts).
 */
export const signedVolumesOf = (
  contacts: MeshContacts,
  crossings: MovedCrossings,
  boundaries: Terms,
): (readonly [lower: number, upper: number])[] =>
  sumsOf(contacts, crossings, boundaries).map(({ signedVolume }) => signedVolume);

// Adds up the terms of each sum.
function sumsOf(contacts: MeshContacts, crossings: MovedCrossings, components: Terms): FaceSums[] {
  const { a, b, pairs, pointsAt, points } = contacts;
  const all = components.all.map(
    ({ box }): Sum => ({ sums: new FaceSums(box), sides: [newSide(), newSide()] }),
  );
  for (let i = 0; i < pairs.a.length; i++) {
    if (sharesArea(pairs.kind[i])) continue;
    const triangles = [pairs.a[i], pairs.b[i]] as const;
    const { sums, sides } = all[components.ofPair(i)];
    // The movement shifts the line in which the planes of the triangles meet, but does not turn it. In the
    // limit, the part of this line in a triangle is the same as before the movement, or empty. So the triangles
    // share either nothing or the whole segment that they share before the movement. The segment may be a
    // point. It is directed along n_a x n_b. In the plane of A's triangle, the inner side of B is on its left;
    // in the plane of B's triangle, the inner side of A is on its right.
    const first = 3 * pointsAt[i];
    const last = 3 * (pointsAt[i + 1] - 1);
    if (crossings.crosses(i)) {
      addSegment(sums, sides[0], triangles[0], points, first, last);
      addSegment(sums, sides[1], triangles[1], points, last, first);
    }
    for (let edge = 0; edge < 3; edge++) {
      for (const side of SIDES) {
        const hit = crossings.edgeHit(side, i, edge);
        if (hit !== 0)
          addEdgeEnd(sums, sides[side], triangles[side], edge, hit, points, hitPoint(side, hit, first, last));
      }
    }
  }
  SIDES.forEach(side => {
    addInnerCorners(
      all,
      components,
      side === 0 ? a : b,
      side,
      crossings,
      new Set(side === 0 ? pairs.a : pairs.b),
    );
  });
  return all.map(({ sums }) => sums);
}

// Returns whether all shells of a mesh face the same way, or the mesh is proven to wind once. Then the winding
// number has the same sign wherever it is not 0. There is one exception: the test of the directions does not
// notice if a shell turns itself inside out. The proof takes longer than this test, so it is only tried if the
// test fails.
const windsOneWay = (finder: SegmentFinder, surface: Surface): boolean =>
  facesOneWay(surface.mesh) || boundsSolid(finder, surface);

const newSide = (): Side => ({ faces: new Map(), edgePoints: new Map() });

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

// Adds the term of one end of a part of an edge. The weight is positive if the part ends there, and negative if
// it begins there. All terms of one edge are measured from the same point, the first one that is added.
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

// Adds the corners of one mesh that lie inside the other mesh. Then adds, triangle by triangle, the cones over
// the parts of this mesh that lie inside the other.
function addInnerCorners(
  all: readonly Sum[],
  components: Terms,
  surface: Surface,
  side: SideNumber,
  { windings }: MovedCrossings,
  intersecting: ReadonlySet<number>,
): void {
  const corners = new Float64Array(9);
  const sumAt = (triangle: number, corner: number): Sum =>
    all[components.ofVertex(side, surface.vertices(triangle)[corner])];
  for (const triangle of intersecting) {
    const around = windings[side].at(triangle);
    if (around.every(winding => winding === 0)) continue;
    surface.writeCorners(triangle, corners, 0);
    for (let i = 0; i < 3; i++) {
      const j = i === 2 ? 0 : i + 1;
      for (const [corner, weight] of [
        [i, -around[i]],
        [j, around[j]],
      ]) {
        if (weight === 0) continue;
        const { sums, sides } = sumAt(triangle, corner);
        addEdgeEnd(sums, sides[side], triangle, i, weight, corners, 3 * corner);
      }
    }
  }
  const sumsAt = new Map<number, Sum[]>();
  for (const sum of all) {
    for (const triangle of sum.sides[side].faces.keys()) {
      const known = sumsAt.get(triangle);
      if (known) known.push(sum);
      else sumsAt.set(triangle, [sum]);
    }
  }
  for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
    for (const { sums, sides } of sumsAt.get(triangle) ?? []) sums.addCone(sides[side].faces.get(triangle)!);
    if (intersecting.has(triangle)) continue;
    const [winding] = windings[side].at(triangle);
    if (winding === 0) continue;
    surface.writeCorners(triangle, corners, 0);
    const { sums } = sumAt(triangle, 0);
    const face = sums.faceAt(corners);
    sums.addTriangle(face, corners, 3, corners, 6, winding);
    sums.addCone(face);
  }
}
