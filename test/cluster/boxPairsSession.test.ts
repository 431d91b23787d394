// Tests `openBoxPairs`, with which the nodes of a cluster find overlapping boxes and update the pairs at each
// time step, or frame. In every frame, the pairs must equal those that one engine finds, no matter which
// boxes move and which nodes and messages are lost.

import * as assert from 'uvu/assert';
import { internalsOf } from '../../bench/support/internals.js';
import {
  type BoxPairsFrame,
  type BoxPairsSessionOptions,
  type Link,
  makeHub,
  openBoxPairs,
  type PacketFaults,
} from '../../dist/cluster/index.js';
import { createEngine, type PairsCopy } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { caught, caughtLater } from '../support/engines.js';
import { hashPairRows } from '../support/hash.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { startJobNodes } from './jobNodes.js';
import { octreeScenes } from './octreeScenes.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

const keysOf = ({ a, b }: PairsCopy): number[] => Array.from(a, (first, i) => first * 2 ** 20 + b[i]);

/**
 * Makes a function that checks a frame: its pairs must equal those of one engine, and its lists of new and
 * ended pairs must equal the difference from the previous frame.
 */
function checker() {
  let before: number[] = [];
  return (answer: BoxPairsFrame, boxes: Float32Array, what: string): void => {
    const truth = engine.boxPairs(boxes).copy();
    assert.equal(
      [answer.count, hashPairRows(answer.a, answer.b)],
      [truth.count, hashPairRows(truth.a, truth.b)],
      what,
    );
    const now = keysOf(truth);
    const [old, current] = [new Set(before), new Set(now)];
    assert.equal(
      keysOf(answer.began),
      now.filter(key => !old.has(key)),
      `${what}: began`,
    );
    assert.equal(
      keysOf(answer.ended),
      before.filter(key => !current.has(key)),
      `${what}: ended`,
    );
    before = now;
  };
}

/** Moves the boxes with the given ids by up to `step` on each axis. @returns the moved boxes */
function moved(boxes: Float32Array, ids: Uint32Array, step: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const places = new Float32Array(6 * ids.length);
  for (const [i, id] of ids.entries()) {
    for (let axis = 0; axis < 3; axis++) {
      const by = random.between(-step, step);
      const low = Math.fround(boxes[6 * id + axis] + by);
      places[6 * i + axis] = low;
      places[6 * i + axis + 3] = Math.max(low, Math.fround(boxes[6 * id + axis + 3] + by));
    }
    boxes.set(places.subarray(6 * i, 6 * i + 6), 6 * id);
  }
  return places;
}
const every = (count: number, step = 1): Uint32Array =>
  Uint32Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);

async function withBoxes(
  boxes: Float32Array,
  nodeCount: number,
  run: (
    session: ReturnType<typeof openBoxPairs>,
    cluster: ReturnType<typeof startJobNodes> & { join: () => Link },
  ) => Promise<void>,
  { faults, ...options }: BoxPairsSessionOptions & { faults?: PacketFaults } = {},
): Promise<void> {
  const join = makeHub(1 << 20, faults);
  const cluster = startJobNodes(join, nodeCount, engine);
  const link = join();
  const session = openBoxPairs(link, boxes, { nodes: nodeCount, ...options });
  try {
    await run(session, { ...cluster, join });
  } finally {
    session.close();
    await cluster.close();
    await link.close();
  }
}
const next = (session: ReturnType<typeof openBoxPairs>) => within(30_000, 'a frame', session.pairs());

for (const [name, scene] of Object.entries(octreeScenes)) {
  test(`${name}: 1 to 4 nodes find the same pairs as one engine in frames in which all, some or no boxes move`, async () => {
    const extent = name === 'at the limits of float32' ? 1e-40 : 1;
    for (const nodeCount of [1, 2, 3, 4]) {
      const boxes = scene.slice();
      const count = boxes.length / 6;
      const check = checker();
      await withBoxes(boxes, nodeCount, async session => {
        assert.is(session.count, count);
        const what = `${nodeCount} nodes`;
        check(await next(session), boxes, `${what}, first`);
        const still = await next(session);
        check(still, boxes, `${what}, none moves`);
        assert.equal([still.stats.moved, still.stats.changed, still.stats.tests], [0, 0, 0]);
        for (const [frame, [every_, step]] of [
          [1, 0.01],
          [1, 1],
          [7, 0.3],
          [50, 30],
          [1, 10],
        ].entries()) {
          const ids = every(count, every_);
          session.move(ids, moved(boxes, ids, step! * extent, frame));
          check(await next(session), boxes, `${what}, frame ${frame}`);
        }
        // If a box is moved twice before a frame, its last position counts.
        for (const seed of [1, 2]) session.move(every(count, 3), moved(boxes, every(count, 3), extent, seed));
        check(await next(session), boxes, `${what}, moved twice`);
      });
    }
  });
}

