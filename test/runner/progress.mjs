// Shows the progress of the tests, and prints the results of each suite when it finishes. On a terminal, a
// bar for each suite also shows its current test and its number of finished files.
import cliProgress from 'cli-progress';

const FORMAT = '{suite} {bar} {value}/{total} files  {now}';

/** suites: a Map from the name of each suite to its number of files. */
export function makeProgress(suites) {
  if (!process.stdout.isTTY || process.env.CI)
    return { began() {}, ended() {}, log: text => console.log(text), stop() {} };
  const width = Math.max(...[...suites.keys()].map(name => name.length));
  const bars = new cliProgress.MultiBar(
    {
      format: FORMAT,
      hideCursor: true,
      barsize: 20,
      clearOnComplete: true,
      emptyOnZero: true,
      linewrap: false,
    },
    cliProgress.Presets.shades_classic,
  );
  const bySuite = new Map(
    [...suites].map(([suite, fileCount]) => [
      suite,
      bars.create(fileCount, 0, { suite: suite.padEnd(width), now: 'waiting' }),
    ]),
  );
  return {
    /** Call this when a file of the suite begins (without `test`), and when a test in the file begins. */
    began: (suite, file, test) =>
      bySuite.get(suite).update({ now: `${file.split('/').at(-1)}${test ? `: ${test}` : ''}`.slice(0, 60) }),
    /** Call this when a file of the suite has ended. */
    ended(suite) {
      const bar = bySuite.get(suite);
      bar.increment(1, { now: '' });
      if (bar.getProgress() >= 1) bars.remove(bar);
    },
    log: text => bars.log(`${text}\n`),
    stop() {
      // `log` only buffers its lines; `update` writes them.
      bars.update();
      bars.stop();
    },
  };
}
