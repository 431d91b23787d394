// A triangle in doubles -> what it spans, exactly: three vertices, two ends, or one point; and planes that
// keep areas apart.
import { makePlane, sideOfPlane, turn } from '../exact/orient';

const STRIDE: usize = 24;

// Offsets of a simplex: how many vertices (u32), their numbers (u32). Ends are in lexicographic order.
export const SIMPLEX_BYTES: usize = 16;

export function following(axis: usize): usize {
  return axis == 16 ? 0 : axis + 8;
}

// Byte offset (0, 8, 16) of an axis along which the triangle at `t` shows an area, or -1: it has none.
export function facedAxis(t: usize, work: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const u = following(axis);
    if (turn(t, t + STRIDE, t + 2 * STRIDE, u, following(u), work) != 0) return <i32>axis;
  }
  return -1;
}

// Order of two points: by x, then y, then z.
export function comparePoints(a: usize, b: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const left = load<f64>(a + axis);
    const right = load<f64>(b + axis);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// Triangle at `t`, whose first vertex has the number `first`; axis: see facedAxis.
export function simplexOf(t: usize, first: u32, axis: i32, simplex: usize): void {
  if (axis >= 0) {
    store<u32>(simplex, 3);
    for (let i: u32 = 0; i < 3; i++) store<u32>(simplex + ((<usize>i) << 2), first + i, 4);
    return;
  }
  let least: u32 = 0;
  let greatest: u32 = 0;
  for (let i: u32 = 1; i < 3; i++) {
    if (comparePoints(t + STRIDE * i, t + STRIDE * least) < 0) least = i;
    if (comparePoints(t + STRIDE * i, t + STRIDE * greatest) > 0) greatest = i;
  }
  store<u32>(simplex, comparePoints(t + STRIDE * least, t + STRIDE * greatest) == 0 ? 1 : 2);
  store<u32>(simplex, first + least, 4);
  store<u32>(simplex, first + greatest, 8);
}

// Two simplexes without area -> an axis along which to look at them, or -1: no plane holds both. `plane`:
// room for one.
export function flatten(p: usize, first: usize, second: usize, plane: usize, work: usize): i32 {
  const a = p + STRIDE * load<u32>(first, 4);
  const b = p + STRIDE * (load<u32>(first) == 1 ? load<u32>(first, 4) : load<u32>(first, 8));
  const c = p + STRIDE * load<u32>(second, 4);
  const d = p + STRIDE * (load<u32>(second) == 1 ? load<u32>(second, 4) : load<u32>(second, 8));
  makePlane(plane, a, b, c);
  if (sideOfPlane(plane, d, work) != 0) return -1;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const u = following(axis);
    const v = following(u);
    if (
      turn(a, b, c, u, v, work) != 0 ||
      turn(a, b, d, u, v, work) != 0 ||
      turn(c, d, a, u, v, work) != 0 ||
      turn(c, d, b, u, v, work) != 0
    )
      return <i32>axis;
  }
  // All on one line: any axis does, since order along it is that of points.
  return 0;
}
