// Runs forty swarms (simulations of moving bodies on several nodes) with seeded faults: packets are lost,
// duplicated and delayed, and nodes join, leave, crash, hang and come back. Tests that the results always
// equal those of a single process.

import * as assert from 'uvu/assert';
import { createRandom } from '../../dist/samples/index.js';
import { digests, disposeEngine, lossyNetwork, singleProcessRows, withHub } from '../support/swarmHub.js';
import { test } from '../support/test.js';

const STEPS = 14;
test.after(disposeEngine);

for (let seed = 1; seed <= 40; seed++) {
  test(`seed ${seed} gives the results of one process`, async () => {
    const random = createRandom(seed);
    const world = `robots ${seed % 2 === 0 ? 'random' : 'skewed'} ${150 + random.below(250)} ${seed}`;
    const expected = await singleProcessRows(world, STEPS);
    const nodes = 2 + random.below(6);
    const done = new Set<number>();
    const plan = Array.from({ length: 4 }, () => ({
      step: 2 + random.below(STEPS - 3),
      what: random.below(4),
      whom: random.below(nodes),
    }));
    const { rows } = await withHub(
      nodes,
      lossyNetwork(seed, { delay: 12 }),
      hub =>
        hub.run(world, {
          nodes,
          maxNodes: nodes + 2,
          steps: STEPS,
          retryInterval: 15,
          patience: 600,
          checkpointEvery: 1 + random.below(6),
          balance: random.below(3) > 0 ? 0.05 : false,
          onStep({ step }) {
            for (const [i, event] of plan.entries()) {
              if (event.step !== step || done.has(i)) continue;
              done.add(i);
              const node = hub.nodes[event.whom];
              if (event.what === 0) hub.add(1);
              // The first node never leaves or crashes, because a swarm without nodes ends with an error.
              // Instead of crashing, the first node hangs.
              else if (event.what === 1) {
                if (event.whom > 0) void node.leave();
              } else if (event.what === 2 && event.whom > 0) node.kill();
              else {
                node.hang();
                setTimeout(() => node.resume(), 1500);
              }
            }
          },
        }),
      seed % 3 === 0 ? 4096 : undefined,
    );
    assert.equal(digests(rows), digests(expected), JSON.stringify(plan));
    console.log(
      `counted: seed ${seed}: ${nodes} nodes, ${rows.at(-1)!.nodes.length} at the end, restarted ${rows.at(-1)!.restarts} times, ${rows.reduce((count, { moves }) => count + moves.length, 0)} columns moved`,
    );
  });
}

test.run();
