// Tracks the runs (executions of jobs) in which a node takes part: bounds their number, and divides the
// node's capacity for tasks among them.
import { Malformed } from '../errors.js';
import { NodeRun } from './nodeRun.js';
import { QueueDepth } from './queueDepth.js';

type RunId = readonly [number, number];

/** The maximum number of runs at a time, and the maximum number of runs that keep results on this node. */
const MAX_RUNS = 256;
const MAX_KEEPING_RUNS = 4;
/** The maximum total size of the encoded tasks that a node holds, in bytes. A single task may be larger. */
const MAX_TASK_BYTES = 2 ** 26;
/**
 * Runs share the capacity of the node. A run without tasks on the node gets a share only if the node has
 * received a task of this run within this many milliseconds.
 */
const IDLE = 1000;

export class NodeRuns {
  readonly depth = new QueueDepth();
  private readonly byId = new Map<string, NodeRun>();
  private serial = 0;

  /**
   * Returns the serial number of the next report. All runs share one counter, so that the numbers of a run
   * still rise if the node forgets the run and takes part in it again. After 2^32 - 1 comes 0 (see
   * `isLaterSerial`).
   */
  nextSerial(): number {
    const { serial } = this;
    this.serial = (serial + 1) >>> 0;
    return serial;
  }

  get(id: RunId): NodeRun | undefined {
    return this.byId.get(keyOf(id));
  }
  all(): NodeRun[] {
    return [...this.byId.values()];
  }
  delete(id: RunId): void {
    this.get(id)?.dispose();
    this.byId.delete(keyOf(id));
  }

  /**
   * Records a message from a run's coordinator, and adds the run if it is new. keeps: whether the run keeps
   * results on this node. @throws Malformed if the maximum number of runs is reached and none of them is idle
   * (without tasks and kept results)
   */
  noteRun(id: RunId, coordinator: number, keeps = false): NodeRun {
    const now = performance.now();
    let run = this.get(id);
    if (keeps && !run?.keeps) this.evictIdleRun(true);
    if (!run) this.evictIdleRun(false);
    if (!run) this.byId.set(keyOf(id), (run = new NodeRun(id, coordinator, now)));
    run.keeps ||= keeps;
    [run.lastHeardAt, run.coordinator] = [now, coordinator];
    return run;
  }

  /**
   * Returns how many more tasks a run may assign to this node, and records the offer. All runs that assign
   * tasks get an equal share of the capacity.
   */
  offer(run: NodeRun): number {
    const slots = this.slotsOf(run);
    run.offered = Math.max(run.offered, run.tasks.size + slots);
    return slots;
  }

  /**
   * Returns whether this node accepts another task of a run. It accepts at most as many tasks of the run as it
   * has offered to hold or would now offer to hold, whichever is more. The tasks of all runs together must not
   * take more than MAX_TASK_BYTES. A node without any task accepts a task of any size.
   */
  accepts(run: NodeRun, bytes: number): boolean {
    return (
      run.tasks.size < Math.max(run.offered, run.tasks.size + this.slotsOf(run)) &&
      (this.taskBytes === 0 || this.taskBytes + bytes <= MAX_TASK_BYTES)
    );
  }

  /** The size of all encoded tasks. */
  private get taskBytes(): number {
    let sum = 0;
    for (const { taskBytes } of this.byId.values()) sum += taskBytes;
    return sum;
  }

  private slotsOf(run: NodeRun): number {
    const now = performance.now();
    let busy = 0;
    for (const other of this.byId.values())
      if (other === run || other.tasks.size > 0 || now - other.busyAt < IDLE) busy++;
    // Finished tasks take no capacity, but the number of unacknowledged results is bounded.
    const depth = Math.ceil(this.depth.count / busy);
    return Math.max(0, Math.min(depth - run.unfinished, 2 * depth - run.tasks.size));
  }

  // If the maximum number of runs is reached, evicts a run that has no tasks and no kept results. keeps:
  // whether only runs that keep results count. Without this limit, a sender could exhaust the memory by
  // announcing many runs.
  private evictIdleRun(keeps: boolean): void {
    const maxRuns = keeps ? MAX_KEEPING_RUNS : MAX_RUNS;
    const countedRuns = this.all().filter(run => run.keeps || !keeps);
    if (countedRuns.length < maxRuns) return;
    const idle = countedRuns.find(({ tasks, keptCount }) => tasks.size === 0 && keptCount === 0);
    if (!idle)
      throw new Malformed(
        `${maxRuns} runs have tasks or results on this node, which is the maximum`,
        'submit the job again when another one has ended, or start more nodes',
      );
    this.delete(idle.run);
  }
}

const keyOf = ([high, low]: RunId): string => `${high} ${low}`;
