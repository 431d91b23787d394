// Tests counters of a swarm's work. Box tests are divided among the nodes. A node knows only the bodies that
// it needs. The bytes that nodes send grow with the number of bodies near borders between nodes, not with the
// number of all bodies. Loads become even.

import * as assert from 'uvu/assert';
import { makeHub, type NodeRow, runSwarm, type SwarmRow, type SwarmWorld } from '../../dist/cluster/index.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { box, createRandom, hash32 } from '../../dist/samples/index.js';
import { findRobots } from '../support/robotWorlds.js';
import { digests, disposeEngine, sharedEngine, singleProcessRows, withHub } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';

// No message is lost, and the retry interval is longer than a step, so no message is requested again, and
// each message counts once.
const PATIENT = { retryInterval: 10_000, patience: 60_000 };
test.after(disposeEngine);

const sum = (row: SwarmRow, of: (node: NodeRow) => number): number =>
  row.nodes.reduce((total, node) => total + of(node), 0);
/**
 * Returns how often a node tested the boxes of two bodies, plus the number of pairs of faces whose boxes
 * overlap.
 */
const boxTests = (node: NodeRow): number => node.boxTests + node.facePairs;

test.slow('all nodes together make at most 1.25 times as many box tests as one node', async () => {
  for (const [world, counts] of [
    ['robots random 3000 1', [4, 8, 16]],
    ['robots skewed 3000 1', [4]],
  ] as const) {
    const run = (nodes: number): Promise<SwarmRow[]> =>
      withHub(
        nodes,
        undefined,
        async hub => (await hub.run(world, { ...PATIENT, nodes, steps: 2, balance: false })).rows,
      );
    const one = await run(1);
    const others = await Promise.all(counts.map(run));
    for (const [at, many] of others.entries())
      one.forEach((row, i) => {
        const ratio = sum(many[i], boxTests) / sum(row, boxTests);
        const pairs = [row, many[i]].map(of => [
          sum(of, node => node.tested),
          sum(of, node => node.facePairs),
          sum(of, node => node.featurePairs),
        ]);
        console.log(
          `counted: ${world}, step ${row.step}: ${counts[at]} nodes make ${ratio.toFixed(3)} times as many box tests as one node`,
        );
        assert.ok(ratio <= 1.25, `${ratio}`);
        // The numbers of tested pairs (of bodies, of faces, and of features) are the same for any number of
        // nodes.
        assert.equal(pairs[1], pairs[0]);
      });
  }
});

test('a node knows only its share and the bodies that reach its columns', async () => {
  const nodes = 4;
  const count = 3000;
  const world = `robots random ${count} 1`;
  const side = Math.cbrt(count * 10);
  const { rows } = await withHub(nodes, undefined, hub =>
    hub.run(world, { ...PATIENT, nodes, steps: 3, balance: false }),
  );
  // The number of bodies in the border of a node. Each node has a quarter of the ground. Robots have radius 1
  // and move by 0.1 per step, so the border is a strip of width 1.1 along the two inner sides of the quarter.
  // There are 0.1 robots per unit of volume.
  const border = 0.1 * side * side * 1.1;
  for (const row of rows) {
    for (const { ownedBodies, localBodies } of row.nodes) {
      assert.ok(ownedBodies <= (1.1 * count) / nodes, `${ownedBodies} owned bodies`);
      assert.ok(
        localBodies - ownedBodies <= 1.25 * border,
        `${localBodies} known bodies, ${ownedBodies} of them owned, ${border.toFixed(0)} expected in the border`,
      );
    }
  }
});

/**
 * Makes a world of boxes in a bar of width and height 16. The length of the bar is proportional to the number
 * of boxes, so the number of boxes near a cut across the bar does not depend on this length.
 */
function bar(count: number): SwarmWorld {
  const length = count / 4;
  const low = [0, 0, 0];
  const high = [length, 16, 16];
  return {
    count,
    stateLength: 6,
    meshes: [box()],
    ground: [0, 0, length, 16],
    meshOf: () => 0,
    begin(body, state) {
      const random = createRandom(hash32(3, body));
      for (let axis = 0; axis < 3; axis++) state[axis] = random.between(low[axis], high[axis]);
      state.set(
        random.direction().map(value => 0.2 * value),
        3,
      );
    },
    advance(_body, state) {
      for (let axis = 0; axis < 3; axis++) {
        state[axis] += state[3 + axis];
        if (state[axis] < low[axis] || state[axis] > high[axis]) state[3 + axis] *= -1;
      }
    },
    place(_body, state, rows) {
      rows.set([1, 0, 0, state[0], 0, 1, 0, state[1], 0, 0, 1, state[2]]);
    },
    respond(_body, state) {
      for (let axis = 3; axis < 6; axis++) state[axis] *= -1;
    },
  };
}

