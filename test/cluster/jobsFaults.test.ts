// Runs a hundred jobs in one thread over a network that loses, duplicates and delays messages, while nodes
// die, stop, leave and join. Tests that no task is lost or counted twice.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { test } from '../support/test.js';
import { forgottenRun, type ModelRow, modelRun, slowerRun } from './modelRun.js';
import { registerModelTasks } from './modelTasks.js';

registerModelTasks();
const SEEDS = 100;
const TASKS = 500;
const AT_ONCE = 50;

test.slow(`${SEEDS} runs of ${TASKS} tasks each, with faults, count every task once`, async () => {
  const engine = await createEngine({ threads: 1 });
  const rows: ModelRow[] = [];
  const began = performance.now();
  try {
    let seed = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (seed < SEEDS) rows.push(await modelRun(++seed, TASKS, engine));
      }),
    );
  } finally {
    engine.dispose();
  }
  const sum = (name: keyof ModelRow): number => rows.reduce((total, row) => total + row[name], 0);
  console.log(
    `counted: ${sum('tasks')} tasks, ${sum('computed')} executions, ${sum('reissued')} reassigned, ${sum('twice')} also assigned to a second node, ${sum('kills')} kills, ${sum('hangs')} stops, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  assert.is(sum('tasks'), SEEDS * TASKS);
  for (const name of ['reissued', 'kills', 'hangs'] as const)
    assert.ok(sum(name) > SEEDS / 10, `${sum(name)} ${name}`);
});

test.slow('if a connection becomes slow, tasks that are being computed are not assigned again', async () => {
  const engine = await createEngine({ threads: 1 });
  try {
    // On an idle machine, no task is assigned again. The test tolerates some, because a pause of a busy
    // machine looks like a slow connection. If the ledger did not measure round-trip times, most tasks would
    // be assigned again.
    const again = await slowerRun(150, 3000, engine);
    assert.ok(again < 300, `${again} of 3000`);
  } finally {
    engine.dispose();
  }
});

test('if nodes forget a run because of a false message, they soon continue it', async () => {
  const engine = await createEngine({ threads: 1 });
  try {
    await forgottenRun(4000, engine);
  } finally {
    engine.dispose();
  }
});

test.run();
