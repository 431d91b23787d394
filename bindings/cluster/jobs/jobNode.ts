// Jobs on a node: it asks coordinators for tasks, does one after the other, and tells results until they have
// come.
import { Channel, taker } from '../channel.js';
import { ClusterError } from '../errors.js';
import type { Heading, MessageKind, Said } from '../message.js';
import type { NodeHost, StartService } from '../nodeHost.js';
import { nextTurn } from '../promises.js';
import { subjectsOf } from '../subjects.js';
import { hashOf, textOf } from './content.js';
import { failureOf } from './failure.js';
import type { Workbench } from './jobKind.js';
import { Ask, Bodies, Failed, Finished, Grant, Open, Over, Piece, Want } from './messages.js';
import { NodeRuns } from './nodeRuns.js';
import { Supply } from './supply.js';
import { taskKinds } from './taskKinds.js';
import { type NodeRun, type NodeTask, telling } from './taskQueue.js';

/** SLICE: milliseconds between two looks at what came in. */
const TICK = 50;
const BEAT = 500;
const SLICE = 2;
/**
 * A run whose coordinator is not heard for so long is over; where results are kept, which take long to find
 * again, twice as long.
 */
const SILENCE = 15_000;
/** Results that are not larger go with the message, as far as packets allow. */
const INLINE_BYTES = 2 ** 17;
/** Results are told together: so many bytes, or after so many milliseconds. */
const TOGETHER_BYTES = 2 ** 16;
const TOGETHER = 5;

export const startJobNode: StartService = host => {
  const node = new JobNode(host);
  return { close: () => node.close() };
};

class JobNode {
  private readonly host: NodeHost;
  private readonly channel: Channel;
  private readonly supply: Supply;
  private readonly runs = new NodeRuns();
  private readonly bench: Omit<Workbench, 'keep'>;
  private readonly tools = new Map<unknown, { dispose(): void }>();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly subjects: ReturnType<typeof subjectsOf>;
  private beatAt = 0;
  private toldResultsAt = 0;
  private untoldBytes = 0;
  private restedAt = 0;
  private isAtWork = false;
  private isClosed = false;

