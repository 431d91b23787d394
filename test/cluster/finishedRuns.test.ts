// Tests that runs that have ended are released while their link stays open: nothing that a link refers to may
// keep their boxes, results and messages in memory.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as assert from 'uvu/assert';
import { makeHub, openBoxPairs, openJobs, submitBoxPairs } from '../../dist/cluster/index.js';
import { FailureDetector } from '../../dist/cluster/swarm/failureDetector.js';
import { createEngine } from '../../dist/index.js';
import { caughtLater } from '../support/engines.js';
import { test } from '../support/test.js';
import { sleep, within } from '../support/within.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());
const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0.5, 0, 0, 2, 1, 1);

/** Runs a function without the wait of ten seconds during which a run that has ended still answers nodes. */
async function withoutLinger<T>(run: () => Promise<T>): Promise<T> {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((call: () => void, milliseconds?: number) =>
    setTimeout(call, milliseconds === 10_000 ? 0 : milliseconds)) as typeof setTimeout;
  try {
    return await run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** Waits until an object is collected. */
async function collected(what: string, reference: WeakRef<object>): Promise<void> {
  for (let i = 0; i < 50 && reference.deref(); i++) {
    await sleep(10);
    collect();
  }
  assert.is(reference.deref(), undefined, `${what} is still in memory`);
}

test('the answer of a job is released when the job has ended, although its link is open', async () => {
  const link = makeHub()();
  const submit = async (): Promise<WeakRef<object>> => {
    const { a } = await submitBoxPairs(link, boxes, { where: 'caller', engine }).wait();
    return new WeakRef(a);
  };
  await collected('the answer', await withoutLinger(submit));
  // Jobs of this link still end when the link is closed.
  const job = submitBoxPairs(link, boxes);
  const session = openBoxPairs(link, boxes);
  await link.close();
  for (const answer of [() => job.wait(), () => session.pairs()])
    assert.match((await within(5000, 'an end', caughtLater(answer))).message, /the link was closed/);
  const late = submitBoxPairs(link, boxes);
  assert.match(
    (
      await within(
        5000,
        'an end',
        caughtLater(() => late.wait()),
      )
    ).message,
    /the link was closed/,
  );
});

test('all jobs of a link share one handler of its promise `closed`', async () => {
  let reactions = 0;
  const link = makeHub()();
  const closed = {
    // biome-ignore lint/suspicious/noThenProperty: counts the reactions to a promise
    then: () => {
      reactions++;
    },
  };
  const counted = { ...link, closed: closed as never };
  for (let i = 0; i < 5; i++) {
    await submitBoxPairs(counted, boxes, { where: 'caller', engine }).wait();
    await (await openJobs({ where: 'cluster', link: counted })).close();
  }
  assert.is(reactions, 1);
});

test('a swarm does not keep the messages of earlier steps', async () => {
  const detector = new FailureDetector({ peers: new Map() } as never, {
    link: makeHub()(),
    patience: 1000,
    retryInterval: 100,
    signal: undefined,
  });
  const take = async (): Promise<WeakRef<object>> =>
    new WeakRef((await detector.takeAll([1], async () => new Uint8Array(8)))[0]!);
  await collected('a message', await take());
  detector.close();
});

test.run();
