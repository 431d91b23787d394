// Runs benches: `npm run bench -- NAMES FLAGS`. Each bench runs in its own process. Without names, all
// benches run. If sources have changed, the package is built first.
//
// --quick: uses small inputs and records nothing. --as-built: measures the present files in dist, without
// building. --papers: records rows in results/papers-<machine>.csv instead of results/<machine>.csv.
// --software-gpu: runs GPU benches on the software GPU that comes with Chromium. Its counters equal those of
// any GPU, but its times do not.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, gpuEnvironment, install, installBroker, installBrowser } from '../bindings/build/setUp.mjs';
import { benchFiles } from './support/benchFiles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const all = [...benchFiles.keys()].sort();

/** The benches that start a message broker. */
const NEEDS_BROKER = ['clusterOctree', 'jobs', 'octreeFrames', 'swarmProcesses'];

const FLAGS = ['--quick', '--as-built', '--papers', '--software-gpu'];

function main(words) {
  const flags = words.filter(word => word.startsWith('-'));
  const names = words.filter(word => !word.startsWith('-'));
  const wrong = [
    ...names.filter(name => !all.includes(name)),
    ...flags.filter(flag => !FLAGS.includes(flag)),
  ];
  if (wrong.length > 0) {
    console.error(`bench: unknown: ${wrong.join(', ')}; choose among ${all.join(', ')}, ${FLAGS.join(', ')}`);
    return 2;
  }
  install();
  if (!flags.includes('--as-built')) build();
  const env = { ...process.env, ...(flags.includes('--software-gpu') ? gpuEnvironment() : {}) };
  const chosen = names.length > 0 ? names : all;
  if (chosen.some(name => NEEDS_BROKER.includes(name))) installBroker();
  if (flags.includes('--software-gpu')) installBrowser();
  // If a bench fails, the others still run.
  const failed = chosen.filter(name => {
    const startedAt = performance.now();
    const status = run(env, process.execPath, [
      '--expose-gc',
      '--import',
      'tsx',
      `bench/${benchFiles.get(name)}`,
      ...flags,
    ]);
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    return status !== 0;
  });
  if (failed.length > 0) console.error(`bench: failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

const run = (env, program, words) => spawnSync(program, words, { cwd: root, env, stdio: 'inherit' }).status;

process.exitCode = main(process.argv.slice(2));
