// Sets the placements of a scene's bodies. If isCheck is set, the kernel only checks the matrices of the
// bodies. Otherwise, it stores the matrices and recomputes the boxes of the bodies whose matrices have changed.
// If no matrices are given, it recomputes the boxes of all bodies.

import { writeBox, writeEmptyBox } from '../mesh/placedBox';
import { prepareMesh } from '../mesh/placedMesh';
import { ABSENT, BodyRecord, HAS_TRIANGLES, NOTHING, PlaceBodiesJob } from '../records';
import { abs2, add2, splat2At, sumOfProducts } from '../simd/doubles';
import { add, load4, maskBits, splat, sub } from '../simd/lanes';

const MAX_ENTRY: f64 = 1.6069380442589903e60;
const MIN_ENTRY: f64 = 6.223015277861142e-61;

export function placeBodies(jobAt: usize, begin: u32, end: u32): void {
  const bodyCount: u64 = load<u32>(jobAt, PlaceBodiesJob.bodyCount);
  const sliceCount: u64 = load<u32>(jobAt, PlaceBodiesJob.sliceCount);
  const matrices: usize = load<u32>(jobAt, PlaceBodiesJob.matricesAt);
  const isDouble = load<u32>(jobAt, PlaceBodiesJob.isDouble) != 0;
  const isCheck = load<u32>(jobAt, PlaceBodiesJob.isCheck) != 0;
  for (let slice: u64 = begin; slice < end; slice++) {
    let invalid = NOTHING;
    const last = <u32>(((slice + 1) * bodyCount) / sliceCount);
    for (let i = <u32>((slice * bodyCount) / sliceCount); i < last && invalid == NOTHING; i++) {
      const body = <usize>load<u32>(jobAt, PlaceBodiesJob.bodiesAt) + <usize>i * BodyRecord.SIZE;
      const box = <usize>load<u32>(jobAt, PlaceBodiesJob.boxesAt) + <usize>i * 24;
      const matrix = matrices + ((<usize>i) << (isDouble ? 7 : 6));
      // While matrices are checked, the record of a body is read only if its matrix is invalid. Reading all
      // records would be slow, because they are much larger than the matrices.
      if (isCheck) {
        if (!isPlacement(matrix, isDouble) && load<u32>(body, BodyRecord.presence) != ABSENT) invalid = i;
        continue;
      }
      const presence = load<u32>(body, BodyRecord.presence);
      if (presence != HAS_TRIANGLES) {
        if (presence != ABSENT && matrices != 0) updateRows(matrix, isDouble, body);
        writeEmptyBox(box);
        continue;
      }
      if (matrices != 0) {
        if (!updateRows(matrix, isDouble, body)) continue;
        store<u32>(body, 1, BodyRecord.moved);
      }
      writeBox(body, box);
      writeOrientedBox(body);
      prepareMesh(load<u32>(body, BodyRecord.meshAt), body + BodyRecord.rows, body + BodyRecord.placed);
    }
    store<u32>(<usize>load<u32>(jobAt, PlaceBodiesJob.firstInvalidAt) + ((<usize>slice) << 2), invalid);
  }
}

function entry(matrix: usize, isDouble: bool, index: usize): f64 {
  return isDouble ? load<f64>(matrix + (index << 3)) : <f64>load<f32>(matrix + (index << 2));
}

/**
 * Returns whether all entries are 0 or have an absolute value in 2^-200..2^200, and the last row is 0 0 0 1.
 */
export function isPlacement(matrix: usize, isDouble: bool): bool {
  return isDouble ? areWithin(matrix) : areFinite(matrix);
}

// Checks a float32 matrix. Every finite float32 is 0 or has an absolute value in 2^-200..2^200, so it is
// enough to check that entries are finite.
function areFinite(matrix: usize): bool {
  const x = load4(matrix);
  const y = load4(matrix, 16);
  const z = load4(matrix, 32);
  const at = load4(matrix, 48);
  // x - x is 0 only if x is finite.
  return (
    maskBits(f32x4.eq(add(add(sub(x, x), sub(y, y)), add(sub(z, z), sub(at, at))), splat(0))) == 15 &&
    f32x4.extract_lane(x, 3) == 0 &&
    f32x4.extract_lane(y, 3) == 0 &&
    f32x4.extract_lane(z, 3) == 0 &&
    f32x4.extract_lane(at, 3) == 1
  );
}

