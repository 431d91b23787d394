// Computes the bounding box of a placed body: all sides at once, or one side at a time. Also writes an empty
// box.

import { BodyRecord } from '../records';
import { abs2, add2, mul2, splat2, splat2At, swapLanes } from '../simd/doubles';
import { roundDown2 } from '../simd/rounding';

/**
 * Writes the bounding box of a placed body: 6 f32, the min corner, then the max corner. On each axis, the
 * signs of the entries of the placement's row select two corners of the mesh's box. These corners are placed
 * by the same operations in the same order as every vertex. Rounding is monotone, so the box contains every
 * placed vertex. Both sides on an axis are computed at once, as the min and the negated max.
 */
export function writeBox(body: usize, box: usize): void {
  const x = sidesOn(body, 0);
  const y = sidesOn(body, 4);
  const z = sidesOn(body, 8);
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = body + BodyRecord.rows + (axis << 5);
    const shift = v128.xor(splat2At(row, 24), f64x2(0, -0.0));
    const sides = roundDown2(add2(add2(add2(terms(row, 0, x), terms(row, 8, y)), terms(row, 16, z)), shift));
    store<f32>(box + (axis << 2), f32x4.extract_lane(sides, 0));
    store<f32>(box + (axis << 2), -f32x4.extract_lane(sides, 1), 12);
  }
}

function sidesOn(body: usize, axis: usize): v128 {
  return f64x2(<f64>load<f32>(body + axis, BodyRecord.low), -(<f64>load<f32>(body + axis, BodyRecord.high)));
}

// Multiplies both sides on one axis by an entry of a row. A negative entry maps the min side to the max side,
// so the two sides are swapped.
function terms(row: usize, column: usize, sides: v128): v128 {
  const factor = splat2At(row + column, 0);
  return mul2(abs2(factor), v128.bitselect(sides, swapLanes(sides), f64x2.ge(factor, splat2(0))));
}

/**
 * Returns one side of the box that writeBox writes, before it is rounded to float32. row: the address of the
 * placement's row for the axis of this side. isHigh: true for the max side, false for the min side.
 */
export function boxSide(row: usize, body: usize, isHigh: bool): f64 {
  return (
    term(row, body, 0, 0, isHigh) +
    term(row, body, 8, 4, isHigh) +
    term(row, body, 16, 8, isHigh) +
    load<f64>(row, 24)
  );
}

function term(row: usize, body: usize, column: usize, axis: usize, isHigh: bool): f64 {
  const factor = load<f64>(row + column);
  return (
    factor *
    <f64>(
      (factor >= 0 == isHigh
        ? load<f32>(body + axis, BodyRecord.high)
        : load<f32>(body + axis, BodyRecord.low))
    )
  );
}

/** Writes a box that overlaps nothing. */
export function writeEmptyBox(box: usize): void {
  for (let axis: usize = 0; axis < 12; axis += 4) {
    store<f32>(box + axis, 1);
    store<f32>(box + axis, -1, 12);
  }
}
