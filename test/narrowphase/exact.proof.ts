// Compares the exact triangle test (the kernel, and its fallback in integers) with the integer oracle, on
// 40,000 hard triangle pairs per kind, in float32 and in float64.

import * as assert from 'uvu/assert';
import { trianglesIntersectExact } from '../../dist/mesh/trianglesIntersectExact.js';
import { limits } from '../../dist/records/layout.js';
import { fuzzCounts, hardPairs, kinds, type Precision } from '../oracle/random.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { test } from '../support/test.js';
import { decide } from './decide.js';

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] satisfies Precision[]) {
    test(`the exact test agrees with the oracle: ${kind}, ${precision}`, () => {
      const pairs = [...hardPairs(kind, 77, fuzzCounts.proof, precision)];
      const points = new Float64Array(pairs.length * 18);
      pairs.forEach((pair, i) => points.set(pair, 18 * i));
      const verdicts = decide(points);
      pairs.forEach((pair, i) => {
        const verdict =
          verdicts[i] === limits.TOO_WIDE ? trianglesIntersectExact(pair) : verdicts[i] === limits.INTERSECT;
        if (verdict !== trianglesMeet(pair))
          assert.unreachable(
            `the exact test returned ${verdict}, the oracle ${!verdict}: ${Array.from(pair)}`,
          );
      });
    });
  }
}

test.run();
