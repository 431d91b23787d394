// Runs the benches that reproduce figures and tables of five papers, and records their rows in
// results/papers-<machine>.csv. Run it with `npm run papers -- NAMES FLAGS`. If sources have changed, the
// package is built first.
//
// NAMES: runs only the benches with these names. --quick: uses small inputs and records nothing. --stale:
// runs nothing; lists the benches without rows, and the benches whose code has changed since their rows were
// recorded. --real-gpu: runs GPU benches on the GPUs of this machine instead of the software GPU that comes
// with Chromium.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchFiles } from './support/benchFiles.mjs';
import { codeHash } from './support/codeHash.mjs';
import { gpuPaperBenches, paperBenches as names } from './support/paperBenches.mjs';
import { readAllPaperRows } from './support/paperRows.mjs';
import { staleBenches } from './support/staleBenches.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const FLAGS = ['--quick', '--stale', '--real-gpu'];

function listStale() {
  const stale = staleBenches(names, readAllPaperRows(), name => codeHash(`bench/${benchFiles.get(name)}`));
  for (const line of stale) console.log(line);
  const benches = new Set(stale.map(line => line.split(':')[0]));
  console.log(`${benches.size} of ${names.length} benches of the papers have stale or no rows`);
  return 0;
}

function main(words) {
  const wrong = words.filter(word => !names.includes(word) && !FLAGS.includes(word));
  if (wrong.length > 0) {
    console.error(
      `papers: unknown: ${wrong.join(', ')}; choose among ${names.join(', ')}, ${FLAGS.join(', ')}`,
    );
    return 2;
  }
  if (words.includes('--stale')) return listStale();
  const chosen = names.filter(name => words.includes(name));
  const own = chosen.length > 0 ? chosen : names;
  const flags = ['--papers', ...words.filter(word => word === '--quick')];
  const exitCodes = [
    runBenches(
      own.filter(name => !gpuPaperBenches.includes(name)),
      flags,
    ),
    runBenches(
      own.filter(name => gpuPaperBenches.includes(name)),
      words.includes('--real-gpu') ? flags : [...flags, '--software-gpu'],
    ),
  ];
  return Math.max(...exitCodes);
}

const runBenches = (own, flags) =>
  own.length === 0
    ? 0
    : (spawnSync(process.execPath, ['bench/run.mjs', ...own, ...flags], { cwd: root, stdio: 'inherit' })
        .status ?? 1);

process.exitCode = main(process.argv.slice(2));
