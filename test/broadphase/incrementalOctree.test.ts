// Tests the method 'octree' of broad phases, which keeps the octants of boxes sorted between frames. For any
// motion, the pairs of each frame must equal those of an all-pairs comparison.

import * as assert from 'uvu/assert';
import { BoxSet } from '../../dist/broadphase/boxSet.js';
import { type BroadPhase, Capacity, createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { broadPhaseOfBodies, caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';
import { checkFrame, KINDS, motion, moveBoth, placesFor } from './movingBoxes.js';

const engines: Engine[] = [];
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

const octree = (engine: Engine): BroadPhase => broadPhaseOfBodies(engine, { method: 'octree' });
const everyOne = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => i);
const MERGED = /were reused/;
const SORTED = /too many octants/;
const KEPT = /were kept/;
const RECREATED = /grid was recreated/;

const { slicesFor } = BoxSet.prototype;
/**
 * Calls `run`. During this call, every step is divided into `sliceCount` slices, even if there are few boxes.
 */
function withSlices(sliceCount: number, run: () => void): void {
  BoxSet.prototype.slicesFor = () => sliceCount;
  try {
    run();
  } finally {
    BoxSet.prototype.slicesFor = slicesFor;
  }
}

test('in 700 sequences of setting, moving and querying boxes of every kind, in 1 to 9 slices, pairs and events are correct', () => {
  let count = 0;
  for (let seed = 0; seed < 700; seed++) {
    const random = createRandom(seed);
    const kind = KINDS[seed % KINDS.length];
    withSlices(1 + random.below(9), () => {
      using broad = octree(engines[random.below(engines.length)]);
      const places = (boxCount: number): Float32Array =>
        placesFor(kind, random, everyOne(boxCount), boxCount);
      let boxes = places(random.below(4) === 0 ? random.below(4) : random.below(80));
      let before: ReturnType<typeof checkFrame> = [];
      broad.set(boxes);
      for (let step = 0; step < 8; step++) {
        const moves = random.below(10);
        if (moves === 0) broad.set((boxes = places(random.below(40))));
        for (let k = moves; k > 0 && k < 9 && boxes.length > 0; k >>= 2)
          moveBoth(broad, boxes, motion(kind, random, boxes));
        before = checkFrame(broad, boxes, before, `${kind}, seed ${seed}, step ${step}`);
        assert.is(broad.pairs().stats.reason, 'no box moved');
        count++;
      }
    });
  }
  assert.is(count, 5600);
});

/**
 * Queries boxes that move before each frame except the first. In each motion, about the given share of the
 * boxes moves by at most `step` on each axis. @returns a text per frame: hashes of the pairs and events, the
 * number of changed octants, and how the pairs were found
 */
function frames(
  engine: Engine,
  boxes: Float32Array,
  motions: readonly (readonly [share: number, step: number])[],
): string[] {
  const random = createRandom(5);
  const count = boxes.length / 6;
  using broad = octree(engine);
  broad.set(boxes);
  return [[0, 0] as const, ...motions].map(([share, step], frame) => {
    const ids = everyOne(count).filter(() => random.between(0, 1) < share);
    const ways = everyOne(3 * ids.length).map(() => 0);
    const way = Float32Array.from(ways, () => random.between(-step, step));
    if (frame > 0)
      moveBoth(broad, boxes, {
        ids,
        places: Float32Array.from(
          { length: 6 * ids.length },
          (_, i) => boxes[6 * ids[Math.floor(i / 6)] + (i % 6)] + way[3 * Math.floor(i / 6) + (i % 3)],
        ),
      });
    const found = broad.pairs();
    if (engine === singleThreaded) assert.equal(pairsOf(found), boxPairsByAll(boxes), `frame ${frame}`);
    return `${hashInOrder(found)} ${hashInOrder(broad.began)} ${hashInOrder(broad.ended)} ${found.stats.changed} ${found.stats.reason}`;
  });
}

test.proof(
  'thousands of boxes, of which few or many move a little or a lot, give the correct pairs with all numbers of threads and slices',
  () => {
    const motions = [
      [0.01, 0.1],
      [0.01, 5],
      [1, 0.001],
      [1, 0.01],
      [0.19, 0.05],
      [1, 2],
      [1, 0.02],
      [0.05, 3],
      [0.3, 0.1],
    ] as const;
    for (const kind of ['uniform', 'clustered', 'mixed'] as const) {
      const truth = frames(singleThreaded, boxCrowd(kind, 3000, 2), motions);
      const ways = truth.map(answer =>
        RECREATED.test(answer)
          ? 'anew'
          : `${MERGED.test(answer) ? 'merged' : SORTED.test(answer) ? 'sorted' : 'set'}${KEPT.test(answer) ? ', kept' : ''}`,
      );
      assert.equal(
        ways,
        [
          'set',
          'merged, kept',
          'merged, kept',
          'merged',
          'merged',
          'merged, kept',
          'sorted',
          'merged',
          'merged, kept',
          'merged',
        ],
        kind,
      );
      for (const [i, engine] of engines.entries()) {
        const sliceCount = 2 + 3 * i;
        withSlices(sliceCount, () =>
          assert.equal(
            frames(engine, boxCrowd(kind, 3000, 2), motions),
            truth,
            `${kind}, ${engine.info.threads} threads, ${sliceCount} slices`,
          ),
        );
      }
    }
  },
);

test.proof('20,000 boxes, in several slices, give the correct pairs with all numbers of threads', () => {
  const boxes = boxCrowd('uniform', 20_000, 4);
  const ids = everyOne(20_000);
  for (const step of [0.004, 0.3]) {
    const moved = boxes.map((value, i) => value + (Math.floor(i / 6) % 2 === 0 ? step : -step));
    // Each of a few boxes moves to the place of another box.
    const few = Uint32Array.from({ length: 300 }, (_, i) => 61 * i);
    const last = moved.slice();
    for (const id of few) last.set(moved.subarray(6 * id + 42, 6 * id + 48), 6 * id);
    const expected = [moved, last].map(places => hashInOrder(columnsOf(boxPairsByAll(places))));
    for (const engine of engines) {
      using broad = octree(engine);
      broad.set(boxes);
      broad.pairs();
      broad.move(ids, moved);
      assert.is(hashInOrder(broad.pairs()), expected[0], `step ${step}, ${engine.info.threads} threads`);
      broad.move(
        few,
        Float32Array.from({ length: 1800 }, (_, i) => last[6 * few[Math.floor(i / 6)] + (i % 6)]),
      );
      assert.is(hashInOrder(broad.pairs()), expected[1], `few, ${engine.info.threads} threads`);
    }
  }
});

const columnsOf = (pairs: readonly (readonly [number, number])[]): { a: Uint32Array; b: Uint32Array } => ({
  a: Uint32Array.from(pairs, ([a]) => a),
  b: Uint32Array.from(pairs, ([, b]) => b),
});

test('stats.changed counts the octants that are removed and added, in a grid with cells of size 1', () => {
  using broad = octree(singleThreaded);
  const cube = (x: number, size: number): number[] => [x, 10.25, 10.25, x + size, 10.75, 10.75];
  broad.set(
    Float32Array.of(
      0,
      0,
      0,
      0.5,
      0.5,
      0.5,
      511.5,
      511.5,
      511.5,
      512,
      512,
      512,
      ...cube(10.25, 0.5),
      ...cube(3, 0.5),
    ),
  );
  assert.is(broad.pairs().stats.changed, 4);
  // Each expected number is the number of removed octants plus the number of added octants. The box moves
  // within its cell, then to the next cell, then onto a border between two cells. Then it becomes 3 wide, so
  // it needs two cells that are 4 wide. The last move leaves it where it is.
  const changed = [cube(10.375, 0.5), cube(11.25, 0.5), cube(11.75, 0.5), cube(11.25, 3), cube(11.25, 3)].map(
    place => {
      broad.move(Uint32Array.of(2), Float32Array.from(place));
      return broad.pairs().stats.changed;
    },
  );
  assert.equal(changed, [0, 1 + 1, 1 + 2, 2 + 2, 0]);
  assert.equal(
    [broad.pairs().stats.reason, broad.pairs().stats.changed, broad.pairs().count],
    ['no box moved', 0, 0],
  );
});

test('pairs are correct if boxes leave the grid on all sides, gather in one place, lie in a plane, and come back', () => {
  for (const engine of engines) {
    withSlices(3, () => {
      using broad = octree(engine);
      const start = boxCrowd('uniform', 400, 6);
      const boxes = start.slice();
      const ids = everyOne(400);
      broad.set(boxes);
      let before = checkFrame(broad, boxes, [], 'start');
      let fromScratch = 0;
      const ways: ((value: number, i: number) => number)[] = [
        value => 20 * value,
        value => value - 1000,
        (value, i) => (i % 3 === 0 ? 0 : value),
        value => value * 0.01,
        value => value * 0.01,
        value => value * 0.01,
        () => 3,
        () => 3,
        (_, i) => (i % 12 < 3 ? 3e38 : i % 12 < 6 ? 3.2e38 : i % 12 < 9 ? -3.2e38 : -3e38),
        value => value,
        value => value,
      ];
      for (const [frame, way] of ways.entries()) {
        moveBoth(broad, boxes, { ids, places: start.map(way) });
        before = checkFrame(broad, boxes, before, `${engine.info.threads} threads, way ${frame}`);
        moveBoth(broad, boxes, { ids: ids.subarray(3, 5), places: start.slice(18, 30) });
        fromScratch += Number(RECREATED.test(broad.pairs().stats.reason));
        before = boxPairsByAll(boxes);
        assert.equal(pairsOf(broad.pairs()), before);
      }
      assert.ok(fromScratch >= 2, `the grid was recreated ${fromScratch} times`);
    });
  }
});

test('if memory cannot hold the pairs, the query throws Capacity, and the next frame is correct', async () => {
  await withEngine({ threads: 2, maximumMemoryBytes: 6 * 2 ** 20, warmUp: 'off' }, engine => {
    using broad = octree(engine);
    const count = 1500;
    const apart = Float32Array.from(
      { length: 6 * count },
      (_, i) => Math.floor(i / 6) * 3 + Math.floor((i % 6) / 3),
    );
    broad.set(apart);
    assert.is(broad.pairs().count, 0);
    broad.move(everyOne(count), new Float32Array(6 * count));
    for (let iteration = 0; iteration < 2; iteration++)
      assert.instance(
        caught(() => broad.pairs()),
        Capacity,
      );
    moveBoth(broad, apart, { ids: Uint32Array.of(3), places: Float32Array.of(0, 0, 0, 9.5, 9.5, 9.5) });
    broad.move(everyOne(count), apart);
    assert.equal(pairsOf(broad.pairs()), boxPairsByAll(apart));
    assert.equal(pairsOf(broad.began), boxPairsByAll(apart), 'events since the last successful frame');
  });
});

const crowd = boxCrowd('clustered', 5000, 3);
const crowdIds = everyOne(5000);
const shifted = (shift: number): Float32Array =>
  crowd.map((value, i) => value + (i % 12 < 6 ? shift : -shift));

/**
 * Queries five frames of 5,000 boxes. After the first frame, all boxes move a little in two frames, then all
 * move far, and then 500 boxes jump to the places of others. @returns hashes of the pairs and events of all
 * frames, and how the pairs were found
 */
function queryCrowd(engine: Engine): { answer: string; reasons: string[] } {
  using broad = octree(engine);
  broad.set(crowd);
  const reasons: string[] = [];
  const answer = [0, 0.001, 0.002, 0.8, 'few']
    .map(shift => {
      if (shift === 'few') broad.move(crowdIds.subarray(0, 500), crowd.subarray(3000, 6000));
      else if (Number(shift) > 0) broad.move(crowdIds, shifted(Number(shift)));
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
  for (const order of [1, 2, 4, 7, 9, 11, 13, 15, 18, 21, 24, 28, 33]) {
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
          withSlices(3, () => {
            for (let iteration = 0; iteration < 2; iteration++)
              assert.is(queryCrowd(engine).answer, truth, `${kind} ${when} order ${order}`);
          });
          lost += workers.hitCount();
        },
      );
    }
  }
  assert.ok(lost > 8, `${lost} workers failed`);
});

