// Shows what runs and what is left: a bar per suite on a terminal, a line per finished suite elsewhere.
import cliProgress from 'cli-progress';

const FORMAT = '{suite} {bar} {value}/{total} files  {now}';

/** suites: Map of name -> number of files. */
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
    /** A test of the suite began. */
    began: (suite, file, test) =>
      bySuite.get(suite).update({ now: `${file.split('/').at(-1)}${test ? `: ${test}` : ''}`.slice(0, 60) }),
    /** A file of the suite ended. */
    ended(suite) {
      const bar = bySuite.get(suite);
      bar.increment(1, { now: '' });
      if (bar.getProgress() >= 1) bars.remove(bar);
    },
    log: text => bars.log(`${text}\n`),
    stop() {
      // An update writes the lines that are still to be logged.
      bars.update();
      bars.stop();
    },
  };
}
