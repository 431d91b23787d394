// Tests the errors of box queries whose boxes are invalid, too many, or in memory that is resized during the
// query. The error for an invalid value names the value and the fix, and does not depend on which thread
// finds the value.

import * as assert from 'uvu/assert';
import { createEngine, InvalidBoxes, Unsupported } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { caught, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const singleThreaded = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => singleThreaded.dispose());

test('invalid boxes and options are refused, and the error for a non-finite value names its index', () => {
  const boxes = new Float32Array(18);
  boxes[13] = NaN;
  const error = caught(() => singleThreaded.boxPairs(boxes));
  assert.instance(error, InvalidBoxes);
  assert.is(error.message, 'boxes[13] is NaN, not a finite number');
  assert.is(error.fix, 'correct box 2, or omit it');
  assert.is(
    caught(() =>
      singleThreaded.boxPairs(new Float32Array(6), { against: Float32Array.of(0, 0, 0, Infinity, 1, 1) }),
    ).message,
    'against[3] is Infinity, not a finite number',
  );
  assert.match(
    caught(() => singleThreaded.boxPairs(new Float32Array(7))).message,
    /length 7, not a multiple of 6/,
  );
  assert.instance(
    caught(() => singleThreaded.boxPairs([0, 0, 0, 1, 1, 1] as unknown as Float32Array)),
    InvalidBoxes,
  );
  assert.instance(
    caught(() => singleThreaded.boxPairs(new Float32Array(6), { method: 'best' as 'sap' })),
    Unsupported,
  );
  assert.instance(
    caught(() => singleThreaded.boxPairs(new Float32Array(6), { chunkPairs: 0 })),
    Unsupported,
  );
  const within = caught(() =>
    singleThreaded.boxPairs(new Float32Array(12), {
      forEachChunk: () => {
        singleThreaded.boxPairs(new Float32Array(12));
      },
    }),
  );
  assert.match(within.message, /within forEachChunk/);
  assert.is(singleThreaded.boxPairs(new Float32Array(12)).count, 1, 'the engine continues to work');
});

test('boxes that are views of memory that grows during the call are refused, not partly read', async () => {
  await withEngine({ memory: 'single', warmUp: 'off' }, engine => {
    const { buffer } = engine.boxPairs(boxCrowd('uniform', 10, 8)).a;
    const view = new Float32Array(buffer, 0, 6 * Math.floor(buffer.byteLength / 24));
    assert.is(
      caught(() => engine.boxPairs(view)).message,
      'the memory of boxes was resized while they were read',
    );
  });
});

// The boxes are a view of the engine's own memory. The engine copies them to free memory, but then may not have
// enough free memory left for the rest of the query. In this case, the engine's memory grows, and the view
// becomes invalid.
test('a view of resized memory is never read as empty, however little memory is missing', async () => {
  let refused = 0;
  for (let count = 52_640; count < 52_690; count++) {
    await withEngine({ memory: 'single', warmUp: 'off' }, engine => {
      const same = Float32Array.from({ length: 6 * 1300 }, (_, i) => (i % 6 < 3 ? 0 : 1));
      const { a } = engine.boxPairs(same, { order: 'any' });
      const chain = new Float32Array(a.buffer, a.byteOffset, 6 * count);
      for (let i = 0; i < count; i++) chain.set([2 * i, 0, 0, 2 * i + 2, 1, 1], 6 * i);
      try {
        assert.is(engine.boxPairs(chain, { method: 'cells', countOnly: true }).count, count - 1);
      } catch (error) {
        assert.is(
          (error as Error).message,
          'the memory of boxes was resized while they were read',
          `${count} boxes`,
        );
        refused++;
      }
    });
  }
  assert.ok(refused > 0);
});

test('the error names the first of many invalid values, whichever thread finds one first', async () => {
  const count = 60_000;
  const boxes = boxCrowd('uniform', count, 6);
  const against = boxCrowd('uniform', count, 7);
  for (const box of [count - 1, 50_001, 30_000, 4097, 4096])
    boxes[6 * box + 4] = against[6 * box + 4] = Infinity;
  for (const threads of [1, 2, 5]) {
    await withEngine({ threads, warmUp: 'off' }, engine => {
      for (let iteration = 0; iteration < 20; iteration++) {
        assert.is(
          caught(() => engine.boxPairs(boxes)).message,
          `boxes[${6 * 4096 + 4}] is Infinity, not a finite number`,
        );
        assert.is(
          caught(() => engine.boxPairs(boxes.subarray(0, 6 * 4096), { against })).message,
          `against[${6 * 4096 + 4}] is Infinity, not a finite number`,
        );
      }
    });
  }
});

test('more boxes than the maximum are refused', () => {
  const maximum = 2 ** 27;
  const half = new Float32Array(6 * (maximum / 2 + 1));
  const error = caught(() => singleThreaded.boxPairs(new Float32Array(6 * (maximum + 1))));
  assert.instance(error, Unsupported);
  assert.match(error.message, /134217729 boxes were passed, more than the maximum of 134217728/);
  assert.match(caught(() => singleThreaded.boxPairs(half, { against: half })).message, /134217730 boxes/);
  const phase = singleThreaded.createBroadPhase();
  assert.instance(
    caught(() => phase.set(new Float32Array(6 * (maximum + 1)))),
    Unsupported,
  );
  phase.dispose();
});

test('a broad phase refuses ids in memory that is resized during the call', () =>
  withEngine({ memory: 'single', threads: 1, warmUp: 'off' }, engine => {
    const count = 1000;
    const phase = engine.createBroadPhase();
    phase.set(Float32Array.from({ length: 6 * count }, (_, i) => (i % 6 < 3 ? 0 : 1)));
    const { b } = phase.pairs();
    const boxes = new Float32Array(6 * b.length);
    const error = caught(() => phase.move(b, boxes));
    assert.instance(error, InvalidBoxes);
    assert.is(error.message, 'the memory of ids was resized while they were read');
    phase.dispose();
  }));

test('a broad phase refuses boxes in a view of engine memory, or keeps all of them, even if the memory grows', async () => {
  const filler = { positions: Float32Array.from({ length: 2700 }, (_, i) => i) };
  let grown = 0;
  for (let fillers = 40; fillers < 80; fillers++) {
    await withEngine({ memory: 'single', threads: 1, warmUp: 'off' }, engine => {
      const mesh = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) });
      const scene = engine.createScene();
      for (let i = 0; i < 3000; i++) scene.add(mesh);
      const phase = engine.createBroadPhase();
      for (let i = 0; i < fillers; i++) engine.createMesh(filler);
      const view = scene.transformView() as unknown as Float32Array;
      const count = view.length / 6;
      // Box i and box i + 1 touch.
      for (let i = 0; i < view.length; i++) view[i] = Math.floor(i / 6) + (i % 6 < 3 ? 0 : 1);
      let isRefused = false;
      try {
        phase.set(view);
      } catch (error) {
        assert.instance(error, InvalidBoxes);
        isRefused = true;
      }
      if (view.length === 0) grown++;
      if (!isRefused) assert.is(phase.pairs().count, count - 1, `${fillers} meshes`);
    });
  }
  assert.ok(grown > 1, `the memory has grown ${grown} times`);
});

test.run();
