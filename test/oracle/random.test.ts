// Tests that generated hard triangle pairs are finite, exact in their precision and repeatable, and that most
// kinds have both intersecting and disjoint pairs. Also tests that the oracle's results do not depend on
// order, mirroring or scale.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { fuzzCounts, hardPairs, kinds, nudge } from './random.js';
import { havePlaneBetween } from './separatingPlane.js';
import { trianglesMeet } from './trianglesIntersect.js';

const alwaysIntersect = ['sharedVertex', 'sharedEdge', 'samePermuted'];

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] as const) {
    test(`pairs of kind ${kind} in ${precision} are finite and exact, and the oracle decides them consistently`, () => {
      let intersectingCount = 0;
      let pair = 0;
      for (const corners of hardPairs(kind, 1, fuzzCounts.ci, precision)) {
        assert.ok(corners.every(Number.isFinite));
        if (precision === 'float32') assert.ok(corners.every(value => Math.fround(value) === value));
        const doIntersect = trianglesMeet(corners);
        if (doIntersect) intersectingCount++;
        const swapped = [...corners.subarray(9), ...corners.subarray(0, 9)];
        const mirrored = corners.map((_, at) => -corners[at - (at % 3) + ((at + 1) % 3)]);
        assert.is(trianglesMeet(swapped), doIntersect, `${corners}`);
        assert.is(trianglesMeet(mirrored), doIntersect, `${corners}`);
        // The second check takes a millisecond, so only one in eight pairs gets it.
        if (pair++ % 8 === 0) assert.is(havePlaneBetween(corners), !doIntersect, `${corners}`);
      }
      assert.ok(intersectingCount > 0, 'some pairs intersect');
      if (!alwaysIntersect.includes(kind))
        assert.ok(intersectingCount < fuzzCounts.ci, 'some pairs are disjoint');
    });
  }
}

test('the same seed gives the same pairs, and another seed gives different ones', () => {
  const [first, again, other] = [1, 1, 2].map(seed => [...hardPairs('generic', seed, 3, 'float64')].join());
  assert.is(first, again);
  assert.is.not(first, other);
});

test('the neighbors of a value are one ulp away from it', () => {
  assert.is(nudge(1, 1, 'float64'), 1 + 2 ** -52);
  assert.is(nudge(-1, 1, 'float32'), -1 - 2 ** -23);
  assert.is(nudge(1, -1, 'float32'), 1 - 2 ** -24);
  assert.is(nudge(0, -1, 'float32'), 2 ** -149);
});

test.run();
