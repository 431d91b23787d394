// Implements the job service of a node, which requests tasks from coordinators, runs them one after another,
// and reports each result until it is acknowledged.
import { Channel, messageHandler, SMALL_MESSAGES } from '../channel.js';
import { ClusterError, Malformed, SAME_VERSION } from '../errors.js';
import type { Heading, MessageKind, ReceivedMessage } from '../message.js';
import type { NodeHost, StartService } from '../nodeHost.js';
import { yieldToEventLoop } from '../promises.js';
import { subjectsOf } from '../subjects.js';
import { hashOf, textOf } from './content.js';
import { failureOf } from './failure.js';
import type { TaskContext } from './jobKind.js';
import {
  Bodies,
  Chunk,
  ChunkRequest,
  Failed,
  Finished,
  Grant,
  MAX_NAME_BYTES,
  NodeStatus,
  Open,
  RunEnded,
} from './messages.js';
import { makePendingReport, type NodeRun, type NodeTask } from './nodeRun.js';
import { NodeRuns } from './nodeRuns.js';
import { TaskInputs } from './taskInputs.js';
import { taskKinds } from './taskKinds.js';

/**
 * Intervals in milliseconds. TICK: between two calls of `tick`. HEARTBEAT: between two status messages of a
 * node that has tasks. SLICE: if this much time has passed since the last yield to the event loop, the node
 * yields before it runs another task.
 */
const TICK = 50;
const HEARTBEAT = 500;
const SLICE = 2;
/**
 * A run counts as over once its coordinator has been silent for this long, in milliseconds. Runs that keep
 * results get twice as long, because their results are expensive to compute again.
 */
const SILENCE = 15_000;
/**
 * A result is sent within the report if it has at most this many bytes and takes at most half a packet. A
 * larger result is stored on the node, and the coordinator fetches it.
 */
const INLINE_BYTES = 2 ** 17;
/**
 * While tasks run, results are reported in batches: when BATCH_MILLISECONDS have passed since the last report,
 * or when BATCH_BYTES are waiting.
 */
const BATCH_BYTES = 2 ** 16;
const BATCH_MILLISECONDS = 5;

export const startJobNode: StartService = host => {
  const node = new JobNode(host);
  return { close: () => node.close() };
};

class JobNode {
  private readonly host: NodeHost;
  private readonly channel: Channel;
  private readonly inputs: TaskInputs;
  private readonly runs = new NodeRuns();
  private readonly context: Omit<TaskContext, 'keep' | 'dropBefore'>;
  private readonly tools = new Map<unknown, { dispose(): void }>();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly subjects: ReturnType<typeof subjectsOf>;
  /** The node's name as UTF-8. */
  private readonly name: Uint8Array;
  private heartbeatAt = 0;
  private reportedAt = 0;
  private unreportedBytes = 0;
  private yieldedAt = 0;
  private isWorking = false;
  private isClosed = false;

