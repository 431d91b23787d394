// Computes lower and upper bounds, in doubles, of the square roots of exact fractions, and adds up bounds.

import { bitLength } from '../../core/integers.js';
import type { ProvenBounds } from '../volume/faceSums.js';

/**
 * The integers whose roots are computed have this number of bits, or up to two more. Their roots have half as
 * many.
 */
const ROOT_BITS = 124;
/**
 * Bound of the relative rounding error of two operations: an integer is rounded to a double, and this double is
 * multiplied by 1 - ROUNDING or 1 + ROUNDING.
 */
const ROUNDING = 2 ** -51;
/** A product with a power of two may have lost digits if it is less than this. */
const TINY = 2 ** -1000;

/** Returns bounds of sqrt(over / under) * 2^exponent, for over >= 0 and under > 0. */
export function rootBounds(over: bigint, under: bigint, exponent: number): ProvenBounds {
  if (over === 0n) return { lower: 0, upper: 0 };
  const missing = ROOT_BITS + bitLength(under) - bitLength(over);
  const shift = missing + (missing & 1);
  const whole = shift > 0 ? (over << BigInt(shift)) / under : over / (under << BigInt(-shift));
  const root = integerRoot(whole);
  return timesPower(
    { lower: Number(root) * (1 - ROUNDING), upper: Number(root + 1n) * (1 + ROUNDING) },
    exponent - shift / 2,
  );
}

// Returns the largest integer whose square is at most `value`, which is positive and finite as a double.
function integerRoot(value: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  root = (root + value / root) >> 1n;
  while (root * root > value) root--;
  while ((root + 1n) * (root + 1n) <= value) root++;
  return root;
}

/** Multiplies bounds by a power of two. The results are bounds even if numbers underflow. */
export function timesPower({ lower, upper }: ProvenBounds, exponent: number): ProvenBounds {
  const half = Math.trunc(exponent / 2);
  const times = (value: number): number => value * 2 ** half * 2 ** (exponent - half);
  return {
    lower: times(lower) < TINY ? 0 : times(lower),
    upper: upper === 0 ? 0 : Math.max(times(upper), TINY),
  };
}

/** Adds up bounds of numbers that are 0 or more. */
export class BoundsSum {
  #lower = 0;
  #upper = 0;
  #count = 0;
  #excess = 0;

  add({ lower, upper }: ProvenBounds): void {
    this.#lower += lower;
    this.#upper += upper;
    this.#count++;
  }

  /** Notes that up to `excess` of the sum may be counted twice. The lower bound decreases by `excess`. */
  addExcess(excess: number): void {
    this.#excess += excess;
    this.#count++;
  }

  /** Bounds of the sum with nothing counted twice. They allow for the rounding errors of the additions. */
  get bounds(): ProvenBounds {
    const error = (this.#count + 4) * 2 ** -52;
    const lower = this.#lower * (1 - error) - this.#excess * (1 + error);
    return { lower: Math.max(0, lower), upper: this.#upper * (1 + error) };
  }
}
