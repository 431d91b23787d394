// Tests the option `verify` of runSwarm: a swarm with a member that computes false states or hides contacts
// ends with an error that names the step and the members, and the results of honest members are accepted.
import * as assert from 'uvu/assert';
import {
  makeHub,
  runSwarm,
  type SwarmOptions,
  type SwarmWorld,
  startNode,
} from '../../dist/cluster/index.js';
import { caughtLater } from '../support/engines.js';
import { findRobots } from '../support/robotWorlds.js';
import { digests, disposeEngine, singleProcessRows } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { boundedTest, type Opened } from './bounded.js';

test.after(disposeEngine);

const name = 'robots skewed 150 3';
const world = findRobots(name)!;
const STEPS = 6;

/** Runs a swarm with one honest node, and one node that simulates `lie` instead of the world. */
async function run(opened: Opened, lie: SwarmWorld, options: Partial<SwarmOptions>) {
  const hub = makeHub();
  for (const [node, worlds] of [
    ['honest', findRobots],
    ['liar', () => lie],
  ] as const)
    opened.add(await startNode(opened.add(hub()), { name: node, worlds }));
  return runSwarm(opened.add(hub()), {
    world: name,
    find: findRobots,
    nodes: 2,
    steps: STEPS,
    checkpointEvery: 2,
    ...options,
  });
}

/** Moves every body a little further in step 3. */
const movesFurther: SwarmWorld = {
  ...world,
  advance(body, state, step) {
    world.advance(body, state, step);
    if (step === 3) state[0]! += 1e-6;
  },
};
/** Ignores all contacts from step 3 on. */
const ignoresContacts: SwarmWorld = {
  ...world,
  respond(body, state, step, contacts) {
    if (step < 3) world.respond(body, state, step, contacts);
  },
};

boundedTest('with verify, false states of a member end the swarm with an error', 60, async opened => {
  const expected = await singleProcessRows(name, STEPS);
  assert.ok(expected[2]!.contacts > 0);
  for (const lie of [movesFurther, ignoresContacts]) {
    const { name: kind, message } = await caughtLater(() => run(opened, lie, { verify: 1 }));
    assert.match(
      `${kind} ${message}`,
      /Cluster the (states|contacts) of step [3-6] are false; the members were node (honest|liar) \([\da-f]+\), node (honest|liar) \([\da-f]+\)/,
    );
    // By default, the members are trusted.
    const { rows } = await run(opened, lie, {});
    assert.equal(digests(rows).slice(0, 2), digests(expected).slice(0, 2));
    assert.not.equal(digests(rows), digests(expected));
  }
});

boundedTest('with verify, the results of honest members are accepted', 60, async opened => {
  const expected = await singleProcessRows(name, STEPS);
  for (const verify of [0.5, 1]) {
    const { rows } = await run(opened, world, { verify, collect: true });
    assert.equal(digests(rows), digests(expected));
  }
  const { message } = await caughtLater(() => run(opened, world, { verify: 2 }));
  assert.match(message, /verify is 2, not a number from 0 to 1/);
});

test.run();
