// Relates lengths in a mesh's normalized frame (in which its tree is stored, scaled to about -1..1) to lengths
// in the common frame of two placed meshes. Also bounds the extent of a placed pair.
import { ceilLog2 } from '../core/exponent.js';
import { lengthOf } from '../core/vectorLength.js';
import { MeshRecord, PairRecord } from '../records/layout.js';
import type { Arena } from '../runtime/memory.js';

/** A row of three numbers. */
export type Vector = [number, number, number];

const rowsAt = (pairAt: number, side: 'A' | 'B'): number =>
  pairAt + PairRecord.at[side === 'A' ? 'placementA' : 'placementB'];
const isPlacedAt = (arena: Arena, pairAt: number, side: 'A' | 'B'): boolean =>
  arena.u32[(pairAt + PairRecord.at[side === 'A' ? 'placedA' : 'placedB']) / 4] === 1;

/**
 * Factor that makes a computed lower bound safe: it reduces the bound by much more than rounding can increase
 * it. Rounding occurs in `inverseOf`, in the conversion to floats, and in sums of squares.
 */
const DOWN = 1 - 2 ** -18;
/**
 * Limit of the weights of B after normalizeWeights has divided them by `unit`. If such a weight is MAX_RATIO
 * or more, or 1 / MAX_RATIO or less, values computed from it could leave the range of floats. The weights of
 * B are then set to 0, which is safe: a weight of 0 only makes a bound useless.
 */
const MAX_RATIO = 2 ** 30;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/**
 * Returns the rows of the inverse of a 3x3 matrix, given by its rows; undefined if the matrix is singular or
 * so nearly singular that rounding would make the inverse useless.
 */
function inverseOf(rows: Vector[]): Vector[] | undefined {
  // Divide each column by a power of two. Then no product leaves the range of doubles, and different scales of
  // the axes do not make the matrix nearly singular. The rows of the inverse are divided by the same powers.
  const scales = [0, 1, 2].map(
    column => 2 ** ceilLog2(Math.max(...rows.map(row => Math.abs(row[column]))) || 1),
  );
  const [x, y, z] = rows.map(row => row.map((value, column) => value / scales[column])) as [
    Vector,
    Vector,
    Vector,
  ];
  const columns = [cross(y, z), cross(z, x), cross(x, y)];
  const adjugate = [0, 1, 2].map(row => columns.map(column => column[row]) as Vector);
  const determinant = dot(x, columns[0]);
  const inverse = adjugate.map((row, i) => row.map(value => value / determinant / scales[i]) as Vector);
  // With p = |x| |y| |z| and s = |y| |z| + |z| |x| + |x| |y|, the rounding error of the determinant is at most
  // 2^-49 p, and the rounding error of a row of the adjugate is at most 2^-51 s. If the determinant exceeds
  // 2^-26 p and the length of each row exceeds 2^-26 s, the relative error of the length of each row of the
  // inverse is below 2^-22.
  const [sizeX, sizeY, sizeZ] = [x, y, z].map(lengthOf);
  const isAccurate =
    Math.abs(determinant) > 2 ** -26 * sizeX * sizeY * sizeZ &&
    Math.min(...adjugate.map(lengthOf)) > 2 ** -26 * (sizeY * sizeZ + sizeZ * sizeX + sizeX * sizeY);
  return isAccurate && inverse.flat().every(Number.isFinite) ? inverse : undefined;
}

/**
 * Returns the rows of the matrix that transforms vectors from the common frame to a mesh's normalized frame;
 * undefined if the placement is singular or nearly singular.
 * @param scale scale of the normalized frame
 * @param isCopy whether the tree belongs to a placed copy, whose axes are the axes of the common frame
 */
export function rowsToStored(
  arena: Arena,
  pairAt: number,
  side: 'A' | 'B',
  scale: number,
  isCopy: boolean,
): Vector[] | undefined {
  const isPlaced = isPlacedAt(arena, pairAt, side) && !isCopy;
  const at = rowsAt(pairAt, side) / 8;
  const { f64 } = arena;
  const rows = isPlaced
    ? inverseOf([0, 4, 8].map(row => [f64[at + row], f64[at + row + 1], f64[at + row + 2]]))
    : ([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ] as Vector[]);
  return rows?.map(row => row.map(value => value * scale) as Vector);
}

/**
 * Returns the matrix that transforms vectors from a mesh's normalized frame to the common frame: nine numbers,
 * row by row.
 */
export function rowsToCommon(
  arena: Arena,
  pairAt: number,
  side: 'A' | 'B',
  scale: number,
  isCopy: boolean,
): number[] {
  const isPlaced = isPlacedAt(arena, pairAt, side) && !isCopy;
  const at = rowsAt(pairAt, side) / 8;
  return [0, 1, 2].flatMap(row =>
    [0, 1, 2].map(column => (isPlaced ? arena.f64[at + 4 * row + column] : row === column ? 1 : 0) / scale),
  );
}

