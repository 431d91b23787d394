// Two meshes and their transforms -> the rest of a PairRecord: the relative transform both ways with error bounds that make
// every float test safe. Bounds: u = 2^-24 (float32), e = 2^-53 (double); stored coordinates are at most `storedSize` in size:
// 1, or more where a mesh is too large for the scale that would make it so.
import { MeshRecord, PairRecord, PlacedMesh, PlaceJob } from '../layout';
import { at, greatestSize, invert, prepare, put, putSingle, rowSum, single, storedSize } from '../placedMesh';

const FLOAT_ROUNDING: f64 = 5.9604644775390625e-8;
const DOUBLE_ROUNDING: f64 = 1.1102230246251565e-16;
const UP: f64 = 1.0 + 4.0 * FLOAT_ROUNDING;
// Beyond these the relative transform is not worth trusting: the caller swaps the meshes or places copies of them.
const MOST_CONDITION: f64 = 1048576;
const MOST_POINT_ERROR: f64 = 0.000244140625;
const MOST_STRETCH: f64 = 16777216;
const MOST_ENTRY: f64 = 1152921504606846976;
const MOST_SPREAD: f64 = 4096;

/** Fills records begin <= i < end, whose meshes, placements and ownError are set; `fit` tells whether A's frame can be worked in. */
export function placePairs(jobAt: usize, begin: u32, end: u32): void {
  const pairs: usize = load<u32>(jobAt, PlaceJob.pairsAt);
  for (let i = begin; i < end; i++) {
    const pair = pairs + <usize>i * PairRecord.SIZE;
    const a = jobAt + PlaceJob.scratch, b = a + PlacedMesh.SIZE;
    prepare(load<u32>(pair, PairRecord.meshA), load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0, a);
    prepare(load<u32>(pair, PairRecord.meshB), load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0, b);
    store<u32>(pair, place(pair, a, b, b + PlacedMesh.SIZE) ? 1 : 0, PairRecord.fit);
  }
}

// Side of a leaf if leaves tiled the box's faces: in the mesh's normalised frame.
function leafSize(mesh: usize): f64 {
  const x = <f64>load<f32>(mesh, MeshRecord.halfX), y = <f64>load<f32>(mesh, MeshRecord.halfY), z = <f64>load<f32>(mesh, MeshRecord.halfZ);
  return sqrt((8 * (x * y + y * z + z * x) + 9.094947017729282e-13) / max(1, <f64>load<u32>(mesh, MeshRecord.leafCount)));
}

// @ts-ignore: decorator
@inline function entry(rows: usize, row: i32, column: i32): f64 { return rows ? at(rows, row * 4 + column) : row == column ? 1 : 0; }

/** The rest of one record; false where A's frame cannot be worked in. placedA, placedB: PlacedMeshes; inverse: scratch, 9 f64. */
export function place(pair: usize, placedA: usize, placedB: usize, inverse: usize): bool {
  const a: usize = load<u32>(pair, PairRecord.meshA), b: usize = load<u32>(pair, PairRecord.meshB);
  const rowsA = load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0;
  const rowsB = load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0;
  const relative = pair + PairRecord.toAExact;
  if (!(load<f64>(placedA, PlacedMesh.condition) <= MOST_CONDITION)) return false;
  const doubleError = relate(a, b, rowsA, rowsB, placedA, placedB, relative);

  // B's stored extents: a flat mesh may be stretched without bound across its plane, where all its coordinates are 0.
  const sizeA = greatestSize(a);
  let sumR: f64 = 0, offsetSize: f64 = 0, norm: f64 = 0, greatest: f64 = 0;
  for (let k = 0; k < 3; k++) {
    let sum: f64 = 0;
    for (let j = 0; j < 3; j++) {
      const size = storedSize(b, j);
      if (size == 0) put(relative, k * 4 + j, 0);
      const entry = abs(at(relative, k * 4 + j));
      sum += entry * size;
      greatest = max(greatest, entry);
    }
    sumR = max(sumR, sum);
    norm = max(norm, rowSum(relative, k * 4));
    offsetSize = max(offsetSize, abs(at(relative, k * 4 + 3)));
  }
  const ownError = load<f64>(pair, PairRecord.ownError);
  let pointError = <f64>load<f32>(a, MeshRecord.storedError) + norm * <f64>load<f32>(b, MeshRecord.storedError) + doubleError
    + 3.552713678800501e-15 * (sumR + offsetSize + sizeA) + max(ownError, 0);
  const fits = pointError <= MOST_POINT_ERROR && sumR <= MOST_STRETCH && max(greatest, offsetSize) <= MOST_ENTRY;
  if (ownError < 0 && !fits) return false;

  const hasInverse = invert(relative, inverse);
  const spread = hasInverse ? leverage(relative, norm, inverse) : Infinity;
  // place() in touchLeaves: rounding of the row, three products, three sums on |R||d| + |offset| <= (2 spread + 1) M.
  let localError = (2 * spread + 1) * 7 * FLOAT_ROUNDING;
  if (!(spread <= 64)) { localError = 7 * FLOAT_ROUNDING; pointError += 16 * FLOAT_ROUNDING * sumR; }
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 4; j++) putSingle(pair + PairRecord.toA, k * 4 + j, at(relative, k * 4 + j));
    for (let j = 0; j < 3; j++) putSingle(pair + PairRecord.absToA, k * 3 + j, abs(at(relative, k * 4 + j)) * UP);
  }
  // Rounding of image, half image, difference and sum: fewer than 16 u of all that goes in.
  store<f32>(pair, <f32>(16 * FLOAT_ROUNDING * (sumR + offsetSize + sizeA) + 2 * pointError), PairRecord.slackA);
  store<f32>(pair, <f32>(pointError * UP), PairRecord.pointError);
  store<f32>(pair, <f32>localError, PairRecord.localError);
  // Boxes of a leaf pair that meet reach no further from one of its corners than both meshes' diameters together. Two boxes are
  // off by an error each, and their difference is rounded: three errors cover it.
  store<f32>(pair, <f32>(3 * (pointError * UP + localError * 4 * (sizeA + sumR))), PairRecord.boxSlack);
  const leaf = leafSize(a) + leafSize(b) * sumR * 0.5773502691896258;
  store<f32>(pair, <f32>(1 / leaf), PairRecord.leavesALength);
  relateBack(pair, relative, inverse, spread, pointError, a, greatestSize(b));
  store<u32>(pair, load<u32>(a, MeshRecord.nodesAt), PairRecord.nodesA);
  store<u32>(pair, load<u32>(a, MeshRecord.leavesAt), PairRecord.leavesA);
  store<u32>(pair, load<u32>(b, MeshRecord.nodesAt), PairRecord.nodesB);
  store<u32>(pair, load<u32>(b, MeshRecord.leavesAt), PairRecord.leavesB);
  return true;
}

