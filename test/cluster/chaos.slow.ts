// Runs ten thousand tasks twenty times while messages are lost, duplicated and delayed, connections are cut,
// the network is partitioned, and nodes and brokers are killed and stopped. Tests that no task is lost or
// counted twice.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { checkRuns, TASKS } from './chaosRuns.js';
import { resultTexts, singleProcessResult, tinyJob } from './tinyJob.js';

test('each task has a different result', async () => {
  const answers = resultTexts(await singleProcessResult(tinyJob(TASKS)));
  assert.is(answers.length, TASKS);
  assert.ok(new Set(answers).size > 0.999 * TASKS, `${new Set(answers).size} answers`);
});

test('20 runs', () => checkRuns(1, 20));

test.run();
