// Tests hullOfDirections, which returns vectors whose convex hull contains all directions of a piece (see
// piece.ts). The hull must contain them even if two of the directions that span the piece are almost equal.
import * as assert from 'uvu/assert';
import { cross, hullOfDirections, unit, type Vector } from '../../dist/contact/overlapDepth/piece.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const sum = (weights: readonly number[], vectors: readonly Vector[]): Vector =>
  [0, 1, 2].map(axis =>
    vectors.reduce((total, one, i) => total + weights[i] * one[axis], 0),
  ) as unknown as Vector;

test('the segments between enlarged copies of the directions lie outside of the unit sphere', () => {
  const random = createRandom(1);
  let hulls = 0;
  for (const width of [1e-1, 1e-3, 1e-6, 1e-7, 1e-8, 1e-9, 1e-12])
    for (let i = 0; i < 300; i++) {
      const first = random.direction();
      const second = unit(sum([1, random.between(0.2, 0.7)], [first, random.direction()]))!;
      const third = unit(sum([1, width], [second, unit(cross(first, second))!]))!;
      const directions = [first, second, third];
      const hull = hullOfDirections({ points: [], directions });
      if (!hull) continue;
      hulls++;
      const enlarged = hull.slice(3);
      for (let k = 0; k <= 20; k++)
        for (const other of [1, 2]) {
          const between = sum([1 - k / 20, k / 20], [enlarged[0], enlarged[other]]);
          assert.ok(Math.hypot(...between) >= 1 - 2 ** -50, `${width}: ${Math.hypot(...between)}`);
        }
    }
  assert.ok(hulls > 1000, `${hulls} hulls`);
});

test.run();
