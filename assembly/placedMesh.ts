// A mesh and its placement -> what every pair that it is in needs of them.
import { MeshRecord, PlacedMesh } from './layout';

// @ts-ignore: decorator
@inline export function at(base: usize, index: i32): f64 { return load<f64>(base + (<usize>index << 3)); }
// @ts-ignore: decorator
@inline export function put(base: usize, index: i32, value: f64): void { store<f64>(base + (<usize>index << 3), value); }
// @ts-ignore: decorator
@inline export function single(base: usize, index: i32): f64 { return <f64>load<f32>(base + (<usize>index << 2)); }
// @ts-ignore: decorator
@inline export function putSingle(base: usize, index: i32, value: f64): void { store<f32>(base + (<usize>index << 2), <f32>value); }
// @ts-ignore: decorator
@inline export function rowSum(base: usize, first: i32): f64 { return abs(at(base, first)) + abs(at(base, first + 1)) + abs(at(base, first + 2)); }

// Greatest stored |coordinate| on an axis.
// @ts-ignore: decorator
@inline export function storedSize(mesh: usize, axis: i32): f64 {
  return abs(single(mesh + MeshRecord.middleX, axis)) + single(mesh + MeshRecord.halfX, axis);
}
// @ts-ignore: decorator
@inline export function greatestSize(mesh: usize): f64 { return max(1, max(storedSize(mesh, 0), max(storedSize(mesh, 1), storedSize(mesh, 2)))); }

// Greatest |coordinate| of a mesh in its own units.
function extent(mesh: usize): f64 {
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  let most: f64 = 0;
  for (let axis = 0; axis < 3; axis++) most = max(most, abs(single(mesh + MeshRecord.centerX, axis)) + storedSize(mesh, axis) / scale);
  return most;
}

// Inverse of the linear part of rows of four; false where it is singular.
export function invert(rows: usize, out: usize): bool {
  const a = at(rows, 0), b = at(rows, 1), c = at(rows, 2), d = at(rows, 4), e = at(rows, 5), f = at(rows, 6), g = at(rows, 8), h = at(rows, 9), i = at(rows, 10);
  const A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
  const k = 1 / (a * A + b * B + c * C);
  // 0, infinite or NaN: no inverse that could be worked with.
  if (!(abs(k) < Infinity) || k == 0) return false;
  put(out, 0, A * k); put(out, 1, (c * h - b * i) * k); put(out, 2, (b * f - c * e) * k);
  put(out, 3, B * k); put(out, 4, (a * i - c * g) * k); put(out, 5, (c * d - a * f) * k);
  put(out, 6, C * k); put(out, 7, (b * g - a * h) * k); put(out, 8, (a * e - b * d) * k);
  return true;
}

/** rows: the placement, three rows of four, or 0 where the mesh's coordinates are the points themselves. */
export function prepare(mesh: usize, rows: usize, to: usize): void {
  const size = extent(mesh), inverse = to + PlacedMesh.inverse;
  store<f64>(to, size, PlacedMesh.extent);
  let condition: f64 = 0;
  if (rows && !invert(rows, inverse)) condition = Infinity;
  for (let k = 0; k < 3; k++) {
    put(to + PlacedMesh.reach, k, rows ? rowSum(rows, k * 4) * size + abs(at(rows, k * 4 + 3)) : size);
    if (!rows) continue;
    let sum: f64 = 0;
    for (let i = 0; i < 3; i++) sum += abs(at(inverse, k * 3 + i)) * rowSum(rows, i * 4);
    condition = max(condition, sum);
  }
  store<f64>(to, condition, PlacedMesh.condition);
}
