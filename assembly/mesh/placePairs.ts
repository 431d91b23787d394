// Completes PairRecords: computes the relative transform of two placed meshes A and B, from B's frame to A's
// and back, with error bounds that keep every float test conservative. Notation: u = 2^-24 and e = 2^-53 are
// the rounding units of float32 and double. The stored coordinates of a mesh are normally scaled to
// magnitudes of at most 1; if the mesh is too large for that, they are larger.

import { MeshRecord, PairRecord, PlacedMesh, PlaceJob } from '../records';
import {
  abs2,
  add2,
  highLane,
  highLanes,
  lowLane,
  lowLanes,
  maxOf3,
  mul2,
  splat2,
  splat2At,
  sub2,
  sumOfProducts,
  swapLanes,
  toFloats,
} from '../simd/doubles';
import { invert, maxImage, prepareMesh } from './placedMesh';

const FLOAT_ROUNDING: f64 = 5.9604644775390625e-8;
const DOUBLE_ROUNDING: f64 = 1.1102230246251565e-16;
const ROUND_UP: f64 = 1.0 + 4.0 * FLOAT_ROUNDING;
// If a value exceeds one of the first four limits, the relative transform is not accurate enough, and the
// caller swaps the meshes or uses placed copies of them. If the spread (see amplification) exceeds MAX_SPREAD,
// only the inverse transform is not accurate enough, and boxes are tested only in A's frame.
const MAX_CONDITION: f64 = 1048576;
const MAX_POINT_ERROR: f64 = 0.000244140625;
const MAX_STRETCH: f64 = 16777216;
const MAX_ENTRY: f64 = 1152921504606846976;
const MAX_SPREAD: f64 = 4096;

/**
 * Completes the records from `begin` to end - 1. Their meshes, placements and ownError must be set. Sets the
 * field `isFrameAccurate` of each record: whether A's frame is accurate enough to work in.
 */
export function placePairs(jobAt: usize, begin: u32, end: u32): void {
  const pairs: usize = load<u32>(jobAt, PlaceJob.pairsAt);
  for (let i = begin; i < end; i++) {
    const pair = pairs + <usize>i * PairRecord.SIZE;
    const a = jobAt + PlaceJob.scratch;
    const b = a + PlacedMesh.SIZE;
    prepareMesh(
      load<u32>(pair, PairRecord.meshA),
      load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0,
      a,
    );
    prepareMesh(
      load<u32>(pair, PairRecord.meshB),
      load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0,
      b,
    );
    store<u32>(pair, completePair(pair, a, b, b + PlacedMesh.SIZE) ? 1 : 0, PairRecord.isFrameAccurate);
  }
}

/**
 * Completes one record. Returns false if A's frame is not accurate enough. placedA, placedB: the PlacedMesh
 * of each mesh. inverse: scratch memory for 12 f64.
 */
