// Sends forged messages to nodes and coordinators. Tests that they do not crash, that memory stays bounded,
// and that results equal those of one engine.

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import {
  type Link,
  makeHub,
  openBoxPairs,
  openJobs,
  runSwarm,
  startNode,
  submitBoxPairs,
} from '../../dist/cluster/index.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import { Invite, Offer } from '../../dist/cluster/swarm/messages.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { createEngine } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { findRobots } from '../support/robotWorlds.js';
import { test } from '../support/test.js';
import { sleep, until } from '../support/within.js';
import { boundedTest, type Opened } from './bounded.js';
import { Listener } from './mutations.js';
import { singleProcessResult, tinyJob } from './tinyJob.js';
import { withoutUncaught } from './uncaught.js';

const FORGED = 6000;

/** Sends `count` forged messages, several per turn of the event loop. */
async function sendForged(
  link: Link,
  forged: Iterator<{ subject: string; packets: Uint8Array[] }>,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { subject, packets } = forged.next().value as { subject: string; packets: Uint8Array[] };
    for (const packet of packets) link.publish(subject, packet);
    if (i % 20 === 19) await sleep(1);
  }
}

async function cluster(
  opened: Opened,
  worlds?: typeof findRobots,
): Promise<{ join: () => Link; listener: Listener }> {
  const hub = makeHub();
  const join = (): Link => opened.add(hub());
  const listener = new Listener(join());
  for (let i = 0; i < 2; i++)
    opened.add(await startNode(join(), { threads: 1, ...(worlds ? { worlds } : {}) }));
  return { join, listener };
}

const boxes = sphereBoxes(3000, { radius: 0.5, side: 18 }, 1);

boundedTest(
  'jobs and box pairs give the same results despite forged messages, and nothing crashes',
  60,
  async opened =>
    withoutUncaught(async () => {
      const { join, listener } = await cluster(opened);
      const link = join();
      const jobs = opened.add(await openJobs({ where: 'cluster', link, patience: 20_000 }));
      const job = tinyJob(300);
      const expected = await singleProcessResult(job);
      const engine = await createEngine({ threads: 1 });
      const pairs = engine.boxPairs(boxes).copy();
      engine.dispose();
      const session = openBoxPairs(link, boxes, { nodes: 2, patience: 20_000 });
      const check = async (): Promise<void> => {
        session.move(Uint32Array.of(7), boxes.slice(42, 48));
        const [{ a, b, pairsAt }, found, frame] = await Promise.all([
          jobs.submit({ kind: 'meshPairs', ...job }).wait(),
          submitBoxPairs(link, boxes, { nodes: 2, patience: 20_000 }).wait(),
          session.pairs(),
        ]);
        assert.equal([frame.a, frame.b], [pairs.a, pairs.b]);
        assert.equal([pairsAt, a, b], [expected.pairsAt, expected.a, expected.b]);
        assert.equal([found.a, found.b], [pairs.a, pairs.b]);
      };
      await check();
      // A coordinator sends its last message, RunEnded, only after the caller has the answer, so this message
      // may arrive late.
      await until('messages of eight kinds', () => listener.kinds.size >= 8);
      const forged = listener.lies(1);
      const liar = join();
      const before = process.memoryUsage().rss;
      await Promise.all([sendForged(liar, forged, FORGED), check()]);
      await check();
      session.close();
      assert.ok(
        process.memoryUsage().rss - before < 800e6,
        `memory grew by ${process.memoryUsage().rss - before} bytes`,
      );
      console.log(
        `\ncounted: ${FORGED} forged messages of ${listener.kinds.size} kinds to nodes and coordinators of jobs`,
      );
    }),
);

boundedTest(
  'forged messages, among them invitations to swarms, do not crash nodes whose swarm has ended',
  60,
  async opened =>
    withoutUncaught(async () => {
      const { join, listener } = await cluster(opened, findRobots);
      const link = join();
      const options = { world: 'robots random 60 7', find: findRobots, nodes: 2, steps: 3 };
      const { rows } = await runSwarm(link, options);
      assert.is(rows.length, 3);
      await until('messages of five kinds', () => listener.kinds.size >= 5);
      await sendForged(join(), listener.lies(2), FORGED);
    }),
);

test('if a coordinator stays silent after its invitation, the invited node joins another swarm after a minute', async () => {
  const join = makeHub();
  const engine = await createEngine({ threads: 1 });
  const service = swarmService(findRobots)({ id: 7, name: 'node', cluster: 'pfront', link: join(), engine });
  const outsider = new Channel(join());
  const offered = new Set<number>();
  const invite = (number: number): void => {
    const values = { patience: 86_400_000, retryInterval: 10 };
    outsider.send(
      subjectsOf('pfront').swarms,
      Invite,
      { run: [number, number], step: 0, from: number },
      { ...values, world: new TextEncoder().encode('robots random 20 1') },
    );
  };
  for (const number of [1, 2])
    outsider.receive(subjectsOf('pfront').run([number, number]), [
      messageHandler(Offer, () => void offered.add(number)),
    ]);
  invite(1);
  await until('an offer', () => offered.has(1), 500);
  const now = performance.now.bind(performance);
  performance.now = () => now() + 61_000;
  try {
    await until(
      'an offer to another swarm',
      () => {
        invite(2);
        return offered.has(2);
      },
      500,
    );
  } finally {
    performance.now = now;
    outsider.dispose();
    await service.close();
    engine.dispose();
  }
});

test.run();
