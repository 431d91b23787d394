// Tests that the distance of two triangles is within its error bound, is 0 only if they intersect, and does
// not depend on the order of the triangles and their corners.

import * as assert from 'uvu/assert';
import { limits } from '../../dist/records/layout.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { fuzzCounts, hardPairs, kinds } from '../oracle/random.js';
import { distanceOf, isWithin } from '../oracle/triangleDistance.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { test } from '../support/test.js';
import { extentOf, measure } from './measure.js';

/** Max error of a distance, relative to the extent of the two triangles. */
const ERROR = 2 ** -46;
const count = Math.min(fuzzCounts.ci, 400);

/**
 * Generates pairs of needles (thin triangles) beside each other, at random angles and distances. For such
 * pairs, rounding could select the wrong nearest points.
 */
function* needles(random: Random, pairs: number): Generator<Float64Array> {
  for (let pair = 0; pair < pairs; pair++) {
    const power = (maximum: number): number => 2 ** -random.between(0, maximum);
    const [width, turn, gap] = [power(50), power(50), power(50)];
    const at = random.between(-0.4, 0.4);
    const plain = [
      -1,
      0,
      0,
      1,
      0,
      0,
      random.between(-1, 1),
      width,
      0,
      at - 1,
      -turn,
      gap,
      at + 1,
      turn,
      gap,
      at,
      turn * random.between(-1, 1),
      gap + power(30),
    ];
    const axes = [0, 1, 2].map(() => random.direction());
    const shift = random.between(-1, 1) * 2 ** random.below(4);
    // The axes are not perpendicular, so they also distort the needles. The test does not depend on the exact
    // shape.
    yield Float64Array.from(plain, (_, i) =>
      axes.reduce((sum, axis, k) => sum + axis[i % 3] * plain[i - (i % 3) + k], shift),
    );
  }
}

function check(name: string, pairs: readonly Float64Array[]): number {
  const { distances, nearest, verdicts } = measure(Float64Array.from(pairs.flatMap(pair => [...pair])), 3);
  let intersectingCount = 0;
  pairs.forEach((pair, i) => {
    const distance = distances[i];
    const extent = extentOf(pair);
    const intersects = trianglesMeet(pair);
    const where = `${name}, pair ${i}: ${[...pair].join(', ')}`;
    if (intersects) intersectingCount++;
    if (verdicts[i] === limits.TOO_WIDE) return assert.ok(distance > 0, where);
    assert.is(distance === 0, intersects, where);
    assert.ok(isWithin(pair, distance, ERROR * extent), `${where}: ${distance}`);
    const reach = Math.max(...pair.map(Math.abs));
    for (const side of [0, 1]) {
      const point = nearest.subarray(6 * i + 3 * side, 6 * i + 3 * side + 3);
      const off = distanceOf([...point, ...point, ...point, ...pair.subarray(9 * side, 9 * side + 9)]);
      assert.ok(off <= ERROR * extent + 2 ** -51 * reach, `${where}: point ${side} is ${off} off`);
    }
    if (intersects) assert.equal(nearest.slice(6 * i, 6 * i + 3), nearest.slice(6 * i + 3, 6 * i + 6), where);
  });
  return intersectingCount;
}

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] as const)
    test(`distances are within the error bound: ${kind}, ${precision}`, () => {
      check(kind, [...hardPairs(kind, 31, count, precision)]);
    });
}

test('distances of needles beside each other are within the error bound', () => {
  const intersecting = check('needles', [...needles(createRandom(17), 1500)]);
  assert.ok(intersecting < 1500);
});

// The six orders of three corners.
const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

test('any order of the triangles and of their corners, and 0 and -0, give the same bits', () => {
  for (const kind of kinds) {
    for (const pair of hardPairs(kind, 5, 12, 'float64')) {
      const corner = (i: number): number[] => [...pair.subarray(3 * i, 3 * i + 3)];
      const variants = orders.flatMap(first =>
        orders.flatMap(second => {
          const one = first.flatMap(corner);
          const other = second.flatMap(i => corner(3 + i));
          return [
            [...one, ...other],
            [...other, ...one],
          ];
        }),
      );
      const { distances, nearest } = measure(
        Float64Array.from(variants.flat(), value => (value === 0 ? -value : value)),
      );
      const plain = measure(pair);
      const [a, b] = [plain.nearest.slice(0, 3), plain.nearest.slice(3, 6)];
      variants.forEach((_, i) => {
        assert.is(distances[i], plain.distances[0], kind);
        const own = nearest.slice(6 * i, 6 * i + 6);
        assert.equal(own, Float64Array.from(i % 2 === 0 ? [...a, ...b] : [...b, ...a]), kind);
      });
    }
  }
});

test('a pair that is moved far keeps its distance if its coordinates have enough digits', () => {
  const random = createRandom(3);
  for (let iteration = 0; iteration < 300; iteration++) {
    const pair = Float64Array.from({ length: 18 }, () => random.below(2 ** 20) / 2 ** 10);
    const offset = 2 ** 30 * random.below(9);
    assert.is(measure(pair.map(value => value + offset)).distances[0], measure(pair).distances[0]);
  }
});

test('scaling by a power of two scales the distance and loses no digits', () => {
  const random = createRandom(4);
  for (let iteration = 0; iteration < 100; iteration++) {
    const pair = Float64Array.from({ length: 18 }, () => random.below(2 ** 20) / 2 ** 10);
    const [distance] = measure(pair).distances;
    for (const scale of [2 ** 280, 2 ** -280])
      assert.is(measure(pair.map(value => value * scale)).distances[0], distance! * scale);
  }
});

test('triangles that are points or segments have the correct distances', () => {
  const at = (...corners: number[][]): number => measure(Float64Array.from(corners.flat())).distances[0];
  const [o, x, far] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 3, 4],
  ];
  assert.is(at(o, o, o, far, far, far), 5);
  assert.is(at(o, o, o, o, o, o), 0);
  assert.is(at(o, x, x, far, far, far), 5);
  assert.is(at(o, x, o, [0.5, 2, 0], [0.5, 9, 0], [0.5, 2, 0]), 2);
  assert.is(at(o, x, [0, 1, 0], [0.25, 0.25, 7], [0.25, 0.25, 9], [0.25, 0.25, 7]), 7);
  // The distance is far below the rounding errors of such large coordinates, but it must not be 0.
  assert.ok(
    at(
      [-1e300, -1e300, 0],
      [1e300, -1e300, 0],
      [0, 1e300, 0],
      [0, 0, 5e-324],
      [0, 0, 5e-324],
      [0, 0, 5e-324],
    ) > 0,
  );
});

test.run();
