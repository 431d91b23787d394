// Isolates the real roots of polynomials with integer coefficients (lowest degree first) on 0 <= t <= 1, and
// computes the signs of other polynomials at a root. All results are exact. Roots are isolated by bisection:
// the number of roots of a polynomial in an interval is at most the number of sign changes in its Bernstein
// coefficients on this interval.

import { signOf } from '../core/integers.js';

export type Polynomial = readonly bigint[];

/**
 * One root of `polynomial`. If `before` is 0, the root is exactly k / 2^n. Otherwise it is the only root
 * strictly between k / 2^n and (k + 1) / 2^n, and `before` is the sign of the polynomial between k / 2^n and
 * the root.
 */
export interface Root {
  readonly polynomial: Polynomial;
  k: bigint;
  n: number;
  before: number;
}

export function sum(a: Polynomial, b: Polynomial): Polynomial {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  const result = long.slice();
  for (let i = 0; i < short.length; i++) result[i] += short[i];
  return result;
}

export function difference(a: Polynomial, b: Polynomial): Polynomial {
  const result = a.slice();
  for (let i = 0; i < b.length; i++) result[i] = i < a.length ? a[i] - b[i] : -b[i];
  return result;
}

export function product(a: Polynomial, b: Polynomial): Polynomial {
  const result: bigint[] = [];
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < b.length; j++) result[i + j] = (result[i + j] ?? 0n) + a[i] * b[j];
  return result;
}

/**
 * Returns the primitive part: the polynomial without trailing zeros, divided by the greatest common divisor
 * of its coefficients. It is empty for the polynomial 0.
 */
export function primitive(p: Polynomial): Polynomial {
  const last = p.findLastIndex(value => value !== 0n);
  const content = p.reduce((divisor, value) => commonDivisor(divisor, value), 0n);
  return p.slice(0, last + 1).map(value => value / content);
}

function commonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** Returns the primitive greatest common divisor of two polynomials. `a` and `b` may be 0. */
export function commonFactor(a: Polynomial, b: Polynomial): Polynomial {
  let [p, q] = [primitive(a), primitive(b)];
  while (q.length > 0) [p, q] = [q, primitive(remainder(p, q))];
  return p;
}

// Returns the pseudo-remainder: p is multiplied by a power of the divisor's leading coefficient, so that no
// fractions occur, and then divided by the divisor with a remainder. The divisor must not be 0.
function remainder(p: Polynomial, divisor: Polynomial): Polynomial {
  const rest = [...p];
  const lead = divisor.at(-1)!;
  for (let top = rest.length - 1; top >= divisor.length - 1; top--) {
    const factor = rest[top];
    for (let i = 0; i < top; i++) rest[i] *= lead;
    divisor.slice(0, -1).forEach((value, i) => {
      rest[top - divisor.length + 1 + i] -= factor * value;
    });
    rest.pop();
  }
  return rest;
}

// Returns p / divisor. The division must have no remainder. If p and the divisor are primitive, the quotient is
// also primitive.
function quotient(p: Polynomial, divisor: Polynomial): Polynomial {
  const rest = [...p];
  const result: bigint[] = [];
  const lead = divisor.at(-1)!;
  for (let top = rest.length - 1; top >= divisor.length - 1; top--) {
    const factor = rest[top] / lead;
    divisor.forEach((value, i) => {
      rest[top - divisor.length + 1 + i] -= factor * value;
    });
    result.unshift(factor);
  }
  return result;
}

/** Returns the polynomial without trailing zeros. */
export const trimmed = (p: Polynomial): Polynomial =>
  p.at(-1) === 0n ? p.slice(0, p.findLastIndex(value => value !== 0n) + 1) : p;