/**
 * Returns a weight w_k for each axis k of a normalized frame, given the rows of rowsToStored. The weights give
 * a lower bound of lengths: if a vector has the stored coordinates c_k, the square root of the sum of (w_k *
 * c_k)^2 never exceeds the vector's length in the common frame. Proof: A vector x of the common frame has the
 * coordinates c_k = r_k . x, where r_k are the rows. The sum of (c_k / |r_k|)^2 is at most |x|^2 times the
 * largest eigenvalue of the Gram matrix of the rows' directions. That eigenvalue is at most the matrix's
 * largest row sum of absolute values, which is 1 if the axes are orthogonal. Returns zeros, which give the
 * useless bound 0, if `rows` is undefined or a weight is not finite.
 */
export function weightsOf(rows: Vector[] | undefined): Vector {
  if (!rows) return [0, 0, 0];
  const lengths = rows.map(lengthOf);
  const directions = rows.map((row, i) => row.map(value => value / lengths[i]) as Vector);
  const spread = Math.max(
    ...directions.map(direction =>
      directions.reduce((sum, other) => sum + Math.abs(dot(direction, other)), 0),
    ),
  );
  const weights = lengths.map(length => DOWN / length / Math.sqrt(spread)) as Vector;
  return weights.every(Number.isFinite) ? weights : [0, 0, 0];
}

/**
 * Returns an upper bound of the factor by which a matrix, given by its rows, lengthens a vector. For each
 * row, the absolute values of its dot products with all rows are summed. The largest sum is at least the
 * largest eigenvalue of the Gram matrix of the rows, so its square root is the bound.
 */
export const stretchOf = (rows: Vector[]): number =>
  Math.sqrt(Math.max(...rows.map(row => rows.reduce((sum, other) => sum + Math.abs(dot(row, other)), 0))));

/**
 * Divides the weights of A and B by a unit. With this unit, the weights of A are at most 1, and the squares
 * of all lengths up to `extent` are in the range of floats. If a divided weight of B is not between
 * 1 / MAX_RATIO and MAX_RATIO, all weights of B are set to 0, so that they are not used.
 */
export function normalizeWeights(
  ofA: Vector,
  ofB: Vector,
  extent: number,
): { unit: number; weightsA: Vector; weightsB: Vector } {
  const unit = Math.max(...ofA, extent * 2 ** -60) || 1;
  const weightsB = ofB.map(weight => weight / unit) as Vector;
  return {
    unit,
    weightsA: ofA.map(weight => weight / unit) as Vector,
    weightsB: weightsB.every(weight => weight < MAX_RATIO && weight > 1 / MAX_RATIO) ? weightsB : [0, 0, 0],
  };
}

/**
 * The box of a placed mesh: its center, its half extents, and an upper bound of the absolute values of its
 * coordinates.
 */
interface PlacedBox {
  center: Vector;
  half: Vector;
  reach: number;
}

function placedBox(arena: Arena, pairAt: number, side: 'A' | 'B', bounds: ArrayLike<number>): PlacedBox {
  const center = [0, 1, 2].map(axis => bounds[axis] / 2 + bounds[axis + 3] / 2) as Vector;
  const half = [0, 1, 2].map(axis => bounds[axis + 3] / 2 - bounds[axis] / 2) as Vector;
  const sizes = center.map((value, axis) => Math.abs(value) + half[axis]) as Vector;
  if (!isPlacedAt(arena, pairAt, side)) return { center, half, reach: Math.max(...sizes) };
  const at = rowsAt(pairAt, side) / 8;
  const rows = [0, 4, 8].map(row => arena.f64.slice(at + row, at + row + 4));
  const image = (row: Float64Array, point: Vector): number =>
    row[0] * point[0] + row[1] * point[1] + row[2] * point[2];
  const sizesOf = (row: Float64Array): Float64Array => row.map(Math.abs);
  return {
    center: rows.map(row => image(row, center) + row[3]) as Vector,
    half: rows.map(row => image(sizesOf(row), half)) as Vector,
    reach: Math.max(...rows.map(row => image(sizesOf(row), sizes) + Math.abs(row[3]))),
  };
}

/**
 * Returns an upper bound of the extent of a pair of triangles along any axis of the common frame. The bound
 * holds for every pair of a triangle of the first mesh and a triangle of the second mesh.
 * @param boundsA bounds of the first mesh of the pair record
 * @param boundsB bounds of the second mesh of the pair record
 */
export function extentOf(
  arena: Arena,
  pairAt: number,
  boundsA: ArrayLike<number>,
  boundsB: ArrayLike<number>,
): number {
  const a = placedBox(arena, pairAt, 'A', boundsA);
  const b = placedBox(arena, pairAt, 'B', boundsB);
  const extents = [0, 1, 2].map(axis =>
    Math.max(
      2 * a.half[axis],
      2 * b.half[axis],
      Math.abs(a.center[axis] - b.center[axis]) + a.half[axis] + b.half[axis],
    ),
  );
  return 1.01 * Math.max(...extents) + 2 ** -40 * (a.reach + b.reach);
}

/** Returns the scale of a mesh's normalized frame. */
export const scaleOf = (arena: Arena, recordAt: number): number =>
  arena.f32[(recordAt + MeshRecord.at.scale) / 4];
