// Tests that a swarm (a simulation of moving bodies on several nodes) gives the results of one process: with
// any number of nodes, over faulty networks, and while nodes join, leave and die. The nodes are in this
// process, connected by a simulated network.

import * as assert from 'uvu/assert';
import { stepSingleProcess } from '../../dist/cluster/index.js';
import { CollisionError } from '../../dist/index.js';
import { findRobots } from '../support/robotWorlds.js';
import {
  digests,
  disposeEngine,
  lossyNetwork,
  sharedEngine,
  singleProcessRows,
  withHub,
} from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';

const QUICK = { retryInterval: 20, patience: 20_000 };
test.after(disposeEngine);

test.slow('1, 2, 4 and 16 nodes give the contacts of one process, byte for byte', async () => {
  for (const movement of ['random', 'skewed']) {
    const world = `robots ${movement} 400 1`;
    const expected = await singleProcessRows(world, 4);
    assert.ok(expected.every(({ contacts }) => contacts > 0));
    for (const nodes of [1, 2, 4, 16]) {
      const { rows } = await withHub(nodes, undefined, hub =>
        hub.run(world, { ...QUICK, nodes, steps: 4, collect: true }),
      );
      assert.equal(digests(rows), digests(expected), `${movement}, ${nodes} nodes`);
      rows.forEach(({ collected }, i) => assert.equal(collected, expected[i].collected));
      for (const row of rows)
        assert.is(
          row.nodes.reduce((sum, { ownedBodies }) => sum + ownedBodies, 0),
          400,
        );
    }
  }
});

test('the final states are those of one process, and another swarm can continue from these states', async () => {
  const world = 'robots skewed 200 4';
  const steps = stepSingleProcess(await sharedEngine(), findRobots(world)!, 4);
  const expected = await singleProcessRows(world, 6);
  let last = steps.next();
  while (!last.done) last = steps.next();
  await withHub(3, undefined, async hub => {
    const { states } = await hub.run(world, { ...QUICK, nodes: 3, steps: 4 });
    assert.equal(states, last.value);
    const { rows } = await hub.run(world, { ...QUICK, nodes: 2, steps: 2, after: { step: 4, states } });
    assert.equal(
      rows.map(({ step }) => step),
      [5, 6],
    );
    assert.equal(digests(rows), digests(expected.slice(4)));
  });
  assert.equal(
    digests([
      ...stepSingleProcess(await sharedEngine(), findRobots(world)!, 2, { step: 4, states: last.value }),
    ]),
    digests(expected.slice(4)),
  );
});

test.proof(
  'results are the same if a fifth of all packets is lost, a fifth is duplicated, and all are delayed and out of order',
  async () => {
    const world = 'robots skewed 200 2';
    const expected = await singleProcessRows(world, 5);
    for (let seed = 1; seed <= 3; seed++) {
      const { rows } = await withHub(
        4,
        lossyNetwork(seed),
        hub => hub.run(world, { retryInterval: 15, patience: 5000, nodes: 4, steps: 5, checkpointEvery: 3 }),
        seed % 2 === 0 ? 2048 : undefined,
      );
      assert.equal(digests(rows), digests(expected), `seed ${seed}`);
      assert.ok(rows.every(({ restarts }) => restarts === 0));
    }
  },
);

test('if nodes join and leave between steps, results are those of one process', async () => {
  const world = 'robots skewed 200 2';
  const expected = await singleProcessRows(world, 12);
  const { rows } = await withHub(2, undefined, hub =>
    hub.run(world, {
      ...QUICK,
      nodes: 2,
      maxNodes: 4,
      steps: 12,
      async onStep({ step }) {
        if (step === 2) await Promise.all(hub.add(2).map(node => node.offers()));
        if (step === 5) void hub.nodes[0].leave();
        if (step === 8) void hub.nodes[1].leave();
      },
    }),
  );
  assert.equal(digests(rows), digests(expected));
  assert.equal([...new Set(rows.map(({ restarts }) => restarts))], [0]);
  assert.equal(
    rows.map(({ nodes }) => nodes.length).filter((count, i, all) => count !== all[i - 1]),
    [2, 4, 3, 2],
  );
  // Only the two nodes that joined are left, and both have bodies and columns.
  assert.equal(
    rows.at(-1)!.nodes.map(({ id }) => id),
    [1002, 1003],
  );
  assert.ok(rows.at(-1)!.nodes.every(({ ownedBodies, columns }) => ownedBodies > 20 && columns > 0));
});

