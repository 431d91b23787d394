// Tests which method 'auto' chooses for boxes of several kinds: sweep and prune in slabs ('sap') or in cells
// ('cells'). The choice depends on counted work, such as the number of box tests, and not on measured times.

import * as assert from 'uvu/assert';
import { BoxSample, type SampleEstimate } from '../../dist/broadphase/boxSample.js';
import { BoxSet } from '../../dist/broadphase/boxSet.js';
import { chooseMethod } from '../../dist/broadphase/chooseMethod.js';
import { createEngine } from '../../dist/index.js';
import { boxCrowd, createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const chosen = (boxes: Float32Array): string => engine.boxPairs(boxes, { countOnly: true }).stats.method;

test('slabs are chosen for uniform, clustered, mixed and small scale-free crowds, and cells for large scale-free crowds', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    assert.is(chosen(boxCrowd('scaleFree', 1000, seed)), 'sap', 'scaleFree 1000');
    for (const count of [2000, 20_000]) {
      for (const kind of ['uniform', 'clustered', 'mixed'] as const)
        assert.is(chosen(boxCrowd(kind, count, seed)), 'sap', `${kind} ${count}`);
      assert.is(chosen(boxCrowd('scaleFree', 10 * count, seed)), 'cells', `scaleFree ${10 * count}`);
    }
  }
});

// Sweep and prune rounds each coordinate to 15 bits over the extent of the scene. Here, hundreds of tiny boxes
// are so close to each other that their coordinates round to only a few different values. Rounded coordinates
// separate few of these boxes, so their float coordinates must be compared.
test('cells are chosen if many boxes are so small and so close that slabs of the scene would not separate them', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const wide = boxCrowd('uniform', 500, seed);
    const narrow = boxCrowd('nested', 1000, seed);
    const crowd = (shrink: number): Float32Array =>
      Float32Array.from([...wide, ...narrow.map(value => value * shrink)]);
    const { stats } = engine.boxPairs(crowd(2 ** -7), { countOnly: true });
    assert.is(stats.method, 'cells', stats.reason);
    assert.is(chosen(wide), 'sap');
  }
});

// The first box contains all others, and it is always in the sample. Each sampled box stands for about 64
// boxes, so the sample seems to show that 64 boxes are as large as the scene. In fact, only one box is that
// large, and the choice must not change.
test('one box that contains all others does not change the choice', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const boxes = boxCrowd('nested', 10_000, seed);
    assert.is(chosen(boxes), 'cells');
    const low = [0, 1, 2].map(axis =>
      boxes.reduce((minimum, value, i) => (i % 6 === axis ? Math.min(minimum, value) : minimum), Infinity),
    );
    const high = [3, 4, 5].map(axis =>
      boxes.reduce((maximum, value, i) => (i % 6 === axis ? Math.max(maximum, value) : maximum), -Infinity),
    );
    const { stats } = engine.boxPairs(Float32Array.from([...low, ...high, ...boxes]), { countOnly: true });
    assert.is(stats.method, 'cells', stats.reason);
  }
});

// Makes ten thousand boxes in a row along the x axis. The row is 5,000 long and 6 wide.
function row(seed: number): Float32Array {
  const random = createRandom(seed);
  const boxes = new Float32Array(60_000);
  for (let at = 0; at < boxes.length; at++)
    boxes[at] = at % 6 < 3 ? random.between(0, at % 6 === 0 ? 5e3 : 5) : boxes[at - 3] + 0.9;
  return boxes;
}

