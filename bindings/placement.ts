// Two meshes and their transforms -> a PairRecord: the relative transform both ways with error bounds that make every
// float test safe. Bounds: u = 2^-24 (float32), e = 2^-53 (double); stored coordinates are at most `storedSize` in size: 1,
// or more where a mesh is too large for the scale that would make it so.
import { MeshRecord, PairRecord } from './layout.js';
import type { Arena } from './memory.js';
import { invertLinear } from './transform.js';

const FLOAT_ROUNDING = 2 ** -24;
const DOUBLE_ROUNDING = 2 ** -53;
// Beyond these the relative transform is not worth trusting: the caller swaps the meshes or places one of them anew.
const MOST_CONDITION = 2 ** 20;
const MOST_POINT_ERROR = 2 ** -12;
const MOST_STRETCH = 2 ** 24;

const inverseA = new Float64Array(9);
const inverseR = new Float64Array(9);
const relative = new Float64Array(12);
const reach = new Float64Array(3);

const rowSum = (m: Float64Array, at: number): number => Math.abs(m[at]!) + Math.abs(m[at + 1]!) + Math.abs(m[at + 2]!);

const storedSizeA = new Float64Array(3);
const storedSizeB = new Float64Array(3);

// Greatest stored |coordinate| on each axis. @returns the greatest of all, at least 1.
function storedSize(f32: Float32Array, record: number, sizes: Float64Array): number {
  for (let axis = 0; axis < 3; axis++) {
    sizes[axis] = Math.abs(f32[(record + MeshRecord.at.middleX) / 4 + axis]!) + f32[(record + MeshRecord.at.halfX) / 4 + axis]!;
  }
  return Math.max(1, sizes[0]!, sizes[1]!, sizes[2]!);
}

/** Greatest |coordinate| of a mesh in its own units. */
function extent(f32: Float32Array, record: number): number {
  const w = record / 4;
  const scale = f32[w + MeshRecord.at.scale / 4]!;
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    const center = Math.abs(f32[w + MeshRecord.at.centerX / 4 + axis]!);
    const middle = Math.abs(f32[w + MeshRecord.at.middleX / 4 + axis]!), half = f32[w + MeshRecord.at.halfX / 4 + axis]!;
    most = Math.max(most, center + (middle + half) / scale);
  }
  return most;
}

// Side of a leaf if leaves tiled the box's faces: in the mesh's normalised frame.
function leafSize({ f32, u32 }: Arena, record: number): number {
  const half = (record + MeshRecord.at.halfX) / 4;
  const x = f32[half]!, y = f32[half + 1]!, z = f32[half + 2]!;
  return Math.sqrt((8 * (x * y + y * z + z * x) + 2 ** -40) / Math.max(1, u32[(record + MeshRecord.at.leafCount) / 4]!));
}

/**
 * Fills the record at `at` for A placed by rowsA and B by rowsB (12 doubles each, or undefined for no transform).
 * `ownError`: what the meshes' own coordinates are off by, in A's normalised frame: given for placed copies, which are never refused.
 * @returns false where A's frame is singular, ill-conditioned or far smaller than B: the float filter would be blind there.
 */
