// Compares two ways of dividing space among GPU devices, by the numbers of boxes and pairs in the parts.
// Avril, Gouranton and Arnaldi 2014 (section 5.2, Fig. 9) cut space along the axis on which the most pairs
// overlap, so that the same number of these pairs begins in each part. pfront cuts space along an axis so
// that the same number of boxes begins in each part. This bench searches the parts on the CPU, so it needs no
// GPU.

import {
  distributeBoxes,
  type SpaceSplit,
  sampleAxes,
  splitSpace,
} from '../../dist/gpu/broadphase/spaceParts.js';
import { createEngine } from '../../dist/index.js';
import { pairsInParts, splitEvenPairs } from '../../dist/papers/spaceSplits.js';
import { sceneBoxes, sceneKinds } from '../support/fourScenes.js';
import { isQuick, Report } from '../support/report.js';
import { sum } from '../support/statistics.js';

const SEED = 1;
const COUNTS = isQuick ? [500] : [500, 20_000];
const PARTS = [2, 4];
const report = new Report('spaceSplits', SEED, []);
const engine = await createEngine({ threads: 1 });

const balance = (counts: readonly number[]): number =>
  (Math.max(...counts) * counts.length) / Math.max(1, sum(counts));

function addRows(scene: string, boxes: Float32Array, who: string, split: SpaceSplit): void {
  const parts = distributeBoxes(boxes, split);
  const pairs = pairsInParts(engine, parts, split).map(({ a }) => a.length);
  const known = engine.boxPairs(boxes, { countOnly: true }).count;
  if (sum(pairs) !== known) throw new Error(`${scene}, ${who}: ${sum(pairs)} pairs in the parts of ${known}`);
  const sizes = parts.map(({ ids }) => ids.length);
  const count = boxes.length / 6;
  for (const [measure, counts] of [
    ['pairs', pairs],
    ['boxes', sizes],
  ] as const)
    report.add({
      scene,
      measure: `max/mean ${measure}, ${parts.length} parts`,
      who,
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
    for (const parts of PARTS) {
      const scene = `${kind} ${count / 1000}K`;
      addRows(scene, boxes, 'cuts even in pairs', splitEvenPairs(axes, parts));
      addRows(scene, boxes, 'cuts by starts', splitSpace(axes, parts));
    }
  }
}
engine.dispose();
report.save();
