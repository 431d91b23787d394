// Tests broad phases with thousands of boxes in which only a few boxes move per frame, so that the pairs of the
// other boxes are kept. In each frame, all pairs, and the pairs that began or ended, are compared with those of
// a simple model.

import * as assert from 'uvu/assert';
import {
  type BoxPairsStats,
  type BroadPhase,
  type BroadPhaseOptions,
  createEngine,
  type Engine,
} from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { boxPairsByAll, boxPairsBySweep } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { broadPhaseOfBodies, caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 3, 16])
  engines.push(
    await createEngine({ threads, initialPairCapacity: threads === 2 ? 1 : undefined, warmUp: 'off' }),
  );
engines.push(await createEngine({ memory: 'single', initialPairCapacity: 1, warmUp: 'off' }));
const [singleThreaded] = engines;
const METHODS = ['auto', 'sap', 'cells', 'tree', 'octree'] as const;
type Method = NonNullable<BroadPhaseOptions['method']>;

const keyOf = (pair: Pair): string => pair.join();
const without = (pairs: readonly Pair[], others: readonly Pair[]): Pair[] => {
  const keys = new Set(others.map(keyOf));
  return pairs.filter(pair => !keys.has(keyOf(pair)));
};
const inOrder = (pairs: Pair[]): Pair[] =>
  pairs.sort((left, right) => left[0] - right[0] || left[1] - right[1]);

/**
 * Places a box at random. On each axis, its min is an integer in half of all cases. A few boxes are large,
 * flat or empty.
 */
function place(boxes: Float32Array, id: number, random: Random, side: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const low = random.below(2) === 0 ? random.below(side) : random.between(-side, 2 * side);
    boxes[6 * id + axis] = low;
    boxes[6 * id + axis + 3] =
      random.below(400) === 0
        ? low - 1
        : low + (random.below(200) === 0 ? side : random.below(20) === 0 ? 0 : random.between(0, 2));
  }
}

/**
 * The model: a list of boxes, whose expected pairs are computed from scratch. `move` changes the boxes of the
 * model and the boxes of a broad phase in the same way. An id may occur twice in one call. Some boxes become
 * empty, and nonempty again later.
 */
class Model {
  readonly boxes: Float32Array;
  private readonly random: Random;
  private readonly side: number;

  constructor(seed: number, count: number, side: number) {
    this.random = createRandom(seed);
    this.side = side;
    this.boxes = new Float32Array(6 * count);
    for (let id = 0; id < count; id++) place(this.boxes, id, this.random, side);
  }

  /** Moves fewer than `maximum` boxes; if an id occurs twice, its last box counts. */
  move(broad: BroadPhase, maximum: number): void {
    const { boxes, random, side } = this;
    const ids = Uint32Array.from({ length: random.below(maximum) }, () => random.below(boxes.length / 6));
    const named = Uint32Array.from([...ids, ...ids.subarray(0, 3)]);
    const places = new Float32Array(6 * named.length);
    named.forEach((id, k) => {
      const kind = random.below(5);
      if (kind === 0) boxes.set([1, 0, 0, 0, 1, 1], 6 * id);
      else if (kind < 3) place(boxes, id, random, side);
      else for (let end = 0, step = random.between(-0.1, 0.1); end < 6; end++) boxes[6 * id + end] += step;
      places.set(boxes.subarray(6 * id, 6 * id + 6), 6 * k);
    });
    broad.move(named, places);
  }
}

const isKept = ({ reason }: BoxPairsStats): boolean => reason.includes('were kept');

/**
 * Compares a frame with the model. @returns the model's pairs, and whether the pairs of resting boxes were
 * kept
 */
function checkEvents(
  broad: BroadPhase,
  { boxes }: Model,
  before: readonly Pair[],
  name: string,
): [pairs: Pair[], wereKept: boolean] {
  const expected = boxPairsBySweep(boxes);
  const found = broad.pairs();
  const wereKept = isKept(found.stats);
  assert.equal(pairsOf(found), expected, name);
  assert.equal(pairsOf(broad.began), without(expected, before), `${name}: began`);
  assert.equal(pairsOf(broad.ended), without(before, expected), `${name}: ended`);
  return [expected, wereKept];
}

test('the sweep that computes the expected pairs finds the same pairs as an all-pairs comparison', () => {
  for (let seed = 0; seed < 6; seed++) {
    const { boxes } = new Model(seed, 1200, 14);
    assert.equal(boxPairsBySweep(boxes), boxPairsByAll(boxes));
  }
});

