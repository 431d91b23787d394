// Runs jobs while a hostile node sends thousands of messages about them: changed copies and replays of
// messages that it has received, false reports, and false results. Some of the false results contain the
// secrets of tasks that were assigned to the hostile node.
import * as assert from 'uvu/assert';
import { type Link, openJobs, startNode } from '../../dist/cluster/index.js';
import type { Packet } from '../../dist/cluster/link.js';
import { splitMessage } from '../../dist/cluster/messageAssembler.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { sleep } from '../support/within.js';
import type { Opened } from './bounded.js';
import { Forger } from './forger.js';
import { Listener } from './mutations.js';
import { singleProcessResult, tinyJob } from './tinyJob.js';

/**
 * Mesh pairs per job. The coordinator checks the results of up to 64 pairs per job, and thus all pairs here.
 */
const PAIRS = 60;
const HEADER = 32;
const SPY = 77;
const REPLAYED = 500;
/** Messages between two yields to the event loop. */
const BURST = 50;

class HostileNode {
  sent = 0;
  private readonly link: Link;
  private readonly random: Random;
  private readonly listener: Listener;
  private readonly forger: Forger;
  private readonly overheard: Packet[] = [];
  private readonly names: readonly number[];
  private forged: Iterator<{ subject: string; packets: Uint8Array[] }> | undefined;
  private run: readonly [number, number] = [0, 0];
  private membership = 0;
  private readonly leases = new Map<number, number>();

  /** names: the ids of honest nodes. */
  constructor(link: Link, names: readonly number[], seed: number) {
    this.link = link;
    this.names = names;
    this.random = createRandom(seed);
    this.listener = new Listener(link);
    link.subscribe('pfront.>', ({ subject, data }) => {
      if (this.overheard.length < REPLAYED) this.overheard.push({ subject, data: new Uint8Array(data) });
      else this.overheard[this.random.below(REPLAYED)] = { subject, data: new Uint8Array(data) };
    });
    this.forger = new Forger(link, run => {
      if (run[0] !== this.run[0] || run[1] !== this.run[1]) this.leases.clear();
      this.run = run;
      this.forger.report(run, SPY, { membership: this.membership, slots: this.random.below(4) });
    });
    this.forger.onGrant(SPY, ({ run, membership, tasks, leases }) => {
      this.membership = membership;
      tasks.forEach((task, i) => this.leases.set(task, leases[i]!));
      if (tasks.length === 0)
        this.forger.report(run, SPY, { membership, slots: 2, step: this.random.bits() });
    });
  }

  sendOne(): void {
    this.sent++;
    const way = this.random.below(10);
    if (way < 6) this.sendChanged();
    else if (way === 6 && this.overheard.length > 0) {
      const { subject, data } = this.overheard[this.random.below(this.overheard.length)]!;
      this.link.publish(subject, data);
    } else if (way === 7)
      this.forger.report(this.run, this.anyName(), {
        membership: this.anySecret(),
        slots: this.random.below(3) === 0 ? this.random.below(65_536) : 0,
        isLeaving: this.random.below(2),
      });
    else {
      const tasks = Array.from({ length: 1 + this.random.below(20) }, () => this.random.below(PAIRS + 5));
      const own = [...this.leases.keys()];
      if (own.length > 0 && this.random.below(2) === 0) tasks.push(own[this.random.below(own.length)]!);
      this.forger.finish(this.run, this.anyName(), tasks, {
        membership: this.anySecret(),
        leases: tasks.map(task => this.leases.get(task) ?? this.random.below(2 ** 31)),
      });
    }
  }

  // Sends a changed copy of a message, mostly to the coordinator of the current run.
  private sendChanged(): void {
    this.forged ??= this.listener.lies(this.random.bits());
    const { subject, packets } = this.forged.next().value as { subject: string; packets: Uint8Array[] };
    const message = packets[0]!.slice(HEADER);
    if (packets.length > 1 || message.length < HEADER) return this.link.publish(subject, packets[0]!);
    const view = new DataView(message.buffer);
    const isLive = this.random.below(4) > 0;
    if (isLive) for (const i of [0, 1]) view.setUint32(16 + 4 * i, this.run[i]!, true);
    if (this.random.below(2) === 0) view.setUint32(28, this.anyName(), true);
    const target = isLive && this.random.below(4) > 0 ? subjectsOf('pfront').run(this.run) : subject;
    for (const packet of splitMessage(message, 1 << 20, this.random.bits())) {
      // Changes a word of some packets' headers. Such a packet may claim to be part of a larger message.
      if (this.random.below(16) === 0)
        new DataView(packet.buffer).setUint32(4 * this.random.below(8), this.random.bits(), true);
      this.link.publish(target, packet);
    }
  }

  private anyName(): number {
    const way = this.random.below(4);
    return way === 0
      ? this.random.bits()
      : way === 1
        ? SPY
        : this.names[this.random.below(this.names.length)]!;
  }
  private anySecret(): number {
    const way = this.random.below(3);
    return way === 0 ? 0 : way === 1 ? this.membership : this.random.below(2 ** 31);
  }
}

/**
 * Runs jobs until a hostile node has sent `messages` messages about them, and until more than `minRefused` of
 * these were refused. On a fast machine, a job may end before many of the messages arrive. Then the node sends
 * more messages, up to about 20 times `messages` in total. Asserts that every answer is right, that enough
 * messages were refused, and that memory stays bounded.
 * @returns how many jobs ran, how many messages were sent, how many messages and results were refused, and how
 * many nodes were excluded
 */
export async function runAmongHostile(
  opened: Opened,
  join: () => Promise<Link>,
  seed: number,
  messages: number,
  minRefused: number,
): Promise<{ jobs: number; messages: number; refused: number; excluded: number }> {
  const job = tinyJob(PAIRS, seed);
  const expected = await singleProcessResult(job);
  const nodes = [opened.add(await startNode(await join())), opened.add(await startNode(await join()))];
  const hostile = new HostileNode(
    await join(),
    nodes.map(({ id }) => id),
    seed,
  );
  const server = opened.add(await openJobs({ where: 'cluster', link: await join(), patience: 30_000 }));
  const result = { jobs: 0, messages: 0, refused: 0, excluded: 0 };
  const run = async (): Promise<void> => {
    const submitted = server.submit({ kind: 'meshPairs', ...job, pairsPerTask: 1 });
    const { pairsAt, a, b } = await submitted.wait();
    assert.equal([pairsAt, a, b], [expected.pairsAt, expected.a, expected.b], `job ${result.jobs}`);
    result.jobs++;
    result.refused += submitted.stats.refused;
    result.excluded += submitted.stats.excluded.length;
  };
  // The first job runs undisturbed, so that the hostile node hears its messages.
  await run();
  const before = process.memoryUsage();
  while (hostile.sent < messages || (result.refused <= minRefused && hostile.sent < 20 * messages)) {
    let isOver = false;
    const running = run().finally(() => {
      isOver = true;
    });
    // Sends up to 2000 messages while the job runs, and at least one burst even if the job ends at once.
    for (let sent = 0; sent < 2000 && !(isOver && sent >= BURST); ) {
      for (let i = 0; i < BURST; i++, sent++) hostile.sendOne();
      await sleep(0);
    }
    await running;
  }
  await run();
  const grown = process.memoryUsage().rss - before.rss;
  assert.ok(grown < 600e6, `memory grew by ${grown} bytes`);
  assert.ok(result.refused > minRefused, `${result.refused} refused of ${hostile.sent}`);
  result.messages = hostile.sent;
  return result;
}
