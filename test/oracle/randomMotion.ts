// Generates pairs of moving features (a vertex and a face, or two edges) for which it is hard to decide
// whether and when they touch: flat, collinear, at rest, tangent, touching at the start or the end of the
// motion, tiny and huge. The pairs depend only on a kind of motion and a seed. Each pair is stored as a query
// of 24 doubles: its four points at the start, then the same points at the end.

import { createRandom, type Random } from '../../dist/samples/index.js';

const whole = (random: Random, span: number): number => random.below(2 * span + 1) - span;
const numbers = (make: () => number): number[] => Array.from({ length: 24 }, make);

type Maker = (random: Random) => number[];

const lattice: Maker = random => {
  const span = 1 + random.below(4);
  return numbers(() => whole(random, span));
};
const generic: Maker = random => numbers(() => random.between(-1, 1));

// The four points of the start lie in a plane. The four points of the end lie in the same plane or in a
// parallel plane.
const coplanar: Maker = random => {
  const query = lattice(random);
  const slope = [whole(random, 2), whole(random, 2)];
  const rise = whole(random, 1);
  return query.map((value, k) =>
    k % 3 === 2 ? slope[0] * query[k - 2] + slope[1] * query[k - 1] + (k < 12 ? 0 : rise) : value,
  );
};

const inLine: Maker = random => {
  const along = [whole(random, 3), whole(random, 3), whole(random, 3)];
  const places = Array.from({ length: 8 }, () => whole(random, 6));
  const still = random.below(2);
  return numbers(() => 0).map((_, k) => along[k % 3] * places[Math.floor(k / 3)] + (k >= 12 ? still : 0));
};

const still: Maker = random => {
  const query = lattice(random);
  return [...query.slice(0, 12), ...query.slice(0, 12)];
};
// All points have the same motion. The differences between points therefore never change, and disjoint
// features stay exactly disjoint.
const together: Maker = random => {
  const query = still(random);
  const by = [whole(random, 9), whole(random, 9), whole(random, 9)];
  return query.map((value, k) => (k < 12 ? value : value + by[k % 3]));
};
const pointlike: Maker = random => {
  const query = lattice(random);
  // Two of the four points coincide at the start, or at the start and at the end.
  const [from, to] = [
    [1, 2],
    [2, 3],
    [0, 1],
    [1, 3],
  ][random.below(4)];
  for (const time of random.below(2) ? [0, 12] : [0])
    for (let k = 0; k < 3; k++) query[time + 3 * to! + k] = query[time + 3 * from! + k];
  return query;
};
// The first point reaches a point in the plane of the other three points, at a time that is a multiple of
// 1/8.
const meeting: Maker = random => {
  const query = numbers(() => 8 * whole(random, 6));
  const weights = [
    [8, 0, 0],
    [4, 4, 0],
    [2, 2, 4],
    [0, 3, 5],
    [9, -1, 0],
    [-1, 4, 5],
  ][random.below(6)];
  const time = random.below(9);
  for (let k = 0; k < 3; k++) {
    const target =
      [0, 1, 2].reduce(
        (sum, i) => sum + weights[i] * ((8 - time) * query[3 * (i + 1) + k] + time * query[15 + 3 * i + k]),
        0,
      ) / 64;
    const velocity = whole(random, 9);
    query[k] = target - velocity * time;
    query[12 + k] = target + velocity * (8 - time);
  }
  return query;
};
// The volume of the tetrahedron of the four points, a polynomial in time, has a double root or two roots that
// are close together.
const tangent: Maker = random => {
  const [x, y, lift] = [
    random.between(-1, 1),
    random.between(-1, 1),
    [0, 0, 2 ** -50, 2 ** -30, -(2 ** -50)][random.below(5)],
  ];
  const from = [0.25, 0.25, 0.25 + lift];
  const to = [0.25, 0.25, 0.25 + lift];
  return [...from, 0, 0, 1, 1, 0, -1, 0, 1, -1, ...to, 0, 0, -1, 1, x, 1, y, 1, 1].map(value => value + 0);
};
// Except for rounding, the features touch at the end. At the start they touch too, or the first point is
// moved away by at most 0.1 along each axis. Only exact arithmetic can decide whether they touch.
const resting: Maker = random => {
  const query = numbers(() => random.between(-1, 1));
  const isEdge = random.below(2) === 1;
  const height = [0, 1e-16, 0.1][random.below(3)];
  const share = () => random.below(3) && random.between(0, 0.5);
  const [p, q] = [share(), share()];
  for (const time of [0, 12])
    for (let k = time; k < time + 3; k++) {
      const [a, b, c] = [query[k + 3], query[k + 6], query[k + 9]];
      const other = b + q * (c - b);
      // The first point is on the face, or the edge from the first to the second point passes through the
      // other edge.
      query[k] = isEdge ? other + p * (other - a) : a + p * (b - a) + q * (c - a);
      if (time === 0) query[k] += height * random.between(-1, 1);
    }
  return query;
};
// At the start, the first point lies on the triangle of the other three points. Then all points have the same
// motion, or all are at rest. The coordinates have too many bits for float32. If the distance of the first
// point from the plane of the triangle is computed in float32, the result is therefore only a rounding error.
const touching: Maker = random => {
  const query = numbers(() => 8 * whole(random, 2 ** 25));
  const weights = [
    [8, 0, 0],
    [4, 4, 0],
    [2, 2, 4],
    [0, 3, 5],
    [1, 6, 1],
  ][random.below(5)];
  for (let k = 0; k < 3; k++)
    query[k] = [0, 1, 2].reduce((sum, i) => sum + (weights[i] * query[3 * (i + 1) + k]) / 8, 0);
  const by = [whole(random, 2 ** 28), whole(random, 2 ** 28), whole(random, 2 ** 28)];
  const moves = random.below(2);
  return query.map((value, k) => (k < 12 ? value : query[k - 12] + moves * by[k % 3]));
};
// Except for rounding, the first point passes through the segment between the next two points (an edge of the
// face).
const brushing: Maker = random => {
  const query = numbers(() => random.between(-1, 1));
  const time = random.between(0, 1);
  const share = random.below(3) && random.between(0, 1);
  for (let k = 0; k < 3; k++) {
    const at = (point: number) => query[3 * point + k] * (1 - time) + query[12 + 3 * point + k] * time;
    const target = at(1) + share * (at(2) - at(1));
    const velocity = random.between(-1, 1);
    query[k] = target - velocity * time;
    query[12 + k] = target + velocity * (1 - time);
  }
  return query;
};
// As `meeting`, but one coordinate at the start or at the end may be off by 2^-40.
const atTheEnds: Maker = random => {
  const query = meeting(random);
  const time = random.below(2) * 12;
  const k = time + random.below(12);
  query[k] += [0, 2 ** -40, -(2 ** -40)][random.below(3)];
  return query;
};
const scaled =
  (power: number): Maker =>
  random =>
    [lattice, meeting, generic][random.below(3)](random).map(value => value * 2 ** power);