export function fillPair(arena: Arena, at: number, recordA: number, recordB: number, rowsA: Float64Array | undefined, rowsB: Float64Array | undefined, ownError?: number): boolean {
  const { f32, f64 } = arena;
  const a = recordA / 4, b = recordB / 4;
  const scaleA = f32[a + MeshRecord.at.scale / 4]!, scaleB = f32[b + MeshRecord.at.scale / 4]!;
  let condition = 0;
  if (rowsA) {
    if (!invertLinear(rowsA, inverseA)) return false;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += Math.abs(inverseA[k * 3 + i]!) * rowSum(rowsA, i * 4);
      condition = Math.max(condition, sum);
    }
    if (!(condition <= MOST_CONDITION)) return false;
  }
  // relative = S_A o A^-1 o B o S_B^-1, in doubles; reach bounds what went into each common coordinate.
  const extentA = extent(f32, recordA), extentB = extent(f32, recordB);
  for (let i = 0; i < 3; i++) {
    reach[i] = rowsB ? rowSum(rowsB, i * 4) * extentB + Math.abs(rowsB[i * 4 + 3]!) : extentB;
    if (rowsA) reach[i] = reach[i]! + rowSum(rowsA, i * 4) * extentA + Math.abs(rowsA[i * 4 + 3]!);
  }
  let doubleError = 0;
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 4; j++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        const ofB = rowsB ? rowsB[i * 4 + j]! : i === j ? 1 : 0;
        const value = j === 3 && rowsA ? ofB - rowsA[i * 4 + 3]! : ofB;
        sum += rowsA ? inverseA[k * 3 + i]! * value : i === k ? value : 0;
      }
      relative[k * 4 + j] = sum;
    }
    let size = 0;
    for (let i = 0; i < 3; i++) size += (rowsA ? Math.abs(inverseA[k * 3 + i]!) : i === k ? 1 : 0) * reach[i]!;
    doubleError = Math.max(doubleError, 64 * DOUBLE_ROUNDING * (1 + condition) * scaleA * (size + extentA));
  }
  const stretch = scaleA / scaleB;
  for (let k = 0; k < 3; k++) {
    let offset = relative[k * 4 + 3]! - f32[a + MeshRecord.at.centerX / 4 + k]!;
    for (let j = 0; j < 3; j++) {
      offset += relative[k * 4 + j]! * f32[b + MeshRecord.at.centerX / 4 + j]!;
      relative[k * 4 + j] = relative[k * 4 + j]! * stretch;
    }
    relative[k * 4 + 3] = offset * scaleA;
  }
  // B's stored extents: a flat mesh may be stretched without bound across its plane, where all its coordinates are 0.
  const sizeA = storedSize(f32, recordA, storedSizeA), sizeB = storedSize(f32, recordB, storedSizeB);
  let sumR = 0, offsetSize = 0;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let j = 0; j < 3; j++) {
      if (storedSizeB[j] === 0) relative[k * 4 + j] = 0;
      sum += Math.abs(relative[k * 4 + j]!) * storedSizeB[j]!;
    }
    sumR = Math.max(sumR, sum);
    offsetSize = Math.max(offsetSize, Math.abs(relative[k * 4 + 3]!));
  }
  let pointError = f32[a + MeshRecord.at.storedError / 4]! + rowNorm() * f32[b + MeshRecord.at.storedError / 4]! + doubleError
    + 2 ** -48 * (sumR + offsetSize + sizeA) + (ownError ?? 0);
  if (ownError === undefined && !(pointError <= MOST_POINT_ERROR && sumR <= MOST_STRETCH && fitsFloat(relative))) return false;

  const spread = leverage();
  // place() in touchLeaves: rounding of the row, three products, three sums on |R||d| + |offset| <= (2 spread + 1) M.
  let localError = (2 * spread + 1) * 7 * FLOAT_ROUNDING;
  if (!(spread <= 64)) { localError = 7 * FLOAT_ROUNDING; pointError += 16 * FLOAT_ROUNDING * sumR; }

  const w = at / 4;
  const { toA, absToA, toB, absToB } = PairRecord.at;
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 4; j++) {
      f32[w + toA / 4 + k * 4 + j] = relative[k * 4 + j]!;
      f64[(at + PairRecord.at.toAExact) / 8 + k * 4 + j] = relative[k * 4 + j]!;
      if (j < 3) f32[w + absToA / 4 + k * 3 + j] = Math.abs(relative[k * 4 + j]!) * (1 + 4 * FLOAT_ROUNDING);
    }
  }
  // Rounding of image, half image, difference and sum: fewer than 16 u of all that goes in.
  f32[w + PairRecord.at.slackA / 4] = 16 * FLOAT_ROUNDING * (sumR + offsetSize + sizeA) + 2 * pointError;
  f32[w + PairRecord.at.pointError / 4] = pointError * (1 + 4 * FLOAT_ROUNDING);
  f32[w + PairRecord.at.localError / 4] = localError;
  f32[w + PairRecord.at.costScale / 4] = (leafSize(arena, recordA) + leafSize(arena, recordB) * sumR / Math.sqrt(3)) ** -1.5;
  fillInverse(f32, w + toB / 4, w + absToB / 4, w + PairRecord.at.slackB / 4, pointError, spread, sizeB);
  fillMeshes(arena, at, recordA, recordB, rowsA, rowsB);
  return true;
}

function rowNorm(): number { return Math.max(rowSum(relative, 0), rowSum(relative, 4), rowSum(relative, 8)); }

