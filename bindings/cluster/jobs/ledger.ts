// Who does which task of a run: leases that end, results that count once, and that open their tasks again
// where they are lost with the nodes that keep them. The truth of a run; it has no clock, times are passed
// in.
import { Holdings, type Work } from './holdings.js';
import { type Member, Members, type Report } from './members.js';

/** How tasks are given out, and when a run gives up; all may be left out. */
export interface LedgerOptions {
  /** How long a node has a task to itself without a sign of life. */
  leaseMilliseconds?: number;
  /** Most tasks that a node has at a time. */
  mostLeases?: number;
  /** So many failures of a task, each on another node where there is one, end the run. */
  tries?: number;
  /** So many nodes that fell silent over a task end the run, too. */
  losses?: number;
}

/** grant: the message that brought it. until: 0 as long as the node has not told of it. */
interface Lease {
  node: number;
  at: number;
  until: number;
  grant: number;
}
/**
 * What is wrong with a task: it failed, nodes fall silent over it, or its result does not get to where it is
 * needed.
 */
export interface Verdict {
  task: number;
  why: 'failed' | 'lost' | 'endless';
}

const WAITING = 0;
const LEASED = 1;
const DONE = 2;
/** Before any task is done nobody knows how long they take. */
const FIRST_GUESS = 1000;
/** Of time beyond the usual, before a second node gets a task. */
const MARGIN = 50;

export class Ledger {
  /** Tasks so far; they are numbered from 0. */
  count = 0;
  done = 0;
  /**
   * Leases that ended without a result, tasks that two nodes were given, and results that were lost with who
   * kept them.
   */
  readonly lost = { leases: 0, twice: 0, results: 0 };
  readonly members = new Members();
  readonly leaseMilliseconds: number;
  private readonly holdings = new Holdings(this.members);
  /** Tasks or nodes are others than when it was last asked whether needs can be had. */
  private isShaken = false;
  private readonly mostLeases: number;
  private readonly tries: number;
  private readonly losses: number;
  private states = new Uint8Array(64);
  private queue: number[] = [];
  private head = 0;
  private readonly leases = new Map<number, Lease[]>();
  private readonly failures = new Map<number, { nodes: Set<number>; count: number }>();
  private readonly silences = new Map<number, Set<number>>();
  private meanDuration = FIRST_GUESS;

  constructor({ leaseMilliseconds = 5000, mostLeases = 4096, tries = 3, losses = 8 }: LedgerOptions = {}) {
    [this.leaseMilliseconds, this.mostLeases, this.tries, this.losses] = [
      leaseMilliseconds,
      mostLeases,
      tries,
      losses,
    ];
  }

