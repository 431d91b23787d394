// Tests `decideTriangles`, the kernel that tests triangle pairs exactly. On degenerate triangle pairs of
// every kind and in every vertex order, its verdicts must equal those of the integer oracle.

import * as assert from 'uvu/assert';
import { trianglesIntersectExact } from '../../dist/mesh/trianglesIntersectExact.js';
import { DecideJob, limits } from '../../dist/records/layout.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { readTriangleRows } from '../support/truth.js';
import { decide, jobAt, memory, scratchAt } from './decide.js';

const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const;
// The 72 orders of six vertices that leave each vertex in its triangle: 6 orders of A's vertices times 6
// orders of B's, each with and without A and B exchanged.
const forms = orders.flatMap(a =>
  orders.flatMap(b => {
    const shifted = b.map(vertex => vertex + 3);
    return [
      [...a, ...shifted],
      [...shifted, ...a],
    ];
  }),
);

function inForm(pairs: Float64Array[], form: number[]): Float64Array {
  const points = new Float64Array(pairs.length * 18);
  pairs.forEach((pair, i) => {
    for (let k = 0; k < 18; k++) points[i * 18 + k] = pair[form[Math.floor(k / 3)] * 3 + (k % 3)];
  });
  return points;
}

dataTest(
  '20,000 published pairs are decided correctly when they are swapped and in all vertex orders',
  () => {
    const rows = readTriangleRows();
    assert.is(rows.length, 20_000);
    for (const form of forms) {
      const verdicts = decide(
        inForm(
          rows.map(row => row.corners),
          form,
        ),
      );
      const wrong = rows.filter((row, i) => verdicts[i] !== Number(row.doIntersect)).map(row => row.kind);
      assert.equal(wrong, [], `vertex order ${form}`);
    }
  },
);

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const integer = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1));

// Makes triangle pairs with small integer coordinates: in a cube, in a plane, on a line, or as segments in
// one plane. Almost every special case is frequent among them.
function lattice(random: Random): number[] {
  const reach = integer(random, 1, 4);
  const pair = Array.from({ length: 18 }, () => integer(random, -reach, reach));
  const shape = ['space', 'space', 'plane', 'line', 'plane off the origin', 'plane and space', 'segments'][
    integer(random, 0, 6)
  ];
  const mix = Array.from({ length: 5 }, () => integer(random, -2, 2));
  if (shape === 'space') return pair;
  for (let at = 0; at < 18; at += 3) {
    if (shape === 'plane and space' && at > 6) break;
    if (shape === 'line') pair[at + 1] = mix[2] * pair[at] + mix[3];
    pair[at + 2] =
      shape === 'segments'
        ? reach
        : mix[0] * pair[at] + mix[1] * pair[at + 1] + (shape === 'plane' ? 0 : mix[4]);
    if (shape === 'segments' && at % 9 === 6) pair.copyWithin(at, at - 3, at);
  }
  const first = integer(random, 0, 2);
  return pair.map((_, k) => pair[k - (k % 3) + ((k + first) % 3)]);
}

// Makes triangle pairs in which up to three vertices of B lie in the plane of A: at vertices, on edges or in
// the interior of A, or outside A. In some pairs, a triangle has no area.
function touching(random: Random): number[] {
  const pair = Array.from({ length: 18 }, () => integer(random, -500, 500) * 16);
  const weights = [
    [16, 0, 0],
    [8, 8, 0],
    [12, 0, 4],
    [8, 4, 4],
    [24, -8, 0],
    [-16, 16, 16],
  ];
  const put = (from: number, to: number) => {
    const [a, b, c] = weights[integer(random, 0, weights.length - 1)];
    const mixed = [0, 1, 2].map(
      axis => (a! * pair[from + axis] + b! * pair[from + 3 + axis] + c! * pair[from + 6 + axis]) / 16,
    );
    mixed.forEach((value, axis) => {
      pair[to + axis] = value;
    });
  };
  for (let count = integer(random, 1, 3); count > 0; count--) put(0, 9 + 3 * integer(random, 0, 2));
  if (random() < 0.2) put(9, 9 + 3 * integer(random, 0, 2));
  if (random() < 0.2) put(0, 6);
  return pair;
}

