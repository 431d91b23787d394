// Compares engine queries with the integer oracle on 20,000 degenerate triangle pairs of each kind.

import * as assert from 'uvu/assert';
import { kinds } from '../oracle/random.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { checkDegenerateQueries } from './degenerateQueries.js';

let intersectingCount = 0;
for (const kind of kinds) {
  test(`queries agree with the oracle: ${kind}`, () =>
    withEngine({ threads: 1 }, engine => {
      intersectingCount += checkDegenerateQueries(engine, kind, 20000, 14);
    }));
}
test('10 % to 95 % of the pairs intersect', () =>
  assert.ok(
    intersectingCount > 0.1 * 20000 * kinds.length && intersectingCount < 0.95 * 20000 * kinds.length,
    `${intersectingCount}`,
  ));

test.run();
