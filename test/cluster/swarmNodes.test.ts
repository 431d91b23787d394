// Tests that swarms of 1, 2, 4 and 16 node processes over NATS give the results of one process, even while
// node processes join, leave, or are killed (SIGKILL).

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import {
  connectNats,
  type Link,
  type ReferenceRow,
  runSwarm,
  type SwarmOptions,
  type SwarmRow,
  stepSingleProcess,
} from '../../dist/cluster/index.js';
import { Offer } from '../../dist/cluster/swarm/messages.js';
import { findWorld, robotWorldName } from '../../dist/cluster/worlds.js';
import { digests, disposeEngine, sharedEngine, withHub } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { type Broker, nodeProcess, type Restartable, startBroker } from './clusterProcesses.js';

const STEPS = 10;
const LONGER = 18;
const COUNT = 300;
const world = robotWorldName(COUNT, 'skewed', 2);
const nodes: Restartable[] = [];
let broker: Broker;
let link: Link;
let singleProcess: ReferenceRow[];

test.before(async () => {
  singleProcess = [...stepSingleProcess(await sharedEngine(), findWorld(world)!, LONGER)];
  broker = await startBroker();
  link = await connectNats({ servers: broker.url });
});
test.after(async () => {
  await Promise.all(nodes.map(node => node.kill()));
  await link?.close();
  await broker?.kill();
  disposeEngine();
});

async function start(cluster: string, count: number): Promise<Restartable[]> {
  const started = Array.from({ length: count }, (_, i) =>
    nodeProcess({ url: broker.url, cluster, name: `node-${i}` }),
  );
  nodes.push(...started);
  // On a busy machine, 16 processes that connect at the same time may exceed the time limit for a connection.
  for (let first = 0; first < count; first += 4)
    await Promise.all(started.slice(first, first + 4).map(node => node.start()));
  return started;
}

async function run(
  options: Partial<SwarmOptions> & Pick<SwarmOptions, 'nodes' | 'cluster'>,
): Promise<SwarmRow[]> {
  const { rows } = await within(
    50_000,
    'a swarm',
    runSwarm(link, { world, find: findWorld, steps: STEPS, retryInterval: 50, patience: 20_000, ...options }),
  );
  return rows;
}

test.proof('1, 2, 4 and 16 processes give the contacts and states of one process', async () => {
  await start('many', 16);
  for (const count of [1, 2, 4, 16]) {
    const rows = await run({ cluster: 'many', nodes: count, collect: true });
    assert.equal(digests(rows), digests(singleProcess.slice(0, STEPS)), `${count} processes`);
    rows.forEach(({ collected, nodes: used }, i) => {
      assert.equal(collected, singleProcess[i].collected);
      assert.is(used.length, count);
    });
  }
  await Promise.all(nodes.splice(0).map(node => node.kill()));
});

test.slow('processes may join, leave and be killed, and all steps equal those of one process', async () => {
  const [first] = await start('changing', 3);
  const watch = new Channel(link);
  const offers = new Set<number>();
  watch.receive('pfront.changing.run.*.*', [
    messageHandler(Offer, ({ from }) => {
      offers.add(from);
    }),
  ]);
  let late: Restartable | undefined;
  let stage: 'nothing' | 'leave' | 'all' = 'nothing';
  const rows = await run({
    cluster: 'changing',
    nodes: 3,
    maxNodes: 5,
    steps: LONGER,
    checkpointEvery: 3,
    patience: 6000,
    async onStep({ step, nodes: { length } }) {
      if (step === 2 && !late) {
        [late] = await start('changing', 1);
        await until('an offer of the fourth node', () => offers.size === 4);
        await link.flush();
      }
      // SIGTERM lets the process leave the swarm cleanly; SIGKILL, which kill() sends, does not.
      if (length === 4 && stage === 'nothing') {
        process.kill(late!.pid!, 'SIGTERM');
        stage = 'leave';
      } else if (length === 3 && stage === 'leave') {
        stage = 'all';
        await first!.kill();
      }
    },
  });
  watch.dispose();
  assert.equal(digests(rows), digests(singleProcess));
  assert.equal([rows[0].restarts, rows.at(-1)!.restarts, rows.at(-1)!.nodes.length, stage], [0, 1, 2, 'all']);
});

test('node processes send as many messages and bytes as nodes in one process', async () => {
  const options = { nodes: 2, steps: 4, balance: false } as const;
  await start('traffic', 2);
  const processes = await within(
    50_000,
    'a swarm',
    runSwarm(link, {
      ...options,
      cluster: 'traffic',
      world: robotWorldName(COUNT, 'corner', 2),
      find: findWorld,
      columns: 2,
      patience: 20_000,
      retryInterval: 10_000,
    }),
  );
  const { rows, states } = await withHub(2, undefined, hub =>
    hub.run(`robots corner ${COUNT} 2`, {
      ...options,
      columns: 2,
      patience: 20_000,
      retryInterval: 10_000,
    }),
  );
  const counted = (of: readonly SwarmRow[]): number[][] =>
    of.map(({ nodes: all }) => [
      ...(['arrived', 'localBodies', 'featurePairs', 'sentBytes', 'sentMessages'] as const).map(name =>
        all.reduce((sum, node) => sum + node[name], 0),
      ),
    ]);
  assert.equal(digests(processes.rows), digests(rows));
  assert.equal(processes.states, states);
  assert.equal(counted(processes.rows), counted(rows));
});

test.run();