test('boxes of similar sizes are not sampled, unless some are far smaller or the scene is so large that slabs cannot be narrow enough', () => {
  const isSampled = (boxes: Float32Array): boolean =>
    !engine.boxPairs(boxes, { countOnly: true }).stats.reason.includes('similar sizes');
  for (const seed of [1, 2, 3]) {
    const even = boxCrowd('uniform', 9000, seed);
    const crowd = boxCrowd('uniform', 1000, seed);
    assert.not.ok(isSampled(even));
    assert.not.ok(isSampled(boxCrowd('clustered', 9000, seed)));
    assert.not.ok(
      isSampled(new Float32Array([...even, ...crowd.map(value => value * 0.7)])),
      'a tenth of the boxes are smaller, in the same place',
    );
    assert.ok(isSampled(boxCrowd('mixed', 9000, seed)));
    // More than a third of the boxes are so small that slabs are far too wide for them. The mean and the mean
    // square of the sizes barely show this.
    const { method } = engine.boxPairs(
      new Float32Array([...even, ...boxCrowd('uniform', 5000, seed).map(value => value * 1e-3)]),
      { countOnly: true },
    ).stats;
    assert.is(method, 'cells');
    assert.ok(
      isSampled(new Float32Array([...even, 1e6, 1e6, 1e6, 1e6 + 1, 1e6 + 1, 1e6 + 1])),
      'one box is far away',
    );
    assert.is(
      engine.boxPairs(new Float32Array([...row(seed), 1e8, 2, 2, 1e8 + 13, 3, 3]), { countOnly: true }).stats
        .method,
      'cells',
      'one box is far away, along the sweep axis only',
    );
    assert.not.ok(isSampled(row(seed)));
    assert.ok(isSampled(even.map((value, i) => (i % 6 < 3 ? value : even[i - 3]))), 'points');
  }
});

test('the cost of slabs is higher if quantized coordinates cannot separate boxes, so that floats are compared', () => {
  const unlike = { count: 2000, hasSimilarSizes: false };
  const choose = (close: number): string =>
    chooseMethod(unlike, () => ({ tests: 150, pairs: 3, close, mixture: 1 })).method;
  assert.equal([0, 1, 40].map(choose), ['sap', 'sap', 'cells']);
});

// Scenes store removed bodies as empty boxes, which have min 1 and max -1.
test('empty boxes do not change the estimates from a sample', async () => {
  const context = await makeTestContext();
  const { arena } = context;
  const sample = new BoxSample(context);
  const set = new BoxSet(context);
  const estimate = (boxes: Float32Array): SampleEstimate => {
    const at = arena.allocate(4 * boxes.length + 16);
    arena.f32.set(boxes, at / 4);
    return sample.take(set, set.adopt(at, boxes.length / 6));
  };
  for (const seed of [1, 2, 3]) {
    // Each rod is long along one of the axes, so that `mixture` is far above 1.
    const rods = boxCrowd('uniform', 8192, seed);
    for (let i = 0; i < 8192; i++) rods[6 * i + 3 + (i % 3)] += 5;
    for (const boxes of [
      rods,
      ...(['mixed', 'scaleFree', 'nested'] as const).map(kind => boxCrowd(kind, 8192, seed)),
    ])
      for (const stride of [2, 16]) {
        const spread = Float32Array.from({ length: stride * boxes.length }, (_, i) => (i % 6 < 3 ? 1 : -1));
        for (let i = 0; i < 8192; i++) spread.set(boxes.subarray(6 * i, 6 * i + 6), 6 * stride * i);
        const [own, reference] = [estimate(spread), estimate(boxes)];
        for (const name of ['tests', 'mixture'] as const)
          assert.ok(
            own[name] < 1.5 * reference[name] && reference[name] < 1.5 * own[name],
            `${name}: ${own[name]} instead of ${reference[name]}`,
          );
        assert.ok(
          Math.abs(own.pairs - reference.pairs) < 5 + reference.pairs / 2,
          `${own.pairs} pairs instead of ${reference.pairs}`,
        );
      }
  }
  const few = Float32Array.from({ length: 60_000 }, (_, i) => (i % 6 < 3 ? 1 : -1));
  assert.equal(estimate(few), { tests: 20, pairs: 0, close: 0, mixture: 1 });
  await context.close();
});

test.run();
