// Compares thresholds of a robot swarm's load balancing. A column (a piece of space that one node owns) moves
// from one node to another if the loads of the two nodes differ by more than the threshold, which is a
// fraction of the greater load. Counts the work of the busiest node, the moved columns and the sent bytes,
// and models the time of a step on separate machines.
//
// Reproduces figure 6 of Du, Liu and Suzumura, which compares thresholds for 10,000 robots on four nodes. The
// figure is a chart without numbers, but the paper's text names 10 % as the best threshold. The times with
// different thresholds differ by less than the spread of measured times, so counters are compared instead: the
// feature pairs that the busiest node tests while the other nodes wait for it, and the robots and bytes that
// are sent because columns move. At most one column moves per step, so some unmeasured steps run first, in
// which the loads are balanced.
//
// In the skewed movement, robots crowd in all corners, so each of four nodes owns its share of the robots
// from the start. Therefore three nodes are measured as well. In the last case, one crowd moves from a corner
// to the opposite corner, so columns need to move all the time.

import type { SwarmRow } from '../../dist/cluster/index.js';
import { isQuick, Report } from '../support/report.js';
import { featureRow, figure, NO_BALANCING, rowOf } from '../support/swarmRows.js';
import {
  checkSame,
  disposeEngine,
  MOVEMENTS,
  measure,
  SEED,
  type SwarmCase,
  warmUp,
} from '../support/swarms.js';

const THRESHOLDS = isQuick ? [0.1] : [0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
const FIGURE = figure('Fig. 6');
const COUNT = isQuick ? 300 : 10_000;
const casesByMovement = MOVEMENTS.map(movement => ({
  count: COUNT,
  movement,
  settling: isQuick ? 1 : 30,
  steps: isQuick ? 2 : 15,
}));
const cases: readonly Omit<SwarmCase, 'how'>[] = [
  ...(isQuick ? [4] : [4, 3]).flatMap(nodes => casesByMovement.map(one => ({ ...one, nodes }))),
  {
    count: isQuick ? 300 : 1000,
    movement: 'corner',
    nodes: 4,
    settling: isQuick ? 1 : 100,
    steps: isQuick ? 2 : 100,
  },
];

const report = new Report('swarmThresholds', SEED);
await warmUp();
for (const input of cases) {
  let unbalanced: SwarmRow[] | undefined;
  for (const balance of [false as const, ...THRESHOLDS]) {
    const one: SwarmCase = { ...input, how: { balance } };
    const variant = balance === false ? NO_BALANCING : `threshold ${100 * balance} %`;
    const rows = await measure(one);
    unbalanced ??= rows;
    checkSame(rows, unbalanced);
    report.add({ ...rowOf(one, variant, rows), figure: FIGURE });
    report.add({
      ...featureRow(one, variant, rows, balance === false ? undefined : unbalanced),
      figure: FIGURE,
    });
  }
  // Cases with many robots take long, so rows are saved as soon as they are measured.
  report.save();
}
disposeEngine();
