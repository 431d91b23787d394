// Tests the stages of a query, and their times, in the stats of `boxPairs`, broad phases and scenes. All
// stages must be listed in order, and the sum of their times must not exceed the total time.

import * as assert from 'uvu/assert';
import { type BoxPairsStats, createEngine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const engines = [
  await createEngine({ threads: 1, warmUp: 'off' }),
  await createEngine({ threads: 3, warmUp: 'off' }),
];
const boxes = boxCrowd('uniform', 20_000, 5);
const sweep = ['statistics', 'distribute', 'search', 'join'] as const;
const steps = {
  sap: sweep,
  cells: sweep,
  octree: ['statistics', 'codes', 'sort', 'gather', 'search', 'join'],
} as const;

const BUSY = 3;
function busy(): void {
  for (const until = performance.now() + BUSY; performance.now() < until; );
}

function check({ stages, milliseconds }: BoxPairsStats, expected: readonly string[]): void {
  assert.equal(Object.keys(stages), expected);
  const times = Object.values(stages);
  assert.ok(times.every(time => time >= 0));
  const sum = times.reduce((total, time) => total + time, 0);
  assert.ok(sum > 0 && sum <= milliseconds + 1e-6, `${sum} of ${milliseconds} ms`);
}

for (const engine of engines) {
  for (const method of ['sap', 'cells', 'octree'] as const) {
    test(`${method}, ${engine.info.threads} threads: the stages of the call are listed, and no stages of an earlier call`, () => {
      for (let iteration = 0; iteration < 2; iteration++)
        check(engine.boxPairs(boxes, { method }).stats, steps[method]);
      check(engine.boxPairs(boxes, { method, order: 'any' }).stats, steps[method]);
      check(engine.boxPairs(boxes, { method, countOnly: true }).stats, steps[method].slice(0, -1));
      const chunked = engine.boxPairs(boxes, { method, chunkPairs: 10_000, forEachChunk: busy }).stats;
      check(chunked, steps[method]);
      const sum = Object.values(chunked.stages).reduce((total, time) => total + time, 0);
      assert.ok(sum < chunked.milliseconds - 4 * BUSY, "the caller's time is not part of any stage");
    });
  }
}

test('stages of a failed call are not added to the next one, and earlier results keep their stages', () => {
  const [singleThreaded] = engines;
  const { stats } = singleThreaded.boxPairs(boxes, { method: 'octree' });
  const before = { ...stats.stages };
  caught(() => singleThreaded.boxPairs(Float32Array.of(0, 0, 0, NaN, 1, 1)));
  check(singleThreaded.boxPairs(boxes, { method: 'sap' }).stats, steps.sap);
  assert.equal(stats.stages, before);
});

test("a broad phase in which few boxes moved also lists the stage 'keep'", () => {
  using broad = engines[0].createBroadPhase({ method: 'sap' });
  broad.set(boxes);
  check(broad.pairs().stats, steps.sap);
  broad.move(Uint32Array.of(3, 77), boxes.slice(0, 12));
  check(broad.pairs().stats, [...steps.sap, 'keep']);
});

test('a broad phase that keeps a tree or sorted endpoints lists its stages for the first frame and for later frames', () => {
  for (const [method, first, next] of [
    ['tree', ['statistics', 'sort', 'gather', 'search', 'join'], ['gather', 'keep', 'search', 'join']],
    ['sap-persistent', [...steps.sap.slice(0, 3), 'join', 'sort'], ['sort', 'join']],
  ] as const) {
    for (const engine of engines) {
      using broad = engine.createBroadPhase({ method });
      broad.set(boxes);
      check(broad.pairs().stats, first);
      broad.move(
        Uint32Array.of(3, 4),
        boxes.slice(18, 30).map(value => value + 0.01),
      );
      check(broad.pairs().stats, next);
      check(broad.pairs().stats, ['join']);
    }
  }
});

test('a scene lists the stages of its broad phase', () => {
  using scene = engines[1].createScene({ broadPhase: 'sap' });
  using mesh = engines[1].createMesh({
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    indices: Uint32Array.of(0, 1, 2),
  });
  for (let i = 0; i < 3; i++) scene.add(mesh);
  check(scene.detect({ narrow: 'boxes' }).stats.broadPhase, steps.sap);
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
