// Clips a triangle to the prism of another triangle (Sutherland and Hodgman, "Reentrant polygon clipping",
// 1974). The prism is the set of all points above, on or below the other triangle, along its normal. Each
// corner of the result gets a name: a number that tells which vertex or which crossing of sides the corner is.

import { writeVector } from './writeVector';

/**
 * A corner of a clipped polygon: three f64, then two words, whose byte offsets are CORNER and SIDE. CORNER: the
 * corner's name. SIDE describes the polygon's side from this corner to the next one: it is i if the polygon's
 * side is a piece of side i of the clipped triangle, or OF_PRISM + i if it lies in side i of the prism.
 */
export const CORNER_BYTES: usize = 32;
export const CORNER: usize = 24;
const SIDE: usize = 28;
const OF_PRISM: u32 = 4;

/**
 * Names of corners. OWN_VERTEX + i: vertex i of the clipped triangle. OTHER_VERTEX + i: vertex i of the prism's
 * triangle. CROSSING + 4 * i + j: side i of the clipped triangle crosses side j of the prism. Side i of a
 * triangle leads from vertex i to vertex i + 1, modulo 3.
 */
export const OWN_VERTEX: u32 = 0;
export const OTHER_VERTEX: u32 = 16;
export const CROSSING: u32 = 32;

/**
 * A triangle clipped by three planes has at most six corners. But rounding errors can bend the sides of a
 * needle, so that a plane cuts off every second corner. Then there are at most 4, 6 and 9 corners after the
 * first, second and third plane.
 */
export const POLYGON_BYTES: usize = 9 * CORNER_BYTES;

/**
 * Clips the triangle at `subject` (9 f64) to the prism of the triangle at `clipper` (9 f64), whose unit normal
 * is at `normal` (3 f64). sign: 1 if the vertices of `clipper` run counterclockwise, seen from the side to
 * which the normal points; otherwise -1. Points that lie outside of the prism by at most `tolerance` count as
 * inside. Writes the polygon to `polygon` and returns the number of its corners. `scratch`: POLYGON_BYTES.
 */
export function clipToPrism(
  subject: usize,
  clipper: usize,
  normal: usize,
  sign: f64,
  tolerance: f64,
  polygon: usize,
  scratch: usize,
): u32 {
  writeTriangle(subject, polygon);
  let from = polygon;
  let to = scratch;
  let count: u32 = 3;
  const nx = sign * load<f64>(normal);
  const ny = sign * load<f64>(normal, 8);
  const nz = sign * load<f64>(normal, 16);
  for (let side: u32 = 0; side < 3; side++) {
    const start = clipper + <usize>side * 24;
    const end = clipper + <usize>(side == 2 ? 0 : side + 1) * 24;
    const ex = load<f64>(end) - load<f64>(start);
    const ey = load<f64>(end, 8) - load<f64>(start, 8);
    const ez = load<f64>(end, 16) - load<f64>(start, 16);
    // The normal of the prism's side points inward, and is as long as the side of the triangle.
    const inX = ny * ez - nz * ey;
    const inY = nz * ex - nx * ez;
    const inZ = nx * ey - ny * ex;
    const slack = tolerance * (abs(inX) + abs(inY) + abs(inZ));
    // Usually, the whole triangle is on the inner side, and there is nothing to clip.
    if (
      distanceFrom(start, subject, inX, inY, inZ, slack) >= 0 &&
      distanceFrom(start, subject + 24, inX, inY, inZ, slack) >= 0 &&
      distanceFrom(start, subject + 48, inX, inY, inZ, slack) >= 0
    )
      continue;
    count = clipByPlane(from, count, start, inX, inY, inZ, slack, side, to);
    if (count == 0) return 0;
    const next = from;
    from = to;
    to = next;
  }
  if (from != polygon) memory.copy(polygon, from, <usize>count * CORNER_BYTES);
  return count;
}

// Writes a triangle (9 f64) as a polygon.
function writeTriangle(corners: usize, polygon: usize): void {
  for (let i: u32 = 0; i < 3; i++) {
    const vertex = corners + <usize>i * 24;
    writeCorner(
      polygon + <usize>i * CORNER_BYTES,
      load<f64>(vertex),
      load<f64>(vertex, 8),
      load<f64>(vertex, 16),
      OWN_VERTEX + i,
      i,
    );
  }
}

// @ts-ignore: decorator
@inline
function distanceFrom(start: usize, point: usize, x: f64, y: f64, z: f64, slack: f64): f64 {
  return (
    x * (load<f64>(point) - load<f64>(start)) +
    y * (load<f64>(point, 8) - load<f64>(start, 8)) +
    z * (load<f64>(point, 16) - load<f64>(start, 16)) +
    slack
  );
}

// Keeps the part of a polygon where distanceFrom is not negative. Returns the number of its corners.
function clipByPlane(
  from: usize,
  count: u32,
  start: usize,
  x: f64,
  y: f64,
  z: f64,
  slack: f64,
  side: u32,
  to: usize,
): u32 {
  let out = to;
  let at = from;
  const end = from + <usize>count * CORNER_BYTES;
  const first = distanceFrom(start, at, x, y, z, slack);
  let here = first;
  for (; at < end; at += CORNER_BYTES) {
    const isLast = at + CORNER_BYTES == end;
    const next = isLast ? from : at + CORNER_BYTES;
    const there = isLast ? first : distanceFrom(start, next, x, y, z, slack);
    if (here >= 0) {
      v128.store(out, v128.load(at));
      v128.store(out, v128.load(at, 16), 16);
      out += CORNER_BYTES;
    }
    if (here >= 0 != there >= 0) {
      const t = here / (here - there);
      const name = load<u32>(at, SIDE);
      writeCorner(
        out,
        load<f64>(at) + t * (load<f64>(next) - load<f64>(at)),
        load<f64>(at, 8) + t * (load<f64>(next, 8) - load<f64>(at, 8)),
        load<f64>(at, 16) + t * (load<f64>(next, 16) - load<f64>(at, 16)),
        name < OF_PRISM ? CROSSING + 4 * name + side : OTHER_VERTEX + commonVertex(name - OF_PRISM, side),
        here >= 0 ? OF_PRISM + side : name,
      );
      out += CORNER_BYTES;
    }
    here = there;
  }
  return <u32>((out - to) / CORNER_BYTES);
}

// Returns the number of the vertex that two different sides of a triangle have in common.
function commonVertex(i: u32, j: u32): u32 {
  return (i == 2 ? 0 : i + 1) == j ? j : i;
}

function writeCorner(at: usize, x: f64, y: f64, z: f64, name: u32, side: u32): void {
  writeVector(at, x, y, z);
  store<u32>(at, name, CORNER);
  store<u32>(at, side, SIDE);
}
