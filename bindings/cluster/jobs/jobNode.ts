// Jobs on a node: it asks coordinators for tasks, does one after the other, and tells results until they have come.
import { CollisionError } from '../../errors.js';
import { Channel, taker } from '../channel.js';
import { Malformed } from '../malformed.js';
import type { Heading, MessageKind } from '../message.js';
import type { NodeHost, StartService } from '../nodeHost.js';
import { subjectsOf } from '../subjects.js';
import { nextTurn } from '../turn.js';
import { Cache } from './cache.js';
import { hashOf, textOf } from './content.js';
import { Depth } from './depth.js';
import { failureOf } from './failure.js';
import { answer, Fetcher } from './fetcher.js';
import type { Workbench } from './jobKind.js';
import { Ask, Bodies, Failed, Finished, Grant, Open, Over, Piece, Want } from './messages.js';
import { NodeRun, telling, type NodeTask } from './taskQueue.js';
import { taskKinds } from './taskKinds.js';

/** SLICE: milliseconds between two looks at what came in. */
const TICK = 50, BEAT = 500, SLICE = 2;
/** A run whose coordinator is not heard for so long is over. */
const SILENCE = 15_000;
/** Results that are not larger go with the message, as far as packets allow. */
const INLINE_BYTES = 2 ** 17;
/** Results are told together: so many bytes, or after so many milliseconds. */
const TOGETHER_BYTES = 2 ** 16, TOGETHER = 5;
/** Runs that are known at a time. */
const MOST_RUNS = 256;
/** A run that brought no task for so long does not count when places are shared out. */
const IDLE = 1000;

type Word = Heading & { kind?: number };

export const startJobNode: StartService = (host) => {
  const node = new JobNode(host);
  return { close: () => node.close() };
};

class JobNode {
  private readonly host: NodeHost;
  private readonly channel: Channel;
  private readonly cache: Cache;
  private readonly fetcher: Fetcher;
  private readonly runs = new Map<string, NodeRun>();
  private readonly bench: Workbench;
  private readonly depth = new Depth();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly subjects: ReturnType<typeof subjectsOf>;
  private beatAt = 0;
  private toldResultsAt = 0;
  private untoldBytes = 0;
  private restedAt = 0;
  private isAtWork = false;
  private isClosed = false;

