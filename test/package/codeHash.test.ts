// Tests which code of the package counts as the code that a bench measures.
import * as assert from 'uvu/assert';
import { benchFiles } from '../../bench/support/benchFiles.mjs';
import { usesProximity } from '../../bench/support/codeHash.mjs';
import { test } from '../support/test.js';

const using = (...names: string[]): boolean[] =>
  names.map(name => usesProximity(`bench/${benchFiles.get(name)}`));

test('contacts and distances count only for benches that compute them', () => {
  assert.equal(using('distance', 'segments', 'poses', 'animation'), [true, true, true, true]);
  assert.equal(using('octree', 'imbalance', 'swarmLarge', 'deviceRuns'), [false, false, false, false]);
});

test.run();