export function completePair(pair: usize, placedA: usize, placedB: usize, inverse: usize): bool {
  const a: usize = load<u32>(pair, PairRecord.meshA);
  const b: usize = load<u32>(pair, PairRecord.meshB);
  const relative = pair + PairRecord.toAExact;
  if (!(load<f64>(placedA, PlacedMesh.condition) <= MAX_CONDITION)) return false;
  const doubleError = computeRelative(pair, a, b, placedA, placedB, relative);

  const row0 = v128.load(relative);
  const row1 = v128.load(relative, 32);
  const row2 = v128.load(relative, 64);
  const end0 = v128.load(relative, 16);
  const end1 = v128.load(relative, 48);
  const end2 = v128.load(relative, 80);
  // Absolute values by columns: x, y, z and shift hold the values of the first two rows; lastX, lastY, lastZ
  // and lastShift hold the values of the third row.
  const x = abs2(lowLanes(row0, row1));
  const y = abs2(highLanes(row0, row1));
  const z = abs2(lowLanes(end0, end1));
  const shift = abs2(highLanes(end0, end1));
  const lastX = abs2(row2);
  const lastY = swapLanes(lastX);
  const lastZ = abs2(end2);
  const lastShift = swapLanes(lastZ);
  const sizeX = splat2At(placedB, PlacedMesh.sizes);
  const sizeY = splat2At(placedB, PlacedMesh.sizes + 8);
  const sizeZ = splat2At(placedB, PlacedMesh.sizes + 16);
  const sumR = maxOf3(
    sumOfProducts(x, sizeX, y, sizeY, z, sizeZ),
    sumOfProducts(lastX, sizeX, lastY, sizeY, lastZ, sizeZ),
  );
  const norm = maxOf3(add2(add2(x, y), z), add2(add2(lastX, lastY), lastZ));
  const maxEntry = maxOf3(
    f64x2.max(f64x2.max(x, y), f64x2.max(z, shift)),
    f64x2.max(f64x2.max(lastX, lastY), f64x2.max(lastZ, lastShift)),
  );
  const offsetSize = maxOf3(shift, lastShift);
  const sizeA = load<f64>(placedA, PlacedMesh.size);
  const ownError = load<f64>(pair, PairRecord.ownError);
  let pointError =
    <f64>load<f32>(a, MeshRecord.storedError) +
    norm * <f64>load<f32>(b, MeshRecord.storedError) +
    doubleError +
    3.552713678800501e-15 * (sumR + offsetSize + sizeA) +
    (ownError > 0 ? ownError : 0);
  const isAccurate = pointError <= MAX_POINT_ERROR && sumR <= MAX_STRETCH && maxEntry <= MAX_ENTRY;
  if (ownError < 0 && !isAccurate) return false;

  const hasInverse = invert(relative, inverse);
  const square = lowLane(sumOfProducts(row0, row0, row1, row1, row2, row2));
  const skew = skewOf(row0, end0, row1, end1, row2, end2);
  const spread = hasInverse ? amplification(square, skew, norm, inverse) : Infinity;
  // Bounds the rounding error of place() in testLeafPairs.ts, relative to the max |coordinate| M of a placed
  // triangle. place() computes R d + offset, where R is the linear part of the transform and d is a corner.
  // There are seven roundings (of the row, three products and three sums). The error of each is at most u times
  // |R||d| + |offset| <= (2 spread + 1) M. If the spread is large, |R||d| is bounded by 2 sumR instead, and its
  // errors are added to pointError.
  let localError = (2 * spread + 1) * 7 * FLOAT_ROUNDING;
  if (!(spread <= 64)) {
    localError = 7 * FLOAT_ROUNDING;
    pointError += 16 * FLOAT_ROUNDING * sumR;
  }
  putRows(pair + PairRecord.toA, pair + PairRecord.absToA, row0, end0, row1, end1, row2, end2);
  storeInverse(pair, relative, inverse, spread, pointError, placedA, load<f64>(placedB, PlacedMesh.size));
  // The rounding errors of a box's image (center and half extents) and of its sides are together less than
  // 16 u times the sum of all inputs.
  store<f32>(
    pair,
    <f32>(16 * FLOAT_ROUNDING * (sumR + offsetSize + sizeA) + 2 * pointError),
    PairRecord.slackA,
  );
  store<f32>(pair, <f32>(pointError * ROUND_UP), PairRecord.pointError);
  store<f32>(pair, <f32>localError, PairRecord.localError);
  // If the boxes of a leaf pair overlap, the distance between any two points of the boxes is at most the sum
  // of both meshes' diameters. Three errors are enough: one for each of the two boxes, and one for the
  // rounding of the difference of their sides.
  store<f32>(pair, <f32>(3 * (pointError * ROUND_UP + localError * 4 * (sizeA + sumR))), PairRecord.boxSlack);
  const leaf =
    load<f64>(placedA, PlacedMesh.leafSize) +
    load<f64>(placedB, PlacedMesh.leafSize) * sumR * 0.5773502691896258;
  store<f32>(pair, <f32>(1 / leaf), PairRecord.leavesALength);
  store<u32>(pair, load<u32>(a, MeshRecord.nodesAt), PairRecord.nodesA);
  store<u32>(pair, load<u32>(a, MeshRecord.leavesAt), PairRecord.leavesA);
  store<u32>(pair, load<u32>(b, MeshRecord.nodesAt), PairRecord.nodesB);
  store<u32>(pair, load<u32>(b, MeshRecord.leavesAt), PairRecord.leavesB);
  putLeafBoxes(pair, a, b, square, skew, load<f64>(placedB, PlacedMesh.size));
  return true;
}

