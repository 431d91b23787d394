// Polynomials with whole coefficients, lowest first, on 0 <= t <= 1 -> their roots there, and signs of others at a root. Exact.
// Roots are told apart by halving: the signs of Bernstein coefficients change at least as often as there are roots.

export type Polynomial = readonly bigint[];

/** One root of `of`: k / 2^n, or where `before` is not 0 strictly between that and (k + 1) / 2^n, where `of` has the sign `before` before its only root. */
export interface Root {
  readonly of: Polynomial;
  k: bigint;
  n: number;
  before: number;
}

export const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

export const sum = (a: Polynomial, b: Polynomial): Polynomial => Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0n) + (b[i] ?? 0n));
export const difference = (a: Polynomial, b: Polynomial): Polynomial => Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0n) - (b[i] ?? 0n));

export function product(a: Polynomial, b: Polynomial): Polynomial {
  const result = Array<bigint>(Math.max(0, a.length + b.length - 1)).fill(0n);
  a.forEach((x, i) => b.forEach((y, j) => { result[i + j]! += x * y; }));
  return result;
}

/** Without zeros at the end and without a common divisor; empty for the polynomial 0. */
export function primitive(p: Polynomial): Polynomial {
  const last = p.findLastIndex(value => value !== 0n);
  const content = p.reduce((divisor, value) => commonDivisor(divisor, value), 0n);
  return p.slice(0, last + 1).map(value => value / content);
}

function commonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** The greatest polynomial that divides both, primitive; `a` and `b` may be 0. */
export function commonFactor(a: Polynomial, b: Polynomial): Polynomial {
  let [p, q] = [primitive(a), primitive(b)];
  while (q.length > 0) [p, q] = [q, primitive(remainder(p, q))];
  return p;
}

// Of a multiple of p; the divisor is not 0.
function remainder(p: Polynomial, divisor: Polynomial): Polynomial {
  const rest = [...p], lead = divisor.at(-1)!;
  for (let top = rest.length - 1; top >= divisor.length - 1; top--) {
    const factor = rest[top]!;
    for (let i = 0; i < top; i++) rest[i]! *= lead;
    divisor.slice(0, -1).forEach((value, i) => { rest[top - divisor.length + 1 + i]! -= factor * value; });
    rest.pop();
  }
  return rest;
}

// p / divisor, which has no remainder; both primitive: so is the quotient.
function quotient(p: Polynomial, divisor: Polynomial): Polynomial {
  const rest = [...p], result: bigint[] = [], lead = divisor.at(-1)!;
  for (let top = rest.length - 1; top >= divisor.length - 1; top--) {
    const factor = rest[top]! / lead;
    divisor.forEach((value, i) => { rest[top - divisor.length + 1 + i]! -= factor * value; });
    result.unshift(factor);
  }
  return result;
}

/** p with every root once. */
function simple(p: Polynomial): Polynomial {
  const derivative = p.slice(1).map((value, i) => value * BigInt(i + 1));
  const repeated = commonFactor(p, derivative);
  return repeated.length > 1 ? quotient(p, repeated) : p;
}

/** All roots in 0..1, in order; `p` is not 0. */
export function rootsOf(p: Polynomial): Root[] {
  const of = simple(primitive(p)), roots: Root[] = [];
  const search = (coefficients: bigint[], k: bigint, n: number): void => {
    if (coefficients[0] === 0n) roots.push({ of, k, n, before: 0 });
    const changes = signChanges(coefficients);
    if (changes === 1) roots.push({ of, k, n, before: signOf(coefficients.find(value => value !== 0n)!) });
    if (changes > 1) {
      const [left, right] = halves(coefficients);
      search(left, 2n * k, n + 1);
      search(right, 2n * k + 1n, n + 1);
    }
  };
  const coefficients = bernstein(of, 0n, 0);
  search(coefficients, 0n, 0);
  if (coefficients.at(-1) === 0n) roots.push({ of, k: 1n, n: 0, before: 0 });
  return roots;
}

function signChanges(values: readonly bigint[]): number {
  const signs = values.map(signOf).filter(sign => sign !== 0);
  return signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length;
}

// Of p on k / 2^n .. (k + 1) / 2^n, times a positive number.
function bernstein(p: Polynomial, k: bigint, n: number): bigint[] {
  const degree = p.length - 1;
  // p((k + x) / 2^n) * 2^(n degree) by powers of x, then by Bernstein's polynomials.
  const shifted = p.map((value, i) => value << BigInt(n * (degree - i)));
  for (let i = 0; i < degree; i++) for (let j = degree - 1; j >= i; j--) shifted[j]! += k * shifted[j + 1]!;
  return shifted.map((_, i) => shifted.slice(0, i + 1).reduce((total, value, j) => total + value * BigInt(weight(degree, i, j)), 0n));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const choose = (n: number, k: number): number => factorial(n) / factorial(k) / factorial(n - k);
// (i over j) / (degree over j), times degree!.
const weight = (degree: number, i: number, j: number): number => factorial(degree) / choose(degree, j) * choose(i, j);

// De Casteljau: coefficients of both halves, times 2^degree.
function halves(coefficients: readonly bigint[]): [bigint[], bigint[]] {
  const left: bigint[] = [], right: bigint[] = [], degree = coefficients.length - 1;
  let row = [...coefficients];
  for (let i = 0; i <= degree; i++) {
    left.push(row[0]! << BigInt(degree - i));
    right.unshift(row.at(-1)! << BigInt(degree - i));
    row = row.slice(1).map((value, j) => row[j]! + value);
  }
  return [left, right];
}

/** Sign of p at k / 2^n. */
export function signAt(p: Polynomial, k: bigint, n: number): number {
  const shift = BigInt(n);
  return signOf(p.reduceRight((value, coefficient, i) => value * k + (coefficient << shift * BigInt(p.length - 1 - i)), 0n));
}

/** Halves the interval of a root that is not known exactly. */
export function refine(root: Root): void {
  const middle = 2n * root.k + 1n;
  const sign = signAt(root.of, middle, ++root.n);
  root.k = sign === 0 || sign === root.before ? middle : 2n * root.k;
  if (sign === 0) root.before = 0;
}

/** Sign of p at a root, whose interval may become shorter. */
export function signAtRoot(p: Polynomial, root: Root): number {
  const factor = root.before === 0 ? [] : commonFactor(p, root.of);
  if (factor.length > 1 && signChanges(bernstein(factor, root.k, root.n)) % 2 === 1) return 0;
  if (primitive(p).length === 0) return 0;
  while (root.before !== 0) {
    const coefficients = bernstein(p, root.k, root.n);
    if (signChanges(coefficients) === 0) return signOf(coefficients.find(value => value !== 0n)!);
    refine(root);
  }
  return signAt(p, root.k, root.n);
}
