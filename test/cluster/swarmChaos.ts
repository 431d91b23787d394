// Runs swarms on node processes while messages are lost, duplicated and delayed, one node is stopped, one
// node is killed, and the broker is killed.
import * as assert from 'uvu/assert';
import { runSwarm, type SwarmRow, stepSingleProcess } from '../../dist/cluster/index.js';
import { findWorld, robotWorldName } from '../../dist/cluster/worlds.js';
import { CollisionError, createEngine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { within } from '../support/within.js';
import { type ChaosField, openField } from './chaosField.js';
import type { Event } from './chaosPlan.js';

const STEPS = 12;
const BODIES = 300;
const PATIENCE = 2500;
export interface SwarmChaosRow {
  seed: number;
  messages: number;
  dropped: number;
  doubled: number;
  kills: number;
  hangs: number;
  restarts: number;
  seconds: number;
  /** The reason, if the swarm could not continue. */
  error?: string;
}

const digests = (rows: readonly Pick<SwarmRow, 'contacts' | 'contactDigest' | 'stateDigest'>[]): string =>
  rows
    .map(({ contacts, contactDigest, stateDigest }) => `${contacts} ${contactDigest} ${stateDigest}`)
    .join('\n');

async function singleProcessDigests(world: string): Promise<string> {
  const engine = await createEngine({ threads: 1 });
  try {
    return digests([...stepSingleProcess(engine, findWorld(world)!, STEPS)]);
  } finally {
    engine.dispose();
  }
}

/**
 * Runs a swarm under faults that the seed determines. @throws if any step differs from the same step in one
 * process, or if the swarm ends with an error whose code is not Cluster
 */
async function swarmThroughChaos(field: ChaosField, seed: number): Promise<SwarmChaosRow> {
  const world = robotWorldName(BODIES, 'skewed', seed);
  const right = await singleProcessDigests(world);
  const random = createRandom(seed);
  const rows = new Map<number, SwarmRow>();
  const nodes = field.nodes.length;
  const before = { ...field.faultCounts };
  const pending: Promise<void>[] = [];
  const events: Event[] = [
    // If the stop is short, the swarm waits for the node. After a stop longer than PATIENCE, the swarm
    // continues without it.
    {
      fault: 'hang node',
      node: random.below(nodes),
      milliseconds: seed % 2 === 0 ? 500 : 1.6 * PATIENCE,
      when: 2,
    },
    { fault: 'kill node', node: random.below(nodes), milliseconds: 0, when: 5 },
    { fault: 'kill broker', milliseconds: random.below(300), when: 8 },
  ];
  field.proxy.begin(seed, { drop: 0.2, double: 0.2, late: 0.2, delay: [0, 100] });
  const began = performance.now();
  let error: string | undefined;
  try {
    await within(
      60_000,
      `swarm ${seed}`,
      runSwarm(field.link, {
        world,
        find: findWorld,
        steps: STEPS,
        nodes,
        minNodes: 1,
        cluster: field.cluster,
        checkpointEvery: 3,
        patience: PATIENCE,
        retryInterval: 15,
        onStep(row) {
          rows.set(row.step, row);
          while (events.length > 0 && row.step >= events[0].when) pending.push(field.inject(events.shift()!));
        },
      }),
    );
    const found = digests([...rows.values()].sort((a, b) => a.step - b.step));
    if (found !== right)
      throw new Error(`seed ${seed}: steps differ from one process; found:\n${found}\nexpected:\n${right}`);
  } catch (thrown) {
    if (!(thrown instanceof CollisionError) || thrown.code !== 'Cluster') throw thrown;
    error = thrown.message;
  } finally {
    await within(30_000, 'the end of all faults', Promise.all(pending));
    await field.mend();
  }
  const { messages, dropped, doubled } = field.proxy.counts;
  const kills = field.faultCounts.kills - before.kills;
  const hangs = field.faultCounts.hangs - before.hangs;
  return {
    seed,
    messages,
    dropped,
    doubled,
    kills,
    hangs,
    restarts: Math.max(0, ...[...rows.values()].map(({ restarts }) => restarts)),
    seconds: (performance.now() - began) / 1000,
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * Runs one swarm for each of `count` consecutive seeds, from `first` on. Checks that the steps equal those of
 * one process, and that the swarm recovers from all faults without intervention.
 */
export async function checkSwarms(first: number, count: number): Promise<void> {
  const field = await openField(3, 'swarms');
  let restarts = 0;
  try {
    for (let seed = first; seed < first + count; seed++) {
      const row = await swarmThroughChaos(field, seed);
      console.log(JSON.stringify(row));
      assert.is(row.error, undefined);
      assert.equal([row.kills, row.hangs], [2, 1]);
      assert.ok(row.dropped > 10 && row.doubled > 10);
      restarts += row.restarts;
    }
  } finally {
    await field.close();
  }
  // One node was killed per seed, and the swarm restarts without it.
  assert.ok(restarts >= count, `${restarts} restarts`);
}
