// A node's part of box pairs by octrees: takes tasks, fetches what they need from those who have it, keeps results until the run is over.
import type { CollisionError } from '../../errors.js';
import { Channel, taker } from '../channel.js';
import { bytesOf } from './listCode.js';
import type { StartService, NodeHost } from '../nodeHost.js';
import { subjectsOf } from '../subjects.js';
import { Done, Fetch, Gone, Invite, Offer, Over, Piece, Task, Trouble } from './messages.js';
import { NodeRun, type TaskMessage } from './nodeRun.js';
import { Missing, Transfers, answer } from './transfers.js';
import { OctreeWork } from './work.js';

/** Runs that a node takes part in at a time; a run that has not been heard of for so many milliseconds is over. */
const MOST_RUNS = 4, FORGOTTEN = 30_000;

export const startOctreeNode: StartService = (host) => {
  const node = new OctreeNode(host);
  return { close: async () => node.close() };
};

class OctreeNode {
  private readonly host: NodeHost;
  private readonly channel: Channel;
  private readonly transfers: Transfers;
  private readonly runs = new Map<string, NodeRun>();
  private readonly timer: ReturnType<typeof setInterval>;
  private work: OctreeWork | undefined;

  constructor(host: NodeHost) {
    const { link, cluster, id } = host, subjects = subjectsOf(cluster);
    this.host = host;
    this.channel = new Channel(link);
    this.transfers = new Transfers(this.channel, id, false);
    this.channel.receive(subjects.octreeOpen, [taker(Invite, ({ run }) => this.invited(run)), taker(Over, ({ run }) => this.end(run.join(' ')))]);
    this.channel.receive(subjects.octreeNode(id), [
      taker(Task, (task) => { void this.begin(task); }), taker(Fetch, (asked) => { this.serve(asked).catch((error: Error) => this.channel.refuse(error)); }),
      taker(Piece, (piece) => this.transfers.take(piece)), taker(Gone, (gone) => this.transfers.gone(gone)),
    ]);
    this.timer = setInterval(() => this.forget(), FORGOTTEN / 4);
  }

  close(): void {
    clearInterval(this.timer);
    for (const key of this.runs.keys()) this.end(key);
    this.transfers.close();
    this.channel.dispose();
    this.work?.dispose();
  }

  private invited(run: readonly [number, number]): void {
    const key = run.join(' ');
    if (!this.runs.has(key) && this.runs.size >= MOST_RUNS && !this.endIdle()) return;
    const own = this.runs.get(key) ?? new NodeRun();
    own.heardAt = performance.now();
    this.runs.set(key, own);
    this.channel.send(subjectsOf(this.host.cluster).run(run), Offer, { run, step: 0, from: this.host.id }, {});
  }

  // Whoever invites and then gives no task keeps nobody else from it.
  private endIdle(): boolean {
    for (const [key, { doing, results }] of this.runs) {
      if (doing.size > 0 || results.size > 0) continue;
      this.end(key);
      return true;
    }
    return false;
  }

  private async begin(task: TaskMessage): Promise<void> {
    const own = this.runs.get(task.run.join(' '));
    if (!own || own.doing.has(task.task)) return;
    const subject = subjectsOf(this.host.cluster).run(task.run), heading = { run: task.run, step: 0, from: this.host.id };
    const before = own.results.get(task.task);
    // It was told, and was not heard.
    if (before) return this.channel.send(subject, Done, heading, before.done);
    own.doing.add(task.task);
    try {
      const { traffic } = this.channel, messages = traffic.sentMessages + traffic.receivedMessages;
      const result = await own.perform(task, this.work ??= new OctreeWork(this.host.engine), (source) => this.transfers.fetch(task.run, source, task.silence), (id) => subjectsOf(this.host.cluster).octreeNode(id), subject, this.host.id);
      result.done.messages = traffic.sentMessages + traffic.receivedMessages - messages;
      this.host.work.tasks++;
      this.host.work.tests += result.done.tests;
      if (!own.isOver) this.channel.send(subject, Done, heading, result.done);
    } catch (error) {
      if (own.isOver) return;
      this.host.work.failures++;
      const text = (value: string): Uint8Array => bytesOf(new TextEncoder().encode(value)), missing = error instanceof Missing ? [error.task] : [];
      const { code = 'Internal', message, fix = 'report it, with what it was asked' } = error as CollisionError;
      this.channel.send(subject, Trouble, heading, { task: task.task, missing: Uint32Array.from(missing), code: text(code), message: text(message), fix: text(fix) });
    } finally {
      own.doing.delete(task.task);
    }
  }

  private async serve(asked: ReturnType<typeof Fetch.decode>): Promise<void> {
    const subjects = subjectsOf(this.host.cluster), subject = asked.toRun === 1 ? subjects.run(asked.run) : subjects.octreeNode(asked.from);
    const own = this.runs.get(asked.run.join(' '));
    if (own) own.heardAt = performance.now();
    answer(this.channel, subject, this.host.id, asked, await own?.bytesOf(asked.task, asked.selector));
  }

  private end(key: string): void {
    const own = this.runs.get(key);
    if (!own) return;
    own.isOver = true;
    this.runs.delete(key);
    this.transfers.cancel(key.split(' ').map(Number) as [number, number]);
  }

  private forget(): void {
    for (const [key, { heardAt, doing }] of this.runs) if (doing.size === 0 && performance.now() - heardAt > FORGOTTEN) this.end(key);
  }
}

