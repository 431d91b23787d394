// Tests the search of `pfront clash`: an engine with little memory finds all clashes, and an error that is
// caused by a part names the part.

import * as assert from 'uvu/assert';
import { createMeshes, findClashes } from '../../dist/cli/findClashes.js';
import { addStats } from '../../dist/cli/statsText.js';
import { Capacity, createEngine, InvalidMesh, InvalidTransform } from '../../dist/index.js';
import { rotation } from '../../dist/samples/index.js';
import { SQUARE } from '../formats/smallFiles.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const SILENT = { begin() {}, step() {}, end() {} };
const square = { positions: SQUARE, indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
const shifted = (x: number, y: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1);

// Squares in one plane, each shifted a little from the previous square, so that every two of them overlap.
const fan = Array.from({ length: 12 }, (_, i) => ({
  name: `${i}`,
  ...square,
  transform: shifted(i / 16, i / 32),
}));

// Each part of `heaps` contains the same triangle this many times. Every triangle of a part intersects every
// triangle of every other part.
const PILED = 300;
const heapOf = (count: number) => ({
  positions: Float32Array.from({ length: 9 * count }, (_, i) => [-1, -1, 0, 1, -1, 0, 0, 1, 0][i % 9]),
  indices: Uint32Array.from({ length: 3 * count }, (_, i) => i),
});
const heap = heapOf(PILED);
const heaps = Array.from({ length: 12 }, (_, i) => ({
  name: `${i}`,
  ...heap,
  transform: Float64Array.from(rotation([1, 0, 0], i / 5, [i / 50, 0, 0])),
}));

test.slow(
  'if memory cannot hold all pairs at once, the search is divided into several calls, and no pair is lost; if two parts alone have too many pairs, the search throws Capacity',
  async () => {
    const expected = heaps.flatMap((_, a) =>
      heaps.slice(a + 1).map((__, k) => ({ a, b: a + 1 + k, trianglePairs: PILED * PILED })),
    );
    const whole = await withEngine({ threads: 1, warmUp: 'off' }, engine =>
      findClashes(engine, heaps, SILENT),
    );
    assert.equal([whole.clashes, whole.stats.length, whole.boxPairs], [expected, 1, 66]);
    for (const threads of [1, 2]) {
      const halved = await withEngine({ threads, warmUp: 'off', maximumMemoryBytes: 16 * 2 ** 20 }, engine =>
        findClashes(engine, heaps, SILENT),
      );
      assert.equal(halved.clashes, expected);
      assert.is(halved.trianglePairs, 66 * PILED * PILED);
      assert.ok(halved.stats.length > 3, `${halved.stats.length} calls`);
      assert.is(
        addStats(halved.stats)!.threads.reduce((sum, { pairs }) => sum + pairs, 0),
        halved.trianglePairs,
      );
    }
    // With 1500 triangles per part, memory cannot hold even the triangle pairs of two parts.
    const tall = heapOf(1500);
    await withEngine({ threads: 1, warmUp: 'off', maximumMemoryBytes: 16 * 2 ** 20 }, engine => {
      assert.throws(
        () =>
          findClashes(
            engine,
            heaps.slice(0, 2).map(part => ({ ...part, ...tall })),
            SILENT,
          ),
        (error: unknown) => error instanceof Capacity,
      );
      assert.is(findClashes(engine, fan, SILENT).clashes.length, 66, 'the engine works after the error');
    });
  },
);

test('if memory cannot hold a part, the error names it', async () => {
  const large = { name: 'terrain', ...heapOf(200_000), transform: shifted(0, 0) };
  await withEngine({ threads: 1, warmUp: 'off', maximumMemoryBytes: 16 * 2 ** 20 }, engine => {
    assert.throws(
      () => createMeshes(engine, [large], SILENT),
      (error: unknown) =>
        error instanceof Capacity &&
        /^part "terrain": memory cannot hold /.test(error.message) &&
        error.neededBytes > 16 * 2 ** 20,
    );
  });
});

test('each stage makes exactly as many progress steps as it announces', async () => {
  await withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const reported: string[] = [];
    const progress = {
      begin: (what: string, steps: number) => {
        reported.push(`${what} ${steps}`);
      },
      step: () => {
        reported.push('.');
      },
      end() {},
    };
    findClashes(engine, fan, progress);
    assert.is(
      reported.join('').replace(/\.+/g, dots => `[${dots.length}]`),
      'Building trees 1[1]Searching pairs 100[100]',
    );
  });
});

test('parts with the same mesh share one engine mesh, and errors name the part with an invalid mesh or placement', async () => {
  const engine = await createEngine({ threads: 1 });
  try {
    let made = 0;
    const counting = {
      createScene: engine.createScene.bind(engine),
      createMesh: (data: typeof square) => {
        made++;
        return engine.createMesh(data);
      },
    } as unknown as typeof engine;
    findClashes(counting, fan, SILENT);
    assert.is(made, 1);
    const broken = { ...fan[0], name: 'Bracket', indices: Uint32Array.of(0, 1, 9) };
    assert.throws(
      () => findClashes(engine, [fan[0], broken], SILENT),
      (error: unknown) => error instanceof InvalidMesh && error.message.startsWith('part "Bracket": '),
    );
    const bent = { ...fan[0], name: 'Bracket', transform: new Float64Array(16).fill(NaN) };
    assert.throws(
      () => findClashes(engine, [fan[0], bent], SILENT),
      (error: unknown) => error instanceof InvalidTransform && error.message.startsWith('part "Bracket": '),
    );
  } finally {
    engine.dispose();
  }
});

test.run();