// Returns a polynomial with the same roots as p, but without multiple roots (square-free). For degrees 2 and
// 3, the discriminant is tested first: it costs far less than a common divisor and is rarely 0.
function squareFree(p: Polynomial): Polynomial {
  const [d, c, b, a] = p as readonly [bigint, bigint, bigint, bigint];
  if (p.length < 3) return p;
  if (p.length === 3) return c * c === 4n * b * d ? [c, 2n * b] : p;
  if (
    p.length === 4 &&
    18n * a * b * c * d - 4n * b * b * b * d + b * b * c * c - 4n * a * c * c * c - 27n * a * a * d * d !== 0n
  )
    return p;
  return squareFreeByFactor(primitive(p));
}

function squareFreeByFactor(p: Polynomial): Polynomial {
  const derivative = p.slice(1).map((value, i) => value * BigInt(i + 1));
  const repeated = commonFactor(p, derivative);
  return repeated.length > 1 ? quotient(p, repeated) : p;
}

/** Returns all roots in 0..1, in order. `p` must not be 0. */
export function rootsOf(p: Polynomial): Root[] {
  const polynomial = squareFree(trimmed(p));
  const roots: Root[] = [];
  const search = (coefficients: bigint[], k: bigint, n: number): void => {
    if (coefficients[0] === 0n) roots.push({ polynomial, k, n, before: 0 });
    const changes = signChanges(coefficients);
    if (changes === 1)
      roots.push({ polynomial, k, n, before: signOf(coefficients.find(value => value !== 0n)!) });
    if (changes > 1) {
      const [left, right] = halves(coefficients);
      search(left, 2n * k, n + 1);
      search(right, 2n * k + 1n, n + 1);
    }
  };
  const coefficients = bernstein(polynomial, 0n, 0);
  search(coefficients, 0n, 0);
  if (coefficients.at(-1) === 0n) roots.push({ polynomial, k: 1n, n: 0, before: 0 });
  return roots;
}

function signChanges(values: readonly bigint[]): number {
  let changes = 0;
  let last = 0;
  for (const value of values) {
    const sign = signOf(value);
    if (sign === 0) continue;
    if (last !== 0 && sign !== last) changes++;
    last = sign;
  }
  return changes;
}

// Returns the Bernstein coefficients of p on k / 2^n .. (k + 1) / 2^n, times a positive number.
function bernstein(p: Polynomial, k: bigint, n: number): bigint[] {
  const degree = p.length - 1;
  // p((k + x) / 2^n) * 2^(n * degree): first in powers of x, then in the Bernstein basis.
  const shifted = n === 0 ? p.slice() : p.map((value, i) => value << BigInt(n * (degree - i)));
  if (k !== 0n)
    for (let i = 0; i < degree; i++) for (let j = degree - 1; j >= i; j--) shifted[j] += k * shifted[j + 1];
  // Each Bernstein coefficient, times the factorial of the degree, is a sum of the following products with
  // binomial weights.
  for (let i = 0; i <= degree; i++) shifted[i] *= FACTORIALS[i] * FACTORIALS[degree - i];
  for (let i = 1; i <= degree; i++) for (let j = degree; j >= i; j--) shifted[j] += shifted[j - 1];
  return shifted;
}

/** Factorials of 0 to 6, the highest degree in use. */
const FACTORIALS = [1n, 1n, 2n, 6n, 24n, 120n, 720n];

// Returns the coefficients on both halves of the interval, times 2^degree (De Casteljau's algorithm).
function halves(coefficients: readonly bigint[]): [bigint[], bigint[]] {
  const left: bigint[] = [];
  const right: bigint[] = [];
  const degree = coefficients.length - 1;
  let row = [...coefficients];
  for (let i = 0; i <= degree; i++) {
    left.push(row[0] << BigInt(degree - i));
    right.unshift(row.at(-1)! << BigInt(degree - i));
    row = row.slice(1).map((value, j) => row[j] + value);
  }
  return [left, right];
}

