// Computes exactly the sides of a triangle's vertices relative to the plane of another triangle, as six bits:
// bit i is set if vertex i is above the plane, bit 3 + i if it is below the plane.
import { makePlane, sideOfPlane } from './orient';

const VERTEX: usize = 24;

// Writes the plane of triangle t to `plane`. Returns the sides of the vertices of triangle s relative to that
// plane.
// @ts-ignore: decorator
@inline
export function sidesOfPlane(plane: usize, t: usize, s: usize, work: usize): u32 {
  makePlane(plane, t, t + VERTEX, t + 2 * VERTEX);
  return (
    sideBits(sideOfPlane(plane, s, work)) |
    (sideBits(sideOfPlane(plane, s + VERTEX, work)) << 1) |
    (sideBits(sideOfPlane(plane, s + 2 * VERTEX, work)) << 2)
  );
}

export function sideBits(side: i32): u32 {
  return <u32>(side > 0) | ((<u32>(side < 0)) << 3);
}

// Returns twice the number of the vertex that is alone on its side of the plane, plus 1 if that side counts as
// the positive side. If two vertices are strictly on one side and the third is on the plane, the third is the
// lone vertex; its side counts as the side opposite to the other two.
export function loneVertex(sides: u32): u32 {
  const positive = sides & 7;
  const negative = sides >> 3;
  if (popcnt(positive) == 1) return (ctz(positive) << 1) | 1;
  if (popcnt(negative) == 1) return ctz(negative) << 1;
  return (ctz(~(positive | negative)) << 1) | <u32>(positive == 0);
}

export function nextVertex(vertex: u32): u32 {
  return vertex == 2 ? 0 : vertex + 1;
}