// relative = S_A o A^-1 o B o S_B^-1, in doubles. Returns what rounding, here and in placing vertices, may take it off by.
function relate(a: usize, b: usize, rowsA: usize, rowsB: usize, placedA: usize, placedB: usize, relative: usize): f64 {
  const inverseA = placedA + PlacedMesh.inverse, reachA = placedA + PlacedMesh.reach, reachB = placedB + PlacedMesh.reach;
  const scaleA = <f64>load<f32>(a, MeshRecord.scale), stretch = scaleA / <f64>load<f32>(b, MeshRecord.scale);
  let size: f64 = 0;
  for (let k = 0; k < 3; k++) {
    let offset: f64 = -single(a + MeshRecord.centerX, k), sum: f64 = 0;
    for (let j = 0; j < 4; j++) {
      let value: f64 = 0;
      if (rowsA) for (let i = 0; i < 3; i++) value += at(inverseA, k * 3 + i) * (entry(rowsB, i, j) - (j == 3 ? at(rowsA, i * 4 + 3) : 0));
      else value = entry(rowsB, k, j);
      if (j == 3) offset += value;
      else {
        offset += value * single(b + MeshRecord.centerX, j);
        put(relative, k * 4 + j, value * stretch);
      }
    }
    put(relative, k * 4 + 3, offset * scaleA);
    if (rowsA) for (let i = 0; i < 3; i++) sum += abs(at(inverseA, k * 3 + i)) * (at(reachA, i) + at(reachB, i));
    else sum = at(reachB, k);
    size = max(size, sum);
  }
  return 64 * DOUBLE_ROUNDING * (1 + load<f64>(placedA, PlacedMesh.condition)) * scaleA * (size + load<f64>(placedA, PlacedMesh.extent));
}

// @ts-ignore: decorator
@inline function columnDot(r: usize, i: i32, j: i32): f64 { return at(r, i) * at(r, j) + at(r, i + 4) * at(r, j + 4) + at(r, i + 8) * at(r, j + 8); }

// How much larger |R||d| may be than |R d|: sqrt 3 for rotations with uniform scale, else by the inverse's norm.
function leverage(r: usize, norm: f64, inverse: usize): f64 {
  const square = columnDot(r, 0, 0);
  const skew = abs(columnDot(r, 1, 1) - square) + abs(columnDot(r, 2, 2) - square) + abs(columnDot(r, 0, 1)) + abs(columnDot(r, 0, 2)) + abs(columnDot(r, 1, 2));
  return skew < 1e-3 * square ? 1.75 : norm * max(rowSum(inverse, 0), max(rowSum(inverse, 3), rowSum(inverse, 6)));
}

// The way back, into B's frame; where there is none its boxes always "overlap".
function relateBack(pair: usize, relative: usize, inverse: usize, spread: f64, pointError: f64, a: usize, sizeB: f64): void {
  const toB = pair + PairRecord.toB, absToB = pair + PairRecord.absToB;
  let sumQ: f64 = 0, norm: f64 = 0, offsetSize: f64 = 0;
  let isThere = spread <= MOST_SPREAD;
  for (let k = 0; k < 3 && isThere; k++) {
    let offset: f64 = 0, sum: f64 = 0;
    for (let j = 0; j < 3; j++) {
      const value = at(inverse, k * 3 + j);
      offset -= value * at(relative, j * 4 + 3);
      sum += abs(value) * storedSize(a, j);
      putSingle(toB, k * 4 + j, value);
      putSingle(absToB, k * 3 + j, abs(value) * UP);
    }
    putSingle(toB, k * 4 + 3, offset);
    norm = max(norm, rowSum(inverse, k * 3));
    sumQ = max(sumQ, sum);
    offsetSize = max(offsetSize, abs(offset));
    isThere = norm <= MOST_ENTRY && offsetSize <= MOST_ENTRY;
  }
  if (!isThere) {
    memory.fill(toB, 0, 48);
    memory.fill(absToB, 0, 36);
  }
  store<f32>(pair, isThere ? <f32>(16 * FLOAT_ROUNDING * (sumQ + offsetSize + sizeB) * (1 + spread * 9.5367431640625e-7) + 2 * pointError * norm) : Infinity, PairRecord.slackB);
}
