// Tests that touching features are kept even if floats could show them as disjoint: with large coordinates in
// which small ones vanish, and with values below the smallest float.

import * as assert from 'uvu/assert';
import { type FeatureKind, sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { continuousLimits } from '../../dist/records/continuousLayout.js';
import { createRandom } from '../../dist/samples/random.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const backend = await makeTestContext(1);
test.after(() => backend.close());

/** Returns the verdicts of features at rest; each has 12 coordinates. */
function standing(kind: FeatureKind, features: readonly number[][], minSeparation = 0): Uint8Array {
  return sweepFeatures(backend, kind, Float64Array.from(features.flatMap(points => [...points, ...points])), {
    minSeparation,
  }).verdict;
}

const isMissed = (verdict: number): boolean => verdict === continuousLimits.CLEAR;

test('tiny features at the separation distance are kept, although the square of their normal underflows', () => {
  for (let exponent = -80; exponent <= 0; exponent++) {
    const e = 2 ** exponent;
    for (const distance of [0.5, 0.9, 1]) {
      const face = [e / 3, e / 3, distance, 0, 0, 0, e, 0, 0, 0, e, 0];
      const edges = [-e, 0, distance, e, 0, distance, 0, -e, 0, 0, e, 0];
      assert.not.ok(isMissed(standing('VF', [face], 1)[0]), `a face of 2^${exponent}, ${distance} away`);
      assert.not.ok(isMissed(standing('EE', [edges], 1)[0]), `edges of 2^${exponent}, ${distance} away`);
    }
  }
});

test('features that touch are kept even if their coordinates vanish in floats beside large ones', () => {
  const random = createRandom(1);
  for (let round = 0; round < 4000; round++) {
    // Three differences whose sum is zero have the origin in their convex hull. One axis is scaled down until
    // floats round it to a few denormal steps.
    const a = Array.from({ length: 3 }, () => random.below(9) - 4);
    const b = Array.from({ length: 3 }, () => random.below(9) - 4);
    const c = a.map((x, i) => -x - b[i]);
    const scales = [2 ** random.below(28), 2 ** (random.below(58) - 30), 2 ** -159 * random.below(4096)];
    const face = [a, b, c].flatMap(corner => corner.map((x, i) => x * scales[i]));
    const rotated = [0, 0, 0, ...face].map((_, i, all) => all[i - (i % 3) + ((i + round) % 3)]);
    assert.not.ok(isMissed(standing('VF', [rotated])[0]), `round ${round}: ${rotated}`);
  }
});

test.run();
