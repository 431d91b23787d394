// Computes the length of the curve in which two triangle soups in general position cross, between two integers of a fine
// grid. No vertex of one soup may lie in the plane of a triangle of the other, and no two edges may touch. The code is
// slow and shares nothing with the engine.

import { cross, dot, type RationalPoint, signOf, subtract, type Vector } from './fractions.js';
import { toIntegers } from './integers.js';

type Triangle = readonly [Vector, Vector, Vector];

/** Lengths are computed in multiples of 2^-GRID of the unit. */
const GRID = 200n;

/**
 * Returns a function that compares the length with a double: 1 if the length is larger, -1 if it is smaller, and 0 if
 * the grid cannot decide.
 * @param cornersA Nine doubles per triangle; cornersB likewise.
 */
export function lengthComparer(cornersA: Float64Array, cornersB: Float64Array): (value: number) => number {
  const [unit, ...whole] = toIntegers([1, ...cornersA, ...cornersB]);
  const a = trianglesOf(whole.slice(0, cornersA.length));
  const b = trianglesOf(whole.slice(cornersA.length));
  const lengths = a.flatMap(one =>
    b.flatMap(other => {
      const ends = [...piercings(one, other), ...piercings(other, one)];
      return ends.length === 2 ? [gridLength(ends[0], ends[1])] : [];
    }),
  );
  const min = lengths.reduce((sum, length) => sum + length, 0n);
  const max = min + BigInt(lengths.length);
  return value => {
    if (value === Infinity) return -1;
    const [one, own] = toIntegers([1, value]);
    const target = (own * unit) << GRID;
    return target < min * one ? 1 : target > max * one ? -1 : 0;
  };
}

function trianglesOf(values: readonly bigint[]): Triangle[] {
  const at = (i: number): Vector => [values[i], values[i + 1], values[i + 2]];
  return Array.from({ length: values.length / 9 }, (_, i) => [at(9 * i), at(9 * i + 3), at(9 * i + 6)]);
}

// Returns the points at which edges of a triangle pass through another triangle.
function piercings(own: Triangle, [a, b, c]: Triangle): RationalPoint[] {
  const normal = cross(subtract(b, a), subtract(c, a));
  return [0, 1, 2].flatMap((i): RationalPoint[] => {
    const [from, to] = [own[i], own[(i + 1) % 3]];
    const [h, k] = [dot(normal, subtract(from, a)), dot(normal, subtract(to, a))];
    if (signOf(h) * signOf(k) >= 0) return [];
    const turns = [
      [a, b],
      [b, c],
      [c, a],
    ].map(([p, q]) => signOf(dot(subtract(to, from), cross(subtract(p, from), subtract(q, from)))));
    if (turns.some(turn => turn !== turns[0])) return [];
    const sign = BigInt(signOf(h));
    const at = [0, 1, 2].map(axis => sign * (to[axis] * h - from[axis] * k)) as unknown as Vector;
    return [{ at, under: sign * (h - k) }];
  });
}

// Returns the distance of two points in multiples of the grid, rounded down.
function gridLength(p: RationalPoint, q: RationalPoint): bigint {
  const apart = [0, 1, 2].map(axis => p.at[axis] * q.under - q.at[axis] * p.under) as unknown as Vector;
  return rootOf((dot(apart, apart) << (2n * GRID)) / (p.under * q.under) ** 2n);
}

// Returns the integer square root, by Newton's method.
function rootOf(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
