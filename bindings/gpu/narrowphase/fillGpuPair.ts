// Converts a PairRecord (two placed meshes, as the CPU uses them) to a GpuPair. The error bounds of a GpuPair
// cover the rounding, reordering and fusion of operations that WGSL allows.
import { GpuPair } from '../../records/gpuLayout.js';
import { limits, MeshRecord, PairRecord } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';

/** Three views of one buffer. */
export interface BufferViews {
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
}

/**
 * Indices of the first Node and Leaf records of the two meshes' trees in the GPU's buffers. firstVertices:
 * for a mesh paired with itself, the word offset of its triangles' vertex numbers; otherwise NOTHING.
 */
export interface PairOffsets {
  firstNodeA: number;
  firstLeafA: number;
  firstNodeB: number;
  firstLeafB: number;
  firstVertices: number;
}

const AT = GpuPair.at;
const ROWS = [0, 1, 2] as const;
/**
 * A number up to 1 is rounded to an integer number of steps of 1 / GRID. The sum of four products of two such
 * integers fits 32 bits.
 */
const GRID = 2 ** 14;
/**
 * Max |entry| of the transform from B's stored coordinates to A's. If an entry is larger, A is too small
 * compared with B.
 */
const MAX_ENTRY = 2 ** 14;
/**
 * Max stored |coordinate| that the GPU accepts: 1, plus room for the upward rounding of the trees' boxes.
 * Stored coordinates are larger only in huge meshes, whose scale is limited (see setFrame in bvh/normalize.ts).
 */
const MAX_STORED = 1.001;
/** Max error of a point. With a larger error, almost all triangle pairs would be uncertain. */
const MAX_POINT_ERROR = 2 ** -8;
/** Relative rounding error of one operation. */
const ROUNDING = 2 ** -23;
/**
 * Error bound for denormals that are flushed to 0. It is far more than the sum of all flushed values, and far
 * less than any length that matters.
 */
const FLUSH_ERROR = 2 ** -100;
/** A slack at which all boxes overlap. It replaces infinity, which WGSL implementations may not support. */
const NEVER_APART = 1e30;

/**
 * Error of a placed triangle of B, relative to the size of the triangle and to the offset. Each coordinate is a
 * sum of twelve terms: three products, and nine terms of the offset (see putOffset). This sum takes eleven
 * additions, in any order. Each adds an error of at most u = ROUNDING times the partial sum, which is at most
 * L + S + |offset|. L is the sum of the sizes of the products, and S is the sum of the sizes of the small terms
 * of the offset; docs/modules/gpu-precision.md proves this bound under "Corners". Each product is rounded once
 * more. Its two factors, an entry of the row and a coordinate of the corner, were rounded to nearest, which
 * adds u / 2 each. So there are 13 roundings of L. The conversion of the offset's integer part to float adds
 * one rounding of the offset, so there are 12 roundings of the offset. The constant counts 16 roundings of
 * each, to also cover the rounding of the bound itself.
 */
const PLACING_ERROR = 16 * ROUNDING;
/**
 * The same error for a mesh paired with itself, where nothing is rotated: the corner of a triangle is added
 * to the difference of two leaves' origins. There are three roundings: of the difference, of the sum, and of
 * the corner. The constant counts 4.
 */
const MOVING_ERROR = 4 * ROUNDING;

/**
 * Returns whether floats are precise enough for the pair of meshes whose PairRecord is at this byte address.
 */
export function fitsGpu({ u32, f32, f64 }: Arena, pairAt: number): boolean {
  const at = pairAt / 4;
  const P = PairRecord.at;
  return (
    u32[at + P.isFrameAccurate / 4] === 1 &&
    f64[(pairAt + P.ownError) / 8] < 0 &&
    f32[at + P.pointError / 4] <= MAX_POINT_ERROR &&
    maxAbsolute(f64, (pairAt + P.toAExact) / 8, 12) <= MAX_ENTRY &&
    [P.meshA, P.meshB].every(mesh => Math.max(...storedSizes(f32, u32[at + mesh / 4])) <= MAX_STORED)
  );
}

/**
 * Writes GpuPair number `to` of `words`. pairAt: byte address of a complete PairRecord.
 * @returns false, without usable output, if floats are not precise enough for the pair.
 */