test('if few boxes move, the caller sends only these boxes, and nodes send few bytes to each other and to the caller', async () => {
  const boxes = sphereBoxes(20_000, { radius: 0.5, side: 60 }, 3);
  const check = checker();
  await withBoxes(boxes, 4, async session => {
    const first = await next(session);
    check(first, boxes, 'first');
    assert.is(first.stats.fresh, 4);
    const ids = every(20_000, 20);
    for (let frame = 0; frame < 3; frame++) {
      session.move(ids, moved(boxes, ids, 0.01, frame));
      const answer = await next(session);
      check(answer, boxes, `frame ${frame}`);
      const {
        stats: { rounds, fresh, sorted, moved: movedCount, changed, octants, copies, toCaller },
      } = answer;
      const sent = (field: 'fromCaller' | 'fromNodes') =>
        rounds.reduce((sum, round) => sum + round[field], 0);
      assert.equal([fresh, sorted, movedCount], [0, 0, 1000]);
      assert.is(sent('fromCaller'), 28 * 1000);
      assert.ok(
        sent('fromNodes') < 0.1 * 28 * copies + 12 * 8,
        `${sent('fromNodes')} bytes, ${copies} copies`,
      );
      assert.ok(changed < 0.02 * octants, `${changed} of ${octants} octants`);
      assert.ok(toCaller < 0.2 * 8 * answer.count, `${toCaller} bytes for ${answer.count} pairs`);
    }
  });
});

test('if boxes move far, they are distributed to the nodes again, and the pairs stay correct', async () => {
  const boxes = sphereBoxes(4000, { radius: 0.5, side: 25 }, 5);
  const check = checker();
  let again = 0;
  await withBoxes(boxes, 4, async session => {
    check(await next(session), boxes, 'first');
    const ids = every(4000);
    for (let frame = 0; frame < 6; frame++) {
      const places = boxes.slice();
      // All boxes shrink toward the origin. In every second frame, they are also shifted by 1.
      for (let i = 0; i < places.length; i++) places[i] = Math.fround(places[i] * 0.7) + (frame % 2);
      boxes.set(places);
      session.move(ids, places);
      const answer = await next(session);
      check(answer, boxes, `frame ${frame}`);
      again += answer.stats.fresh;
    }
  });
  assert.ok(again >= 4, `only ${again} ranges were made from scratch`);
});

test('if nodes are killed between and during frames, the pairs stay correct; after the loss of one node, only its range of octants is made anew', async () => {
  const boxes = sphereBoxes(8000, { radius: 0.5, side: 30 }, 6);
  const check = checker();
  await withBoxes(
    boxes,
    4,
    async (session, { nodes, join }) => {
      check(await next(session), boxes, 'first');
      const ids = every(8000, 5);
      const move = (seed: number): void => session.move(ids, moved(boxes, ids, 0.1, seed));
      move(1);
      check(await next(session), boxes, 'second');
      await nodes[1].link.close();
      move(2);
      const after = await next(session);
      check(after, boxes, 'a node was killed');
      assert.is(after.stats.fresh, 1);
      move(3);
      const running = session.pairs();
      const timer = setTimeout(() => void nodes[2].link.close(), 8);
      check(await within(30_000, 'a frame', running), boxes, 'a node is killed during a frame');
      clearTimeout(timer);
      const late = startJobNodes(join, 1, engine);
      for (let seed = 4; seed < 8; seed++) {
        move(seed);
        check(await next(session), boxes, `frame ${seed}`);
        if (seed === 5) for (const node of [nodes[0], nodes[3]]) void node.link.close();
      }
      await late.close();
    },
    { silence: 600 },
  );
});

test('if a node is lost and its only pair ends in the next frame, this frame has no pairs', async () => {
  const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1);
  const check = checker();
  await withBoxes(
    boxes,
    1,
    async (session, { nodes, join }) => {
      check(await next(session), boxes, 'first');
      await nodes[0].link.close();
      const other = startJobNodes(join, 1, engine);
      boxes.set([5, 5, 5, 6, 6, 6], 6);
      session.move(Uint32Array.of(1), boxes.slice(6));
      try {
        check(await next(session), boxes, 'on another node');
      } finally {
        await other.close();
      }
    },
    { silence: 600 },
  );
});

