// Tests broad phases, which keep boxes that move from frame to frame. In each frame, all pairs, and the pairs
// that began or ended, must equal those of an all-pairs comparison. Also tests invalid input, queries within
// callbacks, and limited memory.

import * as assert from 'uvu/assert';
import {
  Capacity,
  createEngine,
  Disposed,
  type Engine,
  InvalidBoxes,
  Unsupported,
} from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { boxScene } from '../support/boxScenes.js';
import { broadPhaseOfBodies, caught, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 3, 16]) engines.push(await createEngine({ threads, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', warmUp: 'off' }));
const [singleThreaded] = engines;
const keys = (pairs: readonly Pair[]): string[] => pairs.map(pair => pair.join());

test('in 400 sequences of setting, moving and querying boxes, each method gives the pairs and events of an all-pairs comparison', () => {
  let frames = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = createRandom(seed);
    const engine = engines[seed % engines.length];
    using broad = broadPhaseOfBodies(engine, {
      method: (['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const)[(seed >> 2) % 6],
    });
    let boxes = boxScene(seed, 120);
    let before: Pair[] = [];
    broad.set(boxes);
    for (let step = 0; step < 8; step++) {
      const kind = random.below(6);
      if (kind === 0) {
        boxes = boxScene(seed * 10 + step, 120);
        broad.set(boxes);
      } else if (kind < 4) {
        const ids = Uint32Array.from({ length: random.below(10) }, () => random.below(broad.count));
        // If an id occurs twice, its last box counts.
        const moved =
          Float32Array.from(ids, () => 0).length === 0
            ? new Float32Array(0)
            : boxScene(seed + step, 120).slice(0, 6 * ids.length);
        const fitting = ids.subarray(0, moved.length / 6);
        fitting.forEach((id, k) => boxes.set(moved.subarray(6 * k, 6 * k + 6), 6 * id));
        broad.move(fitting, moved);
      }
      const expected = boxPairsByAll(boxes);
      const found = broad.pairs();
      assert.equal(pairsOf(found), expected, `seed ${seed}, step ${step}`);
      const [now, then] = [new Set(keys(expected)), new Set(keys(before))];
      assert.equal(
        keys(pairsOf(broad.began)),
        keys(expected).filter(key => !then.has(key)),
        `seed ${seed}, step ${step}: began`,
      );
      assert.equal(
        keys(pairsOf(broad.ended)),
        keys(before).filter(key => !now.has(key)),
        `seed ${seed}, step ${step}: ended`,
      );
      before = expected;
      frames++;
    }
  }
  assert.is(frames, 3200);
});

/** Moves boxes between the given number of frames. At least `minKept + 1` frames must keep pairs. */
function checkFewMovers(frames: number, minKept: number): void {
  for (const [number, engine] of [...engines, ...engines].entries()) {
    const random = createRandom(number);
    const count = 2500;
    const side = number % 4 === 2 ? 60 : 14;
    const place = (boxes: Float32Array, i: number): void => {
      for (let axis = 0; axis < 3; axis++) {
        // On each axis, the min is an integer in half of all cases. A few boxes are large, flat or empty.
        const low = random.below(2) === 0 ? random.below(side) : random.between(-side, 2 * side);
        const wide = random.below(200) === 0 ? side : random.below(20) === 0 ? 0 : random.between(0, 2);
        boxes[6 * i + axis] = low;
        boxes[6 * i + axis + 3] = random.below(400) === 0 ? low - 1 : low + wide;
      }
    };
    const boxes = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) place(boxes, i);
    using broad = broadPhaseOfBodies(engine, { method: number < engines.length ? 'auto' : 'tree' });
    broad.set(boxes);
    let keptFrames = 0;
    let before: Pair[] = [];
    for (let frame = 0; frame < frames; frame++) {
      const expected = boxPairsByAll(boxes);
      const found = broad.pairs();
      assert.equal(pairsOf(found), expected, `${engine.info.threads} threads, frame ${frame}`);
      const [now, then] = [new Set(keys(expected)), new Set(keys(before))];
      assert.equal(
        keys(pairsOf(broad.began)),
        keys(expected).filter(key => !then.has(key)),
        `${engine.info.threads} threads, frame ${frame}: began`,
      );
      assert.equal(
        keys(pairsOf(broad.ended)),
        keys(before).filter(key => !now.has(key)),
        `${engine.info.threads} threads, frame ${frame}: ended`,
      );
      before = expected;
      if (found.stats.reason.includes('kept')) keptFrames++;
      const ids = Uint32Array.from({ length: frame % 5 === 4 ? 400 : random.below(120) }, () =>
        random.below(count),
      );
      for (const id of ids) place(boxes, id);
      broad.move(
        ids,
        Float32Array.from(
          ids.length === 0 ? [] : [...ids].flatMap(id => [...boxes.subarray(6 * id, 6 * id + 6)]),
        ),
      );
    }
    assert.ok(keptFrames > minKept, `${keptFrames} frames`);
  }
}

test.slow('if few of many boxes move, the pairs of the others are kept, and no pair is missed', () =>
  checkFewMovers(8, 1),
);

test.proof('the same in 25 frames', () => checkFewMovers(25, 8));

test('no method loses pairs if the initial capacity for pairs is 0', async () => {
  await withEngine({ threads: 2, initialPairCapacity: 0, warmUp: 'off' }, engine => {
    for (const method of ['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const) {
      using broad = broadPhaseOfBodies(engine, { method });
      const boxes = boxScene(11, 200);
      const few = Uint32Array.of(0, 1);
      broad.set(boxes);
      for (let frame = 0; frame < 3; frame++) {
        assert.equal(pairsOf(broad.pairs()), boxPairsByAll(boxes), `${method}, frame ${frame}`);
        boxes.copyWithin(0, 12 * (frame + 1), 12 * (frame + 2));
        broad.move(few, boxes.slice(0, 12));
      }
    }
  });
});

for (const method of ['auto', 'octree', 'sap-persistent'] as const)
  test(`${method}: without events, pairs may come in any order`, () => {
    using broad = broadPhaseOfBodies(singleThreaded, { method, events: 'off' });
    const boxes = boxScene(7, 300);
    broad.set(boxes);
    const { count, a, b } = broad.pairs({ order: 'any' }).copy();
    assert.is(count, a.length);
    assert.equal(
      pairsOf({ a, b }).sort((left, right) => left[0] - right[0] || left[1] - right[1]),
      boxPairsByAll(boxes),
    );
    assert.equal([broad.began.count, broad.ended.count], [0, 0]);
  });

for (const method of ['auto', 'octree', 'sap-persistent'] as const)
  test(`${method}: the error names the invalid input, and the boxes do not change`, () => {
    const broad = singleThreaded.createBroadPhase({ method });
    broad.set(Float32Array.of(0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2));
    assert.match(
      caught(() => broad.move(Uint32Array.of(2), new Float32Array(6))).message,
      /ids\[0\] is 2, but there are 2 boxes/,
    );
    assert.match(
      caught(() => broad.move(Uint32Array.of(0), new Float32Array(12))).message,
      /ids has length 1, but must be a Uint32Array of 2 ids/,
    );
    assert.match(
      caught(() => broad.move(Uint32Array.of(1), Float32Array.of(0, 0, 0, 1, NaN, 1))).message,
      /boxes\[4\] is NaN/,
    );
    assert.instance(
      caught(() => broad.set(Float32Array.of(0, 0, 0, Infinity, 1, 1))),
      InvalidBoxes,
    );
    assert.instance(
      caught(() => singleThreaded.createBroadPhase({ method: 'grid' as 'sap' })),
      Unsupported,
    );
    assert.instance(
      caught(() => singleThreaded.createBroadPhase({ events: 'some' as 'on' })),
      Unsupported,
    );
    assert.equal(pairsOf(broad.pairs()), [[0, 1]]);
    assert.match(
      caught(() => broad.move(Uint32Array.of(1), Float32Array.of(1, 1, 1, 0, 0, 0))).message,
      /boxes\[0\] is 1, above boxes\[3\], which is 0/,
    );
    broad.move(Uint32Array.of(1), Float32Array.of(8, 8, 8, 9, 9, 9));
    assert.is(broad.pairs().count, 0);
    assert.is(broad.ended.count, 1);
    broad.dispose();
    broad.dispose();
    assert.instance(
      caught(() => broad.pairs()),
      Disposed,
    );
  });

test('a query of a broad phase within forEachChunk of its engine is refused; the stream continues', () => {
  const boxes = boxScene(11, 300);
  const others = boxScene(9, 300);
  const expected = boxPairsByAll(boxes);
  for (const method of ['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const) {
    for (const streamed of ['sap', 'octree', 'tree'] as const) {
      using broad = broadPhaseOfBodies(singleThreaded, { method });
      broad.set(others);
      const pairs: Pair[] = [];
      singleThreaded.boxPairs(boxes, {
        method: streamed,
        chunkPairs: 50,
        forEachChunk: chunk => {
          pairs.push(...pairsOf(chunk));
          const error = caught(() => broad.pairs());
          assert.match(error.message, /within forEachChunk/, `${method} within ${streamed}`);
        },
      });
      assert.equal(pairs, expected, `${method} within ${streamed}`);
      assert.equal(pairsOf(broad.pairs()), boxPairsByAll(others), method);
    }
  }
});

test('a tree does not accumulate moves while no pairs are queried', () => {
  using broad = broadPhaseOfBodies(singleThreaded, { method: 'tree' });
  const boxes = boxCrowd('uniform', 20_000, 1);
  const ids = Uint32Array.from({ length: 20_000 }, (_, i) => i);
  broad.set(boxes);
  broad.pairs();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 300; i++) broad.move(ids, boxes);
  assert.ok(
    process.memoryUsage().arrayBuffers - before < 5e6,
    `${process.memoryUsage().arrayBuffers - before} bytes`,
  );
  assert.is(broad.pairs().count, singleThreaded.boxPairs(boxes).count);
});

test("if memory is short, 'auto' gives the correct pairs or throws Capacity, and no call leaks memory", async () => {
  const boxes = boxCrowd('scaleFree', 20_000, 2);
  const { count } = singleThreaded.boxPairs(boxes);
  const outcomes = new Set<string>();
  for (let kibibytes = 1024; kibibytes < 6144; kibibytes += 128) {
    await withEngine(
      { threads: 1, warmUp: 'off', initialPairCapacity: 1, maximumMemoryBytes: kibibytes * 1024 },
      engine => {
        const { arena } = (engine as unknown as { context: { arena: { usedBytes: number } } }).context;
        const used: number[] = [];
        using broad = broadPhaseOfBodies(engine, { events: 'off' });
        try {
          broad.set(boxes);
        } catch (error) {
          return assert.instance(error, Capacity);
        }
        for (let frame = 0; frame < 5; frame++) {
          try {
            assert.is(broad.pairs({ order: 'any' }).count, count);
            outcomes.add('found');
          } catch (error) {
            assert.instance(error, Capacity);
            outcomes.add('Capacity');
          }
          used.push(arena.usedBytes);
        }
        assert.ok(
          Math.max(...used.slice(2)) <= Math.max(used[0], used[1]),
          `${kibibytes} KiB: ${used.join()}`,
        );
      },
    );
  }
  assert.equal([...outcomes].sort(), ['Capacity', 'found']);
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