export function fillGpuPair(
  arena: Arena,
  pairAt: number,
  words: BufferViews,
  to: number,
  places: PairOffsets,
): boolean {
  if (!fitsGpu(arena, pairAt)) return false;
  const { u32: w, f32, f64 } = arena;
  const at = pairAt / 4;
  const P = PairRecord.at;
  const word = (to * GpuPair.size) / 4;
  const float = (offset: number): number => f32[at + offset / 4];
  const sizesB = storedSizes(f32, w[at + P.meshB / 4]);
  const exact = ROWS.map(row =>
    Array.from(f64.subarray((pairAt + P.toAExact) / 8 + 4 * row, (pairAt + P.toAExact) / 8 + 4 * row + 4)),
  );
  const maxEntry = Math.max(1, maxAbsolute(f64, (pairAt + P.toAExact) / 8, 12));
  const pointError = float(P.pointError);

  putBoxRows(
    words.f32,
    word,
    [AT.toA0, AT.absToA0],
    f32,
    at + P.toA / 4,
    at + P.absToA / 4,
    2 * float(P.slackA) + FLUSH_ERROR * (1 + maxEntry),
  );
  // If the transform has no inverse, the rows of toB are zeros.
  const slackB = 2 * float(P.slackB);
  const norm = maxAbsolute(f32, at + P.absToB / 4, 9);
  putBoxRows(
    words.f32,
    word,
    [AT.toB0, AT.absToB0],
    f32,
    at + P.toB / 4,
    at + P.absToB / 4,
    slackB + FLUSH_ERROR * (1 + norm) < NEVER_APART ? slackB + FLUSH_ERROR * (1 + norm) : NEVER_APART,
  );

  const isSelf = places.firstVertices !== limits.NOTHING;
  const placing = isSelf ? MOVING_ERROR : PLACING_ERROR;
  const offsetError = putOffset(words, word, exact, maxEntry, sizesB);
  const own = pointError + FLUSH_ERROR * (4 + 4 * maxEntry);
  const up = 1 + ROUNDING;
  const rowSum = Math.max(...exact.map(([x, y, z]) => Math.abs(x!) + Math.abs(y!) + Math.abs(z!)));
  words.f32[word + AT.pointErrorA / 4] = up * own;
  words.f32[word + AT.pointErrorB / 4] = up * (own + (isSelf ? 0 : offsetError));
  words.f32[word + AT.localError / 4] = up * placing * rowSum;
  words.f32[word + AT.offsetError / 4] = placing;
  words.u32[word + AT.zero / 4] = 0;
  for (const [name, first] of Object.entries(places))
    words.u32[word + AT[name as keyof PairOffsets] / 4] = first;
  return true;
}

// Returns the max stored |coordinate| per axis.
function storedSizes(f32: Float32Array, meshAt: number): number[] {
  const middle = (meshAt + MeshRecord.at.middleX) / 4;
  const half = (meshAt + MeshRecord.at.halfX) / 4;
  return ROWS.map(axis => Math.abs(f32[middle + axis]) + f32[half + axis]);
}

function maxAbsolute(list: Float32Array | Float64Array, from: number, count: number): number {
  let max = 0;
  for (let i = from; i < from + count; i++) max = Math.max(max, Math.abs(list[i]));
  return max;
}

/**
 * Writes the transform for boxes: three rows of four, then three rows of absolute values with the slack as
 * fourth value. The slack of a PairRecord covers 16 roundings to nearest of all inputs. On the GPU, a
 * transformed center or half extent is a sum of four terms, which is then added to two more terms. In any
 * order, this takes six roundings of 2^-23 each. The row itself was rounded once before. Twice the slack
 * covers all of these roundings.
 */
function putBoxRows(
  to: Float32Array,
  word: number,
  [rows, sizes]: [number, number],
  from: Float32Array,
  rowsFrom: number,
  sizesFrom: number,
  slack: number,
): void {
  to.set(from.subarray(rowsFrom, rowsFrom + 12), word + rows / 4);
  for (const row of ROWS) {
    to.set(from.subarray(sizesFrom + 3 * row, sizesFrom + 3 * row + 3), word + sizes / 4 + 4 * row);
    to[word + sizes / 4 + 4 * row + 3] = slack * (1 + ROUNDING);
  }
}

/**
 * Writes the transform that gives the offset from the origin of a leaf of A to the origin of a leaf of B. Let
 * s be the smallest power of two that no |entry| exceeds. Each entry is split into a head, which is an
 * integer multiple of a step, and a tail of at most half a step. The step is 2^-14 * s for the linear part,
 * and 2^-28 * s (one unit) for the translation. An origin is split into integer multiples of 2^-14 and a
 * smaller remainder. Products of integers are added exactly. The other terms of a coordinate are computed in
 * floats: three tails times B's origin, three heads times the remainder of B's origin, the tail of the
 * translation, and the remainder of A's origin. These are eight terms of about 2^-14 * s or less.
 * @returns the error bound of these terms: 15 roundings of the sum S of their sizes. The additions cause eleven
 * (as in PLACING_ERROR), the products cause one, and the conversion of the integer part, whose size is at most
 * |offset| + S, causes one. The rounding of the tails to float causes half of one. The rest covers the rounding
 * of the bound itself.
 */
function putOffset(
  { i32, f32, u32 }: BufferViews,
  word: number,
  exact: readonly number[][],
  maxEntry: number,
  sizesB: readonly number[],
): number {
  const power = Math.ceil(Math.log2(maxEntry));
  const step = 2 ** power / GRID;
  const unit = step / GRID;
  f32[word + AT.unit / 4] = unit;
  u32[word + AT.shift / 4] = 14 - power;
  let error = 0;
  for (const row of ROWS) {
    let terms = 1 / GRID;
    exact[row].forEach((entry, column) => {
      const grid = column < 3 ? step : unit;
      const head = Math.round(entry / grid);
      const tail = Math.fround(entry - head * grid);
      i32[word + AT.head0 / 4 + 4 * row + column] = head;
      f32[word + AT.tail0 / 4 + 4 * row + column] = tail;
      terms += column < 3 ? Math.abs(tail) * sizesB[column] + Math.abs(head * grid) / GRID : Math.abs(tail);
    });
    error = Math.max(error, 15 * ROUNDING * terms);
  }
  return error;
}
