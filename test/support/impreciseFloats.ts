// Simulates float32 arithmetic that is as imprecise as WGSL allows: at random, from a seed, results are
// rounded up or down, products are fused into sums, sums are reordered, and denormals are flushed. The
// arithmetic `nearest` instead rounds to nearest and adds in the written order.

import { createRandom } from '../../dist/samples/random.js';

export type Vector = readonly [number, number, number];

export interface Floats {
  round(exact: number): number;
  sum(terms: readonly number[]): number;
  dot(a: Vector, b: Vector): number;
  root(square: number): number;
}

const MIN_NORMAL = 2 ** -126;
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

function neighbor(value: number, by: number): number {
  float[0] = value;
  bits[0] += by;
  return float[0];
}

export const nearest: Floats = {
  round: Math.fround,
  sum: terms => terms.reduce((sum, term) => Math.fround(sum + term)),
  dot: (a, b) =>
    Math.fround(Math.fround(Math.fround(a[0] * b[0]) + Math.fround(a[1] * b[1])) + Math.fround(a[2] * b[2])),
  root: square => Math.fround(Math.sqrt(square)),
};

/** Makes imprecise arithmetic. bias: the fraction (0 to 1) of results that are rounded away from zero. */
export function impreciseFloats(seed: number, bias: number): Floats {
  const random = createRandom(seed);
  const chance = (share: number): boolean => random.between(0, 1) < share;
  const round = (exact: number): number => {
    const near = Math.fround(exact);
    if (Math.abs(near) < MIN_NORMAL && chance(0.5)) return 0;
    if (near === exact || near === 0) return near;
    const isAway = Math.abs(near) > Math.abs(exact);
    return chance(bias) ? (isAway ? near : neighbor(near, 1)) : isAway ? neighbor(near, -1) : near;
  };
  const sum = (terms: readonly number[]): number => {
    const rest = [...terms];
    for (let i = rest.length - 1; i > 0; i--) {
      const k = random.below(i + 1);
      [rest[i], rest[k]] = [rest[k], rest[i]];
    }
    // After each addition, decides at random whether the sum is used in the next addition or in a later one.
    while (rest.length > 1) {
      const [a, b] = rest.splice(0, 2);
      const both = round(a + b);
      if (chance(0.5)) rest.unshift(both);
      else rest.push(both);
    }
    return rest[0];
  };
  const root = (square: number): number =>
    Math.fround(Math.sqrt(square) * (1 + (random.below(11) - 5) * 2 ** -24));
  return {
    round,
    sum,
    root,
    dot: (a, b) => sum([0, 1, 2].map(axis => (chance(0.5) ? round(a[axis] * b[axis]) : a[axis] * b[axis]))),
  };
}