const sliver = (random: Random): number[] => {
  const [from, along] = [
    [random(), random(), random()],
    [random(), random(), random()],
  ];
  return Array.from({ length: 18 }, (_, k) => from[k % 3] + (along[k % 3] * integer(random, -4, 4)) / 8);
};

const kinds: Record<string, (random: Random) => number[]> = {
  generic: random => Array.from({ length: 18 }, () => random() - 0.5),
  lattice,
  touching,
  sliver,
};

type Change = (pair: number[], random: Random) => number[];
const timesPower = (pair: number[], power: (k: number) => number): number[] =>
  pair.map((value, k) => value * 2 ** power(k));

// Returns the neighboring double away from zero (direction 1) or toward zero (-1). For 0, returns the
// smallest float32 denormal with the sign of `direction`.
function step(value: number, direction: number): number {
  if (value === 0) return direction * 2 ** -149;
  const double = new Float64Array([value]);
  new BigInt64Array(double.buffer)[0] += BigInt(direction);
  return double[0];
}

const changes: Record<string, Change> = {
  'as they are': pair => pair,
  'rounded to float32': pair => pair.map(Math.fround),
  // Adds the same offset to all points. The sums of integer points are exact, so coplanar points stay
  // coplanar.
  'far off': (pair, random) => {
    const offset = [1, 2, 3].map(() => 2 ** integer(random, 0, 49) + integer(random, 0, 9));
    return pair.map((value, k) => value + offset[k % 3]);
  },
  'times odd numbers': (pair, random) => {
    const factor = [1, 2, 3].map(() => 2 * integer(random, 0, 2 ** 25) + 1);
    return pair.map((value, k) => value * factor[k % 3]);
  },
  'one step off': (pair, random) => {
    const k = integer(random, 0, 17);
    return pair.with(k, step(pair[k], random() < 0.5 ? 1 : -1));
  },
  huge: pair => timesPower(pair, () => 120),
  tiny: pair => timesPower(pair, () => -120),
  'float32 denormals': pair => timesPower(pair, () => -149),
  'scaled by axis': (pair, random) => {
    const power = [1, 2, 3].map(() => integer(random, -120, 120));
    return timesPower(pair, k => power[k % 3]);
  },
  'huge and tiny mixed': (pair, random) =>
    timesPower(pair, () => (random() < 0.8 ? 0 : integer(random, -120, 120))),
  // Multiplies each vertex by a power of two. Points in a plane through the origin stay in that plane, but
  // the exact difference of two coordinates no longer fits into one double.
  'scaled by vertex': (pair, random) => {
    const power = [1, 2, 3, 4, 5, 6].map(() => integer(random, 0, 3) * 30);
    return timesPower(pair, k => power[Math.floor(k / 3)]);
  },
  'at the upper end': pair => timesPower(pair, () => 324),
  'at the lower end': pair => timesPower(pair, () => -304),
  'one step off at the lower end': (pair, random) =>
    timesPower(changes['one step off'](pair, random), () => -304),
  'ulps above the lower end': pair => pair.map(value => 2 ** -306 + value * 2 ** -358),
  'where doubles turn denormal': (pair, random) => {
    const power = integer(random, -1036, -1022);
    return timesPower(pair, () => power);
  },
  'denormal doubles': pair => timesPower(pair, () => -1074),
  'beyond both ends': (pair, random) =>
    timesPower(pair, () => (random() < 0.8 ? 0 : integer(random, -1000, 1000))),
  turned: (pair, random) => {
    const [sine, cosine] = [Math.sin(random() * 7), Math.cos(random() * 7)];
    return pair.map((value, k) =>
      k % 3 === 0
        ? cosine * value - sine * pair[k + 1]
        : k % 3 === 1
          ? cosine * value + sine * pair[k - 1]
          : value,
    );
  },
};

