// Two triangles that meet -> how: they cross, touch, or share an area of one plane. Exact.
import { side, turn } from './orientation.js';

/** Of two triangles that share a point. */
export const TOUCH = 0, CROSS = 1, SAME_WAY = 2, OPPOSITE = 3;

const B = 9;

/** Sides of three corners from number d on against the plane of those from number a on, at `to`, to + 1, to + 2. */
export function sidesOf(p: Float64Array, a: number, d: number, sides: Int8Array, to: number): void {
  for (let corner = 0; corner < 3; corner++) sides[to + corner] = side(p, a, a + 3, a + 6, d + 3 * corner);
}

const isOnBoth = (sides: Int8Array, at: number): boolean => {
  const [x, y, z] = [sides[at]!, sides[at + 1]!, sides[at + 2]!];
  return Math.max(x, y, z) > 0 && Math.min(x, y, z) < 0;
};

/** An axis that the triangle from number a on faces, or -1 for one without area. */
export function facedAxis(p: Float64Array, a: number): number {
  const size = (axis: number): number => {
    const u = (axis + 1) % 3, v = (axis + 2) % 3;
    return Math.abs((p[a + 3 + u]! - p[a + u]!) * (p[a + 6 + v]! - p[a + v]!) - (p[a + 3 + v]! - p[a + v]!) * (p[a + 6 + u]! - p[a + u]!));
  };
  const best = [0, 1, 2].sort((left, right) => size(right) - size(left) || left - right);
  return best.find((axis) => turn(p, a, a + 3, a + 6, axis) !== 0) ?? -1;
}

/**
 * p: eighteen doubles, three corners of each of two triangles that share a point. sides: six, written: those of B's corners
 * against A's plane, then those of A's against B's.
 */
export function kindOf(p: Float64Array, sides: Int8Array): number {
  sidesOf(p, 0, B, sides, 0);
  sidesOf(p, B, 0, sides, 3);
  if (isOnBoth(sides, 0) && isOnBoth(sides, 3)) return crossesAlong(p, sides) ? CROSS : TOUCH;
  if (sides.some((sign) => sign !== 0)) return TOUCH;
  const axis = facedAxis(p, 0);
  if (axis < 0 || turn(p, B, B + 3, B + 6, axis) === 0 || !shareArea(p, axis)) return TOUCH;
  return turn(p, 0, 3, 6, axis) === turn(p, B, B + 3, B + 6, axis) ? SAME_WAY : OPPOSITE;
}

// Both reach through the other's plane: do the segments that they cut from the planes' common line share more than a point?
// As Guigue and Devillers 2003 have it, with what only touches left out.
function crossesAlong(p: Float64Array, sides: Int8Array): boolean {
  const [apexA, upA] = alone(sides, 3), [apexB, upB] = alone(sides, 0);
  const [a1, a2] = others(apexA, upB, 0), [b1, b2] = others(apexB, upA, B), a0 = 3 * apexA, b0 = B + 3 * apexB;
  return side(p, a0, a1, b0, b1) < 0 && side(p, a0, a2, b0, b2) > 0;
}

// The corner that is alone on its side, and whether that is the upper one. A corner in the plane counts to neither.
function alone(sides: Int8Array, at: number): [corner: number, isUp: boolean] {
  const signs = [sides[at]!, sides[at + 1]!, sides[at + 2]!];
  const up = signs.filter((sign) => sign > 0).length, isUp = up === 1;
  return [signs.indexOf(isUp ? 1 : -1), isUp];
}

// The other two corners, so turned that the other triangle's lone corner is on the upper side.
function others(apex: number, isUp: boolean, from: number): [number, number] {
  const next = from + 3 * ((apex + 1) % 3), last = from + 3 * ((apex + 2) % 3);
  return isUp ? [next, last] : [last, next];
}

function shareArea(p: Float64Array, axis: number): boolean {
  return !parts(p, 0, B, axis) && !parts(p, B, 0, axis);
}

// Is there an edge of the triangle from t on whose line has the other one on its closed outer side?
function parts(p: Float64Array, t: number, s: number, axis: number): boolean {
  const own = turn(p, t, t + 3, t + 6, axis);
  return [0, 1, 2].some((i) => {
    const from = t + 3 * i, to = t + 3 * ((i + 1) % 3);
    return [0, 3, 6].every((corner) => turn(p, from, to, s + corner, axis) !== own);
  });
}
