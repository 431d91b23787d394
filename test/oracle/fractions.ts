// Exact arithmetic with fractions of BigInts, and with points whose coordinates are fractions with one common
// denominator.

export interface Fraction {
  over: bigint;
  under: bigint;
}
export type Vector = readonly [bigint, bigint, bigint];
/** The point at / under: all coordinates have the denominator `under`, which is positive. */
export interface RationalPoint {
  at: Vector;
  under: bigint;
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

function commonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

export function fraction(over: bigint, under = 1n): Fraction {
  const divisor = commonDivisor(size(over), size(under)) * (under < 0n ? -1n : 1n);
  return { over: over / divisor, under: under / divisor };
}

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.over * b.under + b.over * a.under, a.under * b.under);
export const minus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.over * b.under - b.over * a.under, a.under * b.under);
export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.over, a.under * b.under);
export const divide = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.under, a.under * b.over);
export const compare = (a: Fraction, b: Fraction): number => signOf(a.over * b.under - b.over * a.under);
export const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

/** Returns the distinct values in ascending order. */
export function ordered(values: readonly Fraction[]): Fraction[] {
  const sorted = [...values].sort(compare);
  return sorted.filter((value, i) => i === 0 || compare(sorted[i - 1], value) !== 0);
}

/** Returns a value near the middle of a and b that is unlikely to be a coordinate of a vertex. */
export const between = (a: Fraction, b: Fraction): Fraction =>
  plus(a, times(minus(b, a), { over: 9973n, under: 20023n }));

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const isZero = (a: Vector): boolean => a.every(part => part === 0n);

/** Returns the point with these three coordinates. */
export function rationalPoint(parts: readonly Fraction[]): RationalPoint {
  const under = parts.reduce((product, part) => product * part.under, 1n);
  return { at: parts.map(part => part.over * (under / part.under)) as unknown as Vector, under };
}
