// Models the time of a step of a robot swarm whose nodes run on separate machines: 40,000 robots on one to
// four nodes, with and without load balancing, and 100,000 robots on 1 to 64 nodes, with load balancing.
//
// Reproduces figure 5 of Du, Liu and Suzumura. The paper's text gives a speed-up of 2.6 on four nodes over
// one node, and 300 ms for 100,000 robots on four nodes.

import { isQuick, Report } from '../support/report.js';
import { median } from '../support/statistics.js';
import { figure, modeled, rowOf } from '../support/swarmRows.js';
import { disposeEngine, MOVEMENTS, measure, SEED, type SwarmCase, warmUp } from '../support/swarms.js';

const COUNT = isQuick ? 500 : 40_000;
const LARGE = isQuick ? 600 : 100_000;
const STEPS = isQuick ? 2 : 3;
const THRESHOLD = 0.15;
/**
 * Number of steps before the measured ones if the robots crowd in the corners and there are more than four
 * nodes: balancing needs this many steps to equalize the loads of the nodes.
 */
const SETTLING = isQuick ? 2 : 60;
const PAPER_MILLISECONDS = 300;
const PAPER_NODES = 4;
const PAPER_SPEEDUP = 2.6;

const report = new Report('swarmNodes', SEED);
await warmUp();

async function series(
  count: number,
  nodeCounts: readonly number[],
  variant: string,
  balance: number | false,
): Promise<void> {
  for (const movement of MOVEMENTS) {
    let singleNodeTime = 0;
    for (const nodes of nodeCounts) {
      const swarmCase: SwarmCase = {
        count,
        movement,
        nodes,
        settling: movement === 'skewed' && nodes > PAPER_NODES ? SETTLING : 1,
        steps: STEPS,
        how: { balance },
      };
      const rows = await measure(swarmCase);
      const time = median(rows.map(modeled));
      if (nodes === 1) singleNodeTime = time;
      const row = rowOf(swarmCase, variant, rows);
      const goal =
        nodes === PAPER_NODES && !isQuick
          ? count === LARGE
            ? `the paper: ${PAPER_MILLISECONDS} ms on 12 GPUs`
            : `the paper: ${PAPER_SPEEDUP} x`
          : undefined;
      report.add({
        ...row,
        figure: figure('Fig. 5'),
        ...(nodes === 1 ? {} : { rival: 'one node', ratio: singleNodeTime / time }),
        ...(goal ? { limit: goal } : {}),
      });
      // Cases with many robots take long, so rows are saved as soon as they are measured.
      report.saveFinished();
    }
  }
}

for (const [variant, balance] of [
  ['columns', false],
  ['columns, balanced', THRESHOLD],
] as const)
  await series(COUNT, [1, 2, 3, 4], variant, balance);
await series(
  LARGE,
  isQuick ? [1, 8] : [1, 2, 4, 8, 16, 32, 64],
  'columns, balanced, many machines',
  THRESHOLD,
);
disposeEngine();
