// Implements `npm test`: installs and builds if needed, runs the test files, and ends with one line of
// counts. `npm test -- --help` lists its options.
import { availableParallelism } from 'node:os';
import { build, install, installBroker, installBrowser, installPlatforms } from '../bindings/build/setUp.mjs';
import { FairClock } from './runner/clock.mjs';
import { countLine, countsOf, failureLines, slowestLines, suiteLines } from './runner/report.mjs';
import { nameOf, runFile } from './runner/runFile.mjs';
import { readWords, selectFiles, usage } from './runner/select.mjs';

/** The suites that take longest start first, so that none of them runs alone at the end. */
const LONGEST_FIRST = [
  'gpu',
  'cli',
  'package',
  'browser',
  'cluster',
  'determinism',
  'contact',
  'formats',
  'narrowphase',
  'broadphase',
  'faults',
  'runtime',
  'fuzz',
  'ccd',
  'scene',
  'proximity',
  'rays',
  'certificate',
  'runner',
  'hybrid',
  'engine',
  'bundlers',
];
/** Suites that need Chromium, which includes a software GPU. */
const NEEDS_BROWSER = ['browser', 'gpu', 'cluster', 'bundlers', 'determinism'];
/** Suites that need a NATS server. */
const NEEDS_BROKER = ['cluster'];
/** Suites that compare platforms: other browsers and processors. */
const NEEDS_PLATFORMS = ['determinism'];
/**
 * Max number of suites that run at the same time, for any number of cores, because a suite may use many
 * threads and a browser. On fewer than six cores, the number is the core count plus two, because a suite
 * often waits for a broker, a page or a lost worker, and leaves its core idle.
 */
const MAX_SUITES_AT_ONCE = 8;

const mayNotSkip = !['', 'false', undefined].includes(process.env.CI);

function readCommand() {
  try {
    const options = readWords(process.argv.slice(2));
    return { options, files: options.help ? [] : selectFiles(options) };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

async function setUp(suites, options) {
  install();
  if (!options['no-build']) build();
  const needs = names => names.some(name => suites.includes(name));
  if (needs(NEEDS_BROWSER)) installBrowser();
  if (needs(NEEDS_BROKER)) installBroker();
  if (needs(NEEDS_PLATFORMS)) installPlatforms();
  // Imported only now, because this module imports the dependency cli-progress, which may have been missing
  // until install().
  return (await import('./runner/progress.mjs')).makeProgress;
}

const rank = suite => (LONGEST_FIRST.includes(suite) ? LONGEST_FIRST.indexOf(suite) : LONGEST_FIRST.length);

// The files of one suite run one after the other, because they may share a port or a namespace; suites run in
// parallel.
async function runSuites(bySuite, limit, progress) {
  const clock = new FairClock();
  const waiting = [...bySuite.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const all = [];
  await Promise.all(
    Array.from({ length: Math.min(MAX_SUITES_AT_ONCE, availableParallelism() + 2) }, async () => {
      for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
        const startedAt = performance.now();
        const results = [];
        for (const { file, selection } of bySuite.get(suite)) {
          const name = nameOf(file);
          progress.began(suite, name);
          results.push({
            name,
            ...(await runFile(file, selection, {
              clock,
              limit,
              onTest: test => progress.began(suite, name, test),
            })),
          });
          progress.ended(suite);
        }
        progress.log(suiteLines(suite, results, (performance.now() - startedAt) / 1000));
        all.push(...results);
      }
    }),
  );
  clock.stop();
  progress.stop();
  return all;
}

const { options, files } = readCommand();
if (options.help) {
  console.log(usage);
} else {
  const bySuite = files.reduce(
    (map, file) => map.set(file.suite, [...(map.get(file.suite) ?? []), file]),
    new Map(),
  );
  const makeProgress = await setUp([...bySuite.keys()], options);
  const results = await runSuites(
    bySuite,
    options.limit,
    makeProgress(new Map([...bySuite].map(([suite, files]) => [suite, files.length]))),
  );
  const total = countsOf(results);
  if (options.times) console.log(slowestLines(results));
  const failures = failureLines(results);
  if (failures) console.log(failures);
  if (total.passed + total.failed === 0) console.log('No test ran: check the names and the text of -g.');
  if (mayNotSkip && total.skipped > 0) console.log('With CI set, no test may be skipped.');
  console.log(countLine(total));
  process.exitCode = total.failed > 0 || total.passed === 0 || (mayNotSkip && total.skipped > 0) ? 1 : 0;
}