const far: Maker = random => {
  const by = [1e3, 1e6, 2 ** 40];
  return meeting(random).map((value, k) => value + by[k % 3]);
};
const flat: Maker = random =>
  generic(random).map((value, k) => (k % 3 === random.below(3) ? value * 2 ** -30 : value));
const slow: Maker = random => {
  const query = meeting(random);
  return query.map((value, k) => (k < 12 ? value : query[k - 12] + (value - query[k - 12]) * 2 ** -20));
};

export const motions = {
  generic,
  lattice,
  coplanar,
  inLine,
  still,
  together,
  pointlike,
  meeting,
  tangent,
  resting,
  touching,
  brushing,
  atTheEnds,
  flat,
  slow,
  far,
  tiny: scaled(-60),
  tiniest: scaled(-1060),
  huge: scaled(40),
  hugest: random => lattice(random).map(value => value * 2 ** 1021),
} satisfies Record<string, Maker>;

export type Motion = keyof typeof motions;
export const motionNames = Object.keys(motions) as Motion[];

/** Makes `count` pairs of moving features, 24 doubles each. */
export function movingFeatures(kind: Motion, seed: number, count: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from(motions[kind](random)));
}

/**
 * Returns variants of a query: one with start and end exchanged, and others with points exchanged. The
 * features of a variant touch if and only if those of the query touch.
 */
export function variants(query: Float64Array, isFace: boolean): Float64Array[] {
  const orders = isFace
    ? [
        [0, 2, 3, 1],
        [0, 1, 3, 2],
      ]
    : [
        [1, 0, 2, 3],
        [2, 3, 0, 1],
        [3, 2, 1, 0],
      ];
  const inOrder = (order: readonly number[]) =>
    Float64Array.from(
      query,
      (_, k) => query[Math.floor(k / 12) * 12 + 3 * order[Math.floor((k % 12) / 3)] + (k % 3)],
    );
  return [Float64Array.from([...query.subarray(12), ...query.subarray(0, 12)]), ...orders.map(inOrder)];
}
