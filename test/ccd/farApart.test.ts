// Tests that touching features are kept even if rounding to float32 could make them look disjoint, either
// because small coordinates are lost beside large ones, or because values are below the smallest float32.

import * as assert from 'uvu/assert';
import { type FeatureKind, sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { continuousLimits } from '../../dist/records/continuousLayout.js';
import { createRandom } from '../../dist/samples/random.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const backend = await makeTestContext(1);
test.after(() => backend.close());

/** Returns the verdicts of feature pairs at rest. Each pair has 12 coordinates: those of four points. */
function standing(kind: FeatureKind, features: readonly number[][], minSeparation = 0): Uint8Array {
  return sweepFeatures(backend, kind, Float64Array.from(features.flatMap(points => [...points, ...points])), {
    minSeparation,
  }).verdict;
}

const isMissed = (verdict: number): boolean => verdict === continuousLimits.CLEAR;

test('tiny features within the separation are kept even if the square of their normal underflows', () => {
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

test('touching features are kept even if float32 loses their small coordinates beside large ones', () => {
  const random = createRandom(1);
  for (let iteration = 0; iteration < 4000; iteration++) {
    // The vertex is at the origin. The sum of the face's corners is zero, so the face contains the origin. On
    // one axis, coordinates are so small that float32 can represent them only as denormal numbers of few
    // bits.
    const a = Array.from({ length: 3 }, () => random.below(9) - 4);
    const b = Array.from({ length: 3 }, () => random.below(9) - 4);
    const c = a.map((x, i) => -x - b[i]);
    const scales = [2 ** random.below(28), 2 ** (random.below(58) - 30), 2 ** -159 * random.below(4096)];
    const face = [a, b, c].flatMap(corner => corner.map((x, i) => x * scales[i]));
    const rotated = [0, 0, 0, ...face].map((_, i, all) => all[i - (i % 3) + ((i + iteration) % 3)]);
    assert.not.ok(isMissed(standing('VF', [rotated])[0]), `round ${iteration}: ${rotated}`);
  }
});

test.run();
