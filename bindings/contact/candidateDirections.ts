// Proposes directions for moving mesh A out of mesh B: along the coordinate axes, the vector area that the
// intersection curve encloses, the normals of large faces, and the line between the centers of the bounds.
import { lengthOf } from '../core/vectorLength.js';
import type { MeshContacts } from './meshContacts.js';
import { compareLexicographically, curveVectorArea, normalOf, type Region } from './regions.js';
import type { Surface } from './surface.js';

type Vector = [number, number, number];

/** Max number of faces of each mesh whose normals are proposed, largest area first. */
const MAX_FACES = 24;
/**
 * Two lines count as the same if the magnitude of the cosine of their angle differs from 1 by less than this.
 */
const SAME_NORMAL = 1e-9;

/**
 * Returns candidate directions, which are unit vectors. Of the two opposite directions along a line, only the
 * direction that leads the center of A's bounds away from the center of B's bounds is returned. Swapping the
 * meshes gives the same lines in the same order.
 * @param region The region to separate. If undefined, only the axes and the line between the centers are used.
 */
export function candidateDirections({ a, b }: MeshContacts, region: Region | undefined): Vector[] {
  const centerOffset = [0, 1, 2].map(
    axis => a.bounds[axis] + a.bounds[3 + axis] - b.bounds[axis] - b.bounds[3 + axis],
  ) as Vector;
  const found: Vector[] = [];
  const add = (vector: readonly number[]): void => {
    const unit = unitOf(canonical(vector));
    if (unit && !found.some(other => Math.abs(dot(other, unit)) > 1 - SAME_NORMAL)) found.push(unit);
  };
  for (let axis = 0; axis < 3; axis++) add([0, 1, 2].map(other => (other === axis ? 1 : 0)));
  if (region) {
    add(curveVectorArea(region));
    const faces = [...largestFaces(a, region.trianglesA), ...largestFaces(b, region.trianglesB)].map(
      canonical,
    );
    for (const normal of faces.sort(
      (left, right) => dot(right, right) - dot(left, left) || compareLexicographically(left, right),
    ))
      add(normal);
  }
  add(centerOffset);
  return found.map(unit => {
    const away = dot(unit, centerOffset) < 0 ? -1 : 1;
    return unit.map(part => away * part + 0) as Vector;
  });
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Returns the vector or its opposite, whichever has a positive first nonzero component.
function canonical(vector: readonly number[]): Vector {
  const sign = vector.find(part => part !== 0)! < 0 ? -1 : 1;
  return vector.map(part => sign * part + 0) as Vector;
}

function unitOf(vector: readonly number[]): Vector | undefined {
  const max = Math.max(...vector.map(Math.abs));
  if (!(max > 0 && max < Infinity)) return undefined;
  const scaled = vector.map(part => part / max);
  const length = lengthOf(scaled);
  return scaled.map(part => part / length) as Vector;
}

/** Returns the unit normals of the largest faces of some triangles, at most `count`, largest face first. */
export const largestNormals = (surface: Surface, triangles: Iterable<number>, count: number): Vector[] =>
  largestFaces(surface, triangles)
    .slice(0, count)
    .map(normal => unitOf(normal)!);

// Returns the normals of the largest faces, largest first. Here a face consists of all given triangles whose
// unit normals are equal after rounding to multiples of 1e-6. Its normal is the sum of the cross products of
// their edges, so the length of the normal is about twice the area of the face.
function largestFaces(surface: Surface, triangles: Iterable<number>): Vector[] {
  const sums = new Map<string, Vector>();
  const corners = new Float64Array(9);
  for (const triangle of triangles) {
    surface.writeCorners(triangle, corners, 0);
    const normal = normalOf(corners, 0);
    const unit = unitOf(normal);
    if (!unit) continue;
    const key = unit.map(part => Math.round(part * 1e6)).join();
    const sum = sums.get(key);
    sums.set(key, sum ? [sum[0] + normal[0], sum[1] + normal[1], sum[2] + normal[2]] : normal);
  }
  return [...sums.values()].sort((left, right) => dot(right, right) - dot(left, left)).slice(0, MAX_FACES);
}
