// Results that stay with the nodes that found them, for tasks that need them: who has which, and who is to do
// what.
import type { Member, Members } from './members.js';

/**
 * A task whose result is kept. needs: tasks whose results it takes; prefer: who did this task has some of
 * that already; isBound: no other node gets it while that one is here.
 */
export interface Work {
  needs: readonly number[];
  prefer?: number;
  isBound?: boolean;
}

/** holder: who found it last; none while it is open. times: how often it was begun. */
interface Entry {
  work: Work;
  holder: number | undefined;
  times: number;
}

/** Times that a task is begun, at most: a run that goes in circles ends. */
const MOST_TIMES = 30;

export class Holdings {
  /** A task that goes in circles, if any. */
  endless: number | undefined;
  private readonly members: Members;
  private readonly entries = new Map<number, Entry>();

  constructor(members: Members) {
    this.members = members;
  }

  add(task: number, work: Work): void {
    this.entries.set(task, { work, holder: undefined, times: 0 });
  }
  has(task: number): boolean {
    return this.entries.has(task);
  }
  all(): Iterable<number> {
    return this.entries.keys();
  }
  needsOf(task: number): readonly number[] {
    return this.entries.get(task)?.work.needs ?? [];
  }

  begin(task: number): void {
    const entry = this.entries.get(task);
    if (entry && ++entry.times > MOST_TIMES) this.endless = task;
  }

  /** A node has a task's result; or nobody has it any more. */
  hold(task: number, holder: number | undefined): void {
    const entry = this.entries.get(task);
    if (entry) entry.holder = holder;
  }

  /** Who can give a task's result. */
  holderOf(task: number): number | undefined {
    return this.held(task)?.node;
  }

  /**
   * Whether a node is to do a task now: one at a time, where most of what it needs is, once all of that can
   * be had. hasFailed: at this task.
   */
  suits(task: number, member: Member, hasFailed: (node: number) => boolean): boolean {
    const entry = this.entries.get(task);
    if (!entry) return true;
    if (member.leases.size > 0) return false;
    const { needs, prefer, isBound } = entry.work;
    const preferred = prefer === undefined ? undefined : this.held(prefer);
    const isKept =
      preferred &&
      preferred !== member &&
      !hasFailed(preferred.node) &&
      (isBound || (preferred.leases.size === 0 && preferred.slots > 0));
    return !isKept && needs.every(need => this.held(need));
  }

  private held(task: number): Member | undefined {
    const holder = this.entries.get(task)?.holder;
    const member = holder === undefined ? undefined : this.members.get(holder);
    return member?.isHere ? member : undefined;
  }
}
