// Tests that invalid options of the cluster's functions are refused when they are passed, with the name of
// the option and the rule for it, and before any message is sent.

import * as assert from 'uvu/assert';
import { makeHub, openBoxPairs, openJobs, runSwarm, submitBoxPairs } from '../../dist/cluster/index.js';
import { readSettings } from '../../dist/cluster/swarm/settings.js';
import { caught, caughtLater } from '../support/engines.js';
import { findRobots } from '../support/robotWorlds.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';

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

test('options of swarms are checked by type, and steps and states must be valid', async () => {
  const world = 'robots random 20 1';
  const { count, stateLength } = findRobots(world)!;
  const states = new Float64Array(count * stateLength);
  const notFinite = states.slice();
  notFinite[3] = NaN;
  const read = (options: object) =>
    readSettings(makeHub()(), { world, find: findRobots, steps: 2, nodes: 1, ...options });
  for (const [options, message] of [
    [{ patience: '5000' }, /^patience is '5000', not a number of milliseconds/],
    [{ patience: 2 ** 31 }, /^patience is 2147483648, not a number of milliseconds above 0 and at most/],
    [{ retryInterval: '200' }, /^retryInterval is '200'/],
    [{ verify: null }, /^verify is null/],
    [{ verify: '1' }, /^verify is '1'/],
    [{ balance: null }, /^balance is null/],
    [{ balance: '0.1' }, /^balance is '0.1'/],
    [{ smoothing: '0.2' }, /^smoothing is '0.2'/],
    [{ signal: {} }, /^signal is .*, not an AbortSignal/],
    [{ world: 7 }, /^world is 7, not a string/],
    [
      { world: `x${'y'.repeat(5000)}`, find: () => findRobots(world) },
      /^the name of the world has 5001 bytes/,
    ],
    [{ after: { step: 0, states: notFinite } }, /^after.states\[3\] is NaN/],
    [{ after: { step: 0, states: states.subarray(1) } }, /^after.states has \d+ numbers/],
    [{ after: { step: 2 ** 32, states } }, /^after.step is 4294967296, not a whole number from 0 to/],
    [{ after: { step: 2 ** 32 - 3, states } }, /^after.step is 4294967293/],
    [{ after: { step: 1.5, states } }, /^after.step is 1.5/],
  ] as const)
    refused(() => read(options), message);
  assert.is(read({ after: { step: 2 ** 32 - 4, states } }).firstStep, 2 ** 32 - 4);
  // This option is read again at each step.
  const options = { world, find: findRobots, steps: 2, nodes: 1, balance: 0.5 as number | false };
  const settings = readSettings(makeHub()(), options);
  options.balance = false;
  assert.is(settings.balance, false);
  options.balance = null as never;
  refused(() => settings.balance, /^balance is null/);
  const error = await within(
    5000,
    'an error',
    caughtLater(() => runSwarm(makeHub()(), { ...options, signal: {} as never })),
  );
  assert.is((error as { code?: string }).code, 'Unsupported');
});

test.run();