for (const method of METHODS) {
  test(`${method}: began and ended are correct, even if in some frames no box moves, or many or all boxes do`, () => {
    for (const [number, engine] of engines.entries()) {
      using broad = broadPhaseOfBodies(engine, { method });
      const model = new Model(number, 2200, number % 2 === 0 ? 14 : 40);
      const name = `${method}, ${engine.info.threads} threads`;
      let before: Pair[] = [];
      let wereKept = false;
      let keptCount = 0;
      broad.set(model.boxes);
      for (let frame = 0; frame < 14; frame++) {
        [before, wereKept] = checkEvents(broad, model, before, `${name}, frame ${frame}`);
        if (wereKept) keptCount++;
        broad.pairs();
        // A second query finds that nothing has changed.
        assert.equal(
          [broad.began.count, broad.ended.count],
          [0, 0],
          `${name}, frame ${frame}: queried again`,
        );
        model.move(broad, frame === 6 ? 2000 : frame === 9 ? 1 : 60);
        if (frame === 11) broad.set(model.boxes);
      }
      model.move(broad, 100);
      checkEvents(broad, model, before, `${name}, the last frame`);
      assert.ok(broad.began.count + broad.ended.count > 0, `${name}: some pairs began or ended`);
      if (method !== 'octree') assert.ok(keptCount > 5, `${name}: pairs were kept in ${keptCount} frames`);
    }
  });

  test(`${method}: without events, sorted or in any order, the pairs of each frame are correct`, () => {
    for (const [number, engine] of engines.entries()) {
      using broad = broadPhaseOfBodies(engine, { method, events: 'off' });
      const model = new Model(20 + number, 2100, 14);
      const random = createRandom(number);
      broad.set(model.boxes);
      for (let frame = 0; frame < 16; frame++) {
        const order = (['any', 'sorted', 'sorted', 'any'] as const)[frame < 8 ? frame % 4 : random.below(4)];
        const found = pairsOf(broad.pairs({ order }));
        assert.equal(
          order === 'sorted' ? found : inOrder(found),
          boxPairsBySweep(model.boxes),
          `${method}, ${engine.info.threads} threads, frame ${frame}, ${order}`,
        );
        assert.equal([broad.began.count, broad.ended.count], [0, 0]);
        model.move(broad, frame === 12 ? 1800 : 80);
      }
    }
  });
}

test('pairs and events are correct if more pairs end than begin in a frame, or the reverse', () => {
  for (const method of ['sap', 'tree'] as const) {
    for (const events of ['on', 'off'] as const) {
      using broad = broadPhaseOfBodies(singleThreaded, { method, events });
      const boxes = boxCrowd('uniform', 2500, 4);
      const there = Uint32Array.from({ length: 100 }, (_, k) => 25 * k + 3);
      const here = boxes.slice();
      there.forEach(id => here.set([0, 0, 0, 1, 1, 1], 6 * id));
      const placesOf = (from: Float32Array): Float32Array =>
        Float32Array.from({ length: 600 }, (_, i) => from[6 * there[Math.floor(i / 6)] + (i % 6)]);
      broad.set(boxes);
      let before: Pair[] = [];
      for (const now of [boxes, here, boxes, here, boxes]) {
        broad.move(there, placesOf(now));
        const expected = boxPairsBySweep(now);
        assert.equal(inOrder(pairsOf(broad.pairs({ order: 'any' }))), expected);
        if (events === 'on') {
          assert.equal(pairsOf(broad.began), without(expected, before));
          assert.equal(pairsOf(broad.ended), without(before, expected));
        }
        before = expected;
      }
    }
  }
});

test('pairs and events are correct if a box that overlaps all others appears, stays and becomes empty', () => {
  for (const method of METHODS) {
    using broad = broadPhaseOfBodies(singleThreaded, { method });
    const count = 2100;
    const apart = Float32Array.from(
      { length: 6 * count },
      (_, i) => (Math.floor(i / 6) % 13) * 3 + Math.floor(i / 6) * (i % 3) * 3 + Math.floor((i % 6) / 3),
    );
    broad.set(apart);
    broad.pairs();
    const middle = 1000;
    const all = [-1, -1, -1, 1e6, 1e6, 1e6];
    for (const [box, began, ended] of [
      [all, count - 1, 0],
      [all, 0, 0],
      [[5, 5, 5, 4, 4, 4], 0, count - 1],
      [all, count - 1, 0],
    ] as const) {
      broad.move(Uint32Array.of(middle), Float32Array.from(box));
      const { count: found } = broad.pairs();
      assert.equal([broad.began.count, broad.ended.count], [began, ended], method);
      if (box === all) assert.is(found, count - 1);
    }
  }
});

