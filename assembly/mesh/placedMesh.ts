// Computes a PlacedMesh: the inverse of a mesh's placement, the condition number of the placement, and bounds
// of the mesh's coordinates. These data are computed once, and used for all pairs that contain the mesh.

import { MeshRecord, PlacedMesh } from '../records';
import {
  abs2,
  add2,
  highLane,
  highLow,
  lowLane,
  lowLanes,
  maxOf3,
  mul2,
  splat2,
  splat2At,
  sub2,
  sumOfProducts,
} from '../simd/doubles';

/** Bytes of a row of four doubles, or of a column of an inverse. */
export const ROW: usize = 32;
// A determinant is surely nonzero, and not merely a rounding error, if it exceeds SURE_SHARE times the
// product of the row sums, plus MIN_VOLUME. The product of the row sums is an upper bound of the absolute value
// of the determinant; MIN_VOLUME excludes underflow.
const SURE_SHARE: f64 = 9.5367431640625e-7;
const MIN_VOLUME: f64 = 1e-290;
/**
 * An inverse is accepted if its residual is at most this value times (1 + condition)^2. The errors of an
 * accepted inverse displace points near the placed mesh by at most half of the error that computeRelative
 * (placePairs.ts) allows for.
 */
const MAX_RESIDUAL: f64 = 3.552713678800501e-15;

// Returns the max stored |coordinate| on an axis. axis: the axis' byte offset, 0, 4 or 8. A mesh with
// vertices in doubles also stores them rounded to floats, possibly to 0. So the rounding error is added.
function storedSize(mesh: usize, axis: usize): f64 {
  return (
    abs(<f64>load<f32>(mesh + axis, MeshRecord.middleX)) +
    <f64>load<f32>(mesh + axis, MeshRecord.halfX) +
    <f64>load<f32>(mesh, MeshRecord.rounding) * <f64>load<f32>(mesh, MeshRecord.scale)
  );
}

// Estimates the size of a leaf in stored coordinates: the edge length of a square whose area is the surface
// area of the mesh's box divided by the number of leaves.
function leafSize(mesh: usize): f64 {
  const x = <f64>load<f32>(mesh, MeshRecord.halfX);
  const y = <f64>load<f32>(mesh, MeshRecord.halfY);
  const z = <f64>load<f32>(mesh, MeshRecord.halfZ);
  return sqrt(
    (8 * (x * y + y * z + z * x) + 9.094947017729282e-13) /
      max(1, <f64>load<u32>(mesh, MeshRecord.leafCount)),
  );
}

/** Returns |a| + |b| + |c|, where a, b and c are the first three entries of the row at `row`. */
export function rowSum(row: usize): f64 {
  return abs(load<f64>(row)) + abs(load<f64>(row, 8)) + abs(load<f64>(row, 16));
}

// Compute the cross product of two rows: crossXY returns its x and y, crossZ its z.
function crossXY(axy: v128, az: v128, bxy: v128, bz: v128): v128 {
  return sub2(mul2(highLow(axy, az), lowLanes(bz, bxy)), mul2(lowLanes(az, axy), highLow(bxy, bz)));
}
function crossZ(axy: v128, bxy: v128): f64 {
  return lowLane(axy) * highLane(bxy) - highLane(axy) * lowLane(bxy);
}

/**
 * Inverts the linear part of a placement, given as three rows of four. Writes the inverse as three columns of
 * four, whose last entries are 0. Returns false if the matrix is singular. Rounding can make a singular
 * matrix appear regular, so if there is doubt, the product of inverse and matrix is compared with the
 * identity.
 */
export function invert(rows: usize, out: usize): bool {
  const ab = v128.load(rows);
  const c = v128.load(rows, 16);
  const de = v128.load(rows, 32);
  const f = v128.load(rows, 48);
  const gh = v128.load(rows, 64);
  const i = v128.load(rows, 80);
  const AB = crossXY(de, f, gh, i);
  const C = crossZ(de, gh);
  const dots = mul2(ab, AB);
  const volume = lowLane(dots) + highLane(dots) + lowLane(c) * C;
  const k = 1 / volume;
  // 0, infinite or NaN: there is no usable inverse.
  if (!(abs(k) < Infinity) || k == 0) return false;
  const scale = splat2(k);
  const none = splat2(0);
  v128.store(out, mul2(AB, scale));
  v128.store(out, f64x2.replace_lane(none, 0, C * k), 16);
  v128.store(out, mul2(crossXY(gh, i, ab, c), scale), 32);
  v128.store(out, f64x2.replace_lane(none, 0, crossZ(gh, ab) * k), 48);
  v128.store(out, mul2(crossXY(ab, c, de, f), scale), 64);
  v128.store(out, f64x2.replace_lane(none, 0, crossZ(ab, de) * k), 80);
  return (
    abs(volume) > SURE_SHARE * (rowSum(rows) * rowSum(rows + ROW) * rowSum(rows + 2 * ROW)) + MIN_VOLUME ||
    isInverse(rows, out)
  );
}

