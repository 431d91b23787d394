// Tests weighObstacles, which solves a matrix game. Weights of the obstacles give each corner a weighted mean
// of its gaps. weighObstacles finds the weights that make the largest of these means as small as possible. The
// returned shares of the corners prove a lower bound of the largest mean for all possible weights, so the
// returned value is optimal if it equals this bound except for rounding.

import * as assert from 'uvu/assert';
import { weighObstacles } from '../../dist/contact/overlapDepth/weighObstacles.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

test('the weights are the best ones', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const random = createRandom(seed);
    const corners = 1 + random.below(8);
    const scale = 10 ** random.between(-6, 6);
    const isCoarse = random.below(2) === 0;
    const gaps = Array.from({ length: 1 + random.below(9) }, () =>
      Array.from({ length: corners }, () => {
        const gap = random.between(-1, 1);
        return scale * (isCoarse ? Math.round(2 * gap) : gap);
      }),
    );
    const { value, weights, shares } = weighObstacles(gaps);
    for (const list of [weights, shares]) {
      assert.ok(
        list.every(one => one >= 0),
        `seed ${seed}`,
      );
      assert.ok(Math.abs(list.reduce((sum, one) => sum + one, 0) - 1) < 1e-12, `seed ${seed}`);
    }
    const means = shares.map((_, corner) => gaps.reduce((sum, row, i) => sum + weights[i] * row[corner], 0));
    assert.is(value, Math.max(...means), `seed ${seed}`);
    const proven = Math.min(
      ...gaps.map(row => row.reduce((sum, gap, corner) => sum + shares[corner] * gap, 0)),
    );
    assert.ok(value - proven <= 1e-9 * scale, `seed ${seed}: ${value} is more than ${proven}`);
  }
});

test.run();
