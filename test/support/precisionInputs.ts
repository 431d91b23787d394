// Makes inputs for float expressions: coordinates and triangles that are random, nearly degenerate, nearly
// equal in size, tiny or huge. The exact values differ from the floats by at most a given error.

import type { Random } from '../../dist/samples/random.js';
import { exactOf } from './exactFloats.js';
import { type Float, input } from './hostileFloats.js';

export type Vector = Float[];
export interface Triangle {
  a: Vector;
  b: Vector;
  c: Vector;
}

export const AXES = [0, 1, 2] as const;

/**
 * Returns a float32 whose magnitude is at most `size`. The magnitude is often nearly `size`, and sometimes 0.
 */
export function numberOf(random: Random, size: number): number {
  const sign = random.below(2) === 0 ? 1 : -1;
  switch (random.below(6)) {
    case 0:
      return 0;
    case 1:
      return Math.fround(sign * size * 2 ** -random.below(30));
    case 2:
      return Math.fround(sign * size * (1 - 2 ** -24 * random.below(64)));
    case 3:
      return Math.fround((sign * size) / (1 + 2 ** -10 * random.between(0, 1)));
    default:
      return Math.fround(random.between(-size, size));
  }
}

/** Returns a number whose absolute value is between `size` and 1.001 times `size`. */
export const sharpNumber = (random: Random, size: number): number =>
  Math.fround((random.below(2) === 0 ? -size : size) * (1 + random.between(0, 2 ** -10)));

/** Returns an input whose exact value differs from the float by at most `error`, often by nearly `error`. */
export function inexact(random: Random, value: number, error: number): Float {
  const float = Math.fround(value);
  if (error === 0) return input(float);
  const share = [-1, 1, random.between(-1, 1)][random.below(3)];
  let exact = float + share * error * (1 - 2 ** -30);
  if (Math.abs(exact - float) > error) exact = float;
  return input(float, exactOf(exact));
}

export const vector = (random: Random, values: readonly number[], error = 0): Vector =>
  values.map(value => inexact(random, value, error));

/** The kinds of pairs of triangles that `trianglePair` makes. */
export const PAIR_KINDS = ['generic', 'sharp', 'coplanar', 'touching', 'line', 'mixed'] as const;
type PairKind = (typeof PAIR_KINDS)[number];

/** Returns the corners of two triangles, 18 numbers of at most about `size`. */
export function trianglePair(random: Random, kind: PairKind, size: number): number[] {
  const any = (): number[] => AXES.map(() => numberOf(random, size));
  const sharp = (): number[] => AXES.map(() => sharpNumber(random, size));
  const combine = (points: readonly number[][], weights: readonly number[], off = 0): number[] =>
    AXES.map(axis =>
      Math.fround(
        points.reduce((sum, point, i) => sum + weights[i] * point[axis], 0) + off * random.between(-1, 1),
      ),
    );
  const [a, b, c] = [any(), any(), any()];
  switch (kind) {
    case 'generic':
      return [a, b, c, any(), any(), any()].flat();
    case 'sharp': {
      // All differences from the first corner have coordinates of the same size.
      const others = [0, 1, 2, 3, 4].map(() => sharp());
      return [[0, 0, 0], ...others].flat();
    }
    case 'coplanar': {
      const off = size * 2 ** -random.below(40);
      const other = (): number[] => {
        const [x, y] = [random.between(-1, 1), random.between(-1, 1)];
        return combine([a, b, c], [x, y, 1 - x - y], off);
      };
      return [a, b, c, other(), other(), other()].flat();
    }
    case 'touching': {
      const [x, y] = [random.between(0, 1), random.between(0, 0.5)];
      const off = size * 2 ** -(10 + random.below(20));
      return [a, b, c, combine([a, b, c], [x * y, y, 1 - x * y - y], off), any(), any()].flat();
    }
    case 'line': {
      // B's first edge nearly meets an edge of A.
      const x = random.between(0, 1);
      const on = combine([a, b], [x, 1 - x], size * 2 ** -(10 + random.below(20)));
      const p = any();
      const q = combine([on, p], [1.5, -0.5]);
      return [a, b, c, p, q, any()].flat();
    }
    default:
      return [a, b, c, any(), any(), any()].flatMap(point =>
        point.map((value, axis) => Math.fround(value * [1, 2 ** -12, 2 ** -25][axis])),
      );
  }
}

/** Makes a triangle from 9 numbers. */
export const triangle = (random: Random, corners: readonly number[], error: number): Triangle => ({
  a: vector(random, corners.slice(0, 3), error),
  b: vector(random, corners.slice(3, 6), error),
  c: vector(random, corners.slice(6, 9), error),
});
