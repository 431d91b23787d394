// A region of contact -> unit vectors along which A may leave B, or against them: axes, faces, and what the
// surfaces' curve goes around.
import type { Asked } from './asked.js';
import { areaAround, compare, normalOf, type Region } from './regions.js';
import type { Surface } from './surface.js';

type Vector = [number, number, number];

/** Faces whose normals are tried: those of the largest area. */
const MOST_FACES = 24;
/** Normals that differ by less are one. */
const ALIKE = 1e-9;

/**
 * Of each two opposite ones the one that leads A's middle away from B's. The same lines, in the same order,
 * where the meshes change places.
 */
export function directionsOf({ a, b }: Asked, region: Region | undefined): Vector[] {
  const apart = [0, 1, 2].map(
    axis => a.bounds[axis] + a.bounds[3 + axis] - b.bounds[axis] - b.bounds[3 + axis],
  ) as Vector;
  const found: Vector[] = [];
  const add = (vector: readonly number[]): void => {
    const unit = unitOf(upright(vector));
    if (unit && !found.some(other => Math.abs(dot(other, unit)) > 1 - ALIKE)) found.push(unit);
  };
  for (let axis = 0; axis < 3; axis++) add([0, 1, 2].map(other => (other === axis ? 1 : 0)));
  if (region) {
    add(areaAround(region));
    const faces = [...largestFaces(a, region.trianglesA), ...largestFaces(b, region.trianglesB)].map(upright);
    for (const normal of faces.sort(
      (left, right) => dot(right, right) - dot(left, left) || compare(left, right),
    ))
      add(normal);
  }
  add(apart);
  return found.map(unit => {
    const away = dot(unit, apart) < 0 ? -1 : 1;
    return unit.map(part => away * part + 0) as Vector;
  });
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Of the two opposite ones that whose first number other than 0 is positive.
function upright(vector: readonly number[]): Vector {
  const sign = vector.find(part => part !== 0)! < 0 ? -1 : 1;
  return vector.map(part => sign * part + 0) as Vector;
}

function unitOf(vector: readonly number[]): Vector | undefined {
  const most = Math.max(...vector.map(Math.abs));
  if (!(most > 0 && most < Infinity)) return undefined;
  const scaled = vector.map(part => part / most);
  const length = Math.hypot(...scaled);
  return scaled.map(part => part / length) as Vector;
}

// Normals, as long as twice their faces' areas; faces that lie alike count together.
function largestFaces(surface: Surface, triangles: Iterable<number>): Vector[] {
  const sums = new Map<string, Vector>();
  const corners = new Float64Array(9);
  for (const triangle of triangles) {
    surface.corners(triangle, corners, 0);
    const normal = normalOf(corners, 0);
    const unit = unitOf(normal);
    if (!unit) continue;
    const key = unit.map(part => Math.round(part * 1e6) + 0).join();
    const sum = sums.get(key);
    sums.set(key, sum ? [sum[0] + normal[0], sum[1] + normal[1], sum[2] + normal[2]] : normal);
  }
  return [...sums.values()].sort((left, right) => dot(right, right) - dot(left, left)).slice(0, MOST_FACES);
}