  /** More tasks. workOf: where results are kept by who finds them. @returns the number of the first */
  add(count: number, workOf?: (i: number) => Work): number {
    const first = this.count;
    this.count += count;
    this.isShaken = true;
    if (this.states.length < this.count) {
      const states = new Uint8Array(2 * this.count);
      states.set(this.states);
      this.states = states;
    }
    for (let task = first; task < this.count; task++) {
      this.queue.push(task);
      if (workOf) this.holdings.add(task, workOf(task - first));
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
   * What a node tells of itself: leases of what it holds are extended, what it should hold and does not was
   * lost on the way.
   */
  told(report: Report, now: number): void {
    const member = this.members.told(report, now);
    if (!member) return;
    for (const task of member.leases) {
      const lease = this.leases.get(task)!.find(({ node }) => node === report.node)!;
      if (report.isLeaving) this.release(task, member);
      else if (member.holds.has(task)) {
        if (lease.until === 0) member.arrived(lease.grant, now - lease.at);
        lease.until = now + this.leaseMilliseconds;
      } else if (
        lease.until > 0 ||
        isLost(lease, report.heard, now - lease.at, member.roundTrip.patience, this.holdings.has(task))
      )
        this.release(task, member);
    }
    if (!report.isLeaving) return;
    this.members.remove(report.node);
    this.isShaken = true;
  }

  /**
   * A result: of each task the first one counts. @returns whether this is it, and who else is at work on the
   * task
   */
  finish(task: number, node: number, now: number): { isNew: boolean; others: number[] } {
    if (!(task < this.count) || this.states[task] === DONE) return { isNew: false, others: [] };
    const leases = this.leases.get(task) ?? [];
    const own = leases.find(lease => lease.node === node);
    if (own) {
      if (own.until === 0) this.members.get(node)?.arrived(own.grant, now - own.at);
      this.meanDuration =
        this.done === 0 ? now - own.at : this.meanDuration + (now - own.at - this.meanDuration) / 16;
    }
    for (const lease of leases) this.members.get(lease.node)?.release(task);
    this.leases.delete(task);
    this.failures.delete(task);
    this.silences.delete(task);
    this.states[task] = DONE;
    this.done++;
    this.holdings.hold(task, node);
    return { isNew: true, others: leases.filter(lease => lease.node !== node).map(lease => lease.node) };
  }

  /** Who keeps a result; nobody, where it is not found yet, or lost. */
  holderOf(task: number): number | undefined {
    return this.holdings.holderOf(task);
  }

  /**
   * Results that are needed: those that were lost with who kept them are found again, and what that needs.
   */
  want(tasks: readonly number[]): void {
    for (const task of tasks) if (this.holderOf(task) === undefined) this.reopen(task);
  }

  /** A result that was lost, or that who keeps it does not give, is found again. */
  reopen(task: number): void {
    if (this.states[task] !== DONE || !this.holdings.has(task)) return;
    this.states[task] = WAITING;
    this.queue.push(task);
    this.holdings.hold(task, undefined);
    this.done--;
    this.lost.results++;
    this.want(this.holdings.needsOf(task));
  }

  /**
   * A node could not do a task; missing: of what it needs, what nobody gave. @returns that the run cannot
   * end, where so many could not
   */
  fail(task: number, node: number, missing: readonly number[] = []): Verdict | undefined {
    const member = this.members.get(node);
    if (!(task < this.count) || this.states[task] === DONE) return undefined;
    // Told twice: the lease is gone by then.
    if (!this.leases.get(task)?.some(lease => lease.node === node)) return undefined;
    const lost = this.holdings.needsOf(task).filter(need => missing.includes(need));
    for (const need of lost) this.reopen(need);
    if (lost.length > 0) return void this.release(task, member!);
    const failure = this.failures.get(task) ?? { nodes: new Set(), count: 0 };
    failure.nodes.add(node);
    failure.count++;
    this.failures.set(task, failure);
    if (member) this.release(task, member);
    return failure.count >= this.tries ? { task, why: 'failed' } : undefined;
  }

  /**
   * Ends leases whose time is over, and forgets who is gone. @returns that the run cannot end, where a task
   * silences nodes
   */
  tick(now: number): Verdict | undefined {
    for (const [task, leases] of this.leases) {
      for (const { node, at, until } of [...leases]) {
        if (now < (until || at + this.leaseMilliseconds)) continue;
        this.release(task, this.members.get(node)!);
        const silences = this.silences.get(task) ?? new Set();
        this.silences.set(task, silences.add(node));
        if (silences.size >= this.losses) return { task, why: 'lost' };
      }
    }
    if (this.members.forget(now - this.leaseMilliseconds, now - 3 * this.leaseMilliseconds))
      this.isShaken = true;
    return this.holdings.endless === undefined ? undefined : { task: this.holdings.endless, why: 'endless' };
  }

  /**
   * Tasks for nodes that want some, dealt in turns, one each: as long as many wait, as many as are wanted.
   * Who was silent for a lease gets none until it speaks.
   */
  deal(now: number): Map<Member, number[]> {
    const dealt = new Map<Member, number[]>();
    this.wantNeeds();
    // Who comes first leaves some to those who come next.
    const most = Math.max(
      1,
      Math.ceil((this.count - this.done - this.leases.size) / (2 * this.members.size)),
    );
    for (let hungry = this.members.hungry(this.mostLeases); hungry.length > 0; ) {
      hungry = hungry.filter(member => {
        const task = this.next(member, now);
        const tasks = dealt.get(member);
        if (task === undefined) return false;
        if (!tasks) member.grants++;
        this.lease(task, member, now);
        if (tasks) tasks.push(task);
        else dealt.set(member, [task]);
        return member.room(this.mostLeases) > 0 && dealt.get(member)!.length < most;
      });
    }
    return dealt;
  }

  /** Who has a task now. */
  leasesOf(task: number): readonly Lease[] {
    return this.leases.get(task) ?? [];
  }

  private wantNeeds(): void {
    if (!this.isShaken) return;
    this.isShaken = false;
    for (const task of this.holdings.all())
      if (this.states[task] === WAITING) this.want(this.holdings.needsOf(task));
  }

  private next(member: Member, now: number): number | undefined {
    for (; this.head < this.queue.length; this.head++) {
      const task = this.queue[this.head];
      if (this.states[task] !== WAITING) continue;
      if (this.suits(task, member)) {
        this.head++;
        this.trim();
        return task;
      }
      return this.nextSuiting(member) ?? this.second(member, now);
    }
    this.trim();
    return this.second(member, now);
  }

  // The first of the queue has failed here before: the first that has not.
  private nextSuiting(member: Member): number | undefined {
    for (let at = this.head; at < this.queue.length; at++) {
      const task = this.queue[at];
      if (this.states[task] === WAITING && this.suits(task, member)) return this.queue.splice(at, 1)[0];
    }
    return undefined;
  }

  // Others are to try what a node could not do, where there are others.
  private suits(task: number, member: Member): boolean {
    const nodes = this.failures.get(task)?.nodes;
    const hasFailed = (node: number): boolean => nodes?.has(node) === true;
    return (
      (!hasFailed(member.node) || this.members.every(hasFailed)) &&
      this.holdings.suits(task, member, hasFailed)
    );
  }

  // Nothing waits: what another node has had for long, as it may be slow or gone. What is kept has its place.
  private second(member: Member, now: number): number | undefined {
    for (const [task, leases] of this.leases) {
      const [only] = leases;
      if (
        leases.length === 1 &&
        !this.holdings.has(task) &&
        only!.node !== member.node &&
        now - only!.at > 2 * this.meanDuration + MARGIN &&
        this.suits(task, member)
      ) {
        this.lost.twice++;
        return task;
      }
    }
    return undefined;
  }

  private lease(task: number, member: Member, now: number): void {
    const leases = this.leases.get(task) ?? [];
    leases.push({ node: member.node, at: now, until: 0, grant: member.grants });
    this.leases.set(task, leases);
    this.states[task] = LEASED;
    this.holdings.begin(task);
    member.lease(task);
  }

  private release(task: number, member: Member): void {
    const leases = this.leases.get(task)!.filter(({ node }) => node !== member.node);
    member.release(task);
    this.lost.leases++;
    this.isShaken = true;
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

// Who has heard a later message should have heard this one, unless they overtake each other; who hears
// nothing at all is waited for longer, but where tasks are few and others wait for them.
const isLost = ({ grant }: Lease, heard: number, age: number, patience: number, isKept: boolean): boolean =>
  age > (heard >= grant || isKept ? patience : 4 * patience);