test.slow('if a slice of any step is lost, that frame is computed from scratch', async () => {
  const truth = queryCrowd(singleThreaded).answer;
  for (const kernel of [
    'countOctants',
    'writeOctants',
    'sortRuns',
    'removeChangedOctants',
    'mergeRuns',
    'findMovedOctants',
    'selectOctants',
    'gatherOctants',
    'scanOctants',
  ]) {
    for (const callNumber of [1, 2, 3]) {
      await withEngine({ threads: 2, initialPairCapacity: 5, warmUp: 'off' }, engine => {
        const pool = poolOf(engine);
        const run = pool.run.bind(pool);
        let calls = 0;
        pool.run = (name, jobAt, sliceCount) => {
          if (name !== kernel || ++calls !== callNumber) return run(name, jobAt, sliceCount);
          pool.kernels[name](jobAt, sliceCount - 1, sliceCount);
          return false;
        };
        withSlices(2, () => {
          const { answer, reasons } = queryCrowd(engine);
          assert.is(answer, truth, `${kernel}, call ${callNumber}`);
          assert.is(
            reasons.filter(reason => /the last frame failed/.test(reason)).length,
            calls < callNumber ? 0 : 1,
            `${kernel}, call ${callNumber}: ${reasons.join('; ')}`,
          );
          assert.ok(calls > 0, kernel);
        });
      });
    }
  }
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
