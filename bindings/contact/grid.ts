// Doubles -> whole numbers on a grid of steps 2^-shift, nothing rounded; points of such a grid, and their
// nearest doubles.

export type Whole = readonly [bigint, bigint, bigint];

/**
 * A point: at[axis] * 2^-shift exactly; `near` are doubles beside it, and `rest` the sign of the point less
 * them.
 */
export interface GridPoint {
  readonly at: Whole;
  readonly shift: number;
  readonly near: Float64Array;
  readonly rest: Int8Array;
}

const LEAST_EXPONENT = -1074;
/** Bits of a whole number that surely is a finite double. */
const SURE_BITS = 1000;
const MOST_WHOLE = 2 ** SURE_BITS;

const bits = new DataView(new ArrayBuffer(8));

// The power of two that a double is a whole multiple of: its last place.
function exponentOf(value: number): number {
  bits.setFloat64(0, value);
  return Math.max(1, (bits.getUint16(0) >> 4) & 0x7ff) + LEAST_EXPONENT - 1;
}

/** The least shift, `least` or more, with which all values are whole. */
export function shiftOf(values: ArrayLike<number>, least = 0): number {
  let shift = least;
  for (let i = 0; i < values.length; i++)
    if (values[i] !== 0) shift = Math.max(shift, -exponentOf(values[i]));
  return shift;
}

/** value * 2^shift, for a shift that makes it whole. */
export function wholeOf(value: number, shift: number): bigint {
  const half = shift >> 1;
  const scaled = value * 2 ** half * 2 ** (shift - half);
  if (Math.abs(scaled) < Infinity) return BigInt(scaled);
  const least = shiftOf([value]);
  return wholeOf(value, least) << BigInt(shift - least);
}

export const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

/** How many bits |value| has: 0 for 0. */
export const bitsOf = (value: bigint): number => {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === '0' ? 0 : 4 * digits.length - (Math.clz32(parseInt(digits[0], 16)) - 28);
};

/** Products with powers of two are exact from here on. */
const LEAST_NORMAL = 2 ** -1022;

// A whole number as one of the two doubles next to it, times 2^spare.
const shortened = (value: bigint, spare: number): number => Number(value >> BigInt(spare));
const scaledDown = (whole: number, shift: number): number => {
  const half = shift >> 1;
  return whole * 2 ** -half * 2 ** -(shift - half);
};

export function gridPoint(at: Whole, shift: number): GridPoint {
  const near = new Float64Array(3);
  const rest = new Int8Array(3);
  for (let axis = 0; axis < 3; axis++) {
    const value = at[axis];
    const whole = Number(value);
    const size = Math.abs(whole);
    const isShort = size < MOST_WHOLE;
    if (whole === 0) continue;
    const spare = isShort ? 0 : bitsOf(value) - SURE_BITS;
    near[axis] = isShort ? scaledDown(whole, shift) : scaledDown(shortened(value, spare), shift - spare);
    if (isShort && Math.abs(near[axis]) >= LEAST_NORMAL)
      rest[axis] = size <= Number.MAX_SAFE_INTEGER ? 0 : signOf(value - BigInt(whole));
    else rest[axis] = restOf(value, shift, near[axis]);
  }
  return { at, shift, near, rest };
}

function restOf(value: bigint, shift: number, near: number): number {
  const common = shiftOf([near], shift);
  return signOf((value << BigInt(common - shift)) - wholeOf(near, common));
}

/** Three doubles from number `from` on, as a point of a grid. */
export function pointOf(values: Float64Array, from = 0): GridPoint {
  const near = values.slice(from, from + 3);
  const shift = shiftOf(near);
  return {
    at: [wholeOf(near[0], shift), wholeOf(near[1], shift), wholeOf(near[2], shift)],
    shift,
    near,
    rest: new Int8Array(3),
  };
}
