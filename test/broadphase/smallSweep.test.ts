// Tests sequences of different `boxPairs` calls on one thread. Each call must find the pairs of an all-pairs
// comparison, whatever state the previous call left behind. Also tests the fast path for few boxes against
// the general path.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { boxScene } from '../support/boxScenes.js';
import { caught, hashInOrder, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const methods = ['auto', 'auto', 'sap', 'sap', 'cells', 'tree'] as const;

// Runs one random call and checks its result. The number of boxes is one of a few values, so that some calls
// reuse the buffers of the previous call, and others do not.
function runQuery(engine: Engine, seed: number): void {
  const random = createRandom(seed);
  const count = [0, 1, 2, 40, 40, 41, 300][random.below(7)];
  const method = methods[random.below(methods.length)];
  const boxes = boxScene(seed, 300).slice(0, 6 * count);
  const isTwo = random.below(3) === 0;
  const against = isTwo
    ? boxScene(seed + 1, 300).slice(0, 6 * [0, 1, 40, count][random.below(4)])
    : undefined;
  const what = `seed ${seed}: ${count} boxes, ${against ? `against ${against.length / 6}` : 'alone'}, ${method}`;
  if (boxes.length > 0 && random.below(8) === 0) {
    const nonFinite = against && against.length > 0 && random.below(2) === 0 ? against : boxes;
    const at = random.below(nonFinite.length);
    nonFinite[at] = NaN;
    const { code, message } = caught(() => engine.boxPairs(boxes, { against, method }));
    assert.is(code, 'InvalidBoxes', what);
    assert.ok(
      message.includes(`${nonFinite === boxes ? 'boxes' : 'against'}[${at}] is NaN`),
      `${what}: ${message}`,
    );
    return;
  }
  const expected = boxPairsByAll(boxes, against);
  const countOnly = random.below(3) === 0;
  const found = engine.boxPairs(boxes, {
    against,
    method,
    countOnly,
    order: random.below(2) === 0 ? 'any' : 'sorted',
  });
  assert.is(found.count, expected.length, what);
  if (!countOnly)
    assert.equal(
      pairsOf(found).sort(([a, b], [c, d]) => a - c || b - d),
      expected,
      what,
    );
  assert.ok(found.stats.tests >= found.count, `${what}: ${found.stats.tests} tests`);
}

test('1,500 calls with random methods on each of two engines are correct, even after calls that fail', async () => {
  for (const options of [{ threads: 1 }, { memory: 'single' }] as const) {
    await withEngine({ ...options, warmUp: 'off' }, engine => {
      for (let seed = 0; seed < 1500; seed++) runQuery(engine, seed);
    });
  }
});

test('no call loses a pair with an initial capacity of 0, 1 or 100 pairs', async () => {
  for (const initialPairCapacity of [0, 1, 100]) {
    await withEngine({ threads: 1, initialPairCapacity, warmUp: 'off' }, engine => {
      for (let seed = 5000; seed < 5200; seed++) runQuery(engine, seed);
    });
  }
});

test('milliseconds are the sum of all stages, whichever method auto chooses', async () => {
  await withEngine({ threads: 1 }, engine => {
    for (const kind of ['uniform', 'mixed', 'scaleFree'] as const) {
      let rest = Infinity;
      // On a busy machine, the thread may lose its core between two stages, so it is enough that one of many
      // calls spends hardly any time outside of stages.
      for (let iteration = 0; iteration < 5 || (rest > 0.02 && iteration < 500); iteration++) {
        const {
          stats: { method, milliseconds, stages },
        } = engine.boxPairs(boxCrowd(kind, 20_000, 2));
        const sum = Object.values(stages).reduce((total, part) => total + part, 0);
        assert.ok(sum <= milliseconds + 1e-6, `${kind}, ${method}: ${sum} of ${milliseconds} ms`);
        rest = Math.min(rest, (milliseconds - sum - 0.02) / milliseconds);
      }
      assert.ok(rest <= 0.02, `${kind}: ${rest} of the time is in no stage`);
    }
  });
});

test('a query succeeds if its copies of boxes fit into memory, although the maximum number of copies would not', async () => {
  const boxes = boxCrowd('uniform', 30_000, 4);
  const expected = await withEngine(
    { threads: 2 },
    engine => engine.boxPairs(boxes, { countOnly: true }).count,
  );
  await withEngine({ threads: 1, warmUp: 'off', maximumMemoryBytes: 30 * 65_536 }, engine => {
    for (let iteration = 0; iteration < 3; iteration++)
      assert.is(engine.boxPairs(boxes, { countOnly: true }).count, expected);
  });
});

test('the fast path for few boxes and the general path give the same pairs, just below and just above the limit', async () => {
  const few = 2 ** 16;
  const two = await createEngine({ threads: 2, warmUp: 'off' });
  const singleThreaded = await createEngine({ threads: 1, warmUp: 'off' });
  for (const kind of ['uniform', 'mixed', 'scaleFree'] as const) {
    const crowd = boxCrowd(kind, few + 1, 3);
    for (const count of [few - 1, few, few + 1]) {
      const boxes = crowd.slice(0, 6 * count);
      const {
        stats: { method },
      } = two.boxPairs(boxes);
      assert.is(
        hashInOrder(singleThreaded.boxPairs(boxes)),
        hashInOrder(two.boxPairs(boxes)),
        `${kind} ${count}`,
      );
      assert.is(singleThreaded.boxPairs(boxes).stats.method, method, `${kind} ${count}`);
    }
    const [own, others] = [crowd.slice(0, 6 * 30_000), crowd.slice(6 * 30_000)];
    assert.is(
      hashInOrder(singleThreaded.boxPairs(own, { against: others })),
      hashInOrder(two.boxPairs(own, { against: others })),
      `${kind}, two sets`,
    );
  }
  two.dispose();
  singleThreaded.dispose();
});

test.run();
