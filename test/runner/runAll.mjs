// Runs all chosen test files, several at the same time, and reports each suite when its last file has ended.
import { availableParallelism } from 'node:os';
import { FairClock } from './clock.mjs';
import { suiteLines } from './report.mjs';
import { nameOf, runFile } from './runFile.mjs';

/**
 * Files and suites that take long start first, the longest before the others, so that none of them runs alone
 * at the end.
 */
const LONGEST_FIRST = [
  'test/determinism/',
  'test/fuzz/',
  'test/package/benches.slow.ts',
  'test/runner/',
  'test/package/check.slow.ts',
  'test/mutation/',
  'test/scene/',
  'test/gpu/',
  'test/cli/',
  'test/cluster/',
  'test/browser/',
  'test/package/',
  'test/contact/',
  'test/faults/',
  'test/formats/',
  'test/broadphase/',
  'test/narrowphase/',
  'test/certificate/',
  'test/bundlers/',
  'test/ccd/',
];
/** Suites whose files run one after the other, because they share a broker's default files. */
const ONE_FILE_AT_ONCE = ['cluster'];
/**
 * Max number of files that run at the same time, for any number of cores, because a file may use many threads
 * and a browser. On fewer than five cores, the number is the core count plus three, because a test often waits
 * for a broker, a page or a lost worker, and leaves its core idle.
 */
const MAX_FILES_AT_ONCE = 8;

function rankOf({ file }) {
  const rank = LONGEST_FIRST.findIndex(path => nameOf(file).startsWith(path));
  return rank < 0 ? LONGEST_FIRST.length : rank;
}

/**
 * Runs the files. files: as selectFiles returns them. limit: max time of one test, in seconds of an idle
 * machine.
 * @returns the result of each file, as runFile returns it, with its name
 */
export async function runAll(files, limit, progress) {
  const clock = new FairClock();
  const waiting = files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.file < b.file ? -1 : 1));
  const suites = new Map();
  for (const { suite } of files) {
    const before = suites.get(suite) ?? { results: [], fileCount: 0, running: 0, startedAt: undefined };
    suites.set(suite, { ...before, fileCount: before.fileCount + 1 });
  }
  const mayStart = ({ suite }) => !ONE_FILE_AT_ONCE.includes(suite) || suites.get(suite).running === 0;

  async function run({ file, suite: suiteName, selection }) {
    const suite = suites.get(suiteName);
    const name = nameOf(file);
    suite.running++;
    suite.startedAt ??= performance.now();
    progress.began(suiteName, name);
    const onTest = test => progress.began(suiteName, name, test);
    const result = { name, ...(await runFile(file, selection, { clock, limit, onTest })) };
    suite.results.push(result);
    // The details follow at the end. If the run is stopped earlier, at least these lines exist.
    for (const failure of result.failures)
      progress.log(`failed: ${name}: ${failure.name}\n  ${failure.text.split('\n', 1)[0]}`);
    suite.running--;
    progress.ended(suiteName);
    if (suite.results.length === suite.fileCount)
      progress.log(suiteLines(suiteName, suite.results, (performance.now() - suite.startedAt) / 1000));
  }

  async function runUntilDone() {
    for (;;) {
      // If no waiting file may start, this loop ends. A file of their suite is then running in another loop,
      // which runs the waiting files next.
      const next = waiting.findIndex(mayStart);
      if (next < 0) return;
      await run(waiting.splice(next, 1)[0]);
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(MAX_FILES_AT_ONCE, availableParallelism() + 3) }, runUntilDone),
  );
  clock.stop();
  progress.stop();
  return [...suites.values()].flatMap(({ results }) => results);
}
