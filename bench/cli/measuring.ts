// Measures how long `pfront clash` takes to measure the clashes of a building, on one and on several threads. Each
// run is a new process, because the threads also have to start and to compile their code.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { dataPath } from '../../test/support/data.js';
import { isQuick, Report } from '../support/report.js';

const MODEL = 'bim/duplex.ifc.gz';
const RUNS = isQuick ? 1 : 3;
const COPIES = isQuick ? [1] : [1, 8];
const script = fileURLToPath(new URL('../support/measureOnce.ts', import.meta.url));

function millisecondsOf(copies: number, threads: number): number {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', script, dataPath(MODEL), String(copies), String(threads)],
    { encoding: 'utf8' },
  );
  const milliseconds = Number(stdout);
  if (!(milliseconds > 0)) throw new Error(stderr);
  return milliseconds;
}

const report = new Report('measuring');
if (existsSync(dataPath(MODEL)))
  for (const copies of COPIES) {
    const threadCounts = [...new Set([1, 2, 4, 8, 16].filter(count => count <= availableParallelism()))];
    const times = new Map(threadCounts.map(count => [count, [] as number[]]));
    for (let run = 0; run < RUNS; run++)
      for (const count of threadCounts) times.get(count)!.push(millisecondsOf(copies, count));
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
    for (const [count, values] of times)
      report.add({
        scene: copies === 1 ? 'duplex' : `${copies} duplexes beside each other`,
        measure: 'measuring clashes',
        variant: `threads: ${count}`,
        unit: 'ms',
        n: RUNS,
        median: median(values),
      });
  }
report.save();
