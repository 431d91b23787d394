// Tests that `boxPairs`, with every method and with 1 to 16 threads, finds the same pairs as a comparison of
// each box with every other box. Also tests that it can count more pairs than fit into memory.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd, crowdKinds } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { boxScene } from '../support/boxScenes.js';
import { caught, hashInOrder, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 3, 4, 8, 16]) engines.push(await createEngine({ threads, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', warmUp: 'off' }));
const [singleThreaded] = engines;
const methods = ['sap', 'cells', 'octree', 'tree'] as const;
type Method = (typeof methods)[number];

const chunksOf = (
  engine: Engine,
  method: Method,
  boxes: Float32Array,
  against: Float32Array | undefined,
  chunkPairs: number,
): Pair[] => {
  const pairs: Pair[] = [];
  const { count, a } = engine.boxPairs(boxes, {
    method,
    against,
    chunkPairs,
    forEachChunk: chunk => {
      pairs.push(...pairsOf(chunk));
    },
  });
  assert.is(count, pairs.length);
  assert.is(a.length, 0);
  return pairs;
};

function checkScenes(first: number, end: number): void {
  let total = 0;
  for (let seed = first; seed < end; seed++) {
    const boxes = boxScene(seed);
    const expected = boxPairsByAll(boxes);
    total += expected.length;
    for (const method of methods) {
      for (const engine of [singleThreaded, engines[1 + (seed % (engines.length - 1))]]) {
        const found = engine.boxPairs(boxes, { method });
        assert.equal(pairsOf(found), expected, `seed ${seed}, ${method}, ${engine.info.threads} threads`);
        assert.is(found.count, expected.length);
      }
      if (seed % 20 > 0) continue;
      assert.is(singleThreaded.boxPairs(boxes, { method, countOnly: true }).count, expected.length);
      assert.equal(chunksOf(singleThreaded, method, boxes, undefined, 1 + seed / 20), expected);
    }
  }
  assert.ok(total > 500 * (end - first), `${total} pairs`);
}

test('400 seeded scenes, half on a lattice, give the pairs of an all-pairs comparison', () =>
  checkScenes(0, 400));
test.proof('1,600 more seeded scenes give the pairs of an all-pairs comparison', () =>
  checkScenes(400, 2000),
);

test('boxes against a second set give the pairs of an all-pairs comparison, in one result or in chunks', () => {
  for (let seed = 0; seed < 200; seed++) {
    const boxes = boxScene(seed, 200);
    const against = boxScene(seed + 1000 * 2, 150);
    const expected = boxPairsByAll(boxes, against);
    const engine = engines[seed % engines.length];
    for (const method of methods) {
      assert.equal(pairsOf(engine.boxPairs(boxes, { method, against })), expected, `seed ${seed}, ${method}`);
      assert.is(engine.boxPairs(boxes, { method, against, countOnly: true }).count, expected.length);
      assert.equal(chunksOf(engine, method, boxes, against, 20 + seed), expected);
    }
  }
});

// Makes random boxes, many of which overlap. 100,000 such boxes are enough to give every thread a share of
// every step.
function crowd(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const side = Math.cbrt(count);
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < boxes.length; i++)
    boxes[i] = i % 6 < 3 ? random.between(0, side) : boxes[i - 3] + random.between(0, 1.3);
  return boxes;
}

test("100,000 boxes give the same bytes for 1 to 16 threads, and with order: 'any' the same set of pairs", () => {
  const boxes = crowd(100_000, 7);
  const expected = hashInOrder(singleThreaded.boxPairs(boxes));
  for (const engine of engines) {
    for (const method of methods) {
      for (let iteration = 0; iteration < 3; iteration++)
        assert.is(
          hashInOrder(engine.boxPairs(boxes, { method })),
          expected,
          `${method}, ${engine.info.threads} threads`,
        );
    }
    const { count, a, b } = engine.boxPairs(boxes, { order: 'any' }).copy();
    const keys = Float64Array.from(a, (first, i) => first * 2 ** 20 + b[i]).sort();
    const sorted = {
      a: Uint32Array.from(keys, key => key / 2 ** 20),
      b: Uint32Array.from(keys, key => key % 2 ** 20),
    };
    assert.is(keys.length, count);
    assert.is(hashInOrder(sorted), expected);
  }
});

test("'auto' reports its choice and the reason, and every method finds the same pairs in crowds of all kinds", () => {
  const seed = Date.now() % 2 ** 31;
  for (const kind of crowdKinds) {
    const boxes = boxCrowd(kind, 20_000, seed);
    const [expected, ...others] = methods.map(method =>
      hashInOrder(singleThreaded.boxPairs(boxes, { method })),
    );
    for (const other of others) assert.is(other, expected, `${kind}, seed ${seed}`);
    for (const engine of engines) {
      const found = engine.boxPairs(boxes);
      assert.is(hashInOrder(found), expected, `${kind}, seed ${seed}`);
      // If the boxes are sticks, 'sap' and 'cells' take about the same time, so 'auto' may choose either.
      if (kind !== 'sticks')
        assert.is(found.stats.method, kind === 'scaleFree' || kind === 'nested' ? 'cells' : 'sap', kind);
      assert.match(
        found.stats.reason,
        kind === 'uniform' || kind === 'clustered' ? /similar sizes/ : /ns per box in slabs .* ns in cells/,
        kind,
      );
    }
  }
  assert.match(singleThreaded.boxPairs(boxCrowd('uniform', 50, 1)).stats.reason, /few/);
  assert.is(singleThreaded.boxPairs(boxCrowd('uniform', 50, 1), { method: 'tree' }).stats.method, 'tree');
  assert.is(singleThreaded.boxPairs(boxCrowd('uniform', 50, 1), { method: 'tree' }).stats.places, 50);
});

test('a tree separates boxes on scales from 1 to 10^-9 of the scene', () => {
  const far = boxCrowd('scaleFree', 8000, 5);
  const near = far.map(value => value * 1e-4);
  const boxes = Float32Array.of(...far, ...near);
  const { stats, count } = singleThreaded.boxPairs(boxes, { method: 'tree' });
  assert.is(count, singleThreaded.boxPairs(boxes, { method: 'sap' }).count);
  // With Morton codes of only ten bits per axis, half of all boxes would have the same code.
  assert.ok(stats.tests < 400 * 16_000, `${stats.tests / 16_000} tests per box`);
});

// Returns a copy of the boxes in which some boxes are as long as the scene along one or two axes. `share` is
// the fraction of these long boxes. If `areLast`, they are the last boxes of the list; otherwise, they are
// spread over the whole list.
function withGiants(boxes: Float32Array, share: number, areLast: boolean): Float32Array {
  const count = boxes.length / 6;
  const giants = Math.floor(share * count);
  const mixed = boxes.slice();
  const [low, high] = [Math.min(...boxes.subarray(0, 30_000)), Math.max(...boxes.subarray(0, 30_000))];
  for (let i = 0; i < giants; i++) {
    const at = 6 * (areLast ? count - 1 - i : Math.floor((i * count) / giants));
    for (const axis of i % 2 === 0 ? [i % 3] : [i % 3, (i + 1) % 3]) {
      mixed[at + axis] = low;
      mixed[at + 3 + axis] = high;
    }
  }
  return mixed;
}

test("'cells' finds all pairs of boxes if some overlap very many cells, all are points, or all are in one place", () => {
  const crowd = boxCrowd('uniform', 30_000, 11);
  const scenes = [0.003, 0.05].flatMap(share =>
    [false, true].map(areLast => withGiants(crowd, share, areLast)),
  );
  scenes.push(
    crowd.map((_, i) => crowd[i % 6 < 3 ? i : i - 3]),
    Float32Array.from({ length: 6 * 600 }, (_, i) => i % 6),
    new Float32Array(6 * 600),
  );
  for (const boxes of scenes) {
    const expected = hashInOrder(singleThreaded.boxPairs(boxes, { method: 'tree' }));
    for (const engine of engines)
      assert.is(
        hashInOrder(engine.boxPairs(boxes, { method: 'cells' })),
        expected,
        `${engine.info.threads} threads`,
      );
  }
});

test('cells: crowds of all kinds need few tests and few places per box', () => {
  for (const kind of crowdKinds) {
    const { stats } = singleThreaded.boxPairs(boxCrowd(kind, 30_000, 5), { method: 'cells' });
    assert.ok(stats.tests < 250 * 30_000, `${kind}: ${stats.tests / 30_000} tests per box`);
    assert.ok(stats.places < 4 * 30_000, `${kind}: ${stats.places / 30_000} places per box`);
  }
});

test('sap needs few tests and loses no pair if the distance of two crowds is 1e5 or 1e7 times their size', () => {
  const crowd = boxCrowd('uniform', 2000, 3);
  const lattice = boxScene(1, 300);
  let [low, high] = [Infinity, -Infinity];
  for (const x of crowd) [low, high] = [Math.min(low, x), Math.max(high, x)];
  for (const way of [1e5, 1e7]) {
    const near = crowd.map(x => (x - low) / (high - low));
    const far = lattice.map(x => x + way);
    const boxes = new Float32Array([...near, ...far]);
    const found = singleThreaded.boxPairs(boxes, { method: 'sap' });
    assert.equal(pairsOf(found), boxPairsByAll(boxes));
    assert.ok(found.stats.tests < 2000 * 200 + 300 * 300, `${found.stats.tests} tests`);
  }
});

test('no box, one box, two boxes, and boxes without volume give the correct pairs; inverted boxes are refused', () => {
  assert.equal(pairsOf(singleThreaded.boxPairs(new Float32Array(0))), []);
  assert.equal(pairsOf(singleThreaded.boxPairs(new Float32Array(6))), []);
  assert.equal(pairsOf(singleThreaded.boxPairs(new Float32Array(12))), [[0, 1]]);
  assert.equal(pairsOf(singleThreaded.boxPairs(new Float32Array(6), { against: new Float32Array(0) })), []);
  assert.equal(pairsOf(singleThreaded.boxPairs(new Float32Array(0), { against: new Float32Array(6) })), []);
  const flat = Float32Array.of(1, 0, 0, 1, 1, 1);
  assert.equal(pairsOf(singleThreaded.boxPairs(Float32Array.of(...flat, ...flat, 0, 0, 0, 2, 2, 2))), [
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  assert.match(
    caught(() =>
      singleThreaded.boxPairs(Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)),
    ).message,
    /inverted/,
  );
});

test('-0 equals 0, and boxes that only touch at an edge or a corner overlap', () => {
  const touching = Float32Array.of(0, 0, 0, 1, 1, 1, 1, -0, 1, 2, 0, 2, -1, -1, -1, -0, -0, -0);
  assert.equal(pairsOf(singleThreaded.boxPairs(touching)), boxPairsByAll(touching));
  const next = Math.fround(1 + 2 ** -23);
  assert.equal(pairsOf(singleThreaded.boxPairs(Float32Array.of(0, 0, 0, 1, 1, 1, next, 0, 0, 2, 1, 1))), []);
});

test('boxes with sizes from 1 to 2^-126, and boxes at the limits of float32, give the correct pairs', () => {
  for (const [engine, method] of [singleThreaded, engines[3]].flatMap(engine =>
    methods.map(method => [engine, method] as const),
  )) {
    const nested = Float32Array.from({ length: 6 * 127 }, (_, i) =>
      i % 6 < 3 ? 0 : 2 ** -Math.floor(i / 6),
    );
    assert.is(engine.boxPairs(nested, { method }).count, (127 * 126) / 2);
    const apart = Float32Array.from(
      { length: 6 * 127 },
      (_, i) => 2 ** -Math.floor(i / 6) * (i % 6 < 3 ? 1 : 1.5),
    );
    assert.equal(pairsOf(engine.boxPairs(apart, { method })), boxPairsByAll(apart));
    const maximum = 2 ** 128 - 2 ** 104;
    const minimum = 2 ** -149;
    const ends = [-maximum, -1, -minimum, 0, minimum, 1, maximum];
    const corners = Float32Array.from(
      ends.flatMap((low, i) => ends.slice(i).flatMap(high => [low, low, low, high, high, high])),
    );
    assert.equal(pairsOf(engine.boxPairs(corners, { method })), boxPairsByAll(corners));
  }
});

for (const method of methods)
  (method === 'sap' ? test : test.slow)(
    `8,192 boxes in one place: 33,550,336 pairs, streamed in 64 MB, ${method}`,
    async () => {
      await withEngine({ threads: 2, maximumMemoryBytes: 64 * 2 ** 20, warmUp: 'off' }, engine => {
        let next = 0;
        let isRight = true;
        let last = -1;
        const { count } = engine.boxPairs(new Float32Array(6 * 8192), {
          method,
          forEachChunk({ count: held, a, b }) {
            for (let i = 0; i < held; i++) {
              const key = a[i] * 8192 + b[i];
              isRight &&= key > last && a[i] < b[i];
              last = key;
            }
            next += held;
          },
        });
        assert.is(count, 33_550_336);
        assert.is(next, count);
        assert.ok(isRight, 'pairs are sorted, and each occurs once');
      });
    },
  );

test.proof('100,000 boxes in one place: 4,999,950,000 pairs are counted', () => {
  for (const method of methods)
    assert.is(
      singleThreaded.boxPairs(new Float32Array(600_000), { method, countOnly: true }).count,
      4_999_950_000,
    );
});

test('no pair is lost if the initial capacity for pairs is small', async () => {
  const boxes = crowd(3000, 3);
  const expected = boxPairsByAll(boxes);
  // The number of pairs that a call finds is the initial capacity of the next call. An engine's first call
  // has to estimate the capacity.
  for (const count of [10, 1000, 3000]) {
    await withEngine({ threads: 3, warmUp: 'off' }, engine => {
      const few = boxes.slice(0, 6 * count);
      for (const method of methods) {
        assert.equal(pairsOf(engine.boxPairs(few, { method })), boxPairsByAll(few));
        assert.equal(pairsOf(engine.boxPairs(boxes, { method })), expected);
      }
      // There are far more pairs than the sizes of the boxes suggest.
      const heap = Float32Array.from({ length: 6 * 2000 }, (_, i) =>
        i < 6 ? (i < 3 ? -1e6 : 1e6) : i % 6 < 3 ? 0 : 1,
      );
      for (const method of methods) assert.is(engine.boxPairs(heap, { method }).count, (2000 * 1999) / 2);
    });
  }
});

test('none of N pairs is lost with an initial capacity of 0, 1, N - 1, N or N + 1 pairs', async () => {
  const boxes = crowd(3000, 5);
  const expected = boxPairsByAll(boxes);
  for (const initialPairCapacity of [0, 1, expected.length - 1, expected.length, expected.length + 1]) {
    for (const threads of [1, 3]) {
      for (const method of methods) {
        await withEngine({ threads, initialPairCapacity, warmUp: 'off' }, engine => {
          for (let frame = 0; frame < 2; frame++)
            assert.equal(
              pairsOf(engine.boxPairs(boxes, { method })),
              expected,
              `${initialPairCapacity}, ${threads} threads, ${method}`,
            );
        });
      }
    }
  }
});

test('cells: 20,000 boxes that all overlap each other are counted within 8 MiB of memory', async () => {
  const random = createRandom(1);
  const count = 20_000;
  const boxes = Float32Array.from(
    { length: 6 * count },
    (_, i) => (i % 6 < 3 ? 0 : 100) + random.between(0, 1),
  );
  await withEngine({ threads: 2, maximumMemoryBytes: 2 ** 23, warmUp: 'off' }, engine => {
    assert.is(engine.boxPairs(boxes, { method: 'cells', countOnly: true }).count, (count * (count - 1)) / 2);
  });
});

test('a result becomes stale with the next call', () => {
  const found = singleThreaded.boxPairs(new Float32Array(12));
  assert.is(found.stats.method, 'sap');
  singleThreaded.boxPairs(new Float32Array(12));
  assert.is(caught(() => found.a).code, 'Stale');
});

test('stats belong to their own call, are computed once, and become stale after the next call', () => {
  const boxes = crowd(3000, 5);
  for (const method of methods) {
    const found = singleThreaded.boxPairs(boxes, { method });
    const { stats } = found;
    assert.ok(stats.tests > 0 && stats.places > 0, method);
    assert.is(found.stats, stats);
    const { tests, places } = singleThreaded.boxPairs(new Float32Array(0), {
      method,
      forEachChunk: () => assert.unreachable(),
    }).stats;
    // The tree method counts the test of its root with itself even if there is no root.
    assert.ok(tests <= 1 && places === 0, `${method}: ${tests} tests, ${places} places`);
    assert.is(caught(() => found.stats).code, 'Stale');
  }
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
