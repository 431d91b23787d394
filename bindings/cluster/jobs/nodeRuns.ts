// The runs that a node takes part in: bounds their number, and shares its capacity for tasks between them.
import { Malformed } from '../errors.js';
import { NodeRun } from './nodeRun.js';
import { QueueDepth } from './queueDepth.js';

type RunId = readonly [number, number];

/** The maximum number of runs at a time, and the maximum number of runs that keep results on this node. */
const MAX_RUNS = 256;
const MAX_KEEPING_RUNS = 4;
/**
 * A run that has no tasks here and has assigned none for this long, in milliseconds, gets no share of the
 * capacity.
 */
const IDLE = 1000;

export class NodeRuns {
  readonly depth = new QueueDepth();
  private readonly byId = new Map<string, NodeRun>();

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
   * results on this node. @throws Malformed if there are already the maximum number of runs and none is idle
   */
  noteRun(id: RunId, coordinator: number, keeps = false): NodeRun {
    const now = performance.now();
    let run = this.get(id);
    if (!run || (keeps && !run.keeps)) this.evictIdleRun(keeps);
    if (!run) this.byId.set(keyOf(id), (run = new NodeRun(id, coordinator, now)));
    run.keeps ||= keeps;
    [run.lastHeardAt, run.coordinator] = [now, coordinator];
    return run;
  }

  /**
   * Returns how many more tasks a run may assign to this node. The runs that assign tasks share the capacity.
   */
  slotsOf(run: NodeRun): number {
    const now = performance.now();
    let busy = 0;
    for (const other of this.byId.values())
      if (other === run || other.tasks.size > 0 || now - other.busyAt < IDLE) busy++;
    // Finished tasks take no capacity, but the number of unacknowledged results is bounded.
    const depth = Math.ceil(this.depth.count / busy);
    return Math.max(0, Math.min(depth - run.unfinished, 2 * depth - run.tasks.size));
  }

  // Runs without tasks cost little, but a sender that announces many runs must not exhaust the memory.
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