  constructor(host: NodeHost) {
    const { link, engine, gpu, id, cluster, work } = host;
    this.host = host;
    this.name = new TextEncoder().encode(host.name).slice(0, MAX_NAME_BYTES);
    this.subjects = subjectsOf(cluster);
    this.channel = new Channel(link);
    const { cache, fetcher } = (this.inputs = new TaskInputs(this.channel, host));
    this.context = {
      engine,
      ...(gpu ? { gpu } : {}),
      bytes: (hashes, at = 0) => cache.bytesOf(hashes, at),
      mesh: (hashes, at = 0) => cache.meshOf(hashes, at),
      countTests: tests => {
        work.tests += tests;
      },
      sharedTool: make => {
        const tool = (this.tools.get(make) ?? make(engine)) as ReturnType<typeof make>;
        this.tools.set(make, tool);
        return tool;
      },
    };
    this.channel.receive(
      this.subjects.open,
      [
        messageHandler(Open, message => this.receiveOpen(message)),
        messageHandler(RunEnded, message => this.end(message)),
      ],
      SMALL_MESSAGES,
    );
    const blockHandlers = [
      messageHandler(Chunk, message => fetcher.receiveChunk(message, performance.now())),
      messageHandler(ChunkRequest, message => this.serveBlock(message)),
    ];
    this.channel.receive(this.subjects.node(id), [
      messageHandler(Grant, message => this.receiveGrant(message)),
      messageHandler(RunEnded, message => this.end(message)),
      ...blockHandlers,
    ]);
    this.channel.receive(this.subjects.blocks(id), blockHandlers);
    this.timer = setInterval(() => this.tick(), TICK);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const run of this.runs.all()) {
      for (const task of run.tasks.values()) this.drop(run, task);
      this.requestTasks(run, 1);
      this.runs.delete(run.run);
    }
    this.inputs.fetcher.cancel();
    this.inputs.cache.dispose();
    this.channel.dispose();
    for (const tool of this.tools.values()) tool.dispose();
    // If the broker is gone, the coordinators are not told that this node leaves. The leases of the node then
    // expire.
    await this.host.link.flush(1000).catch(() => {});
  }

  private receiveOpen({ run, from, keeps }: ReceivedMessage<typeof Open>): void {
    this.requestTasks(this.runs.noteRun(run, from, keeps !== 0));
  }

  private requestTasks(run: NodeRun, isLeaving = 0): void {
    this.send(run, NodeStatus, this.runs.nextSerial(), {
      slots: isLeaving ? 0 : this.runs.offer(run),
      heard: run.lastGrant,
      isLeaving,
      membership: run.membership,
      holds: run.heldTasks,
      name: this.name,
    });
  }

  private send<V>({ run }: NodeRun, kind: MessageKind<V>, step: number, values: V): void {
    this.channel.send(this.subjects.run(run), kind, { run, step, from: this.host.id }, values);
  }

  private receiveGrant({
    run,
    from,
    step,
    taskKind,
    membership,
    settled,
    tasks,
    leases,
    offsets,
    bodies,
  }: ReceivedMessage<typeof Grant>): void {
    const kind = taskKinds.get(taskKind);
    // A task whose result is kept is accepted only after an Open message of its run in which `keeps` is 1.
    if (kind?.keeps && !this.runs.get(run)?.keeps) return;
    const known = this.runs.noteRun(run, from);
    known.lastGrant = Math.max(known.lastGrant, step);
    for (const number of settled) this.settle(known, number);
    tasks.forEach((number, i) => {
      const held = known.tasks.get(number);
      if (held) {
        held.lease = leases[i];
        return;
      }
      const bytes = offsets[i + 1] - offsets[i];
      if (!this.runs.accepts(known, bytes))
        return this.channel.refuse(
          new Malformed(
            `task ${number} exceeds the number or the size of tasks that this node accepts`,
            SAME_VERSION,
          ),
        );
      known.busyAt = known.lastHeardAt;
      const task: NodeTask = {
        number,
        lease: leases[i],
        bytes,
        kind: kind!,
        task: undefined,
        pinned: [],
        state: 'waiting',
      };
      known.add(task);
      try {
        if (!kind)
          throw new ClusterError(
            `this node does not know tasks of kind ${taskKind}`,
            'run the same version of pfront everywhere',
          );
        task.task = kind.task.decode(bodies.slice(offsets[i], offsets[i + 1]));
      } catch (error) {
        return this.fail(known, task, error);
      }
      void this.prepare(known, task);
    });
    // The coordinator accepts reports only with the secret that it has sent to this node (`membership`). If the
    // secret is new, the node sends its status again, with this secret.
    if (known.membership !== membership) {
      known.membership = membership;
      this.requestTasks(known);
    }
  }

  private async prepare(run: NodeRun, task: NodeTask): Promise<void> {
    try {
      await this.inputs.fetchInputs(run, task);
    } catch (error) {
      return task.state === 'dropped' ? undefined : this.fail(run, task, error);
    }
    if (task.state === 'dropped') return;
    run.markReady(task);
    void this.work();
  }

  // Runs one task after another, round robin over the runs. Between tasks, yields to the event loop if SLICE
  // has passed.
  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    try {
      for (let found = true; found && !this.isClosed; ) {
        found = false;
        for (const run of this.runs.all()) {
          const task = run.nextReady();
          if (!task || this.isClosed) continue;
          found = true;
          await this.runTask(run, task);
          await this.yieldIfDue(run);
        }
      }
    } finally {
      this.isWorking = false;
    }
    for (const run of this.runs.all()) this.report(run, performance.now());
  }

  // Yields to the event loop if SLICE has passed since the last yield. Then reports the results of all runs if
  // BATCH_MILLISECONDS have passed since the last report, or only those of this run if BATCH_BYTES are waiting.
  private async yieldIfDue(run: NodeRun): Promise<void> {
    const now = performance.now();
    if (now - this.yieldedAt < SLICE) return;
    await yieldToEventLoop();
    this.yieldedAt = performance.now();
    if (now - this.reportedAt >= BATCH_MILLISECONDS)
      for (const other of this.runs.all()) this.report(other, now);
    else if (this.unreportedBytes >= BATCH_BYTES) this.report(run, now);
  }

  private async runTask(run: NodeRun, task: NodeTask): Promise<void> {
    const startedAt = performance.now();
    try {
      const report = await task.kind.run(
        task.task,
        {
          ...this.context,
          keep: result => run.keep(task.number, result),
          dropBefore: end => run.dropBefore(end),
        },
        task.fetched,
      );
      this.runs.depth.add(performance.now() - startedAt);
      this.host.work.tasks++;
      if (task.state === 'dropped') return;
      const result = task.kind.report.encode({ run: run.run, step: task.number, from: this.host.id }, report);
      const isStored = result.length > Math.min(INLINE_BYTES, this.host.link.packetBytes / 2);
      await this.finish(run, task, result, isStored ? await hashOf(result) : undefined);
    } catch (error) {
      if (task.state !== 'dropped') this.fail(run, task, error);
    }
  }

  // Queues the report of a result. hash: the hash of a result that is too large for a report, otherwise
  // undefined. The report of a large result contains only the hash. This node stores the result until the
  // report is acknowledged, so that the coordinator can fetch it.
  private finish(run: NodeRun, task: NodeTask, result: Uint8Array, hash: Uint32Array | undefined): void {
    if (task.state === 'dropped') return;
    if (hash) run.stored.set(task.number, { hash: textOf(hash), bytes: result });
    this.inputs.release(task);
    run.finish(task, hash ? makePendingReport(new Uint8Array(hash.buffer), 1) : makePendingReport(result, 0));
    this.unreportedBytes += hash ? hash.byteLength : result.length;
  }

  private fail(run: NodeRun, task: NodeTask, error: unknown): void {
    const failure = failureOf(error);
    const { number } = task;
    this.inputs.release(task);
    this.host.work.failures++;
    run.finish(
      task,
      makePendingReport(new Uint8Array(0), 0, () =>
        this.send(run, Failed, this.runs.nextSerial(), {
          task: number,
          lease: task.lease,
          slots: this.runs.offer(run),
          heard: run.lastGrant,
          membership: run.membership,
          holds: run.heldTasks,
          ...failure,
        }),
      ),
    );
    this.report(run, performance.now());
  }

  // Reports results that are new, or that were reported long ago and are not acknowledged.
  private report(run: NodeRun, now: number): void {
    let bodies = new Bodies();
    let isStored: number[] = [];
    const send = (): void => {
      this.send(run, Finished, this.runs.nextSerial(), {
        slots: this.runs.offer(run),
        heard: run.lastGrant,
        membership: run.membership,
        holds: run.heldTasks,
        isStored: Uint8Array.from(isStored),
        ...bodies.values(),
      });
      [bodies, isStored] = [new Bodies(), []];
    };
    for (const { number, lease, pendingReport: pending } of run.dueReports(now)) {
      if (pending.fail) {
        pending.fail();
        continue;
      }
      if (
        isStored.length > 0 &&
        bodies.bytes + pending.body.length > Math.min(2 * INLINE_BYTES, this.host.link.packetBytes / 2)
      )
        send();
      bodies.add(number, lease, pending.body);
      isStored.push(pending.isStored);
    }
    if (isStored.length > 0) send();
    [this.reportedAt, this.unreportedBytes] = [now, 0];
  }

  // Called when the coordinator acknowledges this node's report of a task, or when another node has done the
  // task. From then on, this node neither runs nor reports the task.
  private settle(run: NodeRun, number: number): void {
    const task = run.tasks.get(number);
    if (!task) return;
    this.inputs.release(task);
    run.acknowledge(task, performance.now());
  }

  private drop(run: NodeRun, task: NodeTask): void {
    this.inputs.release(task);
    run.drop(task);
  }

  private end({ run }: Pick<Heading, 'run'>): void {
    const known = this.runs.get(run);
    if (!known) return;
    for (const task of known.tasks.values()) this.drop(known, task);
    this.inputs.fetcher.cancel(run);
    this.runs.delete(run);
  }

  private serveBlock(request: ReceivedMessage<typeof ChunkRequest>): void {
    this.inputs
      .serveBlock(this.runs.get(request.run), request)
      .catch((error: Error) => this.channel.refuse(error));
  }

  private tick(): void {
    const now = performance.now();
    const { work } = this.host;
    work.held = 0;
    for (const run of this.runs.all()) work.held += run.tasks.size;
    const isHeartbeatDue = now - this.heartbeatAt >= HEARTBEAT;
    if (isHeartbeatDue) this.heartbeatAt = now;
    this.inputs.fetcher.tick(now);
    for (const run of this.runs.all()) {
      if (now - run.lastHeardAt > (run.keeps ? 2 : 1) * SILENCE) {
        this.end(run);
        continue;
      }
      this.report(run, now);
      if (isHeartbeatDue && run.tasks.size > 0) this.requestTasks(run);
    }
  }
}
