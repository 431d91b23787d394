// Tests that the cluster's functions refuse invalid options at once, before any message is sent, and that the
// error names the option and the rule for it.

import * as assert from 'uvu/assert';
import {
  makeHub,
  openBoxPairs,
  openJobs,
  runSwarm,
  startNode,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { Run } from '../../dist/cluster/jobs/run.js';
import { boxPairs } from '../../dist/cluster/octree/boxPairs.js';
import { readSettings } from '../../dist/cluster/swarm/settings.js';
import { createEngine } from '../../dist/index.js';
import { caught, caughtLater } from '../support/engines.js';
import { findRobots } from '../support/robotWorlds.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';

const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0.5, 0, 0, 2, 1, 1);

/** Asserts that a call throws Unsupported, with a message that matches. */
function refused(call: () => unknown, message: RegExp): void {
  const error = caught(call);
  assert.is(error.code, 'Unsupported', error.message);
  assert.match(error.message, message);
}

test('the option silence must be a whole number that fits its field in the record of a task', async () => {
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
  // The option balance is read again at each step.
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

test('options that have no effect are refused', async () => {
  const engine = await createEngine({ threads: 1 });
  const link = makeHub()();
  for (const [options, message] of [
    [{ where: 'caller', merge: 'tree' }, /^where is 'caller', so merge has no effect/],
    [{ where: 'caller', encoding: 'deflate' }, /^where is 'caller', so encoding has no effect/],
    [{ where: 'caller', subsets: 7 }, /^where is 'caller', so subsets has no effect/],
    [{ where: 'caller', nodes: 3 }, /^where is 'caller', so nodes has no effect/],
    [{ where: 'lists', merge: 'ranges' }, /^where is 'lists', so merge has no effect/],
  ] as const)
    refused(() => submitBoxPairs(link, boxes, { engine, ...options }), message);
  for (const [name, value] of [
    ['threads', 2],
    ['gpu', {}],
  ] as const) {
    const { code, message, fix } = await caughtLater(() => startNode(link, { engine, [name]: value }));
    assert.is(code, 'Unsupported');
    assert.match(
      `${message} ${fix}`,
      new RegExp(`^${name} has no effect .* pass ${name} to createEngine instead, or omit engine`),
    );
  }
  engine.dispose();
});

test('all options of the ledger apply to every kind of job, and may be accessors or inherited', async () => {
  const terms = { leaseMilliseconds: 1234, maxFailures: 1 };
  class Accessors {
    get leaseMilliseconds() {
      return terms.leaseMilliseconds;
    }
    get maxFailures() {
      return terms.maxFailures;
    }
  }
  /** A job whose silence is valid only when it is read for the first time. */
  class SilenceOnce {
    readonly kind = 'boxPairs';
    readonly boxes = boxes;
    #reads = 0;
    get silence() {
      return ++this.#reads === 1 ? 777 : -1;
    }
  }
  const mesh = { positions: new Float32Array(9) };
  const pairs = { kind: 'meshPairs', meshes: [mesh], pairs: [{ a: 0, b: 0 }] } as const;
  const used: [number, number][] = [];
  const { announce } = Run.prototype as unknown as { announce: () => void };
  // Every run calls announce, so the replacement below sees the ledger of each run.
  const replace = (method: () => void): void => void Object.assign(Run.prototype, { announce: method });
  replace(function (this: Run<unknown>) {
    const { leaseMilliseconds, maxFailures } = this.ledger as unknown as typeof terms;
    used.push([leaseMilliseconds, maxFailures]);
  });
  try {
    for (const [ledger, job, lease] of [
      [terms, pairs, 1234],
      [new Accessors(), pairs, 1234],
      [Object.create(terms), pairs, 1234],
      [terms, { kind: 'boxPairs', boxes }, 1234],
      [terms, { kind: 'boxPairs', boxes, silence: 777 }, 777],
      [terms, new SilenceOnce(), 777],
      [{ maxFailures: 1 }, { kind: 'boxPairs', boxes }, 10_000],
    ] as const) {
      used.length = 0;
      const jobs = await openJobs({ where: 'cluster', link: makeHub()() }, ledger);
      jobs.submit(job as never);
      await until('an announcement', () => used.length > 0);
      await jobs.close();
      assert.equal(used[0], [lease, 1]);
    }
  } finally {
    replace(announce);
  }
});

test('the silence sent with box-pair tasks is that of the job, or else the lease, as a whole number', async () => {
  for (const [silence, leaseMilliseconds, sent] of [
    [undefined, undefined, 10_000],
    [undefined, 1234, 1234],
    [undefined, 0.25, 1],
    [undefined, 1e12, 2 ** 32 - 1],
    [777, 1234, 777],
  ] as const) {
    const { coordinate, terms } = boxPairs.open({ boxes, silence }, false, { leaseMilliseconds });
    assert.is(terms!.leaseMilliseconds, silence ?? leaseMilliseconds ?? 10_000);
    const stop = new Error('the first task was made');
    let task: { silence: number } | undefined;
    const pool = {
      stats: { tasks: 0 },
      gather: async () => 1,
      shareAs() {},
      run: async (_kind: unknown, _count: number, make: (i: number) => typeof task) => {
        task = make(0);
        throw stop;
      },
    };
    assert.is(await caughtLater(() => coordinate(pool as never)), stop);
    assert.is(task!.silence, sent);
  }
});

test('the packets of a hub must have room for data, and a closed link neither flushes nor receives', async () => {
  for (const bytes of [NaN, 0, -5, 16, 255, 1000.5, '1024'])
    refused(() => makeHub(bytes as number), /^packetBytes is .*, not a whole number from 256 to/);
  const join = makeHub(256);
  const [link, other] = [join(), join()];
  await link.close();
  const { code, message } = await caughtLater(() => link.flush());
  assert.equal([code, message], ['Cluster', 'the link is closed']);
  let received = 0;
  link.subscribe('a', () => received++)();
  link.subscribe('a', () => received++);
  let delivered = false;
  other.subscribe('a', () => {
    delivered = true;
  });
  other.publish('a', Uint8Array.of(1));
  await until('the packet', () => delivered);
  assert.is(received, 0);
});

test.run();