test.slow('pairs are correct if the moving boxes are crowded, spread out, huge, flat, or points', () => {
  for (const [number, engine] of engines.entries()) {
    using broad = broadPhaseOfBodies(engine, { method: 'sap' });
    const random = createRandom(number);
    const count = 2100;
    const boxes = boxCrowd('uniform', count, number);
    const ids = Uint32Array.from({ length: 90 }, (_, k) => 23 * k);
    broad.set(boxes);
    let before: Pair[] = [];
    for (const kind of ['start', 'crowd', 'spread', 'huge', 'spread', 'flat', 'points', 'crowd']) {
      if (kind !== 'start') {
        for (const id of ids) {
          const size = { crowd: 0.1, spread: 1, huge: 1e4, flat: 30, points: 0 }[kind]!;
          for (let axis = 0; axis < 3; axis++) {
            const low = kind === 'crowd' ? boxes[axis] : random.between(-2, 14);
            boxes[6 * id + axis] = low - (kind === 'huge' ? size : 0);
            boxes[6 * id + axis + 3] = Math.fround(low) + (kind === 'flat' && axis === number % 3 ? 0 : size);
          }
        }
        broad.move(
          ids,
          Float32Array.from({ length: 540 }, (_, i) => boxes[6 * ids[Math.floor(i / 6)] + (i % 6)]),
        );
      }
      const expected = boxPairsBySweep(boxes);
      assert.equal(pairsOf(broad.pairs()), expected, kind);
      assert.equal(
        [pairsOf(broad.began), pairsOf(broad.ended)],
        [without(expected, before), without(before, expected)],
        `${kind}: events`,
      );
      before = expected;
    }
  }
});

const crowd = boxCrowd('clustered', 60_000, 3);
const crowdIds = Uint32Array.from({ length: 600 }, (_, k) => 100 * k);

/**
 * Queries four frames of 60,000 boxes, of which 600 move. There are hundreds of thousands of pairs, so that
 * the threads share the work. @returns hashes of the pairs and events of all frames, and how the pairs were
 * found
 */
function queryCrowd(
  engine: Engine,
  method: Method,
  events: 'on' | 'off',
): { answer: string; reasons: string[] } {
  using broad = broadPhaseOfBodies(engine, { method, events });
  broad.set(crowd);
  const reasons: string[] = [];
  const answer = [0, 0.1, 0.5, 0.2]
    .map(shift => {
      if (shift > 0)
        broad.move(
          crowdIds,
          Float32Array.from({ length: 3600 }, (_, i) => crowd[600 * Math.floor(i / 6) + (i % 6)] + shift),
        );
      const found = broad.pairs();
      reasons.push(found.stats.reason);
      return [found, broad.began, broad.ended].map(pairs => `${pairs.count} ${hashInOrder(pairs)}`).join(' ');
    })
    .join('; ');
  return { answer, reasons };
}

const truth = ((): string => {
  let before: Pair[] = [];
  return [0, 0.1, 0.5, 0.2]
    .map(shift => {
      const boxes = crowd.slice();
      if (shift > 0)
        for (const id of crowdIds) for (let end = 0; end < 6; end++) boxes[6 * id + end] += shift;
      const now = boxPairsBySweep(boxes);
      const changed = [now, without(now, before), without(before, now)];
      before = now;
      return changed
        .map(
          pairs =>
            `${pairs.length} ${hashInOrder({ a: Uint32Array.from(pairs, ([a]) => a), b: Uint32Array.from(pairs, ([, b]) => b) })}`,
        )
        .join(' ');
    })
    .join('; ');
})();

for (const method of ['auto', 'sap', 'tree'] as const) {
  test(`${method}: 60,000 boxes give the same pairs with any number of threads`, () => {
    for (const engine of engines) {
      const { answer, reasons } = queryCrowd(engine, method, 'on');
      assert.is(answer, truth, `${engine.info.threads} threads`);
      assert.ok(
        reasons.slice(1).every(reason => reason.includes('were kept')),
        reasons.join('; '),
      );
    }
  });

  (method === 'auto' ? test : test.slow)(`${method}: worker loss in any step changes no pair`, async () => {
    const steps =
      method === 'tree'
        ? (['listMovedPairs', 'traverseBoxTree'] as const)
        : (['listMovedPairs', 'findBoxCells', 'lookUpMovedBoxes', 'countPairs', 'sweepSlabs'] as const);
    for (const kernel of steps) {
      let lost = 0;
      for (const callNumber of [1, 2, 3]) {
        await withEngine({ threads: 4, warmUp: 'off' }, engine => {
          const pool = poolOf(engine);
          const run = pool.run.bind(pool);
          let calls = 0;
          pool.run = (name, jobAt, sliceCount) => {
            if (name !== kernel || sliceCount < 2 || ++calls !== callNumber)
              return run(name, jobAt, sliceCount);
            pool.kernels[name](jobAt, 1, 2);
            return false;
          };
          assert.is(
            queryCrowd(engine, method, 'on').answer,
            truth,
            `${method}, ${kernel}, call ${callNumber}`,
          );
          if (calls >= callNumber) lost++;
        });
      }
      assert.ok(lost > 0, `${method}: ${kernel} ran on several threads`);
    }
  });
}

