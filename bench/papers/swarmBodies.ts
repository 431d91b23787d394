// Models the time of a step of a robot swarm on four separate machines, for growing numbers of robots.
// Compares three ways of dividing space among the machines: columns with load balancing, columns without it,
// and voxels that a hash function assigns to machines.
//
// Figure 4 of Du, Liu and Suzumura shows how many times faster columns are than the voxels of Lawlor and Kale
// 2002. The figure is a chart without numbers.

import { isQuick, Report } from '../support/report.js';
import { median } from '../support/statistics.js';
import { figure, modeled, rowOf } from '../support/swarmRows.js';
import {
  disposeEngine,
  MOVEMENTS,
  measure,
  SEED,
  type SwarmCase,
  VOXEL_EDGE,
  warmUp,
} from '../support/swarms.js';

const COUNTS = isQuick ? [500] : [10_000, 20_000, 40_000, 100_000];
const THRESHOLD = 0.15;
const methods: readonly [variant: string, how: SwarmCase['how'], voxels?: number][] = [
  ['voxels by hash', {}, VOXEL_EDGE],
  ['columns', { balance: false }],
  ['columns, balanced', { balance: THRESHOLD }],
];

const report = new Report('swarmBodies', SEED);
await warmUp();
for (const count of COUNTS) {
  for (const movement of MOVEMENTS) {
    let voxels = 0;
    for (const [variant, how, edge] of methods) {
      const swarmCase: SwarmCase = {
        count,
        movement,
        nodes: 4,
        settling: 1,
        steps: isQuick ? 2 : 4,
        voxels: edge,
        how,
      };
      const rows = await measure(swarmCase);
      const time = median(rows.map(modeled));
      if (edge !== undefined) voxels = time;
      report.add({
        ...rowOf(swarmCase, variant, rows),
        figure: figure('Fig. 4'),
        ...(edge !== undefined ? {} : { rival: 'voxels by hash', ratio: voxels / time }),
      });
    }
    // Cases with many robots take long, so rows are saved as soon as they are measured.
    report.save();
  }
}
disposeEngine();
