// Converts the PairRecord of a placed pair to a GpuPair, with error bounds for the rounding, reordering and
// fusion that WGSL allows.
import { GpuPair } from '../../records/gpuLayout.js';
import { limits, MeshRecord, PairRecord } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';

/** One buffer in three views. */
export interface BufferViews {
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
}

/**
 * Where the meshes' trees begin in the GPU's buffers, in records. firstVertices: for a mesh paired with
 * itself, where the vertices of its triangles begin, in words; otherwise NOTHING.
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
/** Number of steps of 2^-14 in 1. The sum of four products of two such integers fits 32 bits. */
const GRID = 2 ** 14;
/** Max entry of the relative transform. Above it, A is too small for B. */
const MAX_ENTRY = 2 ** 14;
/**
 * Max |coordinate| in the stored frame that the GPU accepts. It is 1 plus room for the upward rounding of the
 * trees' boxes. Only a mesh that is too large for its scale exceeds it.
 */
const MAX_STORED = 1.001;
/** Above this error almost no triangle pair would be certain. */
const MAX_POINT_ERROR = 2 ** -8;
/** Rounding error of one operation. */
const ROUNDING = 2 ** -23;
/** Far more than flushed denormals can add up to, and far less than any measured length. */
const FLUSH_ERROR = 2 ** -100;
/** Replaces infinity, which WGSL need not support; no boxes are farther apart. */
const NEVER_APART = 1e30;

/**
 * Error of a placed triangle of B, relative to its size. Each coordinate is a sum of three products and of
 * nine terms of the offset. In any order of the sum, each term goes through at most 13 roundings. The integer
 * part of the offset is rounded once more, by the conversion to float. The factors of a product, which are an
 * entry of the row and a coordinate of the corner, were already rounded to nearest. So there are at most 15
 * roundings. 16 are counted, to cover the rounding of the bound itself.
 */
const PLACING_ERROR = 16 * ROUNDING;
/**
 * The same error for a mesh paired with itself, where nothing is rotated. There are three roundings: of the
 * difference of the origins, of the sum, and of the corner. 4 are counted.
 */
const MOVING_ERROR = 4 * ROUNDING;

/** Returns whether the floats of a GPU can process the pair of the PairRecord at this byte address. */
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
 * Writes GpuPair number `to` of `words`. pairAt: byte address of a PairRecord that is placed and fit.
 * @returns false, without usable output, if the floats of a GPU cannot process the pair.
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
  // The rows are zeros if the transform has no inverse.
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
 * fourth value. The slack of a PairRecord covers 16 roundings to nearest of all inputs. A transformed center
 * or half extent is a sum of four terms, which is then added to two more terms. In any order, this takes six
 * roundings of 2^-23, in addition to the rounding of the row itself. Twice the slack covers them.
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
 * s be the smallest power of two that no entry exceeds. Each entry is split into a head, an integer multiple
 * of a step, and a tail of at most half a step. The step is 2^-14 s; for the translation it is 2^-28 s, the
 * unit. Origins are integer multiples of 2^-14 plus a smaller remainder. Products of integers are added
 * exactly. The other terms are computed in floats: the tails times the origin, the heads times the origin's
 * remainder, the tail of the translation, and the remainder of A's origin. These are eight terms of about
 * 2^-14 s.
 * @returns the error bound of these terms: 14 roundings of the sum of their sizes (as in PLACING_ERROR), and
 * one for the rounding of the tails to float.
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
