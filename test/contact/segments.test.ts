// Tests the contact kinds of triangle pairs with every kind of degeneracy, and the points that the triangles of
// each pair share. The results must equal the integer oracle's to the bit.

import * as assert from 'uvu/assert';
import { intersectTrianglesExact } from '../../dist/contact/intersectTrianglesExact.js';
import { nearestDouble } from '../oracle/commonSet.js';
import { fuzzCounts, hardPairs, kinds, type Precision } from '../oracle/random.js';
import { dataTest } from '../support/data.js';
import { test } from '../support/test.js';
import { readTriangleRows } from '../support/truth.js';
import { checkSegments, exchangedPair } from './checkSegments.js';
import { findSegments, UNDECIDED } from './findSegments.js';

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] satisfies Precision[]) {
    test(`the kernel agrees with the oracle: ${kind}, ${precision}`, () => {
      const pairs = [...hardPairs(kind, 91, fuzzCounts.ci, precision)];
      const undecided = checkSegments(pairs, true) + checkSegments(pairs.map(exchangedPair), false);
      // The kernel decides pairs of floats of any size unless their exponents span too large a range.
      assert.ok(undecided < pairs.length / 4, `${undecided} of ${2 * pairs.length} undecided`);
    });
  }
}

dataTest('20,000 published pairs agree with the oracle', () => {
  const rows = readTriangleRows();
  assert.is(rows.length, 20_000);
  assert.is(
    checkSegments(
      rows.map(row => row.corners),
      false,
    ),
    0,
  );
});

test('a point halfway between two doubles is left to the integer code, which rounds to even', () => {
  const floor = [-5, -5, 0, 5, -5, 0, 0, 9, 0];
  const step = 2 ** -52;
  for (const [low, even] of [
    [1, 1],
    [1 + step, 1 + 2 * step],
  ] as const) {
    const pair = Float64Array.of(...floor, low, 0, -1, low + step, 0, 1, 3, 3, 1);
    assert.is(findSegments(pair)[0].kind, UNDECIDED);
    assert.ok(
      intersectTrianglesExact(pair).points.includes(even),
      String(intersectTrianglesExact(pair).points),
    );
  }
});

test('points beyond the capacity are counted and not written', () => {
  const crossing = (at: number): number[] => [
    -1,
    -1,
    at,
    1,
    -1,
    at,
    0,
    2,
    at,
    0,
    0,
    at - 1,
    0,
    0,
    at + 1,
    0.5,
    1,
    at + 1,
  ];
  const former = findSegments(Float64Array.from([...crossing(8), ...crossing(9)])).map(
    ({ points }) => points,
  );
  const pairs = Float64Array.from([...crossing(0), ...crossing(2)]);
  assert.equal(
    former.map(({ length }) => length),
    [6, 6],
  );
  const [first, second] = findSegments(pairs, 3).map(({ points }) => points);
  assert.equal([first![2], first![5], second], [0, 0, former[1]]);
});

test('the oracle rounds like division', () => {
  for (const [n, d] of [
    [1, 3],
    [-2, 7],
    [1e300, 3],
    [5, 2 ** 40],
    [0, 9],
    [2 ** 53 - 1, 2],
  ] as const)
    assert.is(nearestDouble(BigInt(n), BigInt(d), 0), n / d);
  assert.is(nearestDouble(3n, 1n, -1075), 2 ** -1073);
  assert.is(nearestDouble(-1n, 1n, -1075), 0);
});

test.run();
