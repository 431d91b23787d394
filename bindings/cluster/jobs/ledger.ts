// Tracks which node has which task of a run (the execution of one job). A task is leased to a node for a
// limited time. The task is assigned again if the lease ends without a result. If the result is kept on the
// node that computed it, and is lost later, the task is assigned again, too. Only the first result of a task
// counts. The ledger has no clock: callers pass the time.

import { type Report, type RunMember, RunMembers } from './runMembers.js';
import { StoredResults, type TaskPlacement } from './storedResults.js';

/**
 * How tasks are assigned, and when a run ends with an error. All options are optional. Source: Gray and
 * Cheriton 1989 (leases).
 */
export interface LedgerOptions {
  /**
   * How long a node keeps a task without reporting that it still has the task, in milliseconds. Default 5000.
   */
  leaseMilliseconds?: number;
  /** The maximum number of tasks of a node at a time. Default 4096. */
  maxLeases?: number;
  /**
   * The run ends when one task has failed this many times. After a failure the task goes to another node, if
   * there is one. Default 3.
   */
  maxFailures?: number;
  /** The run ends when this many nodes have fallen silent while they had the same task. Default 8. */
  maxSilentNodes?: number;
}

/**
 * The lease of a task. at: the time at which the task was assigned. grant: the number of the assignment, among
 * the assignments of tasks to this node. until: the time at which the lease expires, once the node has
 * confirmed the task. Before that, `until` is 0, and the lease expires `leaseMilliseconds` after `at`.
 */
interface Lease {
  node: number;
  at: number;
  until: number;
  grant: number;
}
/**
 * Why a run cannot continue. failed: the task failed too often. lost: too many nodes fell silent while they
 * had the task. endless: the task was started too often, because its result never reaches the nodes that need
 * it.
 */
export interface RunFailure {
  task: number;
  why: 'failed' | 'lost' | 'endless';
}

const WAITING = 0;
const LEASED = 1;
const DONE = 2;
/** The assumed duration of a task until the first one is done, in milliseconds. */
const FIRST_GUESS = 1000;
/**
 * If a task takes longer than twice the mean duration of tasks plus this many milliseconds, it may also go to a
 * second node.
 */
const MARGIN = 50;

export class Ledger {
  /** The number of tasks so far; they are numbered from 0. */
  count = 0;
  done = 0;
  /**
   * lostLeases: leases that ended without a result. duplicates: tasks that were assigned to a second node.
   * lostResults: kept results that were lost, or that their nodes did not deliver.
   */
  readonly counters = { lostLeases: 0, duplicates: 0, lostResults: 0 };
  readonly members = new RunMembers();
  readonly leaseMilliseconds: number;
  private readonly storedResults = new StoredResults(this.members);
  /** Whether tasks or nodes have changed since `requireNeeds` last ran. */
  private needsRecheck = false;
  private readonly maxLeases: number;
  private readonly maxFailures: number;
  private readonly maxSilentNodes: number;
  private states = new Uint8Array(64);
  private queue: number[] = [];
  private head = 0;
  /** The number of the first task that is not forgotten. */
  private firstKnown = 0;
  private readonly leases = new Map<number, Lease[]>();
  private readonly failures = new Map<number, { nodes: Set<number>; count: number }>();
  private readonly silences = new Map<number, Set<number>>();
  /** For each task: the node, if any, that must not get it. */
  private readonly avoided = new Map<number, number>();
  private meanDuration = FIRST_GUESS;

  constructor({
    leaseMilliseconds = 5000,
    maxLeases = 4096,
    maxFailures = 3,
    maxSilentNodes = 8,
  }: LedgerOptions = {}) {
    [this.leaseMilliseconds, this.maxLeases, this.maxFailures, this.maxSilentNodes] = [
      leaseMilliseconds,
      maxLeases,
      maxFailures,
      maxSilentNodes,
    ];
  }

