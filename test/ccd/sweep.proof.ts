// Compares hundreds of thousands of generated pairs of moving features with the oracle: no contact is missed
// or late, and exact results are exact.

import { motionNames, movingFeatures } from '../oracle/randomMotion.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { checkContacts, countsText, noCounts } from './checkContacts.js';

/**
 * Queries per motion and kind. With 20 motions and two kinds, these are 240,000 queries, which take six
 * minutes on one core.
 */
const QUERIES = 6000;
/** Queries that are made and checked in one batch. */
const CHUNK = 1000;
const backend = await makeTestContext(2);

for (const kind of ['VF', 'EE'] as const) {
  const sum = noCounts();
  for (const motion of motionNames) {
    test(`${motion}, ${kind}: no contact is missed or late, and exact results are exact`, () => {
      for (let seed = 0; seed < QUERIES / CHUNK; seed++)
        checkContacts(backend, kind, movingFeatures(motion, 1000 + seed, CHUNK), sum);
    });
  }
  test(`counts, ${kind}`, () => {
    console.log(countsText(kind, sum));
  });
}

test.after(() => backend.close());
test.run();
