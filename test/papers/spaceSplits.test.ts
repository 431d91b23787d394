// Tests `splitEvenPairs`, which divides space along one axis so that each region gets about the same number of
// the pairs of boxes that overlap along this axis. Together, the regions must find each pair of overlapping
// boxes exactly once, wherever the cuts are.

import * as assert from 'uvu/assert';
import { mergePairs } from '../../dist/broadphase/incremental/mergePairs.js';
import { distributeBoxes, sampleAxes } from '../../dist/gpu/broadphase/spaceRegions.js';
import type { Engine } from '../../dist/index.js';
import { pairsInRegions, splitEvenPairs } from '../../dist/papers/spaceSplits.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { hashInOrder, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const one = Float32Array.of(0, 0, 0, 1, 1, 1);
/** Boxes that begin at the same coordinates, so that cuts coincide with bounds of the boxes. */
const stacked = Float32Array.from(
  Array.from({ length: 40 }, (_, i) => [i >> 2, 0, 0, (i >> 2) + 2, 1, 1]).flat(),
);

function expectWhole(engine: Engine, name: string, boxes: Float32Array, regionCount: number): void {
  const axes = sampleAxes([boxes]);
  const split = splitEvenPairs(axes, regionCount);
  assert.is(split.starts.length, regionCount - 1, name);
  const regions = distributeBoxes(boxes, split);
  const found = mergePairs(pairsInRegions(engine, regions, split));
  const { a, b } = engine.boxPairs(boxes);
  assert.is(hashInOrder(found), hashInOrder({ a, b }), `${name}, ${regionCount} regions`);
}

test('all regions together find each pair of overlapping boxes once', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    for (const regionCount of [1, 2, 4, 7]) {
      for (const kind of ['uniform', 'clustered', 'scaleFree', 'mixed'] as const)
        expectWhole(engine, kind, boxCrowd(kind, 700, 3), regionCount);
      expectWhole(engine, 'stacked', stacked, regionCount);
      expectWhole(engine, 'one', one, regionCount);
      expectWhole(engine, 'none', new Float32Array(0), regionCount);
    }
  }));

test('space is cut along the axis on which most pairs overlap, and about equally many of these pairs begin in each region', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // The boxes are closest together near x = 0. Along y and z, only boxes of the same group of 16 overlap.
    const boxes = Float32Array.from(
      Array.from({ length: 1000 }, (_, i) => {
        const x = 100 * (i / 1000) ** 3;
        return [x, 2 * (i >> 4), 2 * (i >> 4), x + 1, 2 * (i >> 4) + 1, 2 * (i >> 4) + 1];
      }).flat(),
    );
    const axes = sampleAxes([boxes]);
    const split = splitEvenPairs(axes, 4);
    assert.is(split.axis, 0);
    const { lows, highs } = axes[0];
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < lows.length; i++)
      for (let k = 0; k < i; k++)
        if (highs[k] >= lows[i]) counts[split.starts.filter(start => start <= lows[i]).length]++;
    const total = counts.reduce((sum, count) => sum + count, 0);
    for (const count of counts) assert.ok(Math.abs(count - total / 4) < 0.01 * total, counts.join());
    assert.is(
      pairsInRegions(engine, distributeBoxes(boxes, split), split).reduce((sum, { a }) => sum + a.length, 0),
      engine.boxPairs(boxes).count,
    );
  }));

test.run();
