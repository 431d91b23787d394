// Benchmark scenes of boxes in three distributions. Each scene measures, for each number of threads, how long
// each method of finding box pairs takes.

import { formatCount } from '../../cli/terminal.js';
import { METHODS } from '../../core/moduleOptions.js';
import type { BoxPairsOptions, Engine } from '../../index.js';
import { boxCrowd, type CrowdKind } from '../../samples/index.js';
import { type Contender, interleave } from './measure.js';
import {
  type BenchScene,
  type Measured,
  type Outcome,
  type Setup,
  type ThreadedEngine,
  withEngines,
} from './scene.js';

const KINDS: readonly CrowdKind[] = ['uniform', 'clustered', 'mixed'];
const counts = { 'boxes-10k': 10_000, 'boxes-100k': 100_000, 'boxes-1m': 1_000_000 };

export const crowdScenes: BenchScene[] = Object.entries(counts).map(([name, count]) => ({
  name,
  line: `${formatCount(count)} boxes in three distributions (uniform, clustered, mixed sizes), by method: ${METHODS.join(', ')}`,
  run: setup => run(count, setup),
}));

async function run(fullCount: number, setup: Setup): Promise<Outcome> {
  const isQuick = setup.size === 'quick';
  const count = isQuick ? 2000 : fullCount;
  const rounds = isQuick ? 1 : fullCount > 100_000 ? 5 : 15;
  return withEngines(setup, async threadedEngines => {
    const measured: Measured[] = [];
    const remarks: string[] = [];
    for (const kind of KINDS) {
      const boxes = boxCrowd(kind, count, setup.seed);
      measured.push(
        ...(await interleave(
          [boxes],
          METHODS.flatMap(method =>
            threadedEngines.map(threadedEngine => contender(threadedEngine, kind, method)),
          ),
          rounds,
          setup.progress,
        )),
      );
      remarks.push(`${kind}: ${pairsText(threadedEngines[0].engine, boxes)}`);
    }
    return {
      measured,
      cases: 1,
      rounds,
      remarks: [
        `${formatCount(count)} boxes per distribution. Each run finds one sorted list of pairs from scratch.`,
        ...remarks,
      ],
    };
  });
}

const methodOf = (method: string): BoxPairsOptions['method'] => method as BoxPairsOptions['method'];

const contender = (
  { threads, engine }: ThreadedEngine,
  kind: CrowdKind,
  method: string,
): Contender<Float32Array> => ({
  threads,
  run: boxes => {
    const { count, stats } = engine.boxPairs(boxes, { method: methodOf(method) });
    return { found: count, milliseconds: { [`${kind}, ${method}`]: stats.milliseconds } };
  },
});

function pairsText(engine: Engine, boxes: Float32Array): string {
  const tests = METHODS.map(method => {
    const { stats } = engine.boxPairs(boxes, { method: methodOf(method), countOnly: true });
    return `${method === stats.method ? method : `${method} (${stats.method})`} ${(stats.tests / (boxes.length / 6)).toFixed(1)}`;
  });
  return `${formatCount(engine.boxPairs(boxes, { countOnly: true }).count)} pairs; tests per box: ${tests.join(', ')}.`;
}
