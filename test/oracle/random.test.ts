// Tests the generator of hard triangle pairs. Coordinates are finite, and are float32 values if this
// precision is chosen; a seed always gives the same pairs; most kinds have both intersecting and disjoint
// pairs. Also tests that the oracle gives the same result if the triangles are swapped or mirrored, and that
// a second method confirms the result.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { fuzzCounts, hardPairs, kinds, nudge } from './random.js';
import { havePlaneBetween } from './separatingPlane.js';
import { trianglesMeet } from './trianglesIntersect.js';

const alwaysIntersect = ['sharedVertex', 'sharedEdge', 'samePermuted'];

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] as const) {
    test(`pairs of kind ${kind} have finite ${precision} values, and the oracle decides them consistently`, () => {
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
        // The check by a second method takes a millisecond, so it runs only for one in eight pairs.
        if (pair++ % 8 === 0) assert.is(havePlaneBetween(corners), !doIntersect, `${corners}`);
      }
      assert.ok(intersectingCount > 0, 'no pair intersects');
      if (!alwaysIntersect.includes(kind))
        assert.ok(intersectingCount < fuzzCounts.ci, 'all pairs intersect');
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
