// Tests the accuracy of contacts of rotating bodies with a minimum separation.

import * as assert from 'uvu/assert';
import { translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { engines, RIGID, rotatedBy } from './rigidSupport.js';

const [engine] = engines;
test.after(() => engines.forEach(made => made.dispose()));

test('features whose distance exceeds the minimum separation by more than the tolerance have no contact', () => {
  const size = 2 ** -10;
  const [rotating, resting] = [-1, 1].map(side =>
    engine.createMesh({
      positions: Float32Array.of(0, 0, 0, side * size, -size, 0, side * size, size, 0),
    }),
  );
  // The tip of one triangle is at the origin, and stays there while the triangle rotates about the x axis. The
  // tip of the other triangle is at x = distance. So the distance is constant. The minimum tolerance is 2^-43
  // times the sum of the distance and the lengths of both triangles, which are less than 2^-9 each.
  for (const exponent of [0, 10, 24, 30]) {
    const minSeparation = 2 ** exponent;
    const minimum = 2 ** -43 * (minSeparation * (1 + 2 ** -40) + 2 ** -8);
    for (const tolerance of [0, 2 * minimum, 64 * minimum]) {
      const contactsAt = (distance: number): number =>
        engine.sweep(rotating, resting, {
          toA: rotatedBy(1, [1, 0, 0]),
          fromB: translation([distance, 0, 0]),
          ...RIGID,
          minSeparation,
          tolerance,
          want: 'all',
        }).count;
      const allowed = Math.max(tolerance, minimum);
      assert.ok(contactsAt(minSeparation) > 0);
      for (const share of [1.001, 1.5, 3, 7, 20])
        assert.is(
          contactsAt(minSeparation + share * allowed),
          0,
          `2^${exponent}, tolerance ${tolerance}, ${share}`,
        );
    }
  }
  for (const mesh of [rotating, resting]) mesh.dispose();
});

test.run();
