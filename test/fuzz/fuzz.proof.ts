// Fuzzes every reader for ten minutes. Each step tries as many mutants (changed inputs) as fuzz.slow.ts does in
// `npm run test:all`. The state is saved after each step, so that an interrupted run continues after its last
// complete step. PFRONT_FUZZ_SECONDS sets another time for each reader. PFRONT_FUZZ_FOLDER sets another folder
// for the state and the corpus (the inputs that reached new code).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { cacheFolder } from '../../bindings/build/paths.mjs';
import { test } from '../support/test.js';
import { findingsText } from './found.js';
import { bundleWithCounters } from './instrument.mjs';
import { runFuzzer } from './supervise.js';
import { covered, targets } from './targets/index.js';

const SECONDS = Number(process.env.PFRONT_FUZZ_SECONDS ?? 600);
const FOLDER = process.env.PFRONT_FUZZ_FOLDER ?? path.join(cacheFolder, 'fuzz');

/**
 * A round fuzzes one reader for SECONDS. seconds: the time spent in the current round. messages: texts of the
 * findings of the current round, including those before an interruption. All other fields are sums over all
 * rounds.
 */
interface State {
  steps: number;
  mutants: number;
  accepted: number;
  findings: number;
  seconds: number;
  messages: string[];
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

let bundle = '';

test.before(async () => {
  bundle = await bundleWithCounters(fileURLToPath(new URL('./worker.ts', import.meta.url)), covered);
});

test.after(() => rmSync(bundle));

for (const { name, mutants } of targets) {
  test(`${name}: ${SECONDS} s of fuzzing cause no crash, hang, excessive memory or wrong result`, async () => {
    const folder = path.join(FOLDER, name.replaceAll(' ', '-'));
    const corpusFolder = path.join(folder, 'corpus');
    mkdirSync(corpusFolder, { recursive: true });
    const statePath = path.join(folder, 'state.json');
    const state: State = {
      steps: 0,
      mutants: 0,
      accepted: 0,
      findings: 0,
      seconds: 0,
      messages: [],
      ...(existsSync(statePath) ? JSON.parse(readFileSync(statePath, 'utf8')) : {}),
    };
    while (state.seconds < SECONDS) {
      const startedAt = performance.now();
      const files = readdirSync(corpusFolder).sort();
      const corpus = files.map(file => new Uint8Array(readFileSync(path.join(corpusFolder, file))));
      const result = await runFuzzer(bundle, { name, seed: state.steps + 1, mutants, corpus });
      for (const bytes of result.corpus) writeFileSync(path.join(corpusFolder, hashOf(bytes)), bytes);
      for (const { bytes } of result.findings)
        writeFileSync(path.join(folder, `found-${hashOf(bytes)}`), bytes);
      if (result.findings.length > 0) state.messages.push(findingsText(result.findings));
      state.steps++;
      state.mutants += result.mutants;
      state.accepted += result.accepted;
      state.findings += result.findings.length;
      state.seconds += (performance.now() - startedAt) / 1000;
      writeFileSync(statePath, JSON.stringify(state));
    }
    // The next run of this test starts a new round, with the corpus of this round.
    writeFileSync(statePath, JSON.stringify({ ...state, seconds: 0, messages: [] }));
    console.log(
      `\ncounted: ${name}: ${state.mutants} mutants, ${state.accepted} accepted, ${readdirSync(corpusFolder).length} inputs kept`,
    );
    assert.is(state.messages.length, 0, state.messages.join('\n'));
  });
}

test.run();
