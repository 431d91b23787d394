// Tracks kept results, which stay on the nodes that computed them. Decides which nodes may run a task that
// needs kept results.
import type { RunMember, RunMembers } from './runMembers.js';

/**
 * Where a task whose result is kept may run. needs: the tasks whose results are its inputs. prefer: an
 * earlier task. The node that keeps the result of this earlier task is preferred, because the node already
 * has some of the inputs. isBound: if true, other nodes get the task only if the preferred node is absent or
 * has failed at the task.
 */
export interface TaskPlacement {
  needs: readonly number[];
  prefer?: number;
  isBound?: boolean;
}

/**
 * holder: the node that computed the result last; undefined while there is no result. starts: how often the
 * task was started.
 */
interface Entry {
  placement: TaskPlacement;
  holder: number | undefined;
  starts: number;
}

/**
 * The maximum number of starts of a task. If a task exceeds this number, the run is presumed to make no
 * progress, and ends with an error.
 */
const MAX_STARTS = 30;

export class StoredResults {
  /** A task that exceeded the maximum number of starts, if any. */
  exceeded: number | undefined;
  private readonly members: RunMembers;
  private readonly entries = new Map<number, Entry>();

  constructor(members: RunMembers) {
    this.members = members;
  }

  add(task: number, placement: TaskPlacement): void {
    this.entries.set(task, { placement, holder: undefined, starts: 0 });
  }
  has(task: number): boolean {
    return this.entries.has(task);
  }
  delete(task: number): void {
    this.entries.delete(task);
  }
  all(): Iterable<number> {
    return this.entries.keys();
  }
  needsOf(task: number): readonly number[] {
    return this.entries.get(task)?.placement.needs ?? [];
  }

  noteStart(task: number): void {
    const entry = this.entries.get(task);
    if (entry && ++entry.starts > MAX_STARTS) this.exceeded = task;
  }

  /** Records which node has a task's result; undefined: no node has it any more. */
  setHolder(task: number, holder: number | undefined): void {
    const entry = this.entries.get(task);
    if (entry) entry.holder = holder;
  }

  /** Returns the node that has a task's result, or undefined if no present node has it. */
  holderOf(task: number): number | undefined {
    return this.holderMember(task)?.node;
  }

  /**
   * Returns whether a node should get a task now. A task whose result is not kept suits every node. Otherwise
   * the node must have no other task, and every result that the task needs must be on a present node. If there
   * is a preferred node that is present and has not failed at the task, another node gets the task only if the
   * preferred node is busy and the task is not bound. hasFailed: whether a node has failed at this task.
   */
  suits(task: number, member: RunMember, hasFailed: (node: number) => boolean): boolean {
    const entry = this.entries.get(task);
    if (!entry) return true;
    if (member.leases.size > 0) return false;
    const { needs, prefer, isBound } = entry.placement;
    const preferred = prefer === undefined ? undefined : this.holderMember(prefer);
    const isReserved =
      preferred &&
      preferred !== member &&
      !hasFailed(preferred.node) &&
      (isBound || (preferred.leases.size === 0 && preferred.slots > 0));
    return !isReserved && needs.every(need => this.holderMember(need));
  }

  private holderMember(task: number): RunMember | undefined {
    const holder = this.entries.get(task)?.holder;
    const member = holder === undefined ? undefined : this.members.get(holder);
    return member?.isPresent ? member : undefined;
  }
}
