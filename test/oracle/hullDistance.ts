// Computes in doubles the distance between two moving features (a vertex and a face, or two edges) at a given
// time. Also proves, in integers without rounding, that this distance is at most a given number.

import { toIntegers } from './integers.js';

type Point = readonly number[];

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => a.map((x, i) => x - b[i]);
const pairsOf = (isFace: boolean): [number, number][] =>
  isFace
    ? [
        [0, 1],
        [0, 2],
        [0, 3],
      ]
    : [
        [0, 2],
        [1, 2],
        [1, 3],
        [0, 3],
      ];

// Returns all differences between a point of one feature and a point of the other. The convex hull of these
// differences is as far from the origin as the features are from each other.
function differencesAt(query: ArrayLike<number>, isFace: boolean, time: number): Point[] {
  return pairsOf(isFace).map(([a, b]) =>
    [0, 1, 2].map(
      k =>
        (query[3 * a + k] - query[3 * b + k]) * (1 - time) +
        (query[12 + 3 * a + k] - query[12 + 3 * b + k]) * time,
    ),
  );
}

// Returns one weight for each point; the weights have sum 1. The weighted sum of the points is approximately
// the point of their convex hull that is nearest to the origin. To find it, the function computes the nearest
// points of all corners, edges and triangles of the hull, and takes the nearest of these.
function nearestWeights(points: Point[]): number[] {
  let best: number[] = [];
  let minimum = Infinity;
  const offer = (weights: number[]): void => {
    const size = Math.hypot(
      ...[0, 1, 2].map(k => points.reduce((sum, point, i) => sum + weights[i] * point[k], 0)),
    );
    if (size < minimum && weights.every(weight => weight >= 0)) [best, minimum] = [weights, size];
  };
  const weightsOf = (entries: [number, number][]): number[] =>
    points.map((_, i) => entries.find(([point]) => point === i)?.[1] ?? 0);
  points.forEach((a, i) => {
    offer(weightsOf([[i, 1]]));
    points.forEach((b, j) => {
      const u = minus(b, a);
      const share = Math.min(1, Math.max(0, -dot(a, u) / dot(u, u)));
      if (j > i && share > 0)
        offer(
          weightsOf([
            [i, 1 - share],
            [j, share],
          ]),
        );
    });
  });
  for (const [i, j, k] of [
    [0, 1, 2],
    [0, 2, 3],
  ] as const) {
    if (k >= points.length) break;
    const a = points[i];
    const u = minus(points[j], a);
    const v = minus(points[k], a);
    const [uu, uv, vv, au, av] = [dot(u, u), dot(u, v), dot(v, v), dot(a, u), dot(a, v)];
    const determinant = uu * vv - uv * uv;
    const p = (av * uv - au * vv) / determinant;
    const q = (au * uv - av * uu) / determinant;
    offer(
      weightsOf([
        [i, 1 - p - q],
        [j, p],
        [k, q],
      ]),
    );
  }
  return best;
}

/**
 * Returns the distance, computed in doubles with rounding errors. It may be slightly too large, because the
 * nearest point of the hull is found only approximately.
 */
export function distanceAt(query: ArrayLike<number>, isFace: boolean, time: number): number {
  const points = differencesAt(query, isFace, time);
  const weights = nearestWeights(points);
  return Math.hypot(...[0, 1, 2].map(k => points.reduce((sum, point, i) => sum + weights[i] * point[k], 0)));
}

/** Returns true only if the exact distance at `time`, a multiple of 2^-48, is at most `distance`. */
export function isWithin(query: ArrayLike<number>, isFace: boolean, time: number, distance: number): boolean {
  const weights = nearestWeights(differencesAt(query, isFace, time)).map(weight =>
    BigInt(Math.floor(weight * 2 ** 50)),
  );
  weights[weights.indexOf(weights.reduce((a, b) => (a > b ? a : b)))] +=
    2n ** 50n - weights.reduce((a, b) => a + b);
  const whole = toIntegers([...Array.from(query), distance]);
  const step = BigInt(time * 2 ** 48);
  const square = [0, 1, 2]
    .map(k =>
      pairsOf(isFace).reduce((sum, [a, b], i) => {
        const from = whole[3 * a + k] - whole[3 * b + k];
        const to = whole[12 + 3 * a + k] - whole[12 + 3 * b + k];
        return sum + weights[i] * (from * (2n ** 48n - step) + to * step);
      }, 0n),
    )
    .reduce((sum, x) => sum + x * x, 0n);
  return square <= (whole[24] * 2n ** 98n) ** 2n;
}