test('bytes per step grow with the number of bodies near borders, not with the number of all bodies', async () => {
  const engine = await sharedEngine();
  const bytes: number[] = [];
  const find = (name: string): SwarmWorld => bar(Number(name));
  for (const count of [500, 2000, 8000]) {
    const join = makeHub();
    const services = [1, 2].map(id =>
      swarmService(find)({ id, name: String(id), cluster: 'pfront', link: join(), engine }),
    );
    const { rows } = await within(
      60_000,
      'a bar',
      runSwarm(join(), {
        world: String(count),
        find,
        ...PATIENT,
        nodes: 2,
        columns: 4,
        steps: 4,
        balance: false,
        checkpointEvery: 100,
      }),
    );
    await Promise.all(services.map(service => service.close()));
    bytes.push(rows.reduce((total, row) => total + sum(row, node => node.sentBytes), 0) / rows.length);
    const border = sum(rows[0], node => node.localBodies) - count;
    console.log(
      `counted: ${count} bodies: ${bytes.at(-1)!.toFixed(0)} bytes per step between two nodes, ${border} bodies in the border`,
    );
    // The limit allows 1,600 bytes for message headers. For each body in the border and for 30 more bodies,
    // the limit allows 240 bytes: an id, 24 doubles, and one contact of 40 bytes.
    assert.ok(
      rows.every(row => sum(row, node => node.sentBytes) < 4 * 400 + 240 * (border + 30)),
      `${bytes.at(-1)}`,
    );
  }
  assert.ok(Math.max(...bytes) < 1.6 * Math.min(...bytes), bytes.join(' '));
});

test.slow(
  'if robots crowd, balancing keeps the max load at most 15 % above the mean, and lower than without balancing',
  async () => {
    const settled = async (balance: number | false): Promise<number> => {
      const { rows } = await withHub(3, undefined, hub =>
        hub.run('robots skewed 1200 1', { ...PATIENT, nodes: 3, steps: 36, balance }),
      );
      const loads = new Map<number, number>();
      for (const { nodes } of rows.slice(18))
        for (const { id, contacts } of nodes) loads.set(id, (loads.get(id) ?? 0) + contacts);
      const all = [...loads.values()];
      return (Math.max(...all) * all.length) / all.reduce((total, load) => total + load, 0);
    };
    const [balanced, left] = [await settled(0.1), await settled(false)];
    console.log(`counted: max load / mean load ${balanced.toFixed(3)}, without balancing ${left.toFixed(3)}`);
    assert.ok(balanced <= 1.15 && balanced < left, `${balanced}, ${left}`);
  },
);

test('if all robots start in one corner, balancing moves columns, divides the work, and changes no result', async () => {
  const world = 'robots corner 150 1';
  const steps = 24;
  const expected = digests(await singleProcessRows(world, steps));
  const run = async (balance: number | false): Promise<{ moved: number; imbalance: number }> => {
    const { rows, states } = await withHub(4, undefined, hub =>
      hub.run(world, { ...PATIENT, nodes: 4, steps, columns: 3, load: 'tested', smoothing: 1, balance }),
    );
    assert.equal(digests(rows), expected);
    assert.is(states.length, 150 * findRobots(world)!.stateLength);
    // The work of each node in the last eight steps: the number of body pairs whose features are tested.
    const tested = [0, 1, 2, 3].map(node =>
      rows.slice(-8).reduce((total, row) => total + row.nodes[node].tested, 0),
    );
    return {
      moved: rows.reduce((count, { moves }) => count + moves.length, 0),
      imbalance: (Math.max(...tested) * 4) / tested.reduce((all, one) => all + one),
    };
  };
  const [balanced, left] = [await run(0.1), await run(false)];
  console.log(
    `counted: max load / mean load ${balanced.imbalance.toFixed(3)} after ${balanced.moved} moves, without balancing ${left.imbalance.toFixed(3)}`,
  );
  assert.is(left.moved, 0);
  assert.ok(balanced.moved >= 5, `${balanced.moved}`);
  assert.ok(balanced.imbalance < 1.6 && left.imbalance > 3, `${balanced.imbalance}, ${left.imbalance}`);
});

test.run();
