// Packs a box into the 16 bytes that sweep and prune uses: its six bounds, its index and its flags. A bound
// is stored as the 15-bit number of its grid cell, which never decreases as the coordinate increases. If one
// box's last cell is below the other's first cell on some axis, the boxes are disjoint. If each box's first
// cell is below the other's last cell on all axes, the boxes overlap. Otherwise, on some axis, one box's
// first cell equals the other's last cell, and the original float bounds decide.

import { BOX_BITS, SapBox, SWEEP_CELLS } from '../records';
import { add, and, le, maskBits, max4, mul, splat, sub } from '../simd/lanes';
import { maxCornerOf, minCornerOf } from './boxLoad';

// Adding 2^23 to a float rounds it to the nearest integer, which is then in the low bits of the sum.
const ROUNDING_OFFSET: f32 = 8388608;
/** Byte offset of each bound's cell number in a SapBox. */
export const MIN_X: usize = SapBox.cells;
export const MIN_Y: usize = MIN_X + 2;
export const MIN_Z: usize = MIN_X + 4;
export const MAX_X: usize = MIN_X + 6;
export const MAX_Y: usize = MIN_X + 8;
export const MAX_Z: usize = MIN_X + 10;
/**
 * FLAGS: byte offset of the upper 16 bits of the tag, which contain the flags. FLAGS_FROM: index of the
 * lowest flag in these 16 bits.
 */
export const FLAGS: usize = SapBox.tag + 2;
export const FLAGS_FROM: i32 = BOX_BITS - 16;

/**
 * Returns a corner in units of grid cells: (corner / 2 - origin) * scale. Coordinates are halved so that the
 * difference cannot overflow; `origin` and `scale` are for halved coordinates.
 */
export function unitsOf(corner: v128, origin: v128, scale: v128): v128 {
  return mul(sub(mul(corner, splat(0.5)), origin), scale);
}

/**
 * Rounds four coordinates, in units of grid cells, to cell numbers. Coordinates outside the grid are clamped to
 * the first or last cell.
 */
export function clampedCells(units: v128): v128 {
  return and(
    add(f32x4.pmin(max4(units, splat(0)), splat(<f32>(SWEEP_CELLS - 1))), splat(ROUNDING_OFFSET)),
    i32x4.splat(0x7fff),
  );
}

/** Rounds four coordinates, in units of grid cells, to cell numbers. They must lie within the grid. */
export function cellsWithin(units: v128): v128 {
  return and(add(units, splat(ROUNDING_OFFSET)), i32x4.splat(0x7fff));
}
/** Returns the cell number of one coordinate, which must lie within the grid. */
export function cellWithin(x: f32, origin: f32, scale: f32): u32 {
  return reinterpret<u32>((x * 0.5 - origin) * scale + ROUNDING_OFFSET) & 0x7fff;
}

/** Returns the number of the slab that contains a cell. */
export function slabOf(cell: u32, slabCount: u32): u32 {
  return (cell * slabCount) >> 15;
}

/** Builds the record of a box from the cells of its corners. */
export function makeSapBox(from: v128, to: v128, tag: u32): v128 {
  const cells = i16x8.narrow_i32x4_s(from, to);
  return i32x4.replace_lane(v128.shuffle<i16>(cells, cells, 0, 1, 2, 4, 5, 6, 0, 0), 3, tag);
}
export function tagOf(id: u32, flags: u32): u32 {
  return id | (flags << BOX_BITS);
}
/** Returns a copy of the box in which `flag` is also set. */
function flagged(box: v128, flag: u32): v128 {
  return v128.or(box, i32x4.replace_lane(i32x4.splat(0), 3, flag << BOX_BITS));
}

/**
 * Appends a copy of a box to each list from the first to the last. All copies except the first have an
 * additional flag. first, last: addresses of the cursors of these lists; a cursor holds the index in `boxes`
 * at which its list stores the next box. If first and last are the same list, the copy with the flag is
 * stored and then overwritten by the copy without it, which avoids an unpredictable branch. Both cursors are
 * loaded before either is stored, so no load waits for a store.
 */
export function copyToLists(boxes: usize, box: v128, flag: u32, first: usize, last: usize): void {
  const before = flagged(box, flag);
  const from = load<u32>(first);
  const to = load<u32>(last);
  store<u32>(last, to + u32(last > first));
  store<u32>(first, from + 1);
  v128.store(boxes + <usize>to * SapBox.SIZE, before);
  v128.store(boxes + <usize>from * SapBox.SIZE, box);
  for (let cursor = first + 4; cursor < last; cursor += 4) {
    const index = load<u32>(cursor);
    store<u32>(cursor, index + 1);
    v128.store(boxes + <usize>index * SapBox.SIZE, before);
  }
}

/** Returns the index, among all boxes, of the box at this address. */
export function idOf(box: usize): u32 {
  return load<u32>(box, SapBox.tag) & ((1 << BOX_BITS) - 1);
}

/** Returns whether the original float bounds of two boxes overlap. */
export function boundsOverlap(boxes: usize, a: usize, b: usize): bool {
  const first = boxes + <usize>idOf(a) * 24;
  const second = boxes + <usize>idOf(b) * 24;
  return (
    maskBits(and(le(minCornerOf(first), maxCornerOf(second)), le(minCornerOf(second), maxCornerOf(first)))) ==
    15
  );
}
