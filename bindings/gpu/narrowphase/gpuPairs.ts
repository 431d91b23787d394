// A placed pair's PairRecord -> the GpuPair of the same pair, with bounds for arithmetic that rounds, orders
// and fuses as WGSL may.
import { GpuPair } from '../../records/gpuLayout.js';
import { limits, MeshRecord, PairRecord } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';

/** One buffer in three views. */
export interface Words {
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
}

/**
 * Where the meshes' trees begin in the GPU's buffers, in records; of a mesh paired with itself where its
 * triangles' vertices do, in words, else NOTHING.
 */
export interface TreePlaces {
  firstNodeA: number;
  firstLeafA: number;
  firstNodeB: number;
  firstLeafB: number;
  firstVertices: number;
}

const AT = GpuPair.at;
const ROWS = [0, 1, 2] as const;
/** Whole multiples of 2^-14 in 1: products of two of them, four of which are added, fit 32 bits. */
const GRID = 2 ** 14;
/** Greatest entry of the relative transform. Beyond it A is too small for B. */
const MOST_ENTRY = 2 ** 14;
/**
 * Greatest stored |coordinate|: 1, but for what trees' boxes are rounded up by; more where a mesh is too
 * large for its scale.
 */
const MOST_STORED = 1.001;
/** Beyond it hardly a triangle pair would be sure. */
const MOST_POINT_ERROR = 2 ** -8;
/** Of one operation. */
const ROUNDING = 2 ** -23;
/** Far more than denormals that are taken for 0 can add up to, far less than anything that is measured. */
const LOST = 2 ** -100;
/** In place of infinity, which WGSL need not know: boxes are never farther apart. */
const NEVER_APART = 1e30;

/**
 * Of a placed triangle of B. Each coordinate is a sum of three products and of the offset's nine terms: in
 * any order each goes through at most 13 roundings, the whole part of the offset through one more as it
 * becomes a float; a row and a corner were rounded to nearest before. That makes 15 of 16 that are counted:
 * the last covers the rounding of the bound itself.
 */
const PLACING = 16 * ROUNDING;
/**
 * Of a mesh with itself nothing is turned: the difference of the origins, the sum, the corner; 4 are counted.
 */
const MOVING = 4 * ROUNDING;

/** Whether floats of a GPU can work with the pair of the PairRecord at this byte address. */
export function fitsGpu({ u32, f32, f64 }: Arena, pairAt: number): boolean {
  const at = pairAt / 4;
  const P = PairRecord.at;
  return (
    u32[at + P.fit / 4] === 1 &&
    f64[(pairAt + P.ownError) / 8] < 0 &&
    f32[at + P.pointError / 4] <= MOST_POINT_ERROR &&
    greatestOf(f64, (pairAt + P.toAExact) / 8, 12) <= MOST_ENTRY &&
    [P.meshA, P.meshB].every(mesh => Math.max(...storedSizes(f32, u32[at + mesh / 4])) <= MOST_STORED)
  );
}

/**
 * Writes GpuPair number `to` of `words`. pairAt: byte address of a PairRecord that is placed and fit.
 * @returns false, with nothing to be used written, where floats of a GPU cannot work with the pair.
 */
export function fillGpuPair(
  arena: Arena,
  pairAt: number,
  words: Words,
  to: number,
  places: TreePlaces,
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
  const greatest = Math.max(1, greatestOf(f64, (pairAt + P.toAExact) / 8, 12));
  const pointError = float(P.pointError);

  putBoxRows(
    words.f32,
    word,
    [AT.toA0, AT.absToA0],
    f32,
    at + P.toA / 4,
    at + P.absToA / 4,
    2 * float(P.slackA) + LOST * (1 + greatest),
  );
  // Zeros where there is no way back.
  const slackB = 2 * float(P.slackB);
  const norm = greatestOf(f32, at + P.absToB / 4, 9);
  putBoxRows(
    words.f32,
    word,
    [AT.toB0, AT.absToB0],
    f32,
    at + P.toB / 4,
    at + P.absToB / 4,
    slackB + LOST * (1 + norm) < NEVER_APART ? slackB + LOST * (1 + norm) : NEVER_APART,
  );

  const isSelf = places.firstVertices !== limits.NOTHING;
  const placing = isSelf ? MOVING : PLACING;
  const offsetError = putOffset(words, word, exact, greatest, sizesB);
  const own = pointError + LOST * (4 + 4 * greatest);
  const up = 1 + ROUNDING;
  const rowSum = Math.max(...exact.map(([x, y, z]) => Math.abs(x!) + Math.abs(y!) + Math.abs(z!)));
  words.f32[word + AT.pointErrorA / 4] = up * own;
  words.f32[word + AT.pointErrorB / 4] = up * (own + (isSelf ? 0 : offsetError));
  words.f32[word + AT.localError / 4] = up * placing * rowSum;
  words.f32[word + AT.offsetError / 4] = placing;
  for (const [name, first] of Object.entries(places))
    words.u32[word + AT[name as keyof TreePlaces] / 4] = first;
  return true;
}

// Greatest stored |coordinate| on each axis.
function storedSizes(f32: Float32Array, meshAt: number): number[] {
  const middle = (meshAt + MeshRecord.at.middleX) / 4;
  const half = (meshAt + MeshRecord.at.halfX) / 4;
  return ROWS.map(axis => Math.abs(f32[middle + axis]) + f32[half + axis]);
}

function greatestOf(list: Float32Array | Float64Array, from: number, count: number): number {
  let most = 0;
  for (let i = from; i < from + count; i++) most = Math.max(most, Math.abs(list[i]));
  return most;
}

/**
 * Boxes: three rows of four, and sizes in rows of three with the slack as fourth. PairRecord's slack counts
 * 16 roundings to nearest of all that goes in; an image and a half image are sums of four terms that are then
 * added to two more: in any order six roundings of 2^-23, and the row's own, which twice as much covers.
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
 * What brings the origin of a leaf of B to that of a leaf of A. With s the least power of two that no entry
 * exceeds, entries are whole multiples of 2^-14 s (the shift: of 2^-28 s, the unit) and a tail of at most
 * half of that; origins are whole multiples of 2^-14 and a rest of less than that. Products of whole numbers
 * are added up exactly. In floats are the tail times the origin, the entry times the origin's rest, the tail
 * of the shift and the rest of A's origin, eight terms of about 2^-14 s.
 * @returns what those floats may be off by: 14 roundings of the sum of their sizes (as in PLACING), and the
 * tails' own.
 */
function putOffset(
  { i32, f32, u32 }: Words,
  word: number,
  exact: readonly number[][],
  greatest: number,
  sizesB: readonly number[],
): number {
  const power = Math.ceil(Math.log2(greatest));
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