  /**
   * Adds tasks; in the callbacks, i counts the new tasks from 0. placementOf: tells where new task i may run;
   * passed only if results stay on the nodes that compute them. avoidedBy: returns a node that must not get new
   * task i.
   * @returns the number of the first new task
   */
  add(count: number, placementOf?: (i: number) => TaskPlacement, avoidedBy?: (i: number) => number): number {
    const first = this.count;
    this.count += count;
    this.needsRecheck = true;
    if (this.states.length < this.count) {
      const states = new Uint8Array(2 * this.count);
      states.set(this.states);
      this.states = states;
    }
    for (let task = first; task < this.count; task++) {
      this.queue.push(task);
      if (placementOf) this.storedResults.add(task, placementOf(task - first));
      if (avoidedBy) this.avoided.set(task, avoidedBy(task - first));
    }
    return first;
  }

  get isDone(): boolean {
    return this.done === this.count;
  }
  isFinished(task: number): boolean {
    return this.states[task] === DONE;
  }

  /**
   * Handles the report of a node: extends the leases of the tasks that the node holds. If a task is assigned to
   * the node but missing from the report, its lease ends: at once if the node had confirmed the task, otherwise
   * after a wait (see isLost). If the node leaves, all its leases end.
   */
  receiveReport(report: Report, now: number): void {
    const member = this.members.receiveReport(report, now);
    if (!member) return;
    for (const task of member.leases) {
      const lease = this.leases.get(task)!.find(({ node }) => node === report.node)!;
      if (report.isLeaving) this.release(task, member);
      else if (member.heldTasks.has(task)) {
        if (lease.until === 0) member.noteArrival(lease.grant, now - lease.at);
        lease.until = now + this.leaseMilliseconds;
      } else if (
        lease.until > 0 ||
        isLost(
          lease,
          report.lastGrant,
          now - lease.at,
          member.roundTrip.timeout,
          this.storedResults.has(task),
        )
      )
        this.release(task, member);
    }
    if (!report.isLeaving) return;
    this.members.remove(report.node);
    this.needsRecheck = true;
  }

  /**
   * Records a result. Only the first result of a task counts. @returns isNew: whether this result is the
   * first; others: the other nodes that work on the task
   */
  finish(task: number, node: number, now: number): { isNew: boolean; others: number[] } {
    if (!(task < this.count) || this.states[task] === DONE) return { isNew: false, others: [] };
    const leases = this.leases.get(task) ?? [];
    const own = leases.find(lease => lease.node === node);
    if (own) {
      if (own.until === 0) this.members.get(node)?.noteArrival(own.grant, now - own.at);
      this.meanDuration =
        this.done === 0 ? now - own.at : this.meanDuration + (now - own.at - this.meanDuration) / 16;
    }
    for (const lease of leases) this.members.get(lease.node)?.release(task);
    for (const known of [this.leases, this.failures, this.silences, this.avoided]) known.delete(task);
    this.states[task] = DONE;
    this.done++;
    this.storedResults.setHolder(task, node);
    return { isNew: true, others: leases.filter(lease => lease.node !== node).map(lease => lease.node) };
  }

  /**
   * Returns the node that keeps the result of a task; undefined if there is no result yet, or if it is lost.
   */
  holderOf(task: number): number | undefined {
    return this.storedResults.holderOf(task);
  }

  /**
   * Reopens each given task whose kept result is lost. Does the same for the tasks whose results a reopened
   * task needs.
   */
  requireResults(tasks: readonly number[]): void {
    for (const task of tasks) if (this.holderOf(task) === undefined) this.reopen(task);
  }

  /** Reopens a task whose kept result is lost or cannot be fetched from its node. */
  reopen(task: number): void {
    if (this.states[task] !== DONE || !this.storedResults.has(task)) return;
    this.states[task] = WAITING;
    this.queue.push(task);
    this.storedResults.setHolder(task, undefined);
    this.done--;
    this.counters.lostResults++;
    this.requireResults(this.storedResults.needsOf(task));
  }

