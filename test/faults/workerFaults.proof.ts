// Makes 1,000 workers die or hang at seeded moments of queries of every kind, on engines of 2 to 16 threads
// that replace these workers, and tests that no result changes and that nothing is left behind. To continue a
// run that was interrupted, set the environment variable PFRONT_FAULTS to the last value that it printed.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { sleep, until } from '../support/within.js';
import { type FaultState, resourcesInUse, runFaults, type Worst } from './manyFaults.js';

const FAULTS = 1000;
/** Number of faults on one engine. The next engine has another number of threads. */
const FAULTS_PER_ENGINE = 40;
const THREADS = [2, 3, 4, 8, 16];

const [seed = 1, faults = 0, replaced = 0] = (process.env.PFRONT_FAULTS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

test(`${FAULTS} workers that die or hang change no result and leave nothing behind`, async () => {
  const state: FaultState = { seed, faults, replaced, byKind: new Map(), wrong: [], worst: new Map() };
  // The first engine starts threads and loads code that stay in the process, so resources are counted after it.
  await runFaults({ ...state, worst: new Map(), byKind: new Map() }, 2, 1);
  await sleep(1000);
  const before = resourcesInUse();
  while (state.faults < FAULTS) {
    const threads = THREADS[state.seed % THREADS.length];
    await runFaults(state, threads, Math.min(FAULTS_PER_ENGINE, FAULTS - state.faults));
    state.seed++;
    console.log(`counted: PFRONT_FAULTS=${state.seed},${state.faults},${state.replaced}`);
    assert.equal(state.wrong, []);
  }
  const byKind = [...state.byKind].map(([kind, count]) => `${kind} ${count}`).join(', ');
  console.log(`\ncounted: ${state.faults} faults (${byKind}), ${state.replaced} workers were replaced`);
  const describe = ({ method, threads, milliseconds, healthy }: Worst): string =>
    `${method} on ${threads} threads took ${seconds(milliseconds)}; healthy, ${seconds(healthy)}; ` +
    `2 s + twice that, ${seconds(2000 + 2 * healthy)}`;
  for (const [kind, worst] of state.worst) console.log(`counted: longest with '${kind}': ${describe(worst)}`);
  await until('threads, files and handles are those of the start', () => {
    const now = resourcesInUse();
    return now.threads <= before.threads && now.files <= before.files && now.handles === before.handles;
  });
});

test.run();