  constructor(host: NodeHost) {
    const { link, engine, gpu, id, cluster, work } = host;
    this.host = host;
    this.subjects = subjectsOf(cluster);
    this.channel = new Channel(link);
    const { cache, fetcher } = (this.supply = new Supply(this.channel, host));
    this.bench = {
      engine,
      ...(gpu ? { gpu } : {}),
      bytes: (hashes, at = 0) => cache.bytesOf(hashes, at),
      mesh: (hashes, at = 0) => cache.meshOf(hashes, at),
      countTests: tests => {
        work.tests += tests;
      },
      tool: make => {
        const tool = (this.tools.get(make) ?? make(engine)) as ReturnType<typeof make>;
        this.tools.set(make, tool);
        return tool;
      },
    };
    this.channel.receive(this.subjects.open, [
      taker(Open, message => this.opened(message)),
      taker(Over, message => this.end(message)),
    ]);
    this.channel.receive(this.subjects.node(id), [
      taker(Grant, message => this.take(message)),
      taker(Over, message => this.end(message)),
      taker(Piece, message => fetcher.take(message, performance.now())),
      taker(Ask, message => this.give(message)),
    ]);
    this.timer = setInterval(() => this.tick(), TICK);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const run of this.runs.all()) {
      for (const task of run.tasks.values()) this.drop(run, task);
      this.want(run, 1);
      this.runs.delete(run.run);
    }
    this.supply.fetcher.cancel();
    this.channel.dispose();
    for (const tool of this.tools.values()) tool.dispose();
    // Without a broker nobody hears it: leases run out by themselves.
    await this.host.link.flush(1000).catch(() => {});
  }

  private opened({ run, from, keeps }: Said<typeof Open>): void {
    this.want(this.runs.know(run, from, keeps !== 0));
  }

  private want(run: NodeRun, isLeaving = 0): void {
    this.send(run, Want, run.serial++, {
      slots: isLeaving ? 0 : this.runs.slotsOf(run),
      heard: run.heard,
      isLeaving,
      holds: run.holds,
    });
  }

  private send<V>({ run }: NodeRun, kind: MessageKind<V>, step: number, values: V): void {
    this.channel.send(this.subjects.run(run), kind, { run, step, from: this.host.id }, values);
  }

  private take({ run, from, step, taskKind, settled, tasks, offsets, bodies }: Said<typeof Grant>): void {
    const kind = taskKinds.get(taskKind);
    // Where results are to stay, the run has to have been opened here.
    if (kind?.keeps && !this.runs.get(run)?.keeps) return;
    const known = this.runs.know(run, from);
    known.heard = Math.max(known.heard, step);
    for (const number of settled) this.settle(known, number);
    tasks.forEach((number, i) => {
      if (known.tasks.has(number)) return;
      known.busyAt = known.heardAt;
      const task: NodeTask = { number, kind: kind!, task: undefined, pinned: [], state: 'waiting' };
      known.add(task);
      try {
        if (!kind)
          throw new ClusterError(
            `tasks of kind ${taskKind} are not known here`,
            'run the same version of pfront everywhere',
          );
        task.task = kind.task.decode(bodies.slice(offsets[i], offsets[i + 1]));
      } catch (error) {
        return this.fail(known, task, error);
      }
      void this.prepare(known, task);
    });
  }

  private async prepare(run: NodeRun, task: NodeTask): Promise<void> {
    try {
      await this.supply.bring(run, task);
    } catch (error) {
      return task.state === 'dropped' ? undefined : this.fail(run, task, error);
    }
    if (task.state === 'dropped') return;
    run.isReady(task);
    void this.work();
  }

  // One task after the other, of each run in turns; what comes in is looked at between two.
  private async work(): Promise<void> {
    if (this.isAtWork) return;
    this.isAtWork = true;
    try {
      for (let found = true; found && !this.isClosed; ) {
        found = false;
        for (const run of this.runs.all()) {
          const task = run.nextReady();
          if (!task || this.isClosed) continue;
          found = true;
          await this.do(run, task);
          await this.rest(run);
        }
      }
    } finally {
      this.isAtWork = false;
    }
    for (const run of this.runs.all()) this.tell(run, performance.now());
  }

  // Tiny tasks are done several between two looks at what came in, and told together.
  private async rest(run: NodeRun): Promise<void> {
    const now = performance.now();
    if (now - this.restedAt < SLICE) return;
    await nextTurn();
    this.restedAt = performance.now();
    if (now - this.toldResultsAt >= TOGETHER) for (const other of this.runs.all()) this.tell(other, now);
    else if (this.untoldBytes >= TOGETHER_BYTES) this.tell(run, now);
  }

  private async do(run: NodeRun, task: NodeTask): Promise<void> {
    const startedAt = performance.now();
    try {
      const part = await task.kind.run(
        task.task,
        { ...this.bench, keep: result => run.kept.set(task.number, result) },
        task.fetched,
      );
      this.runs.depth.add(performance.now() - startedAt);
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
    this.supply.release(task);
    run.finish(task, hash ? telling(new Uint8Array(hash.buffer), 1) : telling(result, 0));
    this.untoldBytes += hash ? hash.byteLength : result.length;
  }

  private fail(run: NodeRun, task: NodeTask, error: unknown): void {
    const failure = failureOf(error);
    const { number } = task;
    this.supply.release(task);
    this.host.work.failures++;
    run.finish(
      task,
      telling(new Uint8Array(0), 0, () =>
        this.send(run, Failed, run.serial++, {
          task: number,
          slots: this.runs.slotsOf(run),
          heard: run.heard,
          holds: run.holds,
          ...failure,
        }),
      ),
    );
    this.tell(run, performance.now());
  }

  // Results that were not told yet, or told and not settled for long.
  private tell(run: NodeRun, now: number): void {
    let bodies = new Bodies();
    let isStored: number[] = [];
    const send = (): void => {
      this.send(run, Finished, run.serial++, {
        slots: this.runs.slotsOf(run),
        heard: run.heard,
        holds: run.holds,
        isStored: Uint8Array.from(isStored),
        ...bodies.values(),
      });
      [bodies, isStored] = [new Bodies(), []];
    };
    for (const { number, telling: word } of run.due(now)) {
      if (word.fail) {
        word.fail();
        continue;
      }
      if (
        isStored.length > 0 &&
        bodies.bytes + word.body.length > Math.min(2 * INLINE_BYTES, this.host.link.packetBytes / 2)
      )
        send();
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
    this.supply.release(task);
    run.settle(task, performance.now());
  }

  private drop(run: NodeRun, task: NodeTask): void {
    this.supply.release(task);
    run.drop(task);
  }

  private end({ run }: Pick<Heading, 'run'>): void {
    const known = this.runs.get(run);
    if (!known) return;
    for (const task of known.tasks.values()) this.drop(known, task);
    this.supply.fetcher.cancel(run);
    this.runs.delete(run);
  }

  private give(ask: Said<typeof Ask>): void {
    this.supply.give(this.runs.get(ask.run), ask).catch((error: Error) => this.channel.refuse(error));
  }

  private tick(): void {
    const now = performance.now();
    const { work } = this.host;
    work.held = 0;
    for (const run of this.runs.all()) work.held += run.tasks.size;
    const isBeat = now - this.beatAt >= BEAT;
    if (isBeat) this.beatAt = now;
    this.supply.fetcher.tick(now);
    for (const run of this.runs.all()) {
      if (now - run.heardAt > (run.keeps ? 2 : 1) * SILENCE) {
        this.end(run);
        continue;
      }
      this.tell(run, now);
      if (isBeat && run.tasks.size > 0) this.want(run);
    }
  }
}