  /** Forgets all tasks with numbers below `end`: they count as done, and their results are not needed. */
  forgetBefore(end: number): void {
    for (; this.firstKnown < end; this.firstKnown++) {
      const task = this.firstKnown;
      this.storedResults.delete(task);
      if (this.states[task] === DONE) continue;
      for (const { node } of this.leases.get(task) ?? []) this.members.get(node)?.release(task);
      for (const known of [this.leases, this.failures, this.silences, this.avoided]) known.delete(task);
      this.states[task] = DONE;
      this.done++;
    }
  }

  /**
   * Records that a node failed at a task. missing: the tasks whose results the node could not fetch. If the
   * failed task needs results of some of them, these tasks run again, and the failure does not count.
   * @returns the reason to end the run, if the task failed too often
   */
  fail(task: number, node: number, missing: readonly number[] = []): RunFailure | undefined {
    const member = this.members.get(node);
    if (!(task < this.count) || this.states[task] === DONE) return undefined;
    // If the lease is gone, this is a duplicate report.
    if (!this.leases.get(task)?.some(lease => lease.node === node)) return undefined;
    const lost = this.storedResults.needsOf(task).filter(need => missing.includes(need));
    for (const need of lost) this.reopen(need);
    if (lost.length > 0) return void this.release(task, member!);
    const failure = this.failures.get(task) ?? { nodes: new Set(), count: 0 };
    failure.nodes.add(node);
    failure.count++;
    this.failures.set(task, failure);
    if (member) this.release(task, member);
    return failure.count >= this.maxFailures ? { task, why: 'failed' } : undefined;
  }

  /**
   * Ends expired leases, and forgets nodes that are gone. @returns the reason to end the run, if too many
   * nodes fell silent during a task, or if a task was started too often
   */
  tick(now: number): RunFailure | undefined {
    for (const [task, leases] of this.leases) {
      for (const { node, at, until } of [...leases]) {
        if (now < (until || at + this.leaseMilliseconds)) continue;
        this.release(task, this.members.get(node)!);
        const silences = this.silences.get(task) ?? new Set();
        this.silences.set(task, silences.add(node));
        if (silences.size >= this.maxSilentNodes) return { task, why: 'lost' };
      }
    }
    if (this.members.forget(now - this.leaseMilliseconds, now - 3 * this.leaseMilliseconds))
      this.needsRecheck = true;
    return this.storedResults.exceeded === undefined
      ? undefined
      : { task: this.storedResults.exceeded, why: 'endless' };
  }

  /**
   * Assigns open tasks to the nodes that request tasks, round robin, up to the number that each requests. A
   * node that was silent for the duration of a lease gets none until it sends a report again.
   */
  assignTasks(now: number): Map<RunMember, number[]> {
    const assigned = new Map<RunMember, number[]>();
    this.requireNeeds();
    // In one call, a node gets at most half of an equal share of the open tasks, so that tasks are left for
    // other nodes.
    const maxTasks = Math.max(
      1,
      Math.ceil((this.count - this.done - this.leases.size) / (2 * this.members.size)),
    );
    for (let candidates = this.members.withCapacity(this.maxLeases); candidates.length > 0; ) {
      candidates = candidates.filter(member => {
        const task = this.takeNextTask(member, now);
        const tasks = assigned.get(member);
        if (task === undefined) return false;
        if (!tasks) member.grants++;
        this.lease(task, member, now);
        if (tasks) tasks.push(task);
        else assigned.set(member, [task]);
        return member.capacity(this.maxLeases) > 0 && assigned.get(member)!.length < maxTasks;
      });
    }
    return assigned;
  }

  /** Ends all leases of a node, and forgets it. */
  remove(node: number): void {
    const member = this.members.get(node);
    if (!member) return;
    for (const task of member.leases) this.release(task, member);
    this.members.remove(node);
    this.needsRecheck = true;
  }

  /** Returns an open task if no node has any task, otherwise undefined. */
  idleTask(): number | undefined {
    return this.leases.size > 0 || this.isDone ? undefined : this.states.indexOf(WAITING, this.firstKnown);
  }

  /** Returns the leases that began before a time. */
  leasesSince(before: number): { task: number; node: number }[] {
    return [...this.leases].flatMap(([task, leases]) =>
      leases.flatMap(({ node, at }) => (at < before ? [{ task, node }] : [])),
    );
  }