  constructor(host: NodeHost) {
    const { link, engine, id, cluster, work } = host;
    this.host = host;
    this.subjects = subjectsOf(cluster);
    this.channel = new Channel(link);
    this.cache = new Cache(engine, host.cacheBytes);
    this.fetcher = new Fetcher(this.channel, id);
    this.bench = {
      engine,
      bytes: (hashes, at = 0) => this.cache.bytesOf(hashes, at),
      mesh: (hashes, at = 0) => this.cache.meshOf(hashes, at),
      countTests: (tests) => { work.tests += tests; },
    };
    this.channel.receive(this.subjects.open, [taker(Open, (message) => this.opened(message)), taker(Over, (message) => this.end(message))]);
    this.channel.receive(this.subjects.node(id), [
      taker(Grant, (message) => this.take(message)), taker(Over, (message) => this.end(message)),
      taker(Piece, (message) => this.fetcher.take(message, performance.now())),
      taker(Ask, (message) => this.give(message)),
    ]);
    this.timer = setInterval(() => this.tick(), TICK);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const run of this.runs.values()) {
      for (const task of run.tasks.values()) this.drop(run, task);
      this.want(run, 1);
    }
    this.runs.clear();
    this.fetcher.cancel();
    this.channel.dispose();
    // Without a broker nobody hears it: leases run out by themselves.
    await this.host.link.flush(1000).catch(() => {});
  }

  private opened({ run, from }: Word): void {
    const known = this.know(run, from);
    this.want(known);
  }

  private know(run: Heading['run'], from: number): NodeRun {
    const key = keyOf(run), now = performance.now();
    let known = this.runs.get(key);
    if (!known) {
      if (this.runs.size >= MOST_RUNS) this.makeRoom();
      this.runs.set(key, known = new NodeRun(run, from, now));
    }
    known.heardAt = now;
    known.coordinator = from;
    return known;
  }

  // Runs that bring no tasks cost little, but whoever announces many must not fill the memory.
  private makeRoom(): void {
    for (const [key, { tasks }] of this.runs) if (tasks.size === 0) return void this.runs.delete(key);
    throw new Malformed('a run too many', `${MOST_RUNS} have tasks here`);
  }

  // Places are shared by the runs that bring tasks.
  private slotsOf(run: NodeRun): number {
    const now = performance.now();
    let busy = 0;
    for (const other of this.runs.values()) if (other === run || other.tasks.size > 0 || now - other.busyAt < IDLE) busy++;
    // What is finished takes no place, but results that were not settled are few.
    const depth = Math.ceil(this.depth.count / busy);
    return Math.max(0, Math.min(depth - run.unfinished, 2 * depth - run.tasks.size));
  }

  private want(run: NodeRun, isLeaving = 0): void {
    this.send(run, Want, run.serial++, { slots: isLeaving ? 0 : this.slotsOf(run), heard: run.heard, isLeaving, holds: run.holds });
  }

  private send<V>({ run }: NodeRun, kind: MessageKind<V>, step: number, values: V): void {
    this.channel.send(this.subjects.run(run), kind, { run, step, from: this.host.id }, values);
  }

  private take({ run, from, step, taskKind, settled, tasks, offsets, bodies }: Parameters<typeof Grant.encode>[1] & Heading): void {
    const known = this.know(run, from), kind = taskKinds.get(taskKind);
    known.heard = Math.max(known.heard, step);
    for (const number of settled) this.settle(known, number);
    tasks.forEach((number, i) => {
      if (known.tasks.has(number)) return;
      known.busyAt = known.heardAt;
      const task: NodeTask = { number, kind: kind!, task: undefined, pinned: [], state: 'waiting' };
      known.add(task);
      try {
        if (!kind) throw new CollisionError('Cluster', `tasks of kind ${taskKind} are not known here`, 'run the same version of pfront everywhere');
        task.task = kind.task.decode(bodies.slice(offsets[i]!, offsets[i + 1]!));
      } catch (error) {
        return this.fail(known, task, error);
      }
      void this.prepare(known, task);
    });
  }

  // Fetches what it needs and lacks.
  private async prepare(run: NodeRun, task: NodeTask): Promise<void> {
    const needs = task.kind.needs(task.task);
    const source = { subject: this.subjects.run(run.run), run: run.run, viaRun: false };
    const isHere = async (at: number): Promise<void> => {
      const words = needs.subarray(at, at + 8), hash = textOf(words);
      if (!this.cache.pin(hash)) {
        const bytes = await this.fetcher.fetch(words, source, performance.now());
        if (task.state === 'dropped') return;
        this.cache.put(hash, bytes);
        this.cache.pin(hash);
      }
      task.pinned.push(hash);
    };
    const arrivals = await Promise.allSettled(Array.from({ length: needs.length / 8 }, (_, i) => isHere(8 * i)));
    if (task.state === 'dropped') return;
    const missing = arrivals.find((arrival) => arrival.status === 'rejected');
    if (missing) return this.fail(run, task, missing.reason);
    run.isReady(task);
    void this.work();
  }

  // One task after the other, of each run in turns; what comes in is looked at between two.
  private async work(): Promise<void> {
    if (this.isAtWork) return;
    this.isAtWork = true;
    for (let found = true; found && !this.isClosed;) {
      found = false;
      for (const run of [...this.runs.values()]) {
        const task = run.nextReady();
        if (!task || this.isClosed) continue;
        found = true;
        await this.do(run, task);
        await this.rest(run);
      }
    }
    this.isAtWork = false;
    for (const run of this.runs.values()) this.tell(run, performance.now());
  }

  // Tiny tasks are done several between two looks at what came in, and told together.
  private async rest(run: NodeRun): Promise<void> {
    const now = performance.now();
    if (now - this.restedAt < SLICE) return;
    await nextTurn();
    this.restedAt = performance.now();
    if (now - this.toldResultsAt >= TOGETHER) for (const other of this.runs.values()) this.tell(other, now);
    else if (this.untoldBytes >= TOGETHER_BYTES) this.tell(run, now);
  }

  private async do(run: NodeRun, task: NodeTask): Promise<void> {
    const startedAt = performance.now();
    try {
      const part = await task.kind.run(task.task, this.bench);
      this.depth.add(performance.now() - startedAt);
      this.host.work.tasks++;
      if (task.state === 'dropped') return;
      const result = task.kind.part.encode({ run: run.run, step: task.number, from: this.host.id }, part);
      const isStored = result.length > Math.min(INLINE_BYTES, this.host.link.packetBytes / 2);
      await this.finish(run, task, result, isStored ? await hashOf(result) : undefined);
    } catch (error) {
      if (task.state !== 'dropped') this.fail(run, task, error);
    }
  }

  // Large results are fetched from here.
  private finish(run: NodeRun, task: NodeTask, result: Uint8Array, hash: Uint32Array | undefined): void {
    if (task.state === 'dropped') return;
    if (hash) run.stored.set(task.number, { hash: textOf(hash), bytes: result });
    this.unpin(task);
    run.finish(task, hash ? telling(new Uint8Array(hash.buffer), 1) : telling(result, 0));
    this.untoldBytes += hash ? hash.byteLength : result.length;
  }

  private fail(run: NodeRun, task: NodeTask, error: unknown): void {
    const failure = failureOf(error), { number } = task;
    this.unpin(task);
    this.host.work.failures++;
    run.finish(task, telling(new Uint8Array(0), 0, () => this.send(run, Failed, run.serial++, { task: number, slots: this.slotsOf(run), heard: run.heard, holds: run.holds, ...failure })));
    this.tell(run, performance.now());
  }

  // Results that were not told yet, or told and not settled for long.
  private tell(run: NodeRun, now: number): void {
    let bodies = new Bodies(), isStored: number[] = [];
    const send = (): void => {
      this.send(run, Finished, run.serial++, { slots: this.slotsOf(run), heard: run.heard, holds: run.holds, isStored: Uint8Array.from(isStored), ...bodies.values() });
      [bodies, isStored] = [new Bodies(), []];
    };
    for (const { number, telling: word } of run.due(now)) {
      if (word.fail) { word.fail(); continue; }
      if (isStored.length > 0 && bodies.bytes + word.body.length > Math.min(2 * INLINE_BYTES, this.host.link.packetBytes / 2)) send();
      bodies.add(number, word.body);
      isStored.push(word.isStored);
    }
    if (isStored.length > 0) send();
    [this.toldResultsAt, this.untoldBytes] = [now, 0];
  }

  // Whoever did it, it need not be done, or told, any more.
  private settle(run: NodeRun, number: number): void {
    const task = run.tasks.get(number);
    if (!task) return;
    this.unpin(task);
    run.settle(task, performance.now());
  }

  private drop(run: NodeRun, task: NodeTask): void {
    this.unpin(task);
    run.drop(task);
  }

  private unpin(task: NodeTask): void { for (const hash of task.pinned.splice(0)) this.cache.release(hash); }

  private end({ run }: Word): void {
    const known = this.runs.get(keyOf(run));
    if (!known) return;
    for (const task of known.tasks.values()) this.drop(known, task);
    this.fetcher.cancel(run);
    this.runs.delete(keyOf(run));
  }

  private give(ask: Parameters<typeof Ask.encode>[1] & Heading): void {
    const run = this.runs.get(keyOf(ask.run)), subject = ask.viaRun ? this.subjects.run(ask.run) : this.subjects.node(ask.from);
    answer(this.channel, subject, this.host.id, run?.contentOf(textOf(ask.hash)), ask);
  }

  private tick(): void {
    const now = performance.now(), { work } = this.host;
    work.held = 0;
    for (const run of this.runs.values()) work.held += run.tasks.size;
    const isBeat = now - this.beatAt >= BEAT;
    if (isBeat) this.beatAt = now;
    this.fetcher.tick(now);
    for (const run of this.runs.values()) {
      if (now - run.heardAt > SILENCE) { this.end({ run: run.run, step: 0, from: run.coordinator }); continue; }
      this.tell(run, now);
      if (isBeat && run.tasks.size > 0) this.want(run);
    }
  }
}

const keyOf = ([high, low]: Heading['run']): string => `${high} ${low}`;
