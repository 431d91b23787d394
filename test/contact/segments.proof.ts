// Tests the contact kinds of hundreds of thousands of degenerate triangle pairs, and the points that the
// triangles of each pair share. The results must equal the integer oracle's to the bit. Coordinates are doubles
// or floats.

import { fuzzCounts, hardPairs, kinds, type Precision } from '../oracle/random.js';
import { test } from '../support/test.js';
import { checkSegments, exchangedPair } from './checkSegments.js';

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] satisfies Precision[]) {
    test(`the kernel agrees with the oracle: ${kind}, ${precision}`, () => {
      const pairs = [...hardPairs(kind, 92, fuzzCounts.proof / 4, precision)];
      checkSegments(pairs, false);
      checkSegments(pairs.slice(0, 1000).map(exchangedPair), true);
    });
  }
}

test.run();
