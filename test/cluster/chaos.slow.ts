// Runs a job of 10,000 tasks twice. Meanwhile, messages are lost, duplicated and delayed, connections are
// cut, the network is partitioned, nodes are killed and suspended, and the broker is killed. Tests that no
// task is lost or counted twice.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { checkRuns, TASKS } from './chaosRuns.js';
import { resultTexts, singleProcessResult, tinyJob } from './tinyJob.js';

test('nearly every task has a different result', async () => {
  const answers = resultTexts(await singleProcessResult(tinyJob(TASKS)));
  assert.is(answers.length, TASKS);
  assert.ok(new Set(answers).size > 0.999 * TASKS, `${new Set(answers).size} different results`);
});

test('2 runs with faults lose no task and count none twice', () => checkRuns(1, 2));

test.run();
