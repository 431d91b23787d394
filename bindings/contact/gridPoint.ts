// Converts doubles to integer coordinates on a grid, without rounding, and converts grid points back to nearby
// doubles. Neighboring points of the grid are 2^-shift apart along an axis, for a given `shift`.

import { bitLength, type IntegerVector, signOf } from '../core/integers.js';

/**
 * A point on a grid. Its exact coordinates are at[axis] * 2^-shift. `near` holds each coordinate rounded to a
 * nearby double, and `rest` the sign of the exact coordinate minus this double.
 */
export interface GridPoint {
  readonly at: IntegerVector;
  readonly shift: number;
  readonly near: Float64Array;
  readonly rest: Int8Array;
}

const DENORMAL_EXPONENT = -1074;
/** An integer of this many bits certainly converts to a finite double. */
const SAFE_BITS = 1000;
const MAX_WHOLE = 2 ** SAFE_BITS;

const bits = new DataView(new ArrayBuffer(8));

// Returns the exponent of a double's last place. The double is an integer multiple of 2 to the power of this
// exponent.
function exponentOf(value: number): number {
  bits.setFloat64(0, value);
  return Math.max(1, (bits.getUint16(0) >> 4) & 0x7ff) + DENORMAL_EXPONENT - 1;
}

/** Returns a shift, at least `minShift`, such that value * 2^shift is an integer for every value. */
export function integerShift(values: ArrayLike<number>, minShift = 0): number {
  let shift = minShift;
  for (let i = 0; i < values.length; i++)
    if (values[i] !== 0) shift = Math.max(shift, -exponentOf(values[i]));
  return shift;
}

/** Returns value * 2^shift, for a shift that makes this product an integer. */
export function toInteger(value: number, shift: number): bigint {
  const half = shift >> 1;
  const scaled = value * 2 ** half * 2 ** (shift - half);
  if (Math.abs(scaled) < Infinity) return BigInt(scaled);
  const minShift = integerShift([value]);
  return toInteger(value, minShift) << BigInt(shift - minShift);
}

/** A finite product of a double and a power of two is exact if its rounded magnitude is more than this. */
const MIN_NORMAL = 2 ** -1022;

// Returns an integer divided by 2^spare, rounded to one of the two nearest doubles.
const shortened = (value: bigint, spare: number): number => Number(value >> BigInt(spare));
const scaledDown = (whole: number, shift: number): number => {
  const half = shift >> 1;
  return whole * 2 ** -half * 2 ** -(shift - half);
};

/** Builds the grid point at * 2^-shift. */
export function makeGridPoint(at: IntegerVector, shift: number): GridPoint {
  const near = new Float64Array(3);
  const rest = new Int8Array(3);
  for (let axis = 0; axis < 3; axis++) {
    const value = at[axis];
    const whole = Number(value);
    const size = Math.abs(whole);
    const isShort = size < MAX_WHOLE;
    if (whole === 0) continue;
    const spare = isShort ? 0 : bitLength(value) - SAFE_BITS;
    near[axis] = isShort ? scaledDown(whole, shift) : scaledDown(shortened(value, spare), shift - spare);
    if (isShort && Math.abs(near[axis]) > MIN_NORMAL)
      rest[axis] = size <= Number.MAX_SAFE_INTEGER ? 0 : signOf(value - BigInt(whole));
    else rest[axis] = restOf(value, shift, near[axis]);
  }
  return { at, shift, near, rest };
}

function restOf(value: bigint, shift: number, near: number): number {
  const common = integerShift([near], shift);
  return signOf((value << BigInt(common - shift)) - toInteger(near, common));
}

/** Returns the three doubles from offset `from` on as a grid point. */
export function gridPointAt(values: Float64Array, from = 0): GridPoint {
  const near = values.slice(from, from + 3);
  const shift = integerShift(near);
  return {
    at: [toInteger(near[0], shift), toInteger(near[1], shift), toInteger(near[2], shift)],
    shift,
    near,
    rest: new Int8Array(3),
  };
}
