// Compares the exact stage with the integer oracle on hundreds of thousands of degenerate pairs in doubles
// and in floats.

import * as assert from 'uvu/assert';
import { trianglesIntersectExact } from '../../dist/mesh/trianglesIntersectExact.js';
import { limits } from '../../dist/records/layout.js';
import { fuzzCounts, hardPairs, kinds, type Precision } from '../oracle/random.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { test } from '../support/test.js';
import { decide } from './decide.js';

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] satisfies Precision[]) {
    test(`${kind}, ${precision}`, () => {
      const pairs = [...hardPairs(kind, 77, fuzzCounts.proof, precision)];
      const points = new Float64Array(pairs.length * 18);
      pairs.forEach((pair, i) => points.set(pair, 18 * i));
      const verdicts = decide(points);
      pairs.forEach((pair, i) => {
        const verdict =
          verdicts[i] === limits.TOO_WIDE ? trianglesIntersectExact(pair) : verdicts[i] === limits.INTERSECT;
        if (verdict !== trianglesMeet(pair)) assert.unreachable(`${Array.from(pair)}: ${verdict}`);
      });
    });
  }
}

test.run();
