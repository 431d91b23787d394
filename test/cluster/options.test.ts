// Tests that invalid options of the cluster's functions are refused when they are passed, with the name of
// the option and the rule for it, and before any message is sent.

import * as assert from 'uvu/assert';
import { makeHub, openBoxPairs, openJobs, submitBoxPairs } from '../../dist/cluster/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0.5, 0, 0, 2, 1, 1);

/** Asserts that a call throws Unsupported, with a message that matches. */
function refused(call: () => unknown, message: RegExp): void {
  const error = caught(call);
  assert.is(error.code, 'Unsupported', error.message);
  assert.match(error.message, message);
}

test('silence must be a whole number that fits the field of a task', async () => {
  const link = makeHub()();
  const jobs = await openJobs({ where: 'here' });
  for (const silence of [1500.5, 1e10, -1, 2 ** 32]) {
    refused(() => submitBoxPairs(link, boxes, { silence }), /^silence is .*, not a whole number from 0 to/);
    refused(() => openBoxPairs(link, boxes, { silence }), /^silence is .*, not a whole number from 0 to/);
    refused(() => jobs.submit({ kind: 'boxPairs', boxes, silence }), /silence is .*, not a whole number/);
  }
  await jobs.close();
});

test.run();
