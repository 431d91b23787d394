// A box in a slab -> 16 bytes for the sweep: its bounds in 15 bits each, its number, its flags. Cells never
// fall as a coordinate rises: boxes whose cells are apart are apart, boxes whose cells overlap by more than a
// border overlap. Of others their own bounds tell.

import { BOX_BITS, SWEEP_CELLS, SweptBox } from '../records';
import { add, and, bits, le, most, mul, splat, sub } from '../simd/lanes';
import { highOf, lowOf } from './boxLoad';

// Adding 2^23 leaves the nearest whole number in the low bits.
const WHOLE: f32 = 8388608;
/** Byte of each bound's cell. */
export const MIN_X: usize = SweptBox.cells;
export const MIN_Y: usize = MIN_X + 2;
export const MIN_Z: usize = MIN_X + 4;
export const MAX_X: usize = MIN_X + 6;
export const MAX_Y: usize = MIN_X + 8;
export const MAX_Z: usize = MIN_X + 10;
/** Byte of the half word whose highest bits, from this one on, are the flags. */
export const FLAGS: usize = SweptBox.tag + 2;
export const FLAGS_FROM: i32 = BOX_BITS - 16;

/**
 * A corner from `origin` on, in units of 1 / scale. Halves cannot overflow; origin and scale are of halves.
 */
export function unitsOf(corner: v128, origin: v128, scale: v128): v128 {
  return mul(sub(mul(corner, splat(0.5)), origin), scale);
}

/** Four coordinates in cells, to whole ones. Beyond the first and the last cell counts as in it. */
export function wholeCells(units: v128): v128 {
  return and(
    add(f32x4.pmin(most(units, splat(0)), splat(<f32>(SWEEP_CELLS - 1))), splat(WHOLE)),
    i32x4.splat(0x7fff),
  );
}

/** The same of coordinates that lie within the range that the cells are of. */
export function cellsWithin(units: v128): v128 {
  return and(add(units, splat(WHOLE)), i32x4.splat(0x7fff));
}
/** And of a single one. */
export function cellWithin(x: f32, origin: f32, scale: f32): u32 {
  return reinterpret<u32>((x * 0.5 - origin) * scale + WHOLE) & 0x7fff;
}

/** The slab of a cell. */
export function slabOf(cell: u32, slabCount: u32): u32 {
  return (cell * slabCount) >> 15;
}

/** A box's corners in cells -> the record. */
export function sweptBox(from: v128, to: v128, tag: u32): v128 {
  const cells = i16x8.narrow_i32x4_s(from, to);
  return i32x4.replace_lane(v128.shuffle<i16>(cells, cells, 0, 1, 2, 4, 5, 6, 0, 0), 3, tag);
}
export function tagOf(id: u32, flags: u32): u32 {
  return id | (flags << BOX_BITS);
}
/** A copy with one more flag. */
function flagged(box: v128, flag: u32): v128 {
  return v128.or(box, i32x4.replace_lane(i32x4.splat(0), 3, flag << BOX_BITS));
}

/**
 * Deals a box to a first list, a last one and those between, with a flag in all but the first. first, last:
 * addresses of these lists' cursors, which tell where in `boxes` each one's next box goes. Where both are
 * one, what is written last is right: no branch to mispredict, and no cursor waits for one that was stored
 * just before.
 */
export function dealBox(boxes: usize, box: v128, flag: u32, first: usize, last: usize): void {
  const before = flagged(box, flag);
  const from = load<u32>(first);
  const to = load<u32>(last);
  store<u32>(last, to + u32(last > first));
  store<u32>(first, from + 1);
  v128.store(boxes + <usize>to * SweptBox.SIZE, before);
  v128.store(boxes + <usize>from * SweptBox.SIZE, box);
  for (let cursor = first + 4; cursor < last; cursor += 4) {
    const index = load<u32>(cursor);
    store<u32>(cursor, index + 1);
    v128.store(boxes + <usize>index * SweptBox.SIZE, before);
  }
}

/** Number among all boxes of a box at this address. */
export function idOf(box: usize): u32 {
  return load<u32>(box, SweptBox.tag) & ((1 << BOX_BITS) - 1);
}

/** Do two boxes overlap, by the bounds that the user gave? */
export function boundsOverlap(boxes: usize, a: usize, b: usize): bool {
  const first = boxes + <usize>idOf(a) * 24;
  const second = boxes + <usize>idOf(b) * 24;
  return bits(and(le(lowOf(first), highOf(second)), le(lowOf(second), highOf(first)))) == 15;
}
