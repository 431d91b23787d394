// Lets 1,000 workers die or hang at seeded moments of every kind of query, on engines of 2 to 16 threads, and
// tests that no result changes.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { queryNames, runWithFaults } from './workerFaults.js';

const FAULTS = 1000;

test(`${FAULTS} workers that die or hang change no result`, async () => {
  const wrong: string[] = [];
  const counts = new Map<number, number>();
  let faults = 0;
  let lost = 0;
  for (let seed = 1; faults < FAULTS; seed++) {
    const threads = [2, 3, 4, 8, 16][seed % 5];
    const found = await runWithFaults(queryNames[seed % queryNames.length], threads, 7000 + seed);
    wrong.push(...found.wrong);
    faults += found.faultCount;
    lost += found.lostCount;
    counts.set(threads, (counts.get(threads) ?? 0) + found.faultCount);
  }
  const byThreads = [...counts].map(([threads, count]) => `${count} on ${threads}`).join(', ');
  console.log(`\ncounted: ${faults} workers died or hung (threads: ${byThreads}), ${lost} were lost`);
  assert.equal(wrong, []);
});

test.run();
