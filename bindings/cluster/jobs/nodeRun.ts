// Tracks the tasks of one run (the execution of one job) on a node, each task from its assignment to the
// acknowledgment of its result.
import { cpuMilliseconds } from '../cpuTime.js';
import { textOf } from './content.js';
import type { StoredResult, TaskKind } from './jobKind.js';
import { HASH_WORDS } from './messages.js';
import { RoundTrip } from './roundTrip.js';

export interface NodeTask {
  number: number;
  /** The secret with which the task was assigned. */
  lease: number;
  /** The size of the encoded task. */
  bytes: number;
  kind: TaskKind<unknown, unknown>;
  task: unknown;
  /** The inputs that `kind.fetch` has fetched for the task. */
  fetched?: unknown;
  /** Hashes of the cached content that the task protects from eviction. */
  pinned: string[];
  state: 'waiting' | 'ready' | 'finished' | 'dropped';
  /** The report of the task's result or failure. */
  pendingReport?: PendingReport;
}

/** A result or failure, which the node reports until it is acknowledged. */
interface PendingReport {
  body: Uint8Array;
  isStored: 0 | 1;
  fail?: () => void;
  /** How often it was reported. */
  times: number;
  /** When it was last reported. */
  at: number;
  /** Milliseconds after `at` until it is reported again. */
  wait: number;
}

const MIN_WAIT = 250;
const MAX_WAIT = 1500;
/**
 * The maximum number of encoded fields of kept results in memory. A field stays in memory because its chunks
 * are requested one after another.
 */
const MAX_BLOCKS = 256;
export const makePendingReport = (body: Uint8Array, isStored: 0 | 1, fail?: () => void): PendingReport => ({
  body,
  isStored,
  times: 0,
  at: -Infinity,
  wait: 0,
  ...(fail ? { fail } : {}),
});

export class NodeRun {
  readonly run: readonly [number, number];
  /** The id of the process that coordinates the run. */
  coordinator: number;
  lastHeardAt: number;
  /** When a message of the run last assigned tasks. */
  busyAt = -Infinity;
  /** The number of the latest assignment of tasks. One assignment may take several messages. */
  lastGrant = 0;
  /** The secret that the coordinator expects in reports; 0 until it has sent one. */
  membership = 0;
  /** The maximum number of tasks that the node has offered to hold. */
  offered = 0;
  readonly tasks = new Map<number, NodeTask>();
  /** The total size of the encoded tasks, in bytes. */
  taskBytes = 0;
  /** How many tasks are not finished. */
  unfinished = 0;
  /** Estimates the time from a report until the acknowledgment of its results. */
  private readonly roundTrip = new RoundTrip();
  /** The time of the last report whose acknowledgment was added to roundTrip. */
  private timedAt = -Infinity;
  /** Large results that the coordinator fetches from this node, by task. */
  readonly stored = new Map<number, { hash: string; bytes: Uint8Array }>();
  /** The kept results of this node, by task. Each is kept until the run ends or drops it. */
  private readonly results = new Map<number, StoredResult>();
  /** Whether the run may keep results on this node. */
  keeps = false;
  private readonly blocks = new Map<string, { task: number; bytes: Uint8Array | Promise<Uint8Array> }>();
  private isOver = false;
  private readonly cpuAtFirst = cpuMilliseconds();
  /** Tasks whose inputs have arrived, in the order of execution. */
  private readonly ready: NodeTask[] = [];
  private head = 0;

  constructor(run: readonly [number, number], coordinator: number, now: number) {
    [this.run, this.coordinator, this.lastHeardAt] = [run, coordinator, now];
  }

  /** CPU milliseconds of this process since it first heard of the run. */
  get cpu(): number {
    return cpuMilliseconds() - this.cpuAtFirst;
  }

  get heldTasks(): Uint32Array {
    return Uint32Array.from(this.tasks.keys());
  }

  add(task: NodeTask): void {
    this.tasks.set(task.number, task);
    this.taskBytes += task.bytes;
    this.unfinished++;
  }

  markReady(task: NodeTask): void {
    task.state = 'ready';
    this.ready.push(task);
  }

  nextReady(): NodeTask | undefined {
    while (this.head < this.ready.length) {
      const task = this.ready[this.head++];
      if (this.head === this.ready.length) this.head = this.ready.length = 0;
      if (task.state === 'ready') return task;
    }
    return undefined;
  }

  finish(task: NodeTask, report: PendingReport): void {
    task.state = 'finished';
    task.pendingReport = report;
    task.fetched = undefined;
    this.unfinished--;
  }

  acknowledge(task: NodeTask, now: number): void {
    // All results of one report together are one sample of the round-trip time.
    if (task.pendingReport?.times === 1 && task.pendingReport.at > this.timedAt) {
      this.timedAt = task.pendingReport.at;
      this.roundTrip.add(now - task.pendingReport.at);
    }
    this.drop(task);
  }

  drop(task: NodeTask): void {
    if (task.state !== 'finished') this.unfinished--;
    task.state = 'dropped';
    if (this.tasks.delete(task.number)) this.taskBytes -= task.bytes;
    this.stored.delete(task.number);
  }

  /**
   * Yields the results and failures that were not reported yet, or that were reported so long ago that the
   * report was probably lost. Marks all of them as reported now.
   */
  *dueReports(now: number): Generator<{ number: number; lease: number; pendingReport: PendingReport }> {
    for (const { number, lease, pendingReport: report } of this.tasks.values()) {
      if (!report || now - report.at < report.wait) continue;
      report.wait =
        report.times++ === 0
          ? Math.max(MIN_WAIT, this.roundTrip.timeout)
          : Math.min(MAX_WAIT, 2 * report.wait);
      report.at = now;
      yield { number, lease, pendingReport: report };
    }
  }

  /**
   * Returns a block that another process requests. name: the hash of a large result, or the task of a kept
   * result and the selector of a field.
   */
  blockOf(name: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const text = textOf(name);
    if (name.length === HASH_WORDS) return [...this.stored.values()].find(({ hash }) => hash === text)?.bytes;
    let block = this.blocks.get(text);
    if (!block) {
      const bytes = this.keptResult(name[0])?.bytes(name.subarray(1));
      if (!bytes) return undefined;
      block = { task: name[0], bytes };
      // Drops the oldest block, which is encoded again if it is requested again.
      if (this.blocks.size >= MAX_BLOCKS) this.blocks.delete(this.blocks.keys().next().value!);
      this.blocks.set(text, block);
    }
    return block.bytes;
  }

  /** Returns the result that this node keeps for a task, if any. */
  keptResult(task: number): StoredResult | undefined {
    return this.results.get(task);
  }
  get keptCount(): number {
    return this.results.size;
  }

  keep(task: number, result: StoredResult): void {
    // The run may have ended while the task ran.
    if (this.isOver) return result.dispose?.();
    this.results.get(task)?.dispose?.();
    this.results.set(task, result);
  }

  /** Drops the kept results of all tasks with numbers below `end`. */
  dropBefore(end: number): void {
    for (const [task, result] of this.results) {
      if (task >= end) continue;
      this.results.delete(task);
      result.dispose?.();
    }
    for (const [name, { task }] of this.blocks) if (task < end) this.blocks.delete(name);
  }

  /** Drops all kept results at the end of the run. Results that tasks keep later are disposed of at once. */
  dispose(): void {
    this.isOver = true;
    this.dropBefore(Infinity);
  }
}
