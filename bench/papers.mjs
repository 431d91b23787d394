// Runs the benches that reproduce figures and tables of the papers, and records their rows in
// results/papers-<machine>.csv: `npm run papers`. If sources have changed, it builds first.
//
// NAMES: runs only these benches. --quick: small sizes, and nothing is recorded. --stale: runs nothing, but
// lists the benches whose code has changed since their rows were recorded.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchFiles } from './support/benchFiles.mjs';
import { codeHash } from './support/codeHash.mjs';
import { readPaperRows } from './support/csv.mjs';
import { staleBenches } from './support/staleBenches.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// The benches outside the folder `papers` whose rows also reproduce figures.
const SHARED = ['clusterOctree', 'gpuBoxes', 'gpuMemory', 'gpuQueries', 'octree', 'persistent', 'selfQuery'];

const names = [...benchFiles]
  .filter(([name, file]) => file.startsWith('papers/') || SHARED.includes(name))
  .map(([name]) => name)
  .sort();

function listStale() {
  const stale = staleBenches(names, readPaperRows(), name => codeHash(`bench/${benchFiles.get(name)}`));
  for (const line of stale) console.log(line);
  console.log(`${stale.length} of ${names.length} benches of the papers have stale or no rows`);
  return 0;
}

function main(words) {
  const wrong = words.filter(word => !names.includes(word) && !['--quick', '--stale'].includes(word));
  if (wrong.length > 0) {
    console.error(
      `papers: unknown: ${wrong.join(', ')}; choose among ${names.join(', ')}, --quick and --stale`,
    );
    return 2;
  }
  if (words.includes('--stale')) return listStale();
  const chosen = words.filter(word => names.includes(word));
  return spawnSync(
    process.execPath,
    [
      'bench/run.mjs',
      ...(chosen.length > 0 ? chosen : names),
      '--papers',
      ...words.filter(word => word === '--quick'),
    ],
    { cwd: root, stdio: 'inherit' },
  ).status;
}

process.exitCode = main(process.argv.slice(2));