  /** Returns the leases of a task. */
  leasesOf(task: number): readonly Lease[] {
    return this.leases.get(task) ?? [];
  }

  private requireNeeds(): void {
    if (!this.needsRecheck) return;
    this.needsRecheck = false;
    for (const task of this.storedResults.all())
      if (this.states[task] === WAITING) this.requireResults(this.storedResults.needsOf(task));
  }

  private takeNextTask(member: RunMember, now: number): number | undefined {
    for (; this.head < this.queue.length; this.head++) {
      const task = this.queue[this.head];
      if (this.states[task] !== WAITING) continue;
      if (this.suits(task, member)) {
        this.head++;
        this.trim();
        return task;
      }
      return this.nextSuiting(member) ?? this.duplicate(member, now);
    }
    this.trim();
    return this.duplicate(member, now);
  }

  // Takes the first task of the queue that suits this node. Called if the task at the head does not suit the
  // node.
  private nextSuiting(member: RunMember): number | undefined {
    for (let at = this.head; at < this.queue.length; at++) {
      const task = this.queue[at];
      if (this.states[task] === WAITING && this.suits(task, member)) return this.queue.splice(at, 1)[0];
    }
    return undefined;
  }

  // Returns whether a node may get a task. A task that has failed goes to nodes on which it has not failed,
  // if there are any that may get it.
  private suits(task: number, member: RunMember): boolean {
    const avoided = this.avoided.get(task);
    const nodes = this.failures.get(task)?.nodes;
    const hasFailed = (node: number): boolean => nodes?.has(node) === true;
    return (
      avoided !== member.node &&
      (!hasFailed(member.node) || this.members.every(node => node === avoided || hasFailed(node))) &&
      this.storedResults.suits(task, member, hasFailed)
    );
  }

  // Returns a task that another node has had for a long time, so that this node gets it, too, because the other
  // node may be slow or gone. Called if no open task suits this node. Tasks with kept results are not
  // duplicated.
  private duplicate(member: RunMember, now: number): number | undefined {
    for (const [task, leases] of this.leases) {
      const [lease] = leases;
      if (
        leases.length === 1 &&
        !this.storedResults.has(task) &&
        lease!.node !== member.node &&
        now - lease!.at > 2 * this.meanDuration + MARGIN &&
        this.suits(task, member)
      ) {
        this.counters.duplicates++;
        return task;
      }
    }
    return undefined;
  }

  private lease(task: number, member: RunMember, now: number): void {
    const leases = this.leases.get(task) ?? [];
    leases.push({ node: member.node, at: now, until: 0, grant: member.grants });
    this.leases.set(task, leases);
    this.states[task] = LEASED;
    this.storedResults.noteStart(task);
    member.lease(task);
  }

  private release(task: number, member: RunMember): void {
    const leases = this.leases.get(task)!.filter(({ node }) => node !== member.node);
    member.release(task);
    this.counters.lostLeases++;
    this.needsRecheck = true;
    if (leases.length > 0) return void this.leases.set(task, leases);
    this.leases.delete(task);
    this.states[task] = WAITING;
    this.queue.push(task);
  }

  private trim(): void {
    if (this.head < 1024 || 2 * this.head < this.queue.length) return;
    this.queue = this.queue.slice(this.head);
    this.head = 0;
  }
}

// Returns whether the message that assigned a task counts as lost. Called if the node's report lacks the task.
// age: the time since the task was assigned. grant: the number of the assignment, which all its messages share.
// lastGrant: the highest such number that the node has received. If lastGrant is at least grant, the message
// counts as lost once age exceeds `patience`. This wait is needed because another message of the same
// assignment may have arrived first. If lastGrant is lower, the node has received only earlier messages, and
// the wait is four times as long. For a task with a kept result, the wait is always `patience`, because there
// are few such tasks and other tasks need their results.
const isLost = (
  { grant }: Lease,
  lastGrant: number,
  age: number,
  patience: number,
  isKept: boolean,
): boolean => age > (lastGrant >= grant || isKept ? patience : 4 * patience);