// Stores the three rows of a transform (4 values each) as floats at `to`, and the absolute values of their
// linear parts, rounded up, as rows of three floats at `absTo`. Each row of three is written with one store
// of four floats. The next row overwrites the fourth float. The fourth float of the last row overwrites the
// field after the rows, so that field must be set later.
function putRows(
  to: usize,
  absTo: usize,
  row0: v128,
  end0: v128,
  row1: v128,
  end1: v128,
  row2: v128,
  end2: v128,
): void {
  const up = splat2(ROUND_UP);
  v128.store(to, toFloats(row0, end0));
  v128.store(to, toFloats(row1, end1), 16);
  v128.store(to, toFloats(row2, end2), 32);
  v128.store(absTo, toFloats(mul2(abs2(row0), up), mul2(abs2(end0), up)));
  v128.store(absTo, toFloats(mul2(abs2(row1), up), mul2(abs2(end1), up)), 12);
  v128.store(absTo, toFloats(mul2(abs2(row2), up), mul2(abs2(end2), up)), 24);
}

// Returns a coordinate of a mesh's center in both lanes. axis: its byte offset, 0, 4 or 8.
function centerOf(mesh: usize, axis: usize): v128 {
  return splat2(<f64>load<f32>(mesh + axis, MeshRecord.centerX));
}

// Computes relative = S_A o A^-1 o B o S_B^-1 in doubles, where A and B are the placements, and S_A and S_B
// map each mesh's own units to its stored coordinates. Returns a bound of the rounding error of `relative`,
// including the rounding error of placing the vertices.
function computeRelative(
  pair: usize,
  a: usize,
  b: usize,
  placedA: usize,
  placedB: usize,
  relative: usize,
): f64 {
  const isPlacedA = load<u32>(pair, PairRecord.placedA) != 0;
  const isPlacedB = load<u32>(pair, PairRecord.placedB) != 0;
  const rowsA = pair + PairRecord.placementA;
  const rowsB = pair + PairRecord.placementB;
  const inverseA = placedA + PlacedMesh.inverse;
  const scaleA = <f64>load<f32>(a, MeshRecord.scale);
  const stretch = scaleA / <f64>load<f32>(b, MeshRecord.scale);
  let row0 = f64x2(1, 0);
  let row1 = f64x2(0, 1);
  let row2 = splat2(0);
  let end0 = splat2(0);
  let end1 = splat2(0);
  let end2 = f64x2(1, 0);
  if (isPlacedB) {
    row0 = v128.load(rowsB);
    row1 = v128.load(rowsB, 32);
    row2 = v128.load(rowsB, 64);
    end0 = v128.load(rowsB, 16);
    end1 = v128.load(rowsB, 48);
    end2 = v128.load(rowsB, 80);
  }
  const reachA = placedA + PlacedMesh.reach;
  const reachB = placedB + PlacedMesh.reach;
  let size: f64 = 0;
  if (isPlacedA) {
    const zero = splat2(0);
    end0 = sub2(end0, v128.load64_lane(rowsA + 24, zero, 1));
    end1 = sub2(end1, v128.load64_lane(rowsA + 56, zero, 1));
    end2 = sub2(end2, v128.load64_lane(rowsA + 88, zero, 1));
    const xx = splat2At(inverseA, 0);
    const yx = splat2At(inverseA, 8);
    const zx = splat2At(inverseA, 16);
    const xy = splat2At(inverseA, 32);
    const yy = splat2At(inverseA, 40);
    const zy = splat2At(inverseA, 48);
    const xz = splat2At(inverseA, 64);
    const yz = splat2At(inverseA, 72);
    const zz = splat2At(inverseA, 80);
    const x = sumOfProducts(xx, row0, xy, row1, xz, row2);
    const y = sumOfProducts(yx, row0, yy, row1, yz, row2);
    const z = sumOfProducts(zx, row0, zy, row1, zz, row2);
    const endX = sumOfProducts(xx, end0, xy, end1, xz, end2);
    const endY = sumOfProducts(yx, end0, yy, end1, yz, end2);
    const endZ = sumOfProducts(zx, end0, zy, end1, zz, end2);
    row0 = x;
    row1 = y;
    row2 = z;
    end0 = endX;
    end1 = endY;
    end2 = endZ;
    size = maxImage(
      inverseA,
      load<f64>(reachA) + load<f64>(reachB),
      load<f64>(reachA, 8) + load<f64>(reachB, 8),
      load<f64>(reachA, 16) + load<f64>(reachB, 16),
    );
  } else size = max(load<f64>(reachB), max(load<f64>(reachB, 8), load<f64>(reachB, 16)));
  putStored(a, b, placedB, relative, splat2(scaleA), splat2(stretch), row0, end0, row1, end1, row2, end2);
  return (
    64 *
    DOUBLE_ROUNDING *
    (1 + load<f64>(placedA, PlacedMesh.condition)) *
    scaleA *
    (size + load<f64>(placedA, PlacedMesh.extent))
  );
}

