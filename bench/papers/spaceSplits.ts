// Compares two ways of dividing space among GPU devices, by how evenly boxes and pairs are distributed over the
// regions.
// Avril, Gouranton and Arnaldi 2014 (section 5.2, Fig. 9) cut space along the axis on which the most pairs
// overlap, so that the same number of these pairs begins in each region; a pair begins where the second of its
// boxes begins. pfront cuts space along an axis so that the same number of boxes begins in each region. This
// bench searches the regions on the CPU, so it needs no GPU.

import {
  distributeBoxes,
  type SpaceSplit,
  sampleAxes,
  splitSpace,
} from '../../dist/gpu/broadphase/spaceRegions.js';
import { createEngine } from '../../dist/index.js';
import { pairsInRegions, splitEvenPairs } from '../../dist/papers/spaceSplits.js';
import { sceneBoxes, sceneKinds } from '../support/fourScenes.js';
import { isQuick, Report } from '../support/report.js';
import { sum } from '../support/statistics.js';

const SEED = 1;
const COUNTS = isQuick ? [500] : [500, 20_000];
const REGION_COUNTS = [2, 4];
const report = new Report('spaceSplits', SEED, []);
const engine = await createEngine({ threads: 1 });

const balance = (counts: readonly number[]): number =>
  (Math.max(...counts) * counts.length) / Math.max(1, sum(counts));

function addRows(scene: string, boxes: Float32Array, variant: string, split: SpaceSplit): void {
  const regions = distributeBoxes(boxes, split);
  const pairs = pairsInRegions(engine, regions, split).map(({ a }) => a.length);
  const known = engine.boxPairs(boxes, { countOnly: true }).count;
  if (sum(pairs) !== known)
    throw new Error(`${scene}, ${variant}: the regions have ${sum(pairs)} pairs, but there are ${known}`);
  const sizes = regions.map(({ ids }) => ids.length);
  const count = boxes.length / 6;
  for (const [measure, counts] of [
    ['pairs', pairs],
    ['boxes', sizes],
  ] as const)
    report.add({
      scene,
      measure: `max/mean ${measure}, ${regions.length} parts`,
      variant,
      unit: 'x',
      n: 1,
      mean: balance(counts),
      figure: 'Avril, Gouranton and Arnaldi, Fig. 9',
      how: 'counted',
      note: `${counts.join(' + ')} ${measure}; axis ${'xyz'[split.axis]}; ${sum(sizes) - count} of ${count} boxes copied`,
    });
}

for (const kind of sceneKinds) {
  for (const count of COUNTS) {
    const boxes = sceneBoxes(kind, count, SEED);
    const axes = sampleAxes([boxes]);
    for (const regionCount of REGION_COUNTS) {
      const scene = `${kind} ${count / 1000}K`;
      addRows(scene, boxes, 'split by pair count', splitEvenPairs(axes, regionCount));
      addRows(scene, boxes, 'split by box starts', splitSpace(axes, regionCount));
    }
  }
}
engine.dispose();
report.save();
