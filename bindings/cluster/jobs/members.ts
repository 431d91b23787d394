// Nodes that take part in a run, as they last told of themselves.
import { Malformed } from '../errors.js';
import { RoundTrip } from './roundTrip.js';

/** Of one run. */
const MOST_MEMBERS = 4096;

/**
 * What a node tells: what it has, how much more it would take, and the last message that brought it tasks, by
 * its number.
 */
export interface Report {
  node: number;
  serial: number;
  slots: number;
  holds: ArrayLike<number>;
  heard: number;
  isLeaving?: boolean;
}

export class Member {
  readonly node: number;
  serial = -1;
  slots = 0;
  /** Tasks that it has told of. */
  holds = new Set<number>();
  /** Tasks that it was given. */
  readonly leases = new Set<number>();
  /** Messages that brought it tasks. */
  grants = 0;
  readonly roundTrip = new RoundTrip();
  heardAt = 0;
  /** Whether it was heard lately: else what it holds is lost. */
  isHere = true;
  /** Of the tasks that it was given those that it has not told of. */
  private onTheWay = 0;
  private timedGrant = 0;

  constructor(node: number) {
    this.node = node;
  }

  /** How many more tasks it may get, as long as it is heard: what is on the way to it counts. */
  room(mostLeases: number): number {
    return !this.isHere ? 0 : Math.min(this.slots - this.onTheWay, mostLeases - this.leases.size);
  }

  /**
   * A message that brought it tasks has come, after so many milliseconds: many tasks of one tell of one way,
   * not of many.
   */
  arrived(grant: number, milliseconds: number): void {
    if (grant <= this.timedGrant) return;
    this.timedGrant = grant;
    this.roundTrip.add(milliseconds);
  }

  lease(task: number): void {
    this.leases.add(task);
    if (!this.holds.has(task)) this.onTheWay++;
  }

  release(task: number): void {
    if (this.leases.delete(task) && !this.holds.has(task)) this.onTheWay--;
  }

  told({ serial, slots, holds }: Report): void {
    [this.serial, this.slots, this.holds] = [serial, slots, new Set(Array.from(holds))];
    this.onTheWay = 0;
    for (const task of this.leases) if (!this.holds.has(task)) this.onTheWay++;
  }
}

export class Members {
  private readonly byNode = new Map<number, Member>();
  /** When any node was last heard. */
  heardAt = -Infinity;
  /** How many there ever were. */
  met = 0;
  private turn = 0;

  get size(): number {
    return this.byNode.size;
  }
  get(node: number): Member | undefined {
    return this.byNode.get(node);
  }
  every(test: (node: number) => boolean): boolean {
    return [...this.byNode.keys()].every(test);
  }

  /** @returns the member, unless it has told newer things before */
  told(report: Report, now: number): Member | undefined {
    const { node, serial } = report;
    let member = this.byNode.get(node);
    if (!member) {
      if (this.byNode.size >= MOST_MEMBERS)
        throw new Malformed(`node ${node}, of which nothing was heard`, `${MOST_MEMBERS} are the most`);
      this.byNode.set(node, (member = new Member(node)));
      this.met++;
    }
    member.heardAt = this.heardAt = now;
    member.isHere = true;
    if (serial <= member.serial) return undefined;
    member.told(report);
    return member;
  }

  /** Those that have room, another one first each time. */
  hungry(mostLeases: number): Member[] {
    const hungry = [...this.byNode.values()].filter(member => member.room(mostLeases) > 0);
    const first = hungry.length > 0 ? this.turn++ % hungry.length : 0;
    return [...hungry.slice(first), ...hungry.slice(0, first)];
  }

  /** A node without leases; others stay until theirs have ended. */
  remove(node: number): void {
    if (this.byNode.get(node)?.leases.size === 0) this.byNode.delete(node);
  }

  /**
   * Who was not heard since `here` is not here; who was not since `known` is forgotten. @returns whether
   * anybody is not here any more
   */
  forget(here: number, known: number): boolean {
    let isFewer = false;
    for (const member of this.byNode.values()) {
      isFewer ||= member.isHere && member.heardAt < here;
      member.isHere = member.heardAt >= here;
      if (member.heardAt < known) this.remove(member.node);
    }
    return isFewer;
  }
}
