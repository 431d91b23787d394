// Computes with rational numbers (over / under) * 2^exponent without rounding. The checks of the shaders make
// many thousands of such numbers. For speed, a separate exponent keeps the BigInts short, and fractions are not
// reduced.

import { nearestDouble } from '../oracle/commonSet.js';
import { signOf } from '../oracle/fractions.js';
import { splitDouble } from '../oracle/integers.js';
import { squareRoot } from '../oracle/triangleDistance.js';

export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
  readonly exponent: number;
}

const make = (over: bigint, under: bigint, exponent: number): Exact => ({ over, under, exponent });

export const ZERO = make(0n, 1n, 0);

/** Returns the exact value of a finite double. */
export function exactOf(value: number): Exact {
  const { mantissa, exponent } = splitDouble(value);
  return mantissa === 0n ? ZERO : make(mantissa, 1n, exponent);
}

export function plus(a: Exact, b: Exact): Exact {
  if (a.over === 0n) return b;
  if (b.over === 0n) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const first = a.over << BigInt(a.exponent - exponent);
  const second = b.over << BigInt(b.exponent - exponent);
  if (a.under === b.under) return make(first + second, a.under, exponent);
  return make(first * b.under + second * a.under, a.under * b.under, exponent);
}

export const negated = (a: Exact): Exact => make(-a.over, a.under, a.exponent);
export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b));
export const times = (a: Exact, b: Exact): Exact =>
  make(a.over * b.over, a.under * b.under, a.exponent + b.exponent);
export function dividedBy(a: Exact, b: Exact): Exact {
  const [over, under] = [a.over * b.under, a.under * b.over];
  const exponent = a.exponent - b.exponent;
  return under < 0n ? make(-over, -under, exponent) : make(over, under, exponent);
}
export const absolute = (a: Exact): Exact => (a.over < 0n ? negated(a) : a);
export const compare = (a: Exact, b: Exact): number => signOf(minus(a, b).over);
export const larger = (a: Exact, b: Exact): Exact => (compare(a, b) < 0 ? b : a);
export const smaller = (a: Exact, b: Exact): Exact => (compare(a, b) > 0 ? b : a);
export const sumOf = (all: readonly Exact[]): Exact => all.reduce(plus, ZERO);

/** Returns the nearest double. */
export const toDouble = ({ over, under, exponent }: Exact): number => nearestDouble(over, under, exponent);

/** Returns an upper bound of the square root of a nonnegative number. The bound is close to the exact root. */
export function rootAbove(square: Exact): Exact {
  if (square.over === 0n) return ZERO;
  let { over, exponent } = square;
  if (exponent % 2 !== 0) {
    over *= 2n;
    exponent--;
  }
  // The root of over / under, multiplied by 2^80 and rounded to an integer.
  const root = squareRoot((over << 160n) / square.under + 1n);
  return make(root + 1n, 1n, exponent / 2 - 80);
}