// Converts the rows of A^-1 o B, which map between the meshes' own units, to rows that map between their
// stored coordinates, and writes these to `relative`. If B is flat and perpendicular to an axis, the entries
// in that axis' column may be unbounded. B's coordinates on that axis are all 0, so these entries are set to
// 0.
function putStored(
  a: usize,
  b: usize,
  placedB: usize,
  relative: usize,
  scale: v128,
  stretch: v128,
  row0: v128,
  end0: v128,
  row1: v128,
  end1: v128,
  row2: v128,
  end2: v128,
): void {
  const x = centerOf(b, 0);
  const y = centerOf(b, 4);
  const z = centerOf(b, 8);
  const zero = splat2(0);
  const centerA = f64x2.replace_lane(centerOf(a, 0), 1, <f64>load<f32>(a, MeshRecord.centerY));
  const shift = mul2(
    scale,
    add2(
      sub2(
        sumOfProducts(lowLanes(row0, row1), x, highLanes(row0, row1), y, lowLanes(end0, end1), z),
        centerA,
      ),
      highLanes(end0, end1),
    ),
  );
  const lastShift = mul2(
    scale,
    add2(sub2(sumOfProducts(row2, x, swapLanes(row2), y, end2, z), centerOf(a, 8)), swapLanes(end2)),
  );
  const isWide = f64x2.ne(v128.load(placedB, PlacedMesh.sizes), zero);
  const isDeep = f64x2.ne(splat2At(placedB, PlacedMesh.sizes + 16), zero);
  v128.store(relative, v128.and(mul2(row0, stretch), isWide));
  v128.store(relative, lowLanes(v128.and(mul2(end0, stretch), isDeep), shift), 16);
  v128.store(relative, v128.and(mul2(row1, stretch), isWide), 32);
  v128.store(relative, v128.shuffle<f64>(v128.and(mul2(end1, stretch), isDeep), shift, 0, 3), 48);
  v128.store(relative, v128.and(mul2(row2, stretch), isWide), 64);
  v128.store(relative, lowLanes(v128.and(mul2(end2, stretch), isDeep), lastShift), 80);
}

// Returns the spread of R, the linear part of the transform. For every vector d, the largest coordinate of
// |R||d| is at most the spread times the largest coordinate of |R d|. Here |x| means the absolute values of all
// entries. If R is a rotation with uniform scale, sqrt(3) is a bound. If R is close to such a rotation, the
// bound is 1.75. Otherwise, the bound is the product of the norms of R and of its inverse.
function amplification(square: f64, skew: f64, norm: f64, inverse: usize): f64 {
  return skew < 1e-3 * square ? 1.75 : norm * maxImage(inverse, 1, 1, 1);
}

// Measures how much the linear part differs from a rotation with uniform scale, whose columns are
// perpendicular and of equal length. Returns the sum of the absolute values of two differences and three dot
// products: the squared lengths of the second and of the third column, each minus the squared length of the
// first column, and the dot products of different columns.
function skewOf(row0: v128, end0: v128, row1: v128, end1: v128, row2: v128, end2: v128): f64 {
  const own = sumOfProducts(row0, row0, row1, row1, row2, row2);
  const ownZ = lowLane(sumOfProducts(end0, end0, end1, end1, end2, end2));
  const square = lowLane(own);
  const xy = lowLane(sumOfProducts(row0, swapLanes(row0), row1, swapLanes(row1), row2, swapLanes(row2)));
  const withZ = abs2(
    sumOfProducts(row0, lowLanes(end0, end0), row1, lowLanes(end1, end1), row2, lowLanes(end2, end2)),
  );
  return abs(highLane(own) - square) + abs(ownZ - square) + abs(xy) + lowLane(withZ) + highLane(withZ);
}