test('nodes free the memory of old frames, and the memory of a session that is closed', async () => {
  const own = await createEngine({ threads: 1 });
  const { arena } = internalsOf(own).context;
  const join = makeHub();
  const { close } = startJobNodes(join, 2, own);
  const link = join();
  const boxes = sphereBoxes(5000, { radius: 0.5, side: 25 }, 7);
  const session = openBoxPairs(link, boxes, { nodes: 2 });
  try {
    const used: number[] = [];
    for (let frame = 0; frame < 30; frame++) {
      const ids = every(5000, 2);
      session.move(ids, moved(boxes, ids, 0.05, frame));
      await next(session);
      used.push(arena.usedBytes);
    }
    assert.ok(used[29] <= 1.3 * used[5], used.join(', '));
    session.close();
    await link.flush(1000);
    await until('the memory of the session to be free', () => arena.usedBytes < 0.6 * used[29]);
  } finally {
    await close();
    await link.close();
    own.dispose();
  }
});

test('invalid moves change nothing, and pairs() fails after close() and if no node answers', async () => {
  const boxes = octreeScenes.crowd!.slice();
  const check = checker();
  await withBoxes(boxes, 2, async session => {
    for (const [ids, places, words] of [
      [Uint32Array.of(2000), new Float32Array(6), /there are 2000 boxes/],
      [Uint32Array.of(0, 1), new Float32Array(6), /has length 2/],
      [Uint32Array.of(0), new Float32Array(5), /length 5/],
      [Uint32Array.of(0), Float32Array.of(0, 0, 0, 1, NaN, 1), /NaN/],
      [Uint32Array.of(0), Float32Array.of(2, 0, 0, 1, 1, 1), /inverted/],
      [[0] as unknown as Uint32Array, new Float32Array(6), /ids is/],
    ] as const)
      assert.match(caught(() => session.move(ids, places)).message, words);
    check(await next(session), boxes, 'unchanged');
    const running = session.pairs();
    await Promise.resolve();
    session.close();
    for (const late of [running, session.pairs()])
      assert.match(
        (
          await within(
            5000,
            'an end',
            caughtLater(() => late),
          )
        ).message,
        /closed/,
      );
  });
  const link = makeHub()();
  assert.throws(() => openBoxPairs(link, new Float32Array(7)), /length 7/);
  const session = openBoxPairs(link, boxes, { patience: 200 });
  assert.match(
    (
      await within(
        5000,
        'an end',
        caughtLater(() => session.pairs()),
      )
    ).message,
    /no node answer/,
  );
});

test('a move affects only the later calls of pairs(), even if earlier calls have not begun', () => {
  const apart = Float32Array.of(5, 0, 0, 6, 1, 1);
  const near = Float32Array.of(0.5, 0, 0, 2, 1, 1);
  const id = Uint32Array.of(1);
  return withBoxes(Float32Array.of(0, 0, 0, 1, 1, 1, ...near), 1, async session => {
    const frames = [session.pairs()];
    for (const box of [apart, near]) {
      session.move(id, box);
      frames.push(session.pairs());
    }
    frames.push(session.pairs());
    session.move(id, apart);
    frames.push(session.pairs());
    assert.equal(
      (await within(30_000, 'frames', Promise.all(frames))).map(({ count, stats }) => [count, stats.moved]),
      [
        [1, 0],
        [0, 1],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
    );
  });
});

test.slow('messages that are lost, duplicated and late do not change any frame', async () => {
  for (let seed = 0; seed < 4; seed++) {
    const random = createRandom(seed);
    const boxes = octreeScenes.mixed!.slice();
    const check = checker();
    await withBoxes(
      boxes,
      3,
      async session => {
        for (let frame = 0; frame < 5; frame++) {
          check(await next(session), boxes, `seed ${seed}, frame ${frame}`);
          const ids = every(boxes.length / 6, 1 + random.below(20));
          session.move(ids, moved(boxes, ids, 1, frame));
        }
      },
      {
        encoding: (['raw', 'delta', 'deflate'] as const)[seed % 3],
        faults: () =>
          random.below(10) < 2
            ? []
            : random.below(10) < 2
              ? [random.below(30), random.below(30)]
              : [random.below(20)],
      },
    );
  }
});

test.run();
