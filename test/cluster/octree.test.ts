// Tests that the box pairs that several nodes find together, with an octree, have the same bytes as those of
// one engine, even if messages are lost or nodes leave.

import * as assert from 'uvu/assert';
import {
  type ClusterBoxPairsOptions,
  connectNats,
  makeHub,
  openJobs,
  type PacketFaults,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { createEngine, type PairsCopy } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { caught, caughtLater } from '../support/engines.js';
import { hashPairRows } from '../support/hash.js';
import { test } from '../support/test.js';
import { sleep, within } from '../support/within.js';
import { startBroker, startNodeProcess } from './clusterProcesses.js';
import { startJobNodes } from './jobNodes.js';
import { octreeScenes } from './octreeScenes.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

const expected = (boxes: Float32Array) => answerOf(engine.boxPairs(boxes, { method: 'octree' }).copy());
const answerOf = ({ a, b, count }: PairsCopy) => ({ count, hash: hashPairRows(a, b) });

async function solve(
  boxes: Float32Array,
  nodeCount: number,
  options: ClusterBoxPairsOptions = {},
  networkFaults?: PacketFaults,
) {
  const join = makeHub(1 << 20, networkFaults);
  const { close } = startJobNodes(join, nodeCount, engine);
  const link = join();
  try {
    return await within(
      30_000,
      'an answer',
      submitBoxPairs(link, boxes, {
        ...(nodeCount > 0 ? { nodes: nodeCount } : {}),
        engine,
        ...options,
      }).wait(),
    );
  } finally {
    await close();
    await link.close();
  }
}

for (const [name, boxes] of Object.entries(octreeScenes)) {
  test(`${name}: 1, 2, 3, 4 and 16 nodes find the pairs of one engine`, async () => {
    const truth = expected(boxes);
    for (const nodeCount of [1, 2, 3, 4, 16]) {
      for (const how of (nodeCount === 1 || nodeCount === 4
        ? [{}]
        : [{}, { merge: 'tree' }, { where: 'lists' }]) as ClusterBoxPairsOptions[]) {
        assert.equal(
          answerOf(await solve(boxes, nodeCount, how)),
          truth,
          `${nodeCount} nodes, ${JSON.stringify(how)}`,
        );
      }
    }
  });
}

test('a job that runs in the caller needs no nodes', async () => {
  const boxes = octreeScenes.spheres!;
  assert.equal(answerOf(await solve(boxes, 0, { where: 'caller' })), expected(boxes));
});

test('boxes are copied: their array may be changed or transferred while the job runs', async () => {
  const join = makeHub();
  const { close } = startJobNodes(join, 1, engine);
  const link = join();
  const scene = octreeScenes.spheres!;
  for (const where of ['caller', 'lists', 'nodes'] as const) {
    const boxes = scene.slice();
    const job = submitBoxPairs(link, boxes, { where, engine });
    structuredClone(boxes.buffer, { transfer: [boxes.buffer] });
    assert.equal(answerOf(await within(30_000, where, job.wait())), expected(scene), where);
  }
  await close();
});

test('nodes send lists of octants to each other, the caller sends each box once, and nodes return only pairs', async () => {
  const boxes = sphereBoxes(40_000, { radius: 0.5, side: 100 }, 3);
  const [ranges, tree] = [await solve(boxes, 4), await solve(boxes, 4, { merge: 'tree', encoding: 'raw' })];
  for (const { stats } of [ranges, tree])
    assert.is(
      stats.rounds.reduce((sum, { fromCaller }) => sum + fromCaller, 0),
      boxes.byteLength,
    );
  // In the merge rounds, three of the four lists are sent to another node, and one of them is sent again as
  // part of a merged list. So four lists are sent, in total 8 bytes per octant. The boxes of three nodes are
  // sent later, in the scan round.
  const merged = tree.stats.rounds
    .filter(({ name }) => name === 'merge')
    .reduce((sum, { fromNodes }) => sum + fromNodes, 0);
  assert.ok(
    Math.abs(merged - 8 * tree.stats.octants) < 0.1 * merged,
    `${merged} bytes merged, ${tree.stats.octants} octants`,
  );
  assert.ok(ranges.stats.rounds.every(({ fromNodes }) => fromNodes < 1.3 * 28 * 40_000));
  assert.ok(
    ranges.stats.toCaller < 10 * ranges.count + 1000,
    `${ranges.stats.toCaller} bytes for ${ranges.count} pairs`,
  );
});

test('four nodes together make at most 15 % more tests than one node alone, and none of the four makes more than 40 % of the tests', async () => {
  const boxes = sphereBoxes(40_000, { radius: 0.5, side: 60 }, 4);
  const [one, four] = [await solve(boxes, 1), await solve(boxes, 4)];
  assert.ok(
    four.stats.tests < 1.15 * one.stats.tests,
    `${one.stats.tests} tests by one, ${four.stats.tests} by four`,
  );
  assert.ok(
    four.stats.maxTests < 0.4 * four.stats.tests,
    `${four.stats.maxTests} of ${four.stats.tests} tests by one node`,
  );
});

test.proof('8,192 boxes in one place give 33.5 million pairs in ascending chunks', async () => {
  const count = 8192;
  const boxes = new Float32Array(6 * count).map((_, i) => (i % 6 < 3 ? 1 : 2));
  let total = 0;
  let last = -1;
  let chunks = 0;
  const { count: reported } = await solve(boxes, 4, {
    encoding: 'raw',
    forEachChunk: ({ a, b, count: own }) => {
      chunks++;
      for (let i = 0; i < own; i++) {
        // Every two boxes overlap, so all possible pairs are expected: each once, in ascending order.
        if (b[i] <= a[i] || a[i] * count + b[i] <= last)
          throw new Error(`pair ${total + i}: ${a[i]} ${b[i]}`);
        last = a[i] * count + b[i];
      }
      total += own;
    },
  });
  assert.is(total, (count * (count - 1)) / 2);
  assert.is(reported, total);
  assert.ok(chunks > 20 && chunks < 60, `${chunks} chunks`);
});

test("invalid boxes are refused with the engine's message", async () => {
  for (const [at, value] of [
    [7, NaN],
    [1234, Infinity],
    [102, -Infinity],
  ] as const) {
    const boxes = octreeScenes.spheres!.slice();
    boxes[at] = value;
    const here = caught(() => engine.boxPairs(boxes));
    const there = await caughtLater(() => solve(boxes, 3));
    assert.equal([there.name, there.message], [here.name, here.message]);
  }
  const join = makeHub();
  const link = join();
  assert.throws(() => submitBoxPairs(link, new Float32Array(5)), /length 5/);
  assert.throws(() => submitBoxPairs(link, new Float32Array(6), { where: 'lists' }), /engine/);
});

test.slow('lost, duplicated and late messages do not change the result', async () => {
  const boxes = octreeScenes.mixed!;
  const truth = expected(boxes);
  for (let seed = 0; seed < 6; seed++) {
    const random = createRandom(seed);
    const networkFaults: PacketFaults = () =>
      random.below(10) < 2
        ? []
        : random.below(10) < 2
          ? [random.below(30), random.below(30)]
          : [random.below(20)];
    assert.equal(
      answerOf(await solve(boxes, 3, seed % 2 ? { merge: 'tree' } : {}, networkFaults)),
      truth,
      `seed ${seed}`,
    );
  }
});

test.slow('if nodes leave and join while the job runs, the pairs are those of one engine', async () => {
  const boxes = sphereBoxes(20_000, { radius: 0.5, side: 40 }, 5);
  const truth = expected(boxes);
  for (let seed = 0; seed < 8; seed++) {
    const random = createRandom(seed);
    const join = makeHub(1 << 16, () => [random.below(6)]);
    const { nodes, close } = startJobNodes(join, 4, engine);
    const link = join();
    const late: { close(): Promise<unknown> }[] = [];
    const job = submitBoxPairs(link, boxes, {
      nodes: 4,
      silence: 700,
      ...(seed % 2 ? { merge: 'tree' as const } : {}),
    });
    const timers = [
      setTimeout(
        () => {
          void nodes[seed % 4].link.close();
        },
        50 + 30 * seed,
      ),
      setTimeout(() => {
        late.push(startJobNodes(join, 1, engine));
      }, 100),
      setTimeout(
        () => {
          void nodes[(seed + 1) % 4].link.close();
        },
        150 + 40 * seed,
      ),
    ];
    try {
      assert.equal(answerOf(await within(30_000, 'an answer', job.wait())), truth, `seed ${seed}`);
    } finally {
      timers.forEach(clearTimeout);
      await Promise.all([close(), ...late.map(other => other.close())]);
      await link.close();
    }
  }
});

test('a job without enough nodes gives an error, and a canceled job ends', async () => {
  const join = makeHub();
  const link = join();
  const boxes = octreeScenes.spheres!;
  for (const [nodes, words] of [
    [undefined, /Cluster no node answered/],
    [2, /Cluster 0 of 2 nodes/],
  ] as const) {
    const { name, message } = await caughtLater(() =>
      submitBoxPairs(link, boxes, { nodes, patience: 300 }).wait(),
    );
    assert.match(`${name} ${message}`, words);
  }
  const slow = makeHub(1 << 20, () => [20]);
  const caller = slow();
  const { close } = startJobNodes(slow, 2, engine);
  const job = submitBoxPairs(caller, boxes, { nodes: 2 });
  assert.is(job.finished, false);
  setTimeout(() => job.cancel(), 30);
  const canceled = await within(
    5000,
    'an end',
    caughtLater(() => job.wait()),
  );
  assert.match(canceled.message, /canceled/);
  assert.is(job.finished, true);
  await close();
  await caller.close();
});

test('a job server finds the same pairs in this thread and on worker threads, and ends its jobs when the server is closed', async () => {
  const boxes = octreeScenes.crowd!;
  const truth = expected(boxes);
  for (const where of ['here', 'threads'] as const) {
    const jobs = await within(20_000, 'threads', openJobs({ where, threads: 1 }));
    try {
      const given = boxes.slice();
      const job = jobs.submit({ kind: 'boxPairs', boxes: given });
      given.fill(0);
      const answer = await within(20_000, 'an answer', job.wait());
      assert.equal(answerOf(answer), truth, where);
      assert.is(job.finished, true);
      assert.equal(job.progress, { done: 3, total: 3 });
      assert.is(job.stats.contentBytes, boxes.byteLength);
      assert.throws(() => jobs.submit({ kind: 'boxPairs', boxes: new Float32Array(7) }), /length 7/);
      const late = jobs.submit({ kind: 'boxPairs', boxes });
      void jobs.close();
      const ended = await within(
        5000,
        'an end',
        caughtLater(() => late.wait()),
      );
      assert.match(ended.message, /closed/);
    } finally {
      await jobs.close();
    }
  }
});

test.slow(
  '1, 2 and 4 processes over NATS give the same bytes as one engine, even if one of the four is killed',
  async () => {
    const boxes = sphereBoxes(30_000, { radius: 0.5, side: 60 }, 6);
    const truth = expected(boxes);
    const broker = await within(15_000, 'a broker', startBroker());
    const link = await connectNats({ servers: broker.url });
    const nodes = [];
    try {
      for (const count of [1, 2, 4]) {
        nodes.push(
          ...(await Promise.all(
            Array.from({ length: count - nodes.length }, (_, i) =>
              within(
                20_000,
                'a node',
                startNodeProcess({ url: broker.url, cluster: 'octree', name: `node-${count}-${i}` }),
              ),
            ),
          )),
        );
        for (const merge of ['ranges', 'tree'] as const)
          assert.equal(
            answerOf(
              await within(
                20_000,
                'an answer',
                submitBoxPairs(link, boxes, { cluster: 'octree', nodes: count, merge }).wait(),
              ),
            ),
            truth,
            `${count} processes, ${merge}`,
          );
      }
      const job = submitBoxPairs(link, boxes, { cluster: 'octree', nodes: 4, silence: 1500 });
      while (job.progress.done < 5) await sleep(1);
      await nodes[1].kill();
      // Whether tasks are reassigned depends on what the node was doing, so only the result is checked.
      assert.equal(answerOf(await within(25_000, 'an answer', job.wait())), truth);
    } finally {
      await Promise.all(nodes.map(node => node.kill()));
      await link.close();
      await broker.kill();
    }
  },
);

test.run();