/** Leaf boxes are not used if `skewOf`, relative to the square of the scale, reaches this limit. */
const MAX_SKEW: f64 = 0.000030517578125;

// Decides whether the oriented boxes of leaves can be tested against each other, and stores the error bounds
// for that test. Along a unit axis, the distance of two centers and the extents of the boxes each have an error
// of less than slackA per coordinate. Eight times slackA covers all of these errors. In A's frame, the length
// of B's axes is B's scale s. The dot product of one of these axes with itself differs from s^2 by at most
// 3 skew. The dot product of two different axes differs from 0 by at most 3 skew.
function putLeafBoxes(pair: usize, a: usize, b: usize, square: f64, skew: f64, sizeB: f64): void {
  const boxesA = load<u32>(a, MeshRecord.leafBoxesAt);
  const boxesB = load<u32>(b, MeshRecord.leafBoxesAt);
  const isFit = boxesA != 0 && boxesB != 0 && skew < MAX_SKEW * square;
  store<u32>(pair, isFit ? boxesA : 0, PairRecord.leafBoxesA);
  store<u32>(pair, isFit ? boxesB : 0, PairRecord.leafBoxesB);
  const slack = 8 * <f64>load<f32>(pair, PairRecord.slackA);
  store<f32>(pair, <f32>slack, PairRecord.axisSlackA);
  store<f32>(pair, <f32>(slack * sqrt(square + 3 * skew) + 12 * skew * sizeB), PairRecord.axisSlackB);
  store<f32>(pair, <f32>((square + 3 * skew) * ROUND_UP), PairRecord.axisSquare);
}

// Stores the inverse transform, which maps from A's frame to B's. If there is no inverse, or if it is not
// accurate enough, slackB is set to infinity, so that boxes tested in B's frame always overlap.
// @ts-ignore: decorator
@inline
function storeInverse(
  pair: usize,
  relative: usize,
  inverse: usize,
  spread: f64,
  pointError: f64,
  placedA: usize,
  sizeB: f64,
): void {
  let slack = Infinity;
  if (spread <= MAX_SPREAD) {
    const x = v128.load(inverse);
    const y = v128.load(inverse, 32);
    const z = v128.load(inverse, 64);
    const lastX = v128.load(inverse, 16);
    const lastY = v128.load(inverse, 48);
    const lastZ = v128.load(inverse, 80);
    const shiftX = splat2At(relative, 24);
    const shiftY = splat2At(relative, 56);
    const shiftZ = splat2At(relative, 88);
    const shift = f64x2.neg(sumOfProducts(x, shiftX, y, shiftY, z, shiftZ));
    const lastShift = f64x2.neg(sumOfProducts(lastX, shiftX, lastY, shiftY, lastZ, shiftZ));
    const norm = maxImage(inverse, 1, 1, 1);
    const offsetSize = maxOf3(abs2(shift), abs2(lastShift));
    const sumQ = maxImage(
      inverse,
      load<f64>(placedA, PlacedMesh.sizes),
      load<f64>(placedA, PlacedMesh.sizes + 8),
      load<f64>(placedA, PlacedMesh.sizes + 16),
    );
    if (norm <= MAX_ENTRY && offsetSize <= MAX_ENTRY) {
      putRows(
        pair + PairRecord.toB,
        pair + PairRecord.absToB,
        lowLanes(x, y),
        lowLanes(z, shift),
        highLanes(x, y),
        highLanes(z, shift),
        lowLanes(lastX, lastY),
        lowLanes(lastZ, lastShift),
      );
      slack =
        16 * FLOAT_ROUNDING * (sumQ + offsetSize + sizeB) * (1 + spread * 9.5367431640625e-7) +
        2 * pointError * norm;
    }
  }
  if (slack == Infinity) {
    memory.fill(pair + PairRecord.toB, 0, 48);
    memory.fill(pair + PairRecord.absToB, 0, 36);
  }
  store<f32>(pair, <f32>slack, PairRecord.slackB);
}