function makePairs(seed: number, count: number, kind: string, change: string): Float64Array[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from(changes[change](kinds[kind](random), random)));
}

let seed = 1;
let tooWideCount = 0;
for (const kind of Object.keys(kinds)) {
  test(`the kernel agrees with the oracle: ${kind}`, () => {
    for (const change of Object.keys(changes)) {
      const pairs = makePairs(seed++, 150, kind, change);
      const truth = pairs.map(pair => trianglesMeet(pair));
      for (const form of forms) {
        const verdicts = decide(inForm(pairs, form));
        const wrong = pairs.filter(
          (_, i) => verdicts[i] !== limits.TOO_WIDE && verdicts[i] !== Number(truth[i]),
        );
        assert.equal(wrong.map(String), [], `${change}, vertex order ${form}`);
      }
      tooWideCount += decide(inForm(pairs, forms[0])).filter(verdict => verdict === limits.TOO_WIDE).length;
      const wrong = pairs.filter((pair, i) => trianglesIntersectExact(pair) !== truth[i]);
      assert.equal(wrong.map(String), [], `integer fallback, ${change}`);
    }
  });
}

test('100 to 4,000 pairs have exponents outside the range of the kernel', () => {
  assert.ok(tooWideCount > 100 && tooWideCount < 4000, String(tooWideCount));
});

test('the range of the kernel is 2^-306 to 2^338', () => {
  const pair = [0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0, 5, 5, 1, 5, 5, 2];
  const verdictWith = (coordinate: number) => decide(Float64Array.from(pair.with(2, coordinate)))[0];
  for (const sign of [1, -1]) {
    for (const inside of [2 ** -306, 2 ** 338]) assert.is.not(verdictWith(sign * inside), limits.TOO_WIDE);
    for (const outside of [step(2 ** -306, -1), step(2 ** 338, 1), Number.MIN_VALUE, Number.MAX_VALUE]) {
      assert.is(verdictWith(sign * outside), limits.TOO_WIDE);
    }
  }
  assert.is(verdictWith(-0), limits.INTERSECT);
});

test('the smallest products at the lower end of the range are exact', () => {
  const minimum = 2 ** -306;
  const bit = 2 ** -358;
  const flat = [minimum, minimum, minimum, 2 * minimum, minimum, minimum, minimum, 2 * minimum, minimum];
  const above = [
    minimum,
    minimum,
    minimum + bit,
    2 * minimum,
    minimum,
    minimum + bit,
    minimum,
    2 * minimum,
    minimum + bit,
  ];
  const through = [...above.slice(0, 6), minimum, 2 * minimum, minimum];
  const pairs = [
    [...flat, ...above],
    [...flat, ...through],
    [...flat, ...flat],
  ].map(pair => Float64Array.from(pair));
  for (const form of forms)
    assert.equal([...decide(inForm(pairs, form))], [limits.APART, limits.INTERSECT, limits.INTERSECT]);
});

test('slices give the same verdicts as one call', () => {
  const points = inForm(makePairs(99, 1000, 'lattice', 'as they are'), forms[0]);
  const whole = decide(points);
  for (const sliceCount of [2, 3, 7]) assert.equal(decide(points, sliceCount), whole);
});

test('the kernel writes nothing just before or after its scratch memory', () => {
  const before = new Uint8Array(memory.buffer, 0, scratchAt);
  const after = new Uint8Array(memory.buffer, scratchAt + limits.EXACT_SCRATCH_BYTES, 4096);
  before.fill(0xab);
  after.fill(0xab);
  for (const kind of Object.keys(kinds))
    decide(inForm(makePairs(7, 2000, kind, 'scaled by vertex'), forms[0]));
  assert.ok(after.every(byte => byte === 0xab));
  assert.ok(before.every((byte, at) => byte === 0xab || (at >= jobAt && at < jobAt + DecideJob.size)));
});

test.run();
