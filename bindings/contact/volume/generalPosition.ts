// Decides exactly how the triangles of two meshes lie relative to each other after mesh A has moved by an
// infinitesimal vector. The moved meshes are in general position: no vertex of one mesh lies in the plane of a
// triangle of the other mesh, unless that triangle has no area, and no edge of one meets an edge of the other.
//
// The vector is (e, e^2, e^3) with an infinitesimal e > 0 (simulation of simplicity). An orientation sign is
// the sign of a determinant. If it is not 0, the movement does not change it. If it is 0, the movement changes
// it to the sign of the first coordinate that is not 0 in the gradient of the determinant with respect to the
// movement.

import { signOf } from '../../core/integers.js';
import { gridPointAt, integerShift, toInteger } from '../gridPoint.js';
import { orient2d, projectionAxes, side } from '../orientation.js';
import type { Surface } from '../surface.js';

const AXES = [0, 1, 2] as const;
/** Offsets of the corners in 18 coordinates: A's triangle, then B's. */
const A = [0, 3, 6] as const;
const B = [9, 12, 15] as const;

// A difference of two doubles has a relative rounding error of at most 2^-53, so the difference of two products
// of such differences has an error of at most 5 * 2^-53 times the sum of the products' magnitudes, unless a
// product underflows.
const CROSS_ERROR = 6 * 2 ** -53;
const UNDERFLOW_LIMIT = 2 ** -600;

/** How the triangles of a pair cross after mesh A has moved. */
export interface MovedPair {
  /** Whether each triangle has corners on both sides of the other's plane. */
  cross: boolean;
  /**
   * For each edge of A's triangle, from corner i to corner i + 1: 0 if the edge does not cross B's triangle, -1
   * if it leaves the side to which the normal of B's triangle points, 1 if it reaches that side.
   */
  edgesA: Int8Array;
  /** The same with the triangles swapped: how each edge of B's triangle crosses A's triangle. */
  edgesB: Int8Array;
}

const sides = new Int8Array(6);
const pair: MovedPair = { cross: false, edgesA: new Int8Array(3), edgesB: new Int8Array(3) };

/**
 * Decides how two triangles that share a point cross after the movement. Triangles without area cross nothing,
 * but their edges may cross the other triangle.
 * @param p 18 coordinates: the corners of A's triangle, then those of B's.
 * @returns an object that the next call overwrites
 */
export function crossingsOf(p: Float64Array): MovedPair {
  const tieA = normalSign(p, 0);
  const tieB = normalSign(p, 9);
  for (let i = 0; i < 3; i++) {
    sides[i] = tieB === 0 ? 0 : side(p, 9, 12, 15, A[i]) || tieB;
    sides[3 + i] = tieA === 0 ? 0 : side(p, 0, 3, 6, B[i]) || -tieA;
  }
  pair.cross = areOnBothSides(0) && areOnBothSides(3);
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    pair.edgesA[i] = sides[i] !== sides[j] && edgeHits(p, i, j, true) ? sides[j] : 0;
    pair.edgesB[i] = sides[3 + i] !== sides[3 + j] && edgeHits(p, i, j, false) ? sides[3 + j] : 0;
  }
  return pair;
}

const areOnBothSides = (at: number): boolean => sides[at] !== sides[at + 1] || sides[at] !== sides[at + 2];

// Returns whether the line through corners i and j of one triangle passes through the other triangle. isOfA:
// whether these are corners of A's triangle.
function edgeHits(p: Float64Array, i: number, j: number, isOfA: boolean): boolean {
  let first = 0;
  for (let k = 0; k < 3; k++) {
    const l = k === 2 ? 0 : k + 1;
    const passing = isOfA ? passingSide(p, A[i], A[j], B[k], B[l]) : passingSide(p, A[k], A[l], B[i], B[j]);
    if (k === 0) first = passing;
    else if (passing !== first) return false;
  }
  return true;
}

// Returns on which side an edge of A passes an edge of B. The edges are not parallel, because one of them
// crosses the plane of the other one's triangle. The gradient of the determinant with respect to the movement
// is (a1 - a0) x (b1 - b0).
const passingSide = (p: Float64Array, a0: number, a1: number, b0: number, b1: number): number =>
  side(p, a0, a1, b0, b1) || firstOf(axis => crossSign(p, a0, a1, b0, b1, axis));

/**
 * Returns the sign of the first coordinate of a triangle's normal that is not 0; 0 if the triangle has no area.
 */
const normalSign = (p: Float64Array, at: number): number =>
  firstOf(axis => orient2d(p, at, at + 3, at + 6, axis));

function firstOf(sign: (axis: number) => number): number {
  for (const axis of AXES) {
    const found = sign(axis);
    if (found !== 0) return found;
  }
  return 0;
}

// Returns the sign of the coordinate `axis` of (b - a) x (d - c).
function crossSign(p: Float64Array, a: number, b: number, c: number, d: number, axis: number): number {
  const [u, v] = projectionAxes(axis);
  const left = (p[b + u] - p[a + u]) * (p[d + v] - p[c + v]);
  const right = (p[b + v] - p[a + v]) * (p[d + u] - p[c + u]);
  const size = Math.abs(left) + Math.abs(right);
  if (size > UNDERFLOW_LIMIT && size < Infinity && Math.abs(left - right) > size * CROSS_ERROR)
    return Math.sign(left - right);
  const values = [a, b, c, d].flatMap(at => [p[at + u], p[at + v]]);
  const shift = integerShift(values);
  const [au, av, bu, bv, cu, cv, du, dv] = values.map(value => toInteger(value, shift));
  return signOf((bu - au) * (dv - cv) - (bv - av) * (du - cu));
}

const ray = new Float64Array(12);

/**
 * Returns the winding number of a closed mesh around a vertex of the other mesh, after mesh A has moved.
 * @param point Three coordinates.
 * @param sign 1 if the vertex belongs to A, which moves toward larger coordinates; -1 if `surface` is A.
 */
export function movedWinding(surface: Surface, point: Float64Array, sign: 1 | -1): number {
  const start = gridPointAt(point);
  if (surface.isOutsideBounds(start)) return 0;
  let winding = 0;
  ray.set(point, 9);
  surface.forEachAlongRay(start, 2, triangle => {
    surface.writeCorners(triangle, ray, 0);
    const around = windingSign(sign);
    // The ray goes up, so it meets triangles that have the point below them.
    if (around !== 0 && (side(ray, 0, 3, 6, 9) || sign * normalSign(ray, 0)) === -around) winding += around;
  });
  return winding;
}

// Returns how often the triangle in `ray`, seen from above, winds around the moved point: 1 counterclockwise,
// -1 clockwise, 0 if the point is beside it.
function windingSign(sign: 1 | -1): number {
  const y = ray[10];
  const isBelow = (at: number): boolean => ray[at + 1] < y || (ray[at + 1] === y && sign > 0);
  const below = [isBelow(0), isBelow(3), isBelow(6)];
  if (below[0] === below[1] && below[1] === below[2]) return 0;
  let winds = 0;
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    if (below[i] === below[j]) continue;
    // A point on an edge moves along x first. If it moves toward +x, it is then to the right of an edge that
    // goes toward +y.
    const orientation = orient2d(ray, A[i], A[j], 9, 2) || (below[i] ? -sign : sign);
    if (below[i] ? orientation > 0 : orientation < 0) winds += below[i] ? 1 : -1;
  }
  return winds;
}
