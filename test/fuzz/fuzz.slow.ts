// Fuzzes every reader with a fixed number of mutants (changed inputs), and checks that the fuzzer finds
// planted faults.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { findingsText } from './found.js';
import { bundleWithCounters } from './instrument.mjs';
import { runFuzzer } from './supervise.js';
import { covered, targets } from './targets/index.js';

let bundle = '';

test.before(async () => {
  bundle = await bundleWithCounters(fileURLToPath(new URL('./worker.ts', import.meta.url)), covered);
});

test.after(() => rmSync(bundle));

for (const { name, mutants } of targets) {
  test(`${name}: ${mutants} mutants cause no crash, hang, excessive memory or wrong result`, async () => {
    const { findings, accepted, reached } = await runFuzzer(bundle, { name, seed: 1, mutants, corpus: [] });
    assert.is(findings.length, 0, findingsText(findings));
    assert.ok(
      accepted > mutants / 50 && reached > 0,
      `${accepted} mutants accepted, ${reached} coverage counters reached`,
    );
  });
}

for (const [name, kind, error] of [
  ['planted wrong read', 'wrong', /0 triangles, not 1/],
  ['planted TypeError', 'wrong', /TypeError/],
  ['planted hang', 'hang', /processor time/],
  ['planted heap bomb', 'memory', /memory|bytes/],
  ['planted buffer bomb', 'memory', /bytes, more than/],
  ['planted exit', 'crash', /code 3/],
] as const) {
  test(`a ${name} is found, and its input is minimized`, async () => {
    const limits = { seconds: kind === 'hang' ? 0.5 : 10, bytes: process.memoryUsage.rss() + 2 ** 28 };
    const { findings } = await runFuzzer(bundle, { name, seed: 1, mutants: 2000, corpus: [] }, limits);
    assert.is(findings.length, 1);
    assert.is(findings[0].kind, kind, findingsText(findings));
    assert.match(findings[0].error, error);
    assert.is(Buffer.from(findings[0].bytes).toString(), 'P');
  });
}

test('the same seed gives the same corpus, counts and findings', async () => {
  const run = () => runFuzzer(bundle, { name: 'PLY', seed: 7, mutants: 2000, corpus: [] });
  const [first, second] = [await run(), await run()];
  assert.equal(first, second);
});

test.run();
