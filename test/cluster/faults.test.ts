// Tests that a run of tasks survives faults, for example if its coordinator is cut off for seconds, or if all
// nodes are replaced. A run that cannot continue must end in time with a clear error.

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import { Presence } from '../../dist/cluster/presence.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import type { CollisionError } from '../../dist/index.js';
import { test } from '../support/test.js';
import { scaledTimeout, until, within } from '../support/within.js';
import { type ChaosField, openField } from './chaosField.js';
import { chaosPlan } from './chaosPlan.js';
import { IMPATIENT } from './chaosRuns.js';
import { hashOfAnswer, singleProcessResult, tinyJob } from './tinyJob.js';
import { submitTiny, type TinyRunOptions } from './tinyRun.js';

const TASKS = 4000;
const LONG = 30_000;
const job = tinyJob(TASKS, 2);
let field: ChaosField;
let right: string;

test.before(async () => {
  right = hashOfAnswer(await singleProcessResult(job));
  field = await openField(3, 'faults');
});
test.after(() => field.close());
test.after.each(() => field.mend());

const submit = (options: Partial<TinyRunOptions> = {}) =>
  submitTiny(job, { link: field.link, cluster: 'faults', ...IMPATIENT, ...options });
type Submitted = ReturnType<typeof submit>;
const part = (submitted: Submitted, share: number): Promise<void> =>
  within(LONG, `${share} of the run`, submitted.reached(share));

async function endsWell(submitted: Submitted): Promise<void> {
  assert.is(hashOfAnswer(await within(LONG, 'the answer', submitted.wait())), right);
  assert.equal(submitted.progress, { done: TASKS, total: TASKS });
}

async function endsWith(submitted: Submitted, milliseconds: number, words: RegExp): Promise<void> {
  const began = performance.now();
  try {
    await within(LONG, 'the end', submitted.wait());
  } catch (error) {
    const { code, message, fix } = error as CollisionError;
    assert.is(code, 'Cluster', message);
    assert.match(message, words);
    assert.ok(
      fix.length > 10 && performance.now() - began < scaledTimeout(milliseconds),
      `${fix}, after ${performance.now() - began} ms`,
    );
    return;
  }
  assert.unreachable('the run succeeded, but an error was expected');
}

test.slow('a coordinator that is cut off for three seconds during its run finishes the run', async () => {
  const submitted = submit();
  const began = performance.now();
  await part(submitted, 0.2);
  field.proxy.cut('coordinator', 3000);
  await endsWell(submitted);
  assert.ok(performance.now() - began > 3000);
});

test.slow('a run continues after all nodes are killed and started again', async () => {
  const submitted = submit();
  await part(submitted, 0.2);
  await Promise.all(field.nodes.map(node => node.kill()));
  assert.ok(submitted.progress.done < TASKS);
  await field.mend();
  await endsWell(submitted);
});

test.slow('a canceled run leaves nodes idle, even while messages are lost', async () => {
  field.proxy.begin(7, chaosPlan(7, 3).faults);
  const watch = new Channel(field.link);
  const held = new Map<number, number>();
  const submitted = submit();
  watch.receive(subjectsOf('faults').presence, [
    messageHandler(Presence, here => {
      held.set(here.from, here.held);
    }),
  ]);
  await part(submitted, 0.1);
  assert.ok(
    Array.from({ length: TASKS }, (_, task) => task).some(
      task => submitted.run.ledger.leasesOf(task).length > 0,
    ),
  );
  submitted.cancel();
  await endsWith(submitted, 1000, /canceled/);
  // Forget earlier reports, and wait until every node has reported that it holds no task.
  held.clear();
  await until('idle nodes', () => held.size === 3 && [...held.values()].every(tasks => tasks === 0), LONG);
  watch.dispose();
  field.proxy.faults = {};
  await endsWell(submit());
});

test('without nodes, the run ends when its patience is over', async () => {
  await endsWith(
    submit({ cluster: 'nobody', patience: 500 }),
    5000,
    /no node has answered for 500 ms; 0 of 4000/,
  );
});

test.slow('if all nodes are killed and none starts, the run ends when its patience is over', async () => {
  const submitted = submit({ patience: 4000 });
  await part(submitted, 0.2);
  await Promise.all(field.nodes.map(node => node.kill()));
  await endsWith(submitted, 12_000, /no node has sent a message for 4000 ms; \d+ of 4000/);
});

test.slow('if the broker is gone forever, the run ends when its patience is over', async () => {
  const submitted = submit({ patience: 4000 });
  await part(submitted, 0.2);
  await field.broker.kill();
  await endsWith(submitted, 12_000, /no node has sent a message for 4000 ms/);
});

test.run();