test.slow('workers that hang or die change neither pairs nor events', async () => {
  for (const kind of ['spin', 'exit'] as const) {
    for (const order of [2, 5, 9, 14]) {
      const workers = faulty(index => (index === 2 ? { kind, when: 'after', order } : undefined));
      await withEngine({ threads: 3, warmUp: 'off', createWorker: workers.createWorker }, engine => {
        poolOf(engine).deadlineMilliseconds = 60;
        for (const method of ['sap', 'tree'] as const)
          assert.is(queryCrowd(engine, method, 'on').answer, truth, `${kind}, order ${order}, ${method}`);
      });
    }
  }
});

test('a kernel that traps gives an error with code Internal, and the next frame is correct', async () => {
  for (const [method, kernels] of [
    [
      'sap',
      [
        'findBoxCells',
        'listMovedBoxes',
        'hashMovedBoxes',
        'lookUpMovedBoxes',
        'gatherBoxes',
        'mapPairIds',
        'listMovedPairs',
        'findPairEvents',
        'mergeEvents',
      ],
    ],
    ['tree', ['updateTreeBoxes', 'listMovedPairs', 'findPairEvents', 'mergeEvents']],
    ['sap-persistent', ['sortEndpoints']],
  ] as const) {
    for (const kernel of kernels) {
      await withEngine({ threads: 1, warmUp: 'off' }, engine => {
        using broad = broadPhaseOfBodies(engine, { method });
        const model = new Model(3, 2100, 14);
        const pool = poolOf(engine);
        const { kernels: all } = pool;
        broad.set(model.boxes);
        const [before] = checkEvents(broad, model, [], kernel);
        model.move(broad, 60);
        Object.assign(pool, {
          kernels: {
            ...all,
            [kernel]: () => {
              throw new WebAssembly.RuntimeError('unreachable');
            },
          },
        });
        const error = caught(() => assert.ok(broad.pairs() === undefined, `${method} never runs ${kernel}`));
        assert.is(error.code, 'Internal', `${method}, ${kernel}: ${error.message}`);
        assert.match(error.message, /a kernel trapped: unreachable/);
        Object.assign(pool, { kernels: all });
        checkEvents(broad, model, before, `${method}, ${kernel}: events since the last successful frame`);
      });
    }
  }
});

for (const sign of [1, -1])
  test(`boxes that move far out of the region of all others are found there, in direction ${sign}`, () => {
    const GROUP = 30;
    using broad = broadPhaseOfBodies(singleThreaded, { method: 'sap' });
    const { boxes } = new Model(8, 2400, 14);
    broad.set(boxes);
    broad.pairs();
    // Each distance is 1.6 times the last, so that boxes reach all parts of the numbers in which cells are stored.
    const shifts = [0, ...Array.from({ length: 18 }, (_, k) => sign * 100 * 1.6 ** k)];
    const moves = shifts.flatMap((shift, k) => [
      [0, shift],
      [1 + (k % 2), shift],
    ]);
    moves.forEach(([axis, shift], k) => {
      const first = 2 * GROUP * k;
      // One group moves far away and rests there. In the next frame, another group moves to the same place.
      for (const group of [first, first + GROUP]) {
        const ids = Uint32Array.from({ length: GROUP }, (_, i) => group + i);
        for (const id of ids) {
          boxes.copyWithin(6 * id, 6 * (first + id - group), 6 * (first + id - group) + 6);
          if (group === first) for (const end of [axis!, axis! + 3]) boxes[6 * id + end] += shift!;
        }
        broad.move(ids, boxes.subarray(6 * group, 6 * (group + GROUP)));
        const pairs = broad.pairs();
        assert.ok(isKept(pairs.stats), pairs.stats.reason);
        assert.equal(pairsOf(pairs), boxPairsBySweep(boxes), `axis ${axis}, shift ${shift}, box ${group}`);
      }
    });
  });

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