function areWithin(matrix: usize): bool {
  for (let column: usize = 0; column < 4; column++) {
    for (let row: usize = 0; row < 3; row++) {
      const size = abs(entry(matrix, true, 4 * column + row));
      if (!(size <= MAX_ENTRY && (size >= MIN_ENTRY || size == 0))) return false;
    }
    if (entry(matrix, true, 4 * column + 3) != (column == 3 ? 1.0 : 0.0)) return false;
  }
  return true;
}

/** Writes a matrix, stored by columns, to the body's rows. Returns whether any entry has changed. */
export function updateRows(matrix: usize, isDouble: bool, body: usize): bool {
  let hasChanged = false;
  for (let row: usize = 0; row < 3; row++) {
    for (let column: usize = 0; column < 4; column++) {
      const value = entry(matrix, isDouble, 4 * column + row);
      const to = body + (row << 5) + (column << 3);
      hasChanged = hasChanged || load<f64>(to, BodyRecord.rows) != value;
      store<f64>(to, value, BodyRecord.rows);
    }
  }
  return hasChanged;
}

/**
 * Writes the placed box of the body's mesh as a parallelepiped: its center, half of each of its three edge
 * vectors, the normals of its faces, and how far it reaches from its center along each normal. Normal i is
 * perpendicular to the two edges other than edge i. Also writes an upper bound of the absolute coordinates of
 * the box.
 */
export function writeOrientedBox(body: usize): void {
  let maxSum: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    const rows = body + (row << 5);
    let center = load<f64>(rows, BodyRecord.rows + 24);
    let sum: f64 = abs(center);
    for (let column: usize = 0; column < 3; column++) {
      const value = load<f64>(rows + (column << 3), BodyRecord.rows);
      const low = <f64>load<f32>(body + (column << 2), BodyRecord.low);
      const high = <f64>load<f32>(body + (column << 2), BodyRecord.high);
      center += value * (0.5 * (low + high));
      sum += abs(value) * (abs(low) + abs(high));
      store<f64>(body + column * 24 + (row << 3), value * (0.5 * (high - low)), BodyRecord.edges);
    }
    store<f64>(body + (row << 3), center, BodyRecord.center);
    maxSum = max(maxSum, sum);
  }
  store<f64>(body, maxSum, BodyRecord.size);
  const edges = body + BodyRecord.edges;
  const normals = body + BodyRecord.normals;
  cross(edges + 24, edges + 48, normals);
  cross(edges + 48, edges, normals + 8);
  cross(edges, edges + 24, normals + 16);
  for (let column: usize = 24; column < 96; column += 32) store<f64>(normals + column, 0);
  // The reach along a normal includes all three edges, although two of them should be perpendicular to it. So
  // the normal is a valid separating axis even if rounding has tilted it.
  v128.store(body, reachAlong(normals, edges), BodyRecord.reach);
  v128.store(body, reachAlong(normals + 16, edges), BodyRecord.reach + 16);
}

/**
 * Returns how far a parallelepiped reaches from its center along two normals. normals: the address of two
 * adjacent columns of the matrix of normals, whose rows have four entries. edges: the address of the three
 * edge vectors of the parallelepiped, halved.
 */
// @ts-ignore: decorator
@inline
export function reachAlong(normals: usize, edges: usize): v128 {
  const x = v128.load(normals);
  const y = v128.load(normals, 32);
  const z = v128.load(normals, 64);
  return add2(
    add2(abs2(along(x, y, z, edges)), abs2(along(x, y, z, edges + 24))),
    abs2(along(x, y, z, edges + 48)),
  );
}

/** Returns the dot products of two normals with the vector at `at`. */
export function along(x: v128, y: v128, z: v128, at: usize): v128 {
  return sumOfProducts(x, splat2At(at, 0), y, splat2At(at, 8), z, splat2At(at, 16));
}

// Writes the cross product of a and b to a column of a matrix whose rows have four entries.
function cross(a: usize, b: usize, to: usize): void {
  store<f64>(to, load<f64>(a, 8) * load<f64>(b, 16) - load<f64>(a, 16) * load<f64>(b, 8));
  store<f64>(to, load<f64>(a, 16) * load<f64>(b) - load<f64>(a) * load<f64>(b, 16), 32);
  store<f64>(to, load<f64>(a) * load<f64>(b, 8) - load<f64>(a, 8) * load<f64>(b), 64);
}
