// Finds the roots between 0 and 1 of a polynomial with integer coefficients, and the sign of another
// polynomial at a root, without rounding, by Sturm's and Tarski's theorems. A polynomial is an array of its
// coefficients, lowest degree first. The code is slow and simple, and independent of the engine.

export type Poly = bigint[];

/** The rational number num / den, with den > 0. */
export interface Ratio {
  num: bigint;
  den: bigint;
}

/**
 * An algebraic number: the only root of the polynomial `of` with low < root <= high. `of` is not 0 at low.
 */
export interface Algebraic {
  of: Poly;
  low: Ratio;
  high: Ratio;
}

const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);
export const trim = (p: Poly): Poly => {
  const copy = [...p];
  while (copy.at(-1) === 0n) copy.pop();
  return copy;
};
export const plus = (a: Poly, b: Poly): Poly =>
  trim(Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0n) + (b[i] ?? 0n)));
export const negative = (a: Poly): Poly => a.map(x => -x);
export const minus = (a: Poly, b: Poly): Poly => plus(a, negative(b));
export function times(a: Poly, b: Poly): Poly {
  if (a.length === 0 || b.length === 0) return [];
  const result: Poly = Array(a.length + b.length - 1).fill(0n);
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) result[i + j] += a[i] * b[j];
  return trim(result);
}
const derivative = (p: Poly): Poly => trim(p.slice(1).map((x, i) => x * BigInt(i + 1)));

export const signAtRatio = (p: Poly, { num, den }: Ratio): number =>
  sign(p.reduce((sum, x, i) => sum + x * num ** BigInt(i) * den ** BigInt(p.length - 1 - i), 0n));

// Returns the remainder of a divided by b, multiplied by a positive number so that all coefficients are
// integers.
function positiveRemainder(a: Poly, b: Poly): Poly {
  let rest = a;
  const leading = b.at(-1)!;
  const size = leading < 0n ? -leading : leading;
  while (rest.length >= b.length) {
    const shift = rest.length - b.length;
    const factor = leading < 0n ? -rest.at(-1)! : rest.at(-1)!;
    rest = trim(rest.map((x, i) => x * size - (i >= shift ? factor * b[i - shift] : 0n)));
  }
  return smaller(rest);
}

// Divides all coefficients by their greatest common divisor.
function smaller(p: Poly): Poly {
  let divisor = 0n;
  for (const x of p) {
    let [a, b] = [divisor, x < 0n ? -x : x];
    while (b) [a, b] = [b, a % b];
    divisor = a;
  }
  return divisor > 1n ? p.map(x => x / divisor) : p;
}

function signedRemainders(p: Poly, q: Poly): Poly[] {
  const chain = [p, q];
  while (chain.at(-1)!.length > 0) chain.push(negative(positiveRemainder(chain.at(-2)!, chain.at(-1)!)));
  return chain.slice(0, -1);
}

function changes(chain: Poly[], at: Ratio): number {
  const signs = chain.map(p => signAtRatio(p, at)).filter(s => s !== 0);
  return signs.filter((s, i) => i > 0 && s !== signs[i - 1]).length;
}

// Returns the Tarski query of p and g: the number of roots of p between low and high where g is positive,
// minus the number where g is negative. p must not be 0 at low or at high.
function query(p: Poly, g: Poly, low: Ratio, high: Ratio): number {
  const chain = signedRemainders(p, times(derivative(p), g));
  return changes(chain, low) - changes(chain, high);
}

// Returns a polynomial with the same roots as p, each once: p divided by the greatest common divisor of p and
// its derivative.
function withoutRepeats(p: Poly): Poly {
  const divisor = signedRemainders(p, derivative(p)).at(-1)!;
  const leading = divisor.at(-1)!;
  const size = p.length - divisor.length;
  // `rest` begins as a multiple of p for which every quotient below is an integer.
  let rest = p.map(x => x * leading ** BigInt(size + 1));
  const result: Poly = Array(size + 1).fill(0n);
  for (let shift = size; shift >= 0; shift--) {
    const factor = (result[shift] = (rest[shift + divisor.length - 1] ?? 0n) / leading);
    rest = rest.map((x, i) => x - (i >= shift ? factor * (divisor[i - shift] ?? 0n) : 0n));
  }
  return smaller(result);
}

export function middleOf(a: Ratio, b: Ratio): Ratio {
  const [num, den] = smaller([a.num * b.den + b.num * a.den, 2n * a.den * b.den]);
  return { num: num!, den: den! };
}

/**
 * Returns every root of the polynomial `all` from 0 to 1, in ascending order. `all` must not be the zero
 * polynomial.
 */
export function rootsIn01(all: Poly): Algebraic[] {
  const p = withoutRepeats(all);
  const chain = signedRemainders(p, derivative(p));
  const roots: Algebraic[] = [];
  // If p is not 0 at low, Sturm's theorem gives the number of roots with low < root <= high.
  const search = (low: Ratio, high: Ratio): void => {
    const count = changes(chain, low) - changes(chain, high);
    if (count === 0) return;
    if (count === 1) {
      roots.push({ of: p, low, high });
      return;
    }
    let middle = middleOf(low, high);
    while (signAtRatio(p, middle) === 0) middle = middleOf(low, middle);
    search(low, middle);
    search(middle, high);
  };
  // Finds a number `before` below 0 such that p has no root from `before` up to 0, except possibly at 0.
  let before: Ratio = { num: -1n, den: 1n };
  const countAtZero = signAtRatio(p, { num: 0n, den: 1n }) === 0 ? 1 : 0;
  while (
    signAtRatio(p, before) === 0 ||
    changes(chain, before) - changes(chain, { num: 0n, den: 1n }) !== countAtZero
  )
    before = { num: before.num, den: before.den * 2n };
  search(before, { num: 1n, den: 1n });
  return roots;
}

/** Returns the sign of g at a root. */
export function signAtRoot(g: Poly, root: Algebraic): number {
  if (signAtRatio(root.of, root.high) === 0) return signAtRatio(g, root.high);
  return query(root.of, g, root.low, root.high);
}

/** Returns the sign of root - x. */
export function compare(root: Algebraic, x: Ratio): number {
  const below = (a: Ratio, b: Ratio): boolean => a.num * b.den < b.num * a.den;
  if (below(root.high, x)) return -1;
  if (!below(root.low, x)) return 1;
  if (signAtRatio(root.of, x) === 0) return 0;
  const chain = signedRemainders(root.of, derivative(root.of));
  return changes(chain, root.low) - changes(chain, x) === 1 ? -1 : 1;
}
