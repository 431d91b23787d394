// Tests that forged messages have no effect. A result counts only if it comes from the node to which its task
// was assigned, and a report only if it comes from the node that it names. A node accepts no more tasks and
// data than it has offered to hold.
import * as assert from 'uvu/assert';
import { Channel } from '../../dist/cluster/channel.js';
import { type Link, makeHub, openJobs, startNode } from '../../dist/cluster/index.js';
import { Bodies, Grant } from '../../dist/cluster/jobs/messages.js';
import { PairTask } from '../../dist/cluster/jobs/pairTasks.js';
import { splitMessage } from '../../dist/cluster/messageAssembler.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import { test } from '../support/test.js';
import { sleep, until } from '../support/within.js';
import { boundedTest, type Opened } from './bounded.js';
import { Forger } from './forger.js';
import { singleProcessResult, type TinyJob, tinyJob } from './tinyJob.js';

const TASKS = 52;
const all = Array.from({ length: TASKS }, (_, i) => i);

/**
 * Runs a job with one pair per task on one node, and asserts that the result is correct. act: lets a forger
 * send messages; called at each announcement of the run.
 */
async function runForged(
  opened: Opened,
  act: (forger: Forger, run: readonly [number, number], node: number) => void,
): Promise<{ refused: number; reassigned: number; nodes: number }> {
  const join = makeHub();
  const add = (): Link => opened.add(join());
  const job: TinyJob = tinyJob(TASKS);
  const expected = await singleProcessResult(job);
  assert.ok(expected.a.length > 100);
  // The forger joins first, so that it hears of the run before the node does.
  const forger = new Forger(add(), run => act(forger, run, node.id));
  const node = opened.add(await startNode(add(), { threads: 1 }));
  const jobs = opened.add(await openJobs({ where: 'cluster', link: add(), patience: 20_000 }));
  const submitted = jobs.submit({ kind: 'meshPairs', ...job, pairsPerTask: 1 });
  const { a, b, pairsAt } = await submitted.wait();
  assert.equal([pairsAt, a, b], [expected.pairsAt, expected.a, expected.b]);
  return submitted.stats;
}

boundedTest(
  'forged results in the name of an unknown node, and of the node that has the tasks, are refused and counted',
  20,
  async opened => {
    const { refused, nodes } = await runForged(opened, (forger, run, node) => {
      for (const name of [7, node]) {
        forger.finish(run, name, all);
        forger.finish(run, name, all, { membership: 1, leases: all.map(task => task + 1) });
      }
    });
    assert.ok(refused >= 2, `${refused} refused`);
    assert.is(nodes, 1);
  },
);

boundedTest(
  'a member of a run cannot finish tasks of other nodes, not even with the token of its own task',
  20,
  async opened => {
    const spy = 99;
    let secret = 0;
    let heard = false;
    const { refused } = await runForged(opened, (forger, run) => {
      if (!heard)
        forger.onGrant(spy, ({ membership, tasks, leases }) => {
          secret = membership;
          // Offers once to take one task. When this task is assigned, uses the token of the task to finish all
          // other tasks instead.
          if (tasks.length === 0) return forger.report(run, spy, { slots: 1, membership, step: 1 });
          const others = all.filter(task => task !== tasks[0]);
          forger.finish(run, spy, others, { membership, leases: others.map(() => leases[0]) });
          forger.report(run, spy, { isLeaving: 1, membership, step: 2 });
        });
      heard = true;
      forger.report(run, spy, { step: 0 });
      forger.finish(run, spy, all, { membership: secret });
    });
    assert.ok(secret > 0, 'the spy did not become a member');
    assert.ok(refused >= TASKS - 1, `${refused} refused`);
  },
);

boundedTest(
  'a forged report in the name of a node neither ends the leases of this node nor replaces its true reports',
  20,
  async opened => {
    const { reassigned, refused } = await runForged(opened, (forger, run, node) => {
      const forge = (): void => {
        forger.report(run, node, { isLeaving: 1, membership: 5 });
        forger.report(run, node, { slots: 60_000, membership: 6 });
      };
      forge();
      for (const at of [5, 20, 50]) setTimeout(forge, at);
    });
    assert.is(reassigned, 0);
    assert.ok(refused >= 2, `${refused} refused`);
  },
);

