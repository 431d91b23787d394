// Computes the modeled time of a step on separate machines for 10,000 robots on three and four nodes, by the
// difference of loads at which a column moves.
//
// Compare figure 6 of Du, Liu and Suzumura, a chart without numbers; the text names 10 % as the best
// threshold. One column moves per step, so loads become even in the steps before the measured ones. Three
// nodes are measured as well, because with four nodes each has one corner of the crowd from the start.

import { isQuick, Report } from '../support/report.js';
import { end, MOVEMENTS, measure, rowOf, SEED, type SwarmCase, warmUp } from '../support/swarms.js';

const COUNT = isQuick ? 500 : 10_000;
const THRESHOLDS = isQuick ? [0.1] : [0.05, 0.1, 0.15, 0.2, 0.25, 0.3];

const report = new Report('swarmThresholds', SEED);
await warmUp();
for (const nodes of isQuick ? [4] : [4, 3]) {
  for (const movement of MOVEMENTS) {
    for (const balance of [false as const, ...THRESHOLDS]) {
      const one: SwarmCase = {
        count: COUNT,
        movement,
        nodes,
        settling: isQuick ? 1 : 12,
        steps: isQuick ? 2 : 8,
        how: { balance },
      };
      report.add(
        rowOf(one, balance === false ? 'no balancing' : `threshold ${100 * balance} %`, await measure(one)),
      );
    }
    // Large counts take long, so rows are saved as soon as they are measured.
    report.save();
  }
}
end();
