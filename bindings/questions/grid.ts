// Doubles -> whole numbers on a grid of steps 2^-shift, nothing rounded; points of such a grid, and their nearest doubles.

export type Whole = readonly [bigint, bigint, bigint];

/** A point: at[axis] * 2^-shift exactly; `near` are doubles beside it, and `rest` the sign of the point less them. */
export interface GridPoint { readonly at: Whole; readonly shift: number; readonly near: Float64Array; readonly rest: Int8Array }

const LEAST_EXPONENT = -1074;
/** Bits of a whole number that surely is a finite double. */
const SURE_BITS = 1000;

const bits = new DataView(new ArrayBuffer(8));

// The power of two that a double is a whole multiple of: its last place.
function exponentOf(value: number): number {
  bits.setFloat64(0, value);
  return Math.max(1, (bits.getUint16(0) >> 4) & 0x7ff) + LEAST_EXPONENT - 1;
}

/** The least shift, `least` or more, with which all values are whole. */
export function shiftOf(values: ArrayLike<number>, least = 0): number {
  let shift = least;
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) shift = Math.max(shift, -exponentOf(values[i]!));
  return shift;
}

/** value * 2^shift, for a shift that makes it whole. */
export function wholeOf(value: number, shift: number): bigint {
  if (value === 0) return 0n;
  const exponent = exponentOf(value);
  const word = bits.getBigUint64(0), fraction = word & 0xfffffffffffffn;
  const size = (((word >> 52n) & 0x7ffn) === 0n ? fraction : fraction | 0x10000000000000n) << BigInt(exponent + shift);
  return value < 0 ? -size : size;
}

export const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

/** How many bits |value| has: 0 for 0. */
export const bitsOf = (value: bigint): number => {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === '0' ? 0 : 4 * digits.length - (Math.clz32(parseInt(digits[0]!, 16)) - 28);
};

// value * 2^-shift as one of the two doubles next to it.
function nearest(value: bigint, shift: number): number {
  const spare = Math.max(0, bitsOf(value) - SURE_BITS), half = (shift - spare) >> 1;
  return Number(value >> BigInt(spare)) * 2 ** -half * 2 ** -(shift - spare - half);
}

export function gridPoint(at: Whole, shift: number): GridPoint {
  const near = Float64Array.from(at, (value) => nearest(value, shift));
  const rest = Int8Array.from(near, (value, axis) => {
    const common = shiftOf([value], shift);
    return signOf((at[axis]! << BigInt(common - shift)) - wholeOf(value, common));
  });
  return { at, shift, near, rest };
}

/** Three doubles from number `from` on, as a point of a grid. */
export function pointOf(values: Float64Array, from = 0): GridPoint {
  const near = values.slice(from, from + 3), shift = shiftOf(near);
  return { at: [wholeOf(near[0]!, shift), wholeOf(near[1]!, shift), wholeOf(near[2]!, shift)], shift, near, rest: new Int8Array(3) };
}