test('if all nodes leave, each leaves at once, and the swarm continues when a node joins', async () => {
  const world = 'robots skewed 200 2';
  const expected = await singleProcessRows(world, 6);
  for (const leaveAt of [3, 6]) {
    let left: Promise<unknown> | undefined;
    const { rows } = await withHub(2, undefined, hub =>
      hub.run(world, {
        ...QUICK,
        nodes: 2,
        steps: 6,
        async onStep({ step, restarts }) {
          // The nodes announce that they leave in their next report.
          if (step !== leaveAt - 1 || restarts > 0) return;
          left = Promise.all(hub.nodes.map(node => node.leave()));
          if (leaveAt < 6) void within(5000, 'leaving', left).then(() => hub.add(1));
        },
      }),
    );
    await within(5000, 'leaving', left!);
    assert.equal(digests(rows), digests(expected));
    assert.is(rows.at(-1)!.restarts, leaveAt < 6 ? 1 : 0);
  }
});

test.slow(
  'if two nodes crash or hang, the swarm restarts twice without them and gives the results of one process',
  async () => {
    const world = 'robots skewed 200 2';
    const expected = await singleProcessRows(world, 12);
    for (const end of ['kill', 'hang'] as const) {
      const { rows } = await withHub(4, undefined, hub =>
        hub.run(world, {
          retryInterval: 20,
          patience: 1000,
          nodes: 4,
          steps: 12,
          checkpointEvery: 4,
          onStep({ step, restarts }) {
            if (step === 6 && restarts === 0) hub.nodes[1][end]();
            if (step === 9 && restarts === 1) hub.nodes[3][end]();
          },
        }),
      );
      assert.equal(digests(rows), digests(expected), end);
      assert.equal([rows[0].restarts, rows.at(-1)!.restarts, rows.at(-1)!.nodes.length], [0, 2, 2]);
    }
  },
);

test('if a node that was presumed dead comes back, results are those of one process', async () => {
  const world = 'robots skewed 200 2';
  const expected = await singleProcessRows(world, 12);
  const { rows } = await withHub(3, undefined, hub =>
    hub.run(world, {
      retryInterval: 20,
      patience: 1000,
      nodes: 3,
      steps: 12,
      checkpointEvery: 4,
      async onStep({ step, restarts }) {
        if (step === 5 && restarts === 0) hub.nodes[2].hang();
        if (step === 8 && restarts === 1) {
          hub.nodes[2].resume();
          await hub.nodes[2].offers();
        }
      },
    }),
  );
  assert.equal(digests(rows), digests(expected));
  assert.is(rows.at(-1)!.nodes.length, 3);
});

test('a swarm that cannot continue gives an error: without enough nodes, in an unknown world, after the loss of all nodes, or if it is aborted', async () => {
  const refused = async (work: Promise<unknown>, message: RegExp): Promise<void> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(
      error instanceof CollisionError && message.test(error.message) && error.fix.length > 10,
      String(error),
    );
    assert.is((error as CollisionError).code, 'Cluster');
  };
  const world = 'robots random 100 1';
  const hasty = { retryInterval: 20, patience: 500 };
  await withHub(1, undefined, async hub => {
    await refused(hub.run(world, { ...hasty, nodes: 2, steps: 2 }), /^1 of 2 nodes joined within 500 ms$/);
    await refused(
      hub.run('no such world', { ...hasty, nodes: 1, steps: 2 }),
      /find does not know the world 'no such world'/,
    );
  });
  await withHub(2, undefined, hub =>
    refused(
      hub.run(world, {
        ...hasty,
        nodes: 2,
        steps: 9,
        onStep({ step }) {
          if (step === 3) for (const node of hub.nodes) node.kill();
        },
      }),
      /silent for 1500 ms; 0 of 1 nodes joined/,
    ),
  );
  await withHub(2, undefined, async hub => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const error = await hub
      .run(world, {
        ...QUICK,
        nodes: 2,
        steps: 50,
        signal: stop.signal,
        onStep({ step }) {
          if (step === 3) stop.abort(reason);
        },
      })
      .catch((thrown: unknown) => thrown);
    assert.is(error, reason);
  });
});

test('after a swarm, its nodes are free for the next one', async () => {
  await withHub(2, undefined, async hub => {
    for (const seed of [1, 2, 3])
      await within(8000, 'a swarm', hub.run(`robots random 60 ${seed}`, { ...QUICK, nodes: 2, steps: 2 }));
  });
});

test.run();
