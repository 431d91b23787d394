// Tests that the box of a swarm's body contains the exact position of the body's center at both ends of a step.
// The terms of each coordinate of the center nearly cancel, so their rounding errors matter. The test computes
// the position without rounding, in integers.

import * as assert from 'uvu/assert';
import { REACH_LENGTH, reachOf } from '../../dist/cluster/swarm/reach.js';
import { createRandom } from '../../dist/samples/index.js';
import { toIntegers } from '../oracle/integers.js';
import { test } from '../support/test.js';

test('the box of a body far from the origin of its mesh contains the exact center at both ends of a step', () => {
  const random = createRandom(5);
  for (let round = 0; round < 200; round++) {
    const center = [0, 1, 2].map(() => random.between(-1, 1) * 2 ** 50);
    const [x, y, z] = center;
    // Each row ends with a shift that moves the center near 0.
    const placement = (): Float64Array =>
      Float64Array.from(
        [0, 1, 2].flatMap(() => {
          const row = [0, 1, 2].map(() => random.between(-1, 1));
          return [...row, random.between(-1, 1) - (row[0] * x + row[1] * y + row[2] * z)];
        }),
      );
    const [from, to] = [placement(), placement()];
    const box = new Float64Array(REACH_LENGTH);
    reachOf({ x, y, z, radius: 2 ** -20 }, from, 0, to, 0, box);
    // All values are integers in units of a common power of two, and `one` is the number 1 in these units. A
    // product is in squared units.
    const whole = toIntegers(Float64Array.from([...from, ...to, ...center, ...box.subarray(0, 6), 1]));
    const one = whole[33];
    for (let axis = 0; axis < 3; axis++)
      for (const row of [4 * axis, 12 + 4 * axis]) {
        const exact =
          whole[row] * whole[24] +
          whole[row + 1] * whole[25] +
          whole[row + 2] * whole[26] +
          whole[row + 3] * one;
        assert.ok(
          whole[27 + axis] * one <= exact && exact <= whole[30 + axis] * one,
          `round ${round}, axis ${axis}`,
        );
      }
  }
});

test.run();
