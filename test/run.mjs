// Implements `npm test`: installs and builds if needed, runs the test files, and ends with one line of
// counts. `npm test -- --help` lists its options.
import { build, install, installBroker, installBrowser, installPlatforms } from '../bindings/build/setUp.mjs';
import { countLine, countsOf, failureLines, slowestLines } from './runner/report.mjs';
import { runAll } from './runner/runAll.mjs';
import { readWords, selectFiles, usage } from './runner/select.mjs';

/** Suites that need Chromium, which includes a software GPU. */
const NEEDS_BROWSER = ['browser', 'gpu', 'cluster', 'bundlers', 'determinism'];
/** Suites that need a NATS server. */
const NEEDS_BROKER = ['cluster'];
/** Suites that compare the results of several platforms, and so need other browsers and processors. */
const NEEDS_PLATFORMS = ['determinism'];
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
  // progress.mjs is imported only here, because it imports the dependency cli-progress, which may be missing
  // before the call of install().
  return (await import('./runner/progress.mjs')).makeProgress;
}

const { options, files } = readCommand();
if (options.help) {
  console.log(usage);
} else {
  const fileCounts = new Map();
  for (const { suite } of files) fileCounts.set(suite, (fileCounts.get(suite) ?? 0) + 1);
  const makeProgress = await setUp([...fileCounts.keys()], options);
  const results = await runAll(files, options.limit, makeProgress(fileCounts));
  const total = countsOf(results);
  if (options.times) console.log(slowestLines(results));
  const failures = failureLines(results);
  if (failures) console.log(failures);
  if (total.passed + total.failed === 0) console.log('No test ran: check the names and the text of -g.');
  if (mayNotSkip && total.skipped > 0) console.log('With CI set, no test may be skipped.');
  console.log(countLine(total));
  process.exitCode = total.failed > 0 || total.passed === 0 || (mayNotSkip && total.skipped > 0) ? 1 : 0;
}
