// Runs that a node takes part in: bounded, and how many tasks each may bring.
import { Malformed } from '../errors.js';
import { Depth } from './depth.js';
import { NodeRun } from './taskQueue.js';

type RunId = readonly [number, number];

/** Runs that are known at a time, and of those that leave results here. */
const MOST_RUNS = 256;
const MOST_KEEPING = 4;
/** A run that brought no task for so long does not count when places are shared out. */
const IDLE = 1000;

export class NodeRuns {
  readonly depth = new Depth();
  private readonly byId = new Map<string, NodeRun>();

  get(id: RunId): NodeRun | undefined {
    return this.byId.get(keyOf(id));
  }
  all(): NodeRun[] {
    return [...this.byId.values()];
  }
  delete(id: RunId): void {
    this.byId.delete(keyOf(id));
  }

  /**
   * A run whose coordinator was heard. keeps: it is to leave results here. @throws Malformed where there is
   * no room
   */
  know(id: RunId, coordinator: number, keeps = false): NodeRun {
    const now = performance.now();
    let run = this.get(id);
    if (!run || (keeps && !run.keeps)) this.makeRoom(keeps);
    if (!run) this.byId.set(keyOf(id), (run = new NodeRun(id, coordinator, now)));
    run.keeps ||= keeps;
    [run.heardAt, run.coordinator] = [now, coordinator];
    return run;
  }

  /** Places are shared by the runs that bring tasks. */
  slotsOf(run: NodeRun): number {
    const now = performance.now();
    let busy = 0;
    for (const other of this.byId.values())
      if (other === run || other.tasks.size > 0 || now - other.busyAt < IDLE) busy++;
    // What is finished takes no place, but results that were not settled are few.
    const depth = Math.ceil(this.depth.count / busy);
    return Math.max(0, Math.min(depth - run.unfinished, 2 * depth - run.tasks.size));
  }

  // Runs that bring no tasks cost little, but whoever announces many must not fill the memory.
  private makeRoom(keeps: boolean): void {
    const most = keeps ? MOST_KEEPING : MOST_RUNS;
    const rivals = this.all().filter(run => run.keeps || !keeps);
    if (rivals.length < most) return;
    const idle = rivals.find(({ tasks, kept }) => tasks.size === 0 && kept.size === 0);
    if (!idle) throw new Malformed('a run too many', `${most} have tasks or results here`);
    this.delete(idle.run);
  }
}

const keyOf = ([high, low]: RunId): string => `${high} ${low}`;