// Float32 neither overflows with these entries nor with what is made of them.
function fitsFloat(matrix: Float64Array): boolean {
  for (const entry of matrix) if (!(Math.abs(entry) <= 2 ** 60)) return false;
  return true;
}

// How much larger |R||d| may be than |R d|: sqrt 3 for rotations with uniform scale, else by the inverse's norm.
// Leaves R^-1 in inverseR; Infinity where there is none.
function leverage(): number {
  if (!invertLinear(relative, inverseR)) return Infinity;
  let sumInverse = 0;
  for (let k = 0; k < 3; k++) sumInverse = Math.max(sumInverse, rowSum(inverseR, k * 3));
  const r = relative;
  const dot = (i: number, j: number): number => r[i]! * r[j]! + r[i + 4]! * r[j + 4]! + r[i + 8]! * r[j + 8]!;
  const square = dot(0, 0);
  const orthogonal = Math.abs(dot(1, 1) - square) + Math.abs(dot(2, 2) - square) + Math.abs(dot(0, 1)) + Math.abs(dot(0, 2)) + Math.abs(dot(1, 2)) < 1e-3 * square;
  return orthogonal ? 1.75 : rowNorm() * sumInverse;
}

function fillInverse(f32: Float32Array, toB: number, absToB: number, slackB: number, pointError: number, spread: number, sizeB: number): void {
  if (!(spread <= 4096) || !fitsFloat(inverseR)) {
    // No second frame to test in: its boxes always "overlap".
    f32.fill(0, toB, toB + 12);
    f32.fill(0, absToB, absToB + 9);
    f32[slackB] = Infinity;
    return;
  }
  let sumQ = 0, norm = 0, offsetSize = 0;
  for (let k = 0; k < 3; k++) {
    let offset = 0;
    for (let j = 0; j < 3; j++) {
      const value = inverseR[k * 3 + j]!;
      offset -= value * relative[j * 4 + 3]!;
      f32[toB + k * 4 + j] = value;
      f32[absToB + k * 3 + j] = Math.abs(value) * (1 + 4 * FLOAT_ROUNDING);
    }
    f32[toB + k * 4 + 3] = offset;
    norm = Math.max(norm, rowSum(inverseR, k * 3));
    sumQ = Math.max(sumQ, Math.abs(inverseR[k * 3]!) * storedSizeA[0]! + Math.abs(inverseR[k * 3 + 1]!) * storedSizeA[1]! + Math.abs(inverseR[k * 3 + 2]!) * storedSizeA[2]!);
    offsetSize = Math.max(offsetSize, Math.abs(offset));
  }
  f32[slackB] = 16 * FLOAT_ROUNDING * (sumQ + offsetSize + sizeB) * (1 + spread * 2 ** -20) + 2 * pointError * norm;
}

function fillMeshes(arena: Arena, at: number, recordA: number, recordB: number, rowsA: Float64Array | undefined, rowsB: Float64Array | undefined): void {
  const { u32 } = arena;
  const w = at / 4;
  u32[w + PairRecord.at.nodesA / 4] = u32[(recordA + MeshRecord.at.nodesAt) / 4]!;
  u32[w + PairRecord.at.leavesA / 4] = u32[(recordA + MeshRecord.at.leavesAt) / 4]!;
  u32[w + PairRecord.at.nodesB / 4] = u32[(recordB + MeshRecord.at.nodesAt) / 4]!;
  u32[w + PairRecord.at.leavesB / 4] = u32[(recordB + MeshRecord.at.leavesAt) / 4]!;
  keepOriginals(arena, at, recordA, recordB, rowsA, rowsB);
}

/** Names the meshes and placements that the exact stage decides by. */
export function keepOriginals({ u32, f64 }: Arena, at: number, recordA: number, recordB: number, rowsA: Float64Array | undefined, rowsB: Float64Array | undefined): void {
  const w = at / 4;
  u32[w + PairRecord.at.meshA / 4] = recordA;
  u32[w + PairRecord.at.meshB / 4] = recordB;
  u32[w + PairRecord.at.placedA / 4] = rowsA ? 1 : 0;
  u32[w + PairRecord.at.placedB / 4] = rowsB ? 1 : 0;
  if (rowsA) f64.set(rowsA, (at + PairRecord.at.placementA) / 8);
  if (rowsB) f64.set(rowsB, (at + PairRecord.at.placementB) / 8);
}
