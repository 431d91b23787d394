// A hundred thousand generated pairs of moving features -> no miss, nothing late, and the exact answers are the oracle's.

import { test } from 'uvu';
import { makeBackend } from '../support/backend.js';
import { checkContacts } from '../support/checkContacts.js';
import { motionNames, movingFeatures } from '../oracle/randomMotion.js';

const backend = await makeBackend(2);

for (const kind of ['VF', 'EE'] as const) {
  for (const motion of motionNames) test(`${motion}, ${kind}`, () => { checkContacts(backend, kind, movingFeatures(motion, 2, 3000)); });
}

test.after(() => backend.close());
test.run();
