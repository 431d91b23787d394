// Tests that the bounding box of a placed mesh contains the exact positions of all placed corners, for any
// placement. The test computes these positions without rounding, in integers.

import * as assert from 'uvu/assert';
import { placedBox } from '../../dist/cluster/jobs/placedPairs.js';
import { readTransform } from '../../dist/core/transform.js';
import { createRandom } from '../../dist/samples/index.js';
import { toIntegers } from '../oracle/integers.js';
import { placements } from '../support/placedScenes.js';
import { test } from '../support/test.js';

test('placed corners lie within their box, and on more than 80 % of the axes the box is hardly larger than needed', () => {
  const random = createRandom(9);
  let tight = 0;
  let count = 0;
  for (const place of Object.values(placements)) {
    for (let i = 0; i < 40; i++) {
      const transform = place(random).transformB;
      const rows = new Float64Array(12);
      const box = new Float32Array(6);
      if (!transform) continue;
      readTransform('transform', transform, rows, 0);
      const ends = [0, 1, 2].map(() =>
        [random.between(-1, 1), random.between(-1, 1)].map(Math.fround).sort((a, b) => a - b),
      );
      const bounds = Float32Array.from([...ends.map(([low]) => low!), ...ends.map(([, high]) => high!)]);
      placedBox(bounds, rows, box, 0);
      // Converts all values to integers in units of a common power of two. The last integer, `one`, is the
      // number 1 in these units. A product of two values is in squared units, so a single value is multiplied
      // by `one` before it is compared with a product.
      const whole = toIntegers(Float64Array.from([...rows, ...bounds, ...box, 1]));
      const one = whole[24];
      for (let axis = 0; axis < 3; axis++) {
        let low = whole[4 * axis + 3] * one;
        let high = low;
        for (let k = 0; k < 3; k++) {
          const x = whole[4 * axis + k] * whole[12 + k];
          const y = whole[4 * axis + k] * whole[15 + k];
          low += x < y ? x : y;
          high += x < y ? y : x;
        }
        const minimum = whole[18 + axis] * one;
        const maximum = whole[21 + axis] * one;
        const isClamped = Math.abs(box[axis]) > 3e38 || Math.abs(box[axis + 3]) > 3e38;
        assert.ok(isClamped || (minimum <= low && high <= maximum), `${transform}, axis ${axis}`);
        if (
          (maximum - minimum - (high - low)) * 1_000_000n <=
          high - low + (low < 0n ? -low : low) + (high < 0n ? -high : high)
        )
          tight++;
        count++;
      }
    }
  }
  assert.ok(tight > 0.8 * count, `${tight} of ${count} are tight`);
});

test.run();
