// Tracks the nodes that take part in a run (the execution of one job): what each node has last reported, and
// which tasks are assigned to the node.
import { Malformed } from '../errors.js';
import { RoundTrip } from './roundTrip.js';

/** The maximum number of nodes of one run. */
const MAX_MEMBERS = 4096;

/**
 * The report of a node. serial: rises with each report, modulo 2^32. slots: how many more tasks the node would
 * take. heldTasks: the tasks that the node holds. lastGrant: the assignments of tasks to a node are numbered
 * (see `grants`); this is the number of the latest one that has reached the node, at least in part.
 */
export interface Report {
  node: number;
  serial: number;
  slots: number;
  heldTasks: ArrayLike<number>;
  lastGrant: number;
  isLeaving?: boolean;
}

/**
 * Returns whether a serial number is later than another one. Serial numbers are 32-bit words; after the
 * largest one comes 0. Source: RFC 1982, serial number arithmetic.
 */
export const isLaterSerial = (serial: number, other: number): boolean => ((serial - other) | 0) > 0;

export class RunMember {
  readonly node: number;
  /** The name that the node has reported. */
  name = '';
  /** The serial number of the last report; undefined before the first one. */
  private serial: number | undefined;
  slots = 0;
  /** The tasks that the node holds, according to its last report. */
  heldTasks = new Set<number>();
  /** The tasks assigned to the node. */
  readonly leases = new Set<number>();
  /** How often tasks were assigned to the node. One assignment may take several messages. */
  grants = 0;
  readonly roundTrip = new RoundTrip();
  heardAt = 0;
  /** Whether the node was heard recently. If not, the results that it keeps count as lost. */
  isPresent = true;
  /** The number of assigned tasks that the node has not reported yet. */
  private unconfirmed = 0;
  private timedGrant = 0;

  constructor(node: number) {
    this.node = node;
  }

  /**
   * Returns how many more tasks the node may get: none while it is absent. Assigned tasks that it has not
   * reported yet count as held.
   */
  capacity(maxLeases: number): number {
    return !this.isPresent ? 0 : Math.min(this.slots - this.unconfirmed, maxLeases - this.leases.size);
  }

  /**
   * Records the round-trip time of an assignment of tasks. grant: the number of the assignment. Only the first
   * call for an assignment counts, so that an assignment of several tasks gives only one sample.
   */
  noteArrival(grant: number, milliseconds: number): void {
    if (grant <= this.timedGrant) return;
    this.timedGrant = grant;
    this.roundTrip.add(milliseconds);
  }

  lease(task: number): void {
    this.leases.add(task);
    if (!this.heldTasks.has(task)) this.unconfirmed++;
  }

  release(task: number): void {
    if (this.leases.delete(task) && !this.heldTasks.has(task)) this.unconfirmed--;
  }

  /** Returns whether a report is newer than the last one. */
  isNew({ serial }: Report): boolean {
    return this.serial === undefined || isLaterSerial(serial, this.serial);
  }

  receiveReport({ serial, slots, heldTasks }: Report): void {
    [this.serial, this.slots, this.heldTasks] = [serial, slots, new Set(Array.from(heldTasks))];
    this.unconfirmed = 0;
    for (const task of this.leases) if (!this.heldTasks.has(task)) this.unconfirmed++;
  }
}

export class RunMembers {
  private readonly byNode = new Map<number, RunMember>();
  /** The last time at which any node was heard. */
  heardAt = -Infinity;
  /** How many nodes have ever taken part. */
  joinedCount = 0;
  private rotation = 0;

  get size(): number {
    return this.byNode.size;
  }
  get(node: number): RunMember | undefined {
    return this.byNode.get(node);
  }
  every(test: (node: number) => boolean): boolean {
    return [...this.byNode.keys()].every(test);
  }

  /**
   * Records a report. @returns the member, or undefined if this report is not newer than its last one.
   * @throws Malformed if the node is new and the run has the maximum number of nodes
   */
  receiveReport(report: Report, now: number): RunMember | undefined {
    const { node } = report;
    let member = this.byNode.get(node);
    if (!member) {
      if (this.byNode.size >= MAX_MEMBERS)
        throw new Malformed(
          `node ${node} cannot take part, because the run has the maximum of ${MAX_MEMBERS} nodes`,
          'start fewer nodes',
        );
      this.byNode.set(node, (member = new RunMember(node)));
      this.joinedCount++;
    }
    member.heardAt = this.heardAt = now;
    member.isPresent = true;
    if (!member.isNew(report)) return undefined;
    member.receiveReport(report);
    return member;
  }

  /** Returns the nodes that have capacity, rotated so that each call begins with a different node. */
  withCapacity(maxLeases: number): RunMember[] {
    const candidates = [...this.byNode.values()].filter(member => member.capacity(maxLeases) > 0);
    const first = candidates.length > 0 ? this.rotation++ % candidates.length : 0;
    return [...candidates.slice(first), ...candidates.slice(0, first)];
  }

  /** Removes a node unless tasks are assigned to it. */
  remove(node: number): void {
    if (this.byNode.get(node)?.leases.size === 0) this.byNode.delete(node);
  }

  /**
   * Marks nodes not heard since `presentSince` as absent. Removes nodes not heard since `knownSince`, unless
   * tasks are assigned to them.
   * @returns whether a node has become absent
   */
  forget(presentSince: number, knownSince: number): boolean {
    let hasLost = false;
    for (const member of this.byNode.values()) {
      hasLost ||= member.isPresent && member.heardAt < presentSince;
      member.isPresent = member.heardAt >= presentSince;
      if (member.heardAt < knownSince) this.remove(member.node);
    }
    return hasLost;
  }
}
