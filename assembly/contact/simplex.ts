// Finds exactly what a triangle with double coordinates spans: an area, a segment or a single point. Also
// finds a coordinate axis along which the triangle's projection has an area.
import { makePlane, orient2d, sideOfPlane } from '../exact/orient';

const STRIDE: usize = 24;

// Layout of a simplex: the count of its vertices (u32), then the number of each vertex (u32). The ends of a
// segment are in lexicographic order.
export const SIMPLEX_BYTES: usize = 16;

export function nextAxis(axis: usize): usize {
  return axis == 16 ? 0 : axis + 8;
}

// Returns the byte offset (0, 8, 16) of an axis along which the projection of the triangle at `t` has an
// area, or -1 if the triangle has no area.
export function projectionAxis(t: usize, work: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const u = nextAxis(axis);
    if (orient2d(t, t + STRIDE, t + 2 * STRIDE, u, nextAxis(u), work) != 0) return <i32>axis;
  }
  return -1;
}

// Compares two points by x, then y, then z.
export function comparePoints(a: usize, b: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const left = load<f64>(a + axis);
    const right = load<f64>(b + axis);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// Writes the simplex that the triangle at `t` spans. `first`: the number of the triangle's first vertex.
// `axis`: the result of projectionAxis.
export function writeSimplex(t: usize, first: u32, axis: i32, simplex: usize): void {
  if (axis >= 0) {
    store<u32>(simplex, 3);
    for (let i: u32 = 0; i < 3; i++) store<u32>(simplex + ((<usize>i) << 2), first + i, 4);
    return;
  }
  let lowest: u32 = 0;
  let highest: u32 = 0;
  for (let i: u32 = 1; i < 3; i++) {
    if (comparePoints(t + STRIDE * i, t + STRIDE * lowest) < 0) lowest = i;
    if (comparePoints(t + STRIDE * i, t + STRIDE * highest) > 0) highest = i;
  }
  store<u32>(simplex, comparePoints(t + STRIDE * lowest, t + STRIDE * highest) == 0 ? 1 : 2);
  store<u32>(simplex, first + lowest, 4);
  store<u32>(simplex, first + highest, 8);
}

// Takes two simplexes without area (segments or points). Returns the byte offset of an axis along which to
// project both, or -1 if no plane contains both. `plane`: scratch memory for one plane.
export function commonProjectionAxis(p: usize, first: usize, second: usize, plane: usize, work: usize): i32 {
  const a = p + STRIDE * load<u32>(first, 4);
  const b = p + STRIDE * (load<u32>(first) == 1 ? load<u32>(first, 4) : load<u32>(first, 8));
  const c = p + STRIDE * load<u32>(second, 4);
  const d = p + STRIDE * (load<u32>(second) == 1 ? load<u32>(second, 4) : load<u32>(second, 8));
  makePlane(plane, a, b, c);
  if (sideOfPlane(plane, d, work) != 0) return -1;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const u = nextAxis(axis);
    const v = nextAxis(u);
    if (
      orient2d(a, b, c, u, v, work) != 0 ||
      orient2d(a, b, d, u, v, work) != 0 ||
      orient2d(c, d, a, u, v, work) != 0 ||
      orient2d(c, d, b, u, v, work) != 0
    )
      return <i32>axis;
  }
  // All points are on one line. Any axis will do, since comparePoints gives their order along the line.
  return 0;
}