/** Returns the sign of p at k / 2^n. */
export function signAt(p: Polynomial, k: bigint, n: number): number {
  if (p.length === 0) return 0;
  const step = BigInt(n);
  let value = p[p.length - 1];
  for (let i = p.length - 2, shift = step; i >= 0; i--, shift += step) value = value * k + (p[i] << shift);
  return signOf(value);
}

/**
 * Narrows the interval of a root to a length of at most 2^-bits, or finds the root exactly. First, the root
 * is estimated in doubles. The polynomial's signs show whether the root lies in the interval of length 2^-bits
 * that contains the estimate, or in one of the two intervals next to it. If the root lies in none of these,
 * bisection locates it.
 */
export function locate(root: Root, bits: number): void {
  if (root.before !== 0 && bits - root.n > 4) locateByEstimate(root, bits);
  while (root.before !== 0 && root.n < bits) refine(root);
}

function locateByEstimate(root: Root, bits: number): void {
  const first = root.k << BigInt(bits - root.n);
  const last = (root.k + 1n) << BigInt(bits - root.n);
  const middle = BigInt(Math.floor(approximate(root) * 2 ** bits));
  for (const k of [middle, middle - 1n, middle + 1n]) {
    if (k < first || k >= last) continue;
    const sign = signAt(root.polynomial, k, bits);
    // The sign at `first` is not tested, because another root may lie there.
    if (k !== first && sign !== root.before && sign !== 0) continue;
    if (k === first || sign !== 0) {
      if (k + 1n < last && signAt(root.polynomial, k + 1n, bits) === root.before) continue;
      if (k + 1n < last && signAt(root.polynomial, k + 1n, bits) === 0)
        Object.assign(root, { k: k + 1n, n: bits, before: 0 });
      else Object.assign(root, { k, n: bits });
    } else Object.assign(root, { k, n: bits, before: 0 });
    return;
  }
}

// Estimates a root by bisection in doubles; the error is about 2^-50.
function approximate({ polynomial, k, n, before }: Root): number {
  const shift = BigInt(Math.max(0, ...polynomial.map(value => value.toString(2).length - 900)));
  const p = polynomial.map(value => Number(value >> shift));
  let low = Number(k) / 2 ** n;
  let high = Number(k + 1n) / 2 ** n;
  for (let i = n; i < 54; i++) {
    const middle = (low + high) / 2;
    const sign = Math.sign(p.reduceRight((value, coefficient) => value * middle + coefficient, 0));
    if (sign === before) low = middle;
    else high = middle;
  }
  return low;
}

/** Halves the interval of a root that is not known exactly. */
export function refine(root: Root): void {
  const middle = 2n * root.k + 1n;
  const sign = signAt(root.polynomial, middle, ++root.n);
  root.k = sign === 0 || sign === root.before ? middle : 2n * root.k;
  if (sign === 0) root.before = 0;
}

// The interval of a root is narrowed to 2^-FACTOR_BITS before a common divisor is computed. A common divisor
// costs far more and is rarely needed.
const FACTOR_BITS = 48;

/** Returns the sign of p at a root. May narrow the root's interval. */
export function signAtRoot(p: Polynomial, root: Root): number {
  if (p.every(value => value === 0n)) return 0;
  for (const bits of [0, FACTOR_BITS]) {
    locate(root, bits);
    if (root.before === 0) return signAt(p, root.k, root.n);
    const coefficients = bernstein(p, root.k, root.n);
    if (signChanges(coefficients) === 0) return signOf(coefficients.find(value => value !== 0n)!);
  }
  const factor = commonFactor(p, root.polynomial);
  if (factor.length > 1 && signChanges(bernstein(factor, root.k, root.n)) % 2 === 1) return 0;
  for (;;) {
    if (root.before === 0) return signAt(p, root.k, root.n);
    const coefficients = bernstein(p, root.k, root.n);
    if (signChanges(coefficients) === 0) return signOf(coefficients.find(value => value !== 0n)!);
    refine(root);
  }
}