function isInverse(rows: usize, inverse: usize): bool {
  const factor = 1 + conditionOf(rows, inverse);
  return residual(rows, inverse) <= MAX_RESIDUAL * factor * factor;
}

function conditionOf(rows: usize, inverse: usize): f64 {
  return maxImage(inverse, rowSum(rows), rowSum(rows + ROW), rowSum(rows + 2 * ROW));
}

// Returns the row-sum norm of (inverse times rows) - identity: the largest sum of the absolute entries of a
// row.
function residual(rows: usize, inverse: usize): f64 {
  const x = v128.load(inverse);
  const y = v128.load(inverse, 32);
  const z = v128.load(inverse, 64);
  const lastX = v128.load(inverse, 16);
  const lastY = v128.load(inverse, 48);
  const lastZ = v128.load(inverse, 80);
  let sum = splat2(0);
  let lastSum = splat2(0);
  for (let column: usize = 0; column < 24; column += 8) {
    const a = splat2At(rows + column, 0);
    const b = splat2At(rows + column, 32);
    const c = splat2At(rows + column, 64);
    const identityXY = f64x2(f64(column == 0), f64(column == 8));
    const identityZ = f64x2(f64(column == 16), 0);
    sum = add2(sum, abs2(sub2(sumOfProducts(x, a, y, b, z, c), identityXY)));
    lastSum = add2(lastSum, abs2(sub2(sumOfProducts(lastX, a, lastY, b, lastZ, c), identityZ)));
  }
  return maxOf3(sum, lastSum);
}

/**
 * Multiplies a matrix, with each entry replaced by its absolute value, by (x, y, z). Returns the largest
 * coordinate of the result. The matrix is stored by columns.
 */
export function maxImage(columns: usize, x: f64, y: f64, z: f64): f64 {
  const a = splat2(x);
  const b = splat2(y);
  const c = splat2(z);
  return maxOf3(
    sumOfProducts(
      abs2(v128.load(columns)),
      a,
      abs2(v128.load(columns, 32)),
      b,
      abs2(v128.load(columns, 64)),
      c,
    ),
    sumOfProducts(
      abs2(v128.load(columns, 16)),
      a,
      abs2(v128.load(columns, 48)),
      b,
      abs2(v128.load(columns, 80)),
      c,
    ),
  );
}

/** Fills the PlacedMesh at `to`. rows: the placement, three rows of four, or 0 if the mesh is not placed. */
export function prepareMesh(mesh: usize, rows: usize, to: usize): void {
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  // extent: an upper bound of the |coordinate| of a vertex, in the mesh's own units. maxSize: the max |stored
  // coordinate|, or 1 if that is less than 1.
  let extent: f64 = 0;
  let maxSize: f64 = 1;
  for (let axis: usize = 0; axis < 12; axis += 4) {
    const stored = storedSize(mesh, axis);
    store<f64>(to + (axis << 1), stored, PlacedMesh.sizes);
    extent = max(extent, abs(<f64>load<f32>(mesh + axis, MeshRecord.centerX)) + stored / scale);
    maxSize = max(maxSize, stored);
  }
  store<f64>(to, extent, PlacedMesh.extent);
  store<f64>(to, maxSize, PlacedMesh.size);
  store<f64>(to, leafSize(mesh), PlacedMesh.leafSize);
  store<f64>(to, prepareRows(rows, extent, to), PlacedMesh.condition);
}

// Stores the inverse of a placement, and the reach: for each axis, an upper bound of the |coordinate| of a
// placed point. Returns the placement's condition number.
function prepareRows(rows: usize, extent: f64, to: usize): f64 {
  for (let k: usize = 0; k < 3; k++) {
    const row = rows + k * ROW;
    store<f64>(
      to + (k << 3),
      rows ? rowSum(row) * extent + abs(load<f64>(row, 24)) : extent,
      PlacedMesh.reach,
    );
  }
  if (!rows) return 0;
  return invert(rows, to + PlacedMesh.inverse) ? conditionOf(rows, to + PlacedMesh.inverse) : Infinity;
}
