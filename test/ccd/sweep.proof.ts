// Hundreds of thousands of generated pairs of moving features -> no miss, nothing late, and the exact answers
// are the oracle's.

import { motionNames, movingFeatures } from '../oracle/randomMotion.js';
import { makeBackend } from '../support/backend.js';
import { test } from '../support/test.js';
import { checkContacts, countsText, noCounts } from './checkContacts.js';

/** Of each of 20 motions and of two kinds: 240,000 in all, six minutes on one core. */
const QUERIES = 6000;
/** Of the list that is made and checked at a time. */
const CHUNK = 1000;
const backend = await makeBackend(2);

for (const kind of ['VF', 'EE'] as const) {
  const sum = noCounts();
  for (const motion of motionNames) {
    test(`${motion}, ${kind}`, () => {
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
