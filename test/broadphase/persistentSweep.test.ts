// Tests persistent sweep and prune (the method 'sap-persistent'), which keeps the endpoints of moving boxes
// sorted between frames. For any motion, the pairs of each frame must equal those of an all-pairs comparison.

import * as assert from 'uvu/assert';
import { type BroadPhase, Capacity, createEngine, type Engine, Unsupported } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { broadPhaseOfBodies, caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { checkFrame, KINDS, motion, moveBoth, placesFor } from './movingBoxes.js';

const engines: Engine[] = [];
// In most engines, lists of events have almost no initial capacity, so that they overflow during a sort. A
// list then grows, and the sort continues.
for (const [threads, initialPairCapacity] of [
  [1, 0],
  [2, 1],
  [3, 2],
  [4, undefined],
  [16, 3],
] as const)
  engines.push(await createEngine({ threads, initialPairCapacity, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', initialPairCapacity: 1, warmUp: 'off' }));
const [singleThreaded] = engines;

/**
 * Makes a broad phase whose sort may swap any number of endpoints. With 'limited', the sort gives up if the
 * number of swaps exceeds the default limit.
 */
function persistent(engine: Engine, swaps: 'any number' | 'limited' = 'any number'): BroadPhase {
  const broad = broadPhaseOfBodies(engine, { method: 'sap-persistent' });
  if (swaps === 'any number')
    (
      broad as unknown as { movingPairs: { implementation: { swapsPerEndpoint: number } } }
    ).movingPairs.implementation.swapsPerEndpoint = Infinity;
  return broad;
}
const FOLLOWED = /were reused/;
const GIVEN_UP = /swapped too often/;

test('in 1,400 sequences of setting, moving and querying boxes of every kind, pairs and events are correct', () => {
  let frames = 0;
  for (let seed = 0; seed < 1400; seed++) {
    const random = createRandom(seed);
    const kind = KINDS[seed % KINDS.length];
    using broad = persistent(
      engines[random.below(engines.length)],
      random.below(3) === 0 ? 'limited' : 'any number',
    );
    const places = (count: number): Float32Array =>
      placesFor(
        kind,
        random,
        Uint32Array.from({ length: count }, (_, i) => i),
        count,
      );
    let boxes = places(random.below(4) === 0 ? random.below(4) : random.below(40));
    let before: Pair[] = [];
    broad.set(boxes);
    for (let step = 0; step < 8; step++) {
      const moves = random.below(10);
      if (moves === 0) broad.set((boxes = places(random.below(40))));
      // Moves boxes zero, one or two times before a frame.
      for (let k = moves; k > 0 && k < 9 && boxes.length > 0; k >>= 2)
        moveBoth(broad, boxes, motion(kind, random, boxes));
      before = checkFrame(broad, boxes, before, `${kind}, seed ${seed}, step ${step}`);
      frames++;
    }
  }
  assert.is(frames, 11_200);
});

test('hundreds of events in lists of small initial capacity are found, with all numbers of threads', () => {
  for (const [number, engine] of engines.entries()) {
    const random = createRandom(number);
    let maxEvents = 0;
    for (const kind of ['scattered', 'lattice', 'often empty'] as const) {
      using broad = persistent(engine);
      const boxes = placesFor(
        kind,
        random,
        Uint32Array.from({ length: 500 }, (_, i) => i),
        500,
      );
      broad.set(boxes);
      let before: Pair[] = [];
      for (let step = 0; step < 6; step++) {
        before = checkFrame(broad, boxes, before, `${kind}, ${engine.info.threads} threads, step ${step}`);
        if (step > 0) maxEvents = Math.max(maxEvents, broad.began.count + broad.ended.count);
        moveBoth(broad, boxes, motion(kind, random, boxes));
      }
    }
    assert.ok(maxEvents > 500, `${maxEvents} events`);
  }
});

test('pairs and events are correct if some or all of 150 boxes leave one place, and if a grid of touching boxes is pulled apart and together', () => {
  for (const engine of engines) {
    using broad = persistent(engine);
    const boxes = new Float32Array(6 * 150).map((_, i) => (i % 6 < 3 ? -0 : 0));
    broad.set(boxes);
    let before = checkFrame(broad, boxes, [], 'all in one place');
    for (const ids of [[7], [0, 149], [7, 20], Array.from({ length: 150 }, (_, i) => i)]) {
      moveBoth(broad, boxes, {
        ids: Uint32Array.from(ids),
        places: Float32Array.from(ids.flatMap(id => [-1, id, 0, ids.length === 1 ? -1 : 0, id, 0])),
      });
      before = checkFrame(broad, boxes, before, `${ids.length} boxes leave`);
    }
    const grid = (spread: number): Float32Array =>
      Float32Array.from(
        { length: 6 * 216 },
        (_, i) => (Math.floor(Math.floor(i / 6) / 6 ** (i % 3)) % 6) * spread + Math.floor((i % 6) / 3),
      );
    broad.set(grid(1));
    before = checkFrame(broad, grid(1), before, 'grid');
    assert.is(before.length, 3 * 180 + 6 * 150 + 4 * 125, 'neighbors by face, edge and corner');
    for (const spread of [1.5, 1, 0.5, 1, 3, 1]) {
      broad.move(
        Uint32Array.from({ length: 216 }, (_, i) => i),
        grid(spread),
      );
      before = checkFrame(broad, grid(spread), before, `spread ${spread}`);
    }
  }
});

test.slow(
  'thousands of boxes give the correct pairs, and sorting continues or gives up in the same frames with all numbers of threads',
  () => {
    const count = 3000;
    const steps = [0.01, 0.01, 3, 3, 3, 3, 3, 3, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01];
    const answers = engines.map(engine => {
      const random = createRandom(5);
      const boxes = boxCrowd('uniform', count, 2);
      const ids = Uint32Array.from({ length: count }, (_, i) => i);
      using broad = persistent(engine, 'limited');
      broad.set(boxes);
      return steps.map(step => {
        const found = broad.pairs();
        const answer = `${hashInOrder(found)} ${hashInOrder(broad.began)} ${hashInOrder(broad.ended)} ${found.stats.reason} ${FOLLOWED.test(found.stats.reason) ? found.stats.swaps : 0}`;
        if (engine === singleThreaded) assert.equal(pairsOf(found), boxPairsByAll(boxes), `step ${step}`);
        const way = [0, 1, 2].map(() =>
          Float32Array.from({ length: count }, () => random.between(-step, step)),
        );
        moveBoth(broad, boxes, {
          ids,
          places: boxes.map((value, i) => value + way[i % 3][Math.floor(i / 6)]),
        });
        return answer;
      });
    });
    for (const answer of answers) assert.equal(answer, answers[0]);
    const reasons = answers[0].map(answer =>
      FOLLOWED.test(answer) ? 'followed' : GIVEN_UP.test(answer) ? 'anew' : 'set',
    );
    // Boxes jump in six frames. In the first of these, the sort gives up, so the next frame does not try to
    // sort. The third frame tries again and gives up again, so the next three frames do not try.
    assert.equal(
      reasons.join(' '),
      'set followed followed anew anew anew anew anew anew followed followed followed followed followed',
    );
  },
);

test('boxes that touch at zeros of different signs overlap, and no longer do after one moves away along the axis on which they touch', () => {
  for (const zeros of [
    [-0, 0],
    [0, -0],
  ])
    for (let axis = 0; axis < 3; axis++)
      for (const id of [0, 1]) {
        const [left, right] = [Float32Array.of(-1, -1, -1, 1, 1, 1), Float32Array.of(-1, -1, -1, 1, 1, 1)];
        [left[3 + axis], right[axis]] = zeros;
        const away = left.map((value, i) => (i % 3 === axis ? value - 10 : value));
        using broad = persistent(singleThreaded);
        broad.set(Float32Array.of(...(id === 0 ? [...left, ...right] : [...right, ...left])));
        for (const [box, pairs] of [
          [left, [[0, 1]]],
          [away, []],
          [left, [[0, 1]]],
        ] as const) {
          broad.move(Uint32Array.of(id), box);
          assert.equal(pairsOf(broad.pairs()), pairs, `${zeros} on axis ${axis}, box ${id} moves`);
        }
      }
});

test('stats count the swaps and tests of a box that passes another box and goes back', () => {
  using broad = persistent(singleThreaded);
  broad.set(Float32Array.of(0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 1, 1));
  const places = [4, 0];
  const counts = places.map(x => {
    broad.pairs();
    broad.move(Uint32Array.of(0), Float32Array.of(x, 0, 0, x + 1, 1, 1));
    const { stats } = broad.pairs();
    return [stats.method, stats.swaps, stats.tests, broad.began.count, broad.ended.count];
  });
  // The two endpoints of the moving box pass the two endpoints of the other box: four swaps. In two of these
  // swaps, a min passes a max, and the two boxes are tested.
  assert.equal(counts, [
    ['sap-persistent', 4, 2, 0, 0],
    ['sap-persistent', 4, 2, 0, 0],
  ]);
  const still = broad.pairs();
  assert.equal([still.stats.reason, still.stats.swaps, still.count], ['no box moved', 0, 0]);
});

test('if memory cannot hold the pairs, the query throws Capacity, and the next frame is correct', async () => {
  await withEngine({ threads: 2, maximumMemoryBytes: 6 * 2 ** 20, warmUp: 'off' }, engine => {
    using broad = persistent(engine);
    const count = 1500;
    const ids = Uint32Array.from({ length: count }, (_, i) => i);
    const apart = Float32Array.from(
      { length: 6 * count },
      (_, i) => Math.floor(i / 6) * 3 + Math.floor((i % 6) / 3),
    );
    broad.set(apart);
    assert.is(broad.pairs().count, 0);
    broad.move(ids, new Float32Array(6 * count));
    for (let iteration = 0; iteration < 2; iteration++)
      assert.instance(
        caught(() => broad.pairs()),
        Capacity,
      );
    moveBoth(broad, apart, { ids: Uint32Array.of(3), places: Float32Array.of(0, 0, 0, 9.5, 9.5, 9.5) });
    broad.move(ids, apart);
    assert.equal(pairsOf(broad.pairs()), boxPairsByAll(apart));
    assert.equal(pairsOf(broad.began), boxPairsByAll(apart), 'events since the last successful frame');
  });
});

const crowd = boxCrowd('clustered', 5000, 3);
const crowdIds = Uint32Array.from({ length: 5000 }, (_, i) => i);

/** Queries four frames of 5,000 boxes that all move. */
function queryCrowd(engine: Engine): { answer: string; reasons: string[] } {
  using broad = persistent(engine);
  broad.set(crowd);
  const reasons: string[] = [];
  const answer = [0, 0.01, 0.5, 0.51]
    .map(shift => {
      if (shift > 0)
        broad.move(
          crowdIds,
          crowd.map((value, i) => value + (i % 12 < 6 ? shift : -shift) * (i % 7 < 3 ? 1 : 2)),
        );
      const found = broad.pairs();
      reasons.push(found.stats.reason);
      return `${hashInOrder(found)} ${hashInOrder(broad.began)} ${hashInOrder(broad.ended)}`;
    })
    .join(' ');
  return { answer, reasons };
}

test.slow('a worker that fails at any job changes no pair', async () => {
  const truth = queryCrowd(singleThreaded).answer;
  let lost = 0;
  for (const order of [1, 2, 4, 7, 9, 10, 11, 12, 14, 17, 20]) {
    for (const [kind, when] of [
      ['exit', 'after'],
      ['scribble', 'after'],
      ['spin', 'before'],
    ] as const) {
      const workers = faulty(index => (index === 1 ? { kind, when, order } : undefined));
      await withEngine(
        { threads: 3, initialPairCapacity: 5, warmUp: 'off', createWorker: workers.createWorker },
        engine => {
          poolOf(engine).deadlineMilliseconds = 60;
          workers.slowCaller(poolOf(engine));
          for (let iteration = 0; iteration < 2; iteration++)
            assert.is(queryCrowd(engine).answer, truth, `${kind} ${when} order ${order}`);
          lost += workers.hitCount();
        },
      );
    }
  }
  assert.ok(lost > 8, `${lost} workers failed`);
});

test('if a slice is lost while endpoints are listed or sorted, that frame is computed from scratch', async () => {
  const truth = queryCrowd(singleThreaded).answer;
  for (const kernel of ['listEndpoints', 'sortEndpoints']) {
    for (const callNumber of [1, 2, 3, 5]) {
      await withEngine({ threads: 2, initialPairCapacity: 5, warmUp: 'off' }, engine => {
        const pool = poolOf(engine);
        const run = pool.run.bind(pool);
        let calls = 0;
        pool.run = (name, jobAt, sliceCount) => {
          if (name !== kernel || ++calls !== callNumber) return run(name, jobAt, sliceCount);
          pool.kernels[name](jobAt, 1, 2);
          return false;
        };
        const { answer, reasons } = queryCrowd(engine);
        assert.is(answer, truth, `${kernel}, call ${callNumber}`);
        assert.is(
          reasons.filter(reason => /a worker was lost/.test(reason)).length,
          calls < callNumber ? 0 : 1,
          `${kernel}, call ${callNumber}: ${reasons.join('; ')}`,
        );
        assert.ok(kernel === 'listEndpoints' || calls >= callNumber);
      });
    }
  }
});

test.slow(
  'if new boxes exceed the memory limit, the earlier boxes stay in place, and later calls are correct',
  async () => {
    let refused = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed);
      const count = 1 + random.below(40);
      const lattice = (boxCount: number): Float32Array => {
        const boxes = new Float32Array(6 * boxCount);
        for (let i = 0; i < boxes.length; i++)
          boxes[i] = i % 6 < 3 ? random.below(6) : boxes[i - 3] + random.below(3);
        return boxes;
      };
      await withEngine({ threads: 1, warmUp: 'off', maximumMemoryBytes: 2 ** 22 }, engine => {
        using broad = broadPhaseOfBodies(engine, { method: 'sap-persistent' });
        const boxes = lattice(count);
        broad.set(boxes);
        broad.pairs();
        // Fills the memory of the next allocation with nonzero bytes, which look like marks of moved boxes.
        const dirt = broadPhaseOfBodies(engine, { method: 'sap' });
        dirt.set(new Float32Array(6 * 36_000).fill(-7e-30));
        dirt.dispose();
        try {
          broad.set(new Float32Array(6 * 84_000));
        } catch (error) {
          assert.instance(error, Capacity);
          refused++;
        }
        const {
          host: {
            context: { arena },
          },
          movingPairs: {
            boxes: { movedAt },
          },
        } = broad as unknown as {
          host: { context: { arena: { u8: Uint8Array } } };
          movingPairs: { boxes: { movedAt: number } };
        };
        assert.ok(
          arena.u8.subarray(movedAt + count, movedAt + count + 8).every(mark => mark === 0),
          'no box after the last one is marked as moved',
        );
        const ids = Uint32Array.from({ length: 1 + random.below(count) }, () => random.below(count));
        const places = lattice(ids.length);
        broad.move(ids, places);
        ids.forEach((id, k) => boxes.set(places.subarray(6 * k, 6 * k + 6), 6 * id));
        assert.equal(pairsOf(broad.pairs()), boxPairsByAll(boxes), `seed ${seed}`);
      });
    }
    assert.is(refused, 200);
  },
);

test('a single call cannot use an incremental method, and the error names the object that can', () => {
  const error = caught(() =>
    singleThreaded.boxPairs(new Float32Array(6), { method: 'sap-persistent' as 'sap' }),
  );
  assert.instance(error, Unsupported);
  assert.match(error.message, /'sap-persistent', which needs a broad phase that is kept between frames/);
  assert.match(error.fix!, /createBroadPhase\(\{ method: 'sap-persistent' \}\)/);
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
