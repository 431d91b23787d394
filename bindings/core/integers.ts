// Exact arithmetic with integers of any size: operations on vectors of three integers, signs, bit lengths, and
// quotients rounded to doubles.

/** Three integers. */
export type IntegerVector = readonly [bigint, bigint, bigint];

export const subtract = (a: IntegerVector, b: IntegerVector): IntegerVector => [
  a[0] - b[0],
  a[1] - b[1],
  a[2] - b[2],
];
export const dot = (a: IntegerVector, b: IntegerVector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: IntegerVector, b: IntegerVector): IntegerVector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const isZero = (a: IntegerVector): boolean => a.every(value => value === 0n);

/** Returns the sign of a value: 1, 0 or -1. */
export const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

/** Returns the number of bits of |value|; 0 for 0. */
export const bitLength = (value: bigint): number => {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === '0' ? 0 : 4 * digits.length - (Math.clz32(parseInt(digits[0], 16)) - 28);
};

/**
 * Returns the double that is nearest to over / under, for under > 0. If two doubles are equally near, returns
 * the even one. The result is never -0.
 */
export function nearestDouble(over: bigint, under: bigint): number {
  const size = over < 0n ? -over : over;
  // With this exponent, the quotient is less than 2^54 units of 2^exponent. The exponent is at least -1074,
  // because all doubles are multiples of 2^-1074.
  let exponent = Math.max(bitLength(size) - bitLength(under) - 53, -1074);
  if (divide(size, under, exponent).digits >= 2n ** 53n) exponent++;
  const { digits, rest, divisor } = divide(size, under, exponent);
  const isUp = 2n * rest > divisor || (2n * rest === divisor && (digits & 1n) === 1n);
  const nearest = Number(isUp ? digits + 1n : digits) * 2 ** exponent;
  return over < 0n && nearest > 0 ? -nearest : nearest;
}

// Divides `size` by `under` and by 2^exponent.
function divide(size: bigint, under: bigint, exponent: number) {
  const scaled = exponent < 0 ? size << BigInt(-exponent) : size;
  const divisor = exponent < 0 ? under : under << BigInt(exponent);
  return { digits: scaled / divisor, rest: scaled % divisor, divisor };
}
