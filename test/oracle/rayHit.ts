// Finds exactly where a ray first meets a triangle, by solving linear equations in fractions. A point that
// the ray and the triangle share is origin + t * direction = a + u * (b - a) + v * (c - a) with t, u, v >= 0
// and u + v <= 1. The smallest such t is at a corner of the set of solutions (t, u, v). At a corner, some of
// the four inequalities hold with equality, and no other point solves all these equations.

import { compare, divide, type Fraction, fraction, minus, plus, signOf, times } from './fractions.js';
import { toIntegers } from './integers.js';

type Row = Fraction[];

const ZERO = fraction(0n);
const ONE = fraction(1n);
/** The four inequalities as equations. Each row holds the factors of t, u and v, and the right side. */
const LIMITS: Row[] = [
  [ONE, ZERO, ZERO, ZERO],
  [ZERO, ONE, ZERO, ZERO],
  [ZERO, ZERO, ONE, ZERO],
  [ZERO, ONE, ONE, ONE],
];

/**
 * Returns the smallest parameter at which the ray is in the closed triangle; undefined if there is none. ray:
 * origin and direction, six doubles. corners: nine doubles.
 */
export function firstParameter(ray: ArrayLike<number>, corners: ArrayLike<number>): Fraction | undefined {
  const n = toIntegers([...Array.from(ray), ...Array.from(corners)]).map(value => fraction(value));
  const equations: Row[] = [0, 1, 2].map(axis => {
    const a = n[6 + axis];
    return [n[3 + axis], minus(a, n[9 + axis]), minus(a, n[12 + axis]), minus(a, n[axis])];
  });
  const solution = solve(equations);
  if (solution === 'none') return undefined;
  if (solution !== 'many') return isFeasible(solution) ? solution[0] : undefined;
  let first: Fraction | undefined;
  for (let set = 1; set < 16; set++) {
    const solution = solve([...equations, ...LIMITS.filter((_, i) => (set >> i) & 1)]);
    if (typeof solution === 'string' || !isFeasible(solution)) continue;
    if (!first || compare(solution[0], first) < 0) first = solution[0];
  }
  return first;
}

const isFeasible = ([t, u, v]: Fraction[]): boolean =>
  signOf(t.over) >= 0 && signOf(u.over) >= 0 && signOf(v.over) >= 0 && compare(plus(u, v), ONE) <= 0;

// Solves equations in three unknowns by Gauss-Jordan elimination.
function solve(equations: readonly Row[]): Fraction[] | 'none' | 'many' {
  const rows = equations.map(row => [...row]);
  let rank = 0;
  for (let column = 0; column < 3; column++) {
    const pivot = rows.findIndex((row, i) => i >= rank && row[column].over !== 0n);
    if (pivot < 0) continue;
    [rows[rank], rows[pivot]] = [rows[pivot], rows[rank]];
    const factor = rows[rank][column];
    rows[rank] = rows[rank].map(value => divide(value, factor));
    rows.forEach((row, i) => {
      if (i === rank || row[column].over === 0n) return;
      const share = row[column];
      rows[i] = row.map((value, k) => minus(value, times(share, rows[rank][k])));
    });
    rank++;
  }
  if (rows.slice(rank).some(row => row[3].over !== 0n)) return 'none';
  return rank < 3 ? 'many' : rows.slice(0, 3).map(row => row[3]);
}

/**
 * Returns from which side the line of the ray passes through the triangle's plane: -1 from the front, where the
 * corners appear in counterclockwise order; 1 from the back; 0 if the ray is parallel to the plane, or the
 * triangle has no area.
 */
export function facing(ray: ArrayLike<number>, corners: ArrayLike<number>): number {
  const n = toIntegers([...Array.from(ray).slice(3), ...Array.from(corners)]);
  const edge = (to: number): bigint[] => [0, 1, 2].map(axis => n[to + axis] - n[3 + axis]);
  const [u, v] = [edge(6), edge(9)];
  const normal = [0, 1, 2].map(axis => {
    const [i, k] = [(axis + 1) % 3, (axis + 2) % 3];
    return u[i] * v[k] - u[k] * v[i];
  });
  return signOf(normal.reduce((sum, value, axis) => sum + value * n[axis], 0n));
}

/** One value as a fraction. */
export function exactly(value: number): Fraction {
  const [over, under] = toIntegers([value, 1]);
  return fraction(over, under);
}
