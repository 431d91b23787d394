// Generates triangle pairs for which it is hard to decide whether they intersect: touching, flat, thin, tiny
// and huge pairs, and pairs that are one ulp away from touching. The pairs depend only on a kind, a seed and
// a precision.

import { createRandom, type Random } from '../../dist/samples/index.js';

export type Precision = 'float32' | 'float64';
type Vector = [number, number, number];

// Numbers of pairs per kind and precision. The oracle decides `ci` pairs in seconds and `proof` pairs in
// minutes.
export const fuzzCounts = { ci: 400, proof: 40_000 };

const add = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + b[0] * factor,
  a[1] + b[1] * factor,
  a[2] + b[2] * factor,
];
const whole = (random: Random, span: number): number => random.below(2 * span + 1) - span;
const wholes = (random: Random, span: number): Vector => [
  whole(random, span),
  whole(random, span),
  whole(random, span),
];
const reals = (random: Random): Vector => [
  random.between(-1, 1),
  random.between(-1, 1),
  random.between(-1, 1),
];
const choose = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)];

// Returns a random point of a triangle. The triangle's coordinates must be multiples of 8. The weights of the
// corners are eighths, so the coordinates of the point are exact integers.
function onTriangle(random: Random, [a, b, c]: Vector[]): Vector {
  const first = random.below(9);
  const second = random.below(9 - first);
  const mixed = (axis: number) =>
    (first * a![axis] + second * b![axis] + (8 - first - second) * c![axis]) / 8;
  return [mixed(0), mixed(1), mixed(2)];
}

const eights = (random: Random): Vector => wholes(random, 6).map(value => value * 8) as Vector;

// For each kind, a function that makes the six corners of a triangle pair. Kinds in which triangles have to
// touch exactly use small integers.
const makers = {
  generic: random => Array.from({ length: 6 }, () => reals(random)),
  lattice: random => Array.from({ length: 6 }, () => wholes(random, 2)),
  coplanar(random) {
    const [origin, u, v] = [wholes(random, 9), wholes(random, 9), wholes(random, 9)];
    return Array.from({ length: 6 }, () => add(add(origin, u, whole(random, 3)), v, whole(random, 3)));
  },
  sharedVertex(random) {
    const [apex, ...rest] = Array.from({ length: 5 }, () => reals(random)) as [Vector, ...Vector[]];
    return [apex, rest[0], rest[1], apex, rest[2], rest[3]];
  },
  sharedEdge(random) {
    const [a, b, c, d] = Array.from({ length: 4 }, () => wholes(random, 4));
    return [a, b, c, b, a, d];
  },
  vertexOnFace(random) {
    const face = [eights(random), eights(random), eights(random)];
    return [...face, onTriangle(random, face), eights(random), eights(random)];
  },
  edgeOnEdge(random) {
    const [a, b] = [eights(random), eights(random)];
    const point = onTriangle(random, [a, b, b]);
    const along = wholes(random, 9);
    const ends = [add(point, along, 1 + random.below(3)), add(point, along, -1 - random.below(3))] as const;
    return [a, b, eights(random), ...ends, eights(random)];
  },
  collinear(random) {
    const [origin, along] = [wholes(random, 9), wholes(random, 5)];
    const onLine = () => add(origin, along, whole(random, 4));
    const other = random.below(2) === 0 ? onLine : () => add(origin, wholes(random, 4));
    return [onLine(), onLine(), onLine(), other(), other(), other()];
  },
  sliver(random) {
    const width = 2 ** -(10 + random.below(40));
    const needle = (): Vector[] => {
      const [start, end] = [reals(random), reals(random)];
      return [start, end, add(add(start, end, random.between(0, 1)), reals(random), width)];
    };
    return [...needle(), ...needle()];
  },
  nearlyParallel(random) {
    const face = [reals(random), reals(random), reals(random)];
    const lift = choose(random, [0, 2 ** -24, 2 ** -40, 2 ** -52, -(2 ** -24)]);
    return [...face, ...face.map(corner => add(corner, reals(random), lift))];
  },
  scaleMix(random) {
    const scaled = (corner: Vector, power: number) => corner.map(value => value * 2 ** power) as Vector;
    const [powerA, powerB] = [whole(random, 120), whole(random, 120)];
    const make = random.below(2) === 0 ? reals : (from: Random) => wholes(from, 2);
    const corners = Array.from({ length: 6 }, () => make(random));
    // In half of the pairs, the second triangle contains the origin. The triangle with the smaller scale lies
    // near the origin, so both triangles are close together.
    if (random.below(2) === 0) corners[5] = add(add([0, 0, 0], corners[3], -1), corners[4], -1);
    return corners.map((corner, number) => scaled(corner, number < 3 ? powerA : powerB));
  },
  mixedCorners: random =>
    Array.from({ length: 6 }, () => reals(random).map(value => value * 2 ** whole(random, 120)) as Vector),
  denormal: random =>
    Array.from({ length: 6 }, () => wholes(random, 3).map(value => value * 2 ** -149) as Vector),
  farOffset(random) {
    const offset = wholes(random, 1).map(value => value * 2 ** (10 + random.below(14))) as Vector;
    const face = [eights(random), eights(random), eights(random)];
    return [...face, onTriangle(random, face), eights(random), eights(random)].map(corner =>
      add(offset, corner, 1 / 64),
    );
  },
  samePermuted(random) {
    const face = [reals(random), reals(random), reals(random)] as [Vector, Vector, Vector];
    return [
      ...face,
      ...choose(random, [
        [0, 1, 2],
        [1, 2, 0],
        [2, 1, 0],
      ]).map(corner => face[corner]),
    ];
  },
} satisfies Record<string, (random: Random) => Vector[]>;

export type Kind = keyof typeof makers;
export const kinds = Object.keys(makers) as Kind[];

const bits = new DataView(new ArrayBuffer(8));

// Returns the next value in the given precision: away from zero if step is 1, toward zero if it is -1. For 0,
// returns the smallest denormal.
export function nudge(value: number, step: 1 | -1, precision: Precision): number {
  if (precision === 'float32') {
    bits.setFloat32(0, value);
    if (value === 0) bits.setUint32(0, 1);
    else bits.setInt32(0, bits.getInt32(0) + step);
    return bits.getFloat32(0);
  }
  bits.setFloat64(0, value);
  if (value === 0) bits.setBigUint64(0, 1n);
  else bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(step));
  return bits.getFloat64(0);
}

// Generates triangle pairs of 18 values each. In double precision, half of the pairs of every kind are
// multiplied by a random factor, so that their values use all 53 bits. Then, in a third of the pairs, up to
// three values are moved by one ulp.
export function* hardPairs(
  kind: Kind,
  seed: number,
  count: number,
  precision: Precision,
): Generator<Float64Array> {
  const random = createRandom(seed * 64 + kinds.indexOf(kind));
  for (let pair = 0; pair < count; pair++) {
    const corners = Float64Array.from(makers[kind](random).flat());
    const factor = precision === 'float64' && random.below(2) === 0 ? random.between(0.5, 2) : 1;
    corners.forEach((value, at) => {
      corners[at] = precision === 'float32' ? Math.fround(value) : value * factor;
    });
    const nudgeCount = random.below(3) === 0 ? 1 + random.below(3) : 0;
    for (let step = 0; step < nudgeCount; step++) {
      const at = random.below(18);
      corners[at] = nudge(corners[at], random.below(2) === 0 ? 1 : -1, precision);
    }
    yield corners;
  }
}
