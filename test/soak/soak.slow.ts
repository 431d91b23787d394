// Runs 3,000 random calls on an engine with one thread, and the same calls on an engine with three threads.
// Tests that both give the same results and that memory does not grow. soak.proof.ts runs such calls for
// hours.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { growthOf, soak, summaryOf } from './soak.js';

setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

const BLOCKS = 60;
/** The hash of all results. If a change of the results is intended, store the hash that the failure shows. */
const CHAIN = '38dd28539b3f638c86e1a29f99c7a2c8be585074c365b9cd75ab9dc10189f72f';
const chains: string[] = [];

for (const threads of [1, 3])
  test(`${threads} threads: results at the end are the same as at the start, and memory does not grow`, () =>
    withEngine({ threads }, async engine => {
      const result = await soak(engine, { seed: 1, block: 0, chain: '' }, ({ block }) => block === BLOCKS);
      console.log(`counted: ${threads} threads: ${summaryOf(result)}`);
      assert.equal(growthOf(result), []);
      assert.ok(result.checked > BLOCKS);
      chains.push(result.chain);
    }));

test('any number of threads gives the expected results', () => {
  assert.is(chains.length, 2);
  assert.is(chains[0], chains[1]);
  assert.is(chains[0], CHAIN);
});

test.run();
