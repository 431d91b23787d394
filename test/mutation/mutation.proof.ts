// Runs the tests on 1,000 mutants of the kernels and 300 of the TypeScript sources, and checks that each
// mutant that survives is explained. Mutants of the TypeScript sources may instead be listed in results.json.
// An interrupted run continues where it stopped.
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { makeReport, nameOf, readReports } from './report.js';
import { type Part, runMutants } from './runMutants.js';

const SEED = 1;
const COUNTS: Record<Part, number> = { kernels: 1000, scripts: 300 };

for (const [part, count] of Object.entries(COUNTS) as [Part, number][])
  test(`${part}: each of ${count} mutants is found by a test, ${part === 'scripts' ? 'explained or listed' : 'or explained'}`, async () => {
    const mutants = await runMutants(part, {
      seed: SEED,
      from: 0,
      count,
      scenesOnly: false,
      maxSeconds: 60,
      log: () => {},
    });
    const { survived } = makeReport(SEED, mutants);
    console.log(`counted: ${part}: ${survived.length} of ${count} mutants survived`);
    const listed = new Set(part === 'scripts' ? readReports()[part]?.survived.map(nameOf) : []);
    const unknown = survived.filter(survivor => survivor.why === '' && !listed.has(nameOf(survivor)));
    assert.equal(unknown.map(nameOf), []);
  });

test.run();
