// Twenty runs of ten thousand tasks while messages are lost, doubled and late, lines cut and parted, nodes
// and brokers killed and stopped: nothing is lost, nothing counts twice.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { checkRuns, TASKS } from './chaosRuns.js';
import { aloneAnswer, singleAnswers, tinyJob } from './tinyJob.js';

test('each task has an answer of its own', async () => {
  const answers = singleAnswers(await aloneAnswer(tinyJob(TASKS)));
  assert.is(answers.length, TASKS);
  assert.ok(new Set(answers).size > 0.999 * TASKS, `${new Set(answers).size} answers`);
});

test('20 runs', () => checkRuns(1, 20));

test.run();
