// Measures how load balancing divides the work of a robot swarm among nodes. All robots start in one corner
// of the space and move to the opposite corner. Reports the max load of a node divided by the mean load, the
// number of moved columns (a column is a piece of space that one node owns), and the bytes sent.
//
// In the skewed movement of Du, Liu and Suzumura (section 5.1), robots crowd in all corners at once, so each
// of four nodes owns its share of the crowds from the start. Here, one node owns all robots at first. In the
// rows, a node's load is the number of feature pairs that it tests, because these tests take most of a step's
// time. The balancing itself compares numbers of contacts, as in the paper, except in the runs 'balanced by
// tested pairs'. All values are counters. The bench checks that all runs have the same contacts and states.

import type { SwarmRow } from '../../dist/cluster/index.js';
import { isQuick, Report, saveFigure } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import {
  featureRow,
  figure,
  maxFeaturePairs,
  meanFeaturePairs,
  movedColumns,
  NO_BALANCING,
  sceneName,
} from '../support/swarmRows.js';
import { checkSame, disposeEngine, measure, SEED, type SwarmCase, warmUp } from '../support/swarms.js';

const COUNT = isQuick ? 200 : 2000;
const STEPS = isQuick ? 4 : 450;
const WINDOW = isQuick ? 2 : 50;
const THRESHOLD = 0.1;
const FIGURE = figure('sections 4.2 and 5.2, an asymmetric crowd');
/**
 * 'columns: auto' means that columns are split if one column has more than 5 % of the mean load of a node.
 */
const methods: readonly [variant: string, how: SwarmCase['how']][] = [
  [NO_BALANCING, { balance: false }],
  ['balanced, columns: auto', { balance: THRESHOLD }],
  ['balanced, 6 x 6 columns per node', { balance: THRESHOLD, columns: 6 }],
  ['balanced by tested pairs, columns: auto', { balance: THRESHOLD, load: 'tested' }],
];

const report = new Report('swarmBalance', SEED, []);
await warmUp();
for (const nodes of isQuick ? [4] : [4, 2]) {
  let unbalanced: SwarmRow[] | undefined;
  const loads: number[][] = [];
  for (const [variant, how] of methods) {
    const swarmCase: SwarmCase = { count: COUNT, movement: 'corner', nodes, settling: 0, steps: STEPS, how };
    const rows = await measure(swarmCase);
    unbalanced ??= rows;
    checkSame(rows, unbalanced);
    addWindows(swarmCase, variant, rows);
    loads.push(rows.map(loadRatio));
    report.add({
      ...featureRow(swarmCase, variant, rows, variant === NO_BALANCING ? undefined : unbalanced),
      figure: FIGURE,
    });
  }
  if (nodes === 4)
    saveFigure(
      'figure-swarm-balance',
      ['step', ...methods.map(([variant]) => `${variant}, x`)],
      unbalanced!.map((_, step) => [step + 1, ...loads.map(ratios => ratios[step]!)]),
    );
}
disposeEngine();
report.save();

/** Returns the max load of a node in a step, divided by the mean load of all nodes. */
function loadRatio(row: SwarmRow): number {
  return maxFeaturePairs(row) / meanFeaturePairs(row);
}

function addWindows(swarmCase: SwarmCase, variant: string, rows: readonly SwarmRow[]): void {
  for (let first = 0; first < rows.length; first += WINDOW) {
    const window = rows.slice(first, first + WINDOW);
    const { grid, owners } = window.at(-1)!;
    report.add({
      scene: sceneName(swarmCase),
      measure: `max load / mean load on ${swarmCase.nodes} nodes, steps ${first + 1} to ${first + window.length}`,
      variant,
      unit: 'x',
      ...summarize(window.map(loadRatio)),
      figure: FIGURE,
      how: 'counted',
      note: `${movedColumns(window)} columns moved, ${owners.length} columns (${grid.join(' x ')}); bodies owned by each node at the end: ${window
        .at(-1)!
        .nodes.map(({ ownedBodies }) => ownedBodies)
        .join(', ')}`,
    });
  }
}
