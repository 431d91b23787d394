// Implements `npm run mutation`: makes mutants (copies of the package with one deliberate error), runs the
// tests on each of them, and lists the mutants that no test finds.
//
// --scripts: makes mutants of the TypeScript sources instead of the kernels.
// --seed S: the seed of the random choice of mutants (default 1).
// --from K, --count N: the first of the chosen mutants to run, and how many to run (default 0 and 1000).
// --scenes: runs only the scenes of scenes.ts, not the test files.
// --seconds T: limits the test files that run on one mutant (at least one) to those that take T seconds in
// total with correct code (default 60).
// --report: runs nothing, writes the results of all runs with this seed to results.json, and prints the mutants
// that survived and have no explanation.
import { parseArgs } from 'node:util';
import { build } from '../../bindings/build/setUp.mjs';
import type { Part } from './runMutants.js';

const { values } = parseArgs({
  options: {
    scripts: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    scenes: { type: 'boolean', default: false },
    report: { type: 'boolean' },
  },
});
const part: Part = values.scripts ? 'scripts' : 'kernels';
const [seed, from, count, maxSeconds] = [values.seed, values.from, values.count, values.seconds].map(Number);

build();
// Imported only now, because these modules import dist.
const [{ makeReport, writeReport }, { chooseMutants, runMutants }] = await Promise.all([
  import('./report.js'),
  import('./runMutants.js'),
]);
if (values.report) writeReport(part, makeReport(seed, await chooseMutants(part, seed, from + count)));
else await runMutants(part, { seed, from, count, maxSeconds, scenesOnly: values.scenes, log: console.log });