boundedTest(
  'if the only node sends reports, but never accepts or never finishes a task, the job ends with an error',
  30,
  async opened => {
    for (const [slots, expected] of [
      [0, /no node accepted task 0 within 200 ms/],
      [8, /node forged \(63\) did not finish task \d+ within 800 ms/],
    ] as const) {
      const join = makeHub();
      const link = opened.add(join());
      let step = 1;
      const held = new Set<number>();
      const forger = new Forger(opened.add(join()), run => forger.report(run, 99, { step: 0 }));
      forger.onGrant(99, ({ run, membership, tasks }) => {
        for (const task of tasks) held.add(task);
        forger.report(run, 99, { slots, membership, holds: [...held], step: step++ });
        if (timer) return;
        timer = setInterval(
          () => forger.report(run, 99, { slots, membership, holds: [...held], step: step++ }),
          20,
        );
      });
      let timer: NodeJS.Timeout | undefined;
      const jobs = opened.add(await openJobs({ where: 'cluster', link, patience: 200 }));
      const message = await jobs
        .submit({ kind: 'meshPairs', ...tinyJob(4), pairsPerTask: 1 })
        .wait()
        .then(
          () => 'no error',
          (error: Error) => error.message,
        );
      clearInterval(timer);
      assert.match(message, expected);
    }
  },
);

boundedTest('a node accepts only as many tasks as it has offered to hold', 20, async opened => {
  const join = makeHub();
  const node = opened.add(await startNode(join(), { threads: 1 }));
  const caller = new Channel(join());
  const subject = subjectsOf('pfront').node(node.id);
  const heading = { run: [1, 2] as const, step: 1, from: 3 };
  // The mesh that the tasks need never arrives, so the tasks stay unfinished on the node.
  const body = PairTask.encode(heading, {
    want: 0,
    clearance: -1,
    hashes: new Uint32Array(8),
    a: Uint32Array.of(0),
    b: Uint32Array.of(0),
    placeA: Uint32Array.of(0),
    placeB: Uint32Array.of(0),
    places: new Float64Array(0),
  });
  for (let message = 0; message < 50; message++) {
    const bodies = new Bodies();
    for (let i = 0; i < 1000; i++) bodies.add(1000 * message + i, 1, body);
    caller.send(subject, Grant, heading, {
      taskKind: 1,
      membership: 1,
      settled: new Uint32Array(0),
      ...bodies.values(),
    });
  }
  await until('the tasks', () => node.work.held > 0);
  await sleep(200);
  assert.ok(node.work.held <= 16, `${node.work.held} tasks are held`);
});

boundedTest.slow(
  '800 MB of incomplete messages to all subjects of a node take less than 220 MB of its memory',
  60,
  async opened => {
    const join = makeHub();
    const node = opened.add(await startNode(opened.add(join()), { threads: 1, worlds: () => undefined }));
    const link = opened.add(join());
    const { open, swarms, node: nodeSubject, blocks } = subjectsOf('pfront');
    const subjects = [open, swarms, nodeSubject(node.id), blocks(node.id)];
    const [first] = splitMessage(new Uint8Array(2 ** 22), 2 ** 20);
    const before = process.memoryUsage().arrayBuffers;
    // Sends 800 MB. Each packet is the first packet of a different message whose other packets are never
    // sent.
    for (let i = 0; i < 200; i++) {
      for (const subject of subjects) {
        const packet = first!.slice();
        crypto.getRandomValues(new Uint32Array(packet.buffer, 0, 2));
        new DataView(packet.buffer).setUint32(24, i, true);
        link.publish(subject, packet);
      }
      await sleep(1);
    }
    global.gc?.();
    await until('the memory of the node', () => process.memoryUsage().arrayBuffers - before < 220e6);
  },
);

test.run();
