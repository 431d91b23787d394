// The simulation of one member: moves its bodies, sends those that reach other columns, tests the pairs of
// its columns, and lets its bodies respond to contacts.
import { ClusterError } from '../errors.js';
import type { ReceivedMessage } from '../message.js';
import { Columns, type Grid } from './columns.js';
import type { Digest } from './digest.js';
import { HomeBodies } from './homeBodies.js';
import type { SwarmHost } from './host.js';
import { type FoundContacts, LocalBodies } from './localBodies.js';
import type { Crossing, Go, Start } from './messages.js';
import { ContactPacker, type CrossingOf, CrossingPacker, type MeetingsOf } from './packers.js';
import { REACH_LENGTH, reachOf } from './reach.js';
import type { SwarmContacts } from './rows.js';
import { makeSpace, type SpacePartition } from './space.js';
import type { BodyContact, SwarmWorld } from './world.js';

export class LocalSimulation {
  readonly homes: HomeBodies;
  /** Bodies that migrated here in the last step. */
  arrived = 0;
  found!: FoundContacts;
  /** By column: contacts and tested pairs. */
  readonly loads = new Map<number, [contacts: number, tested: number]>();
  members: number[] = [];
  private place = 0;
  private owners: Uint32Array = new Uint32Array(0);
  private grid: Grid;
  private space!: SpacePartition;
  private readonly world: SwarmWorld;
  private readonly me: number;
  private readonly residents: LocalBodies;
  private readonly reach = new Float64Array(REACH_LENGTH);
  private readonly rows = new Float64Array(24);
  private own: MeetingsOf = {
    bodies: new Uint32Array(0),
    others: new Uint32Array(0),
    toi: new Float64Array(0),
    origins: new Float64Array(0),
  };

  /** @throws CollisionError 'Cluster' if the world differs from the coordinator's */
  constructor(
    { engine, gpu, id }: Pick<SwarmHost, 'engine' | 'gpu' | 'id'>,
    world: SwarmWorld,
    start: ReceivedMessage<typeof Start>,
  ) {
    if (start.bodyCount !== world.count || start.stateLength !== world.stateLength) {
      throw new ClusterError(
        `the swarm has ${start.bodyCount} bodies with ${start.stateLength} numbers each, but the world of that name has ${world.count} with ${world.stateLength} here`,
        'give every process of a cluster the same worlds',
      );
    }
    if (start.owners.length === 0 && !world.spaceOf)
      throw new ClusterError(
        'the swarm has no columns, but the world of that name is divided into columns here',
        'give every process of a cluster the same worlds',
      );
    this.world = world;
    this.me = id;
    this.residents = new LocalBodies(engine, world, gpu);
    this.homes = new HomeBodies(world.stateLength);
    start.ids.forEach((body, i) => this.homes.add(body, start.states, i * world.stateLength));
    this.owners = start.owners.slice();
    const { ground, across, along, m } = start;
    this.grid = { ground: [ground[0], ground[1], ground[2], ground[3]], across, along, m };
    this.setMembers(start.members);
  }

  get residentCount(): number {
    return this.residents.count;
  }

  /** Applies a change of columns, owners and members. @throws CollisionError 'Cluster' */
  apply({ members, columns, owners, m }: ReceivedMessage<typeof Go>): void {
    if (m !== this.grid.m) this.refine(m);
    columns.forEach((column, i) => {
      this.owners[column] = owners[i];
    });
    this.setMembers(members);
  }

  /** Moves its bodies. @returns what to send to each member */
  moveBodies(step: number): CrossingOf[] {
    const { world, homes, members, rows, reach } = this;
    const out = members.map(() => new CrossingPacker(world.stateLength));
    const marks = new Uint8Array(members.length);
    const from = rows.subarray(0, 12);
    const to = rows.subarray(12, 24);
    this.arrived = 0;
    this.residents.begin();
    // From the end, because a removed body is replaced by the last one.
    for (let place = homes.count - 1; place >= 0; place--) {
      const body = homes.ids[place];
      const state = homes.stateAt(place);
      world.place(body, state, from);
      world.advance(body, state, step);
      world.place(body, state, to);
      reachOf(this.residents.spheres[world.meshOf(body)], rows, 0, rows, 12, reach);
      const home = this.space.homeAt(body, reach[6], reach[7]);
      marks.fill(0);
      this.space.reach(reach, marks);
      if (marks[this.place]) this.residents.addBody(body, rows, 0, rows, 12, reach);
      if (home !== this.place) marks[home] = 1;
      for (let member = 0; member < marks.length; member++)
        if (marks[member] && member !== this.place)
          out[member].add(body, rows, member === home ? state : undefined);
      if (home !== this.place) homes.removeAt(place);
    }
    return out.map(packer => packer.values());
  }

  /**
   * Adds bodies of another member that reach its columns or migrate to it. @throws CollisionError 'Cluster',
   * InvalidTransform
   */
  addArrivals({ ids, rows: doubles, floats, stayers, states }: ReceivedMessage<typeof Crossing>): void {
    const { world, homes } = this;
    const rows = floats.length > 0 ? Float64Array.from(floats) : doubles;
    if (states.length !== stayers.length * world.stateLength || ids.some(id => id >= world.count))
      throw new ClusterError(
        `a member sent ${ids.length} bodies and ${states.length} numbers for the states of ${stayers.length} of them, but the world has ${world.count} bodies with ${world.stateLength} numbers each`,
        'give every process of a cluster the same worlds',
      );
    ids.forEach((body, i) => {
      reachOf(this.residents.spheres[world.meshOf(body)], rows, 24 * i, rows, 24 * i + 12, this.reach);
      this.residents.addBody(body, rows, 24 * i, rows, 24 * i + 12, this.reach);
    });
    stayers.forEach((i, k) => homes.add(ids[i], states, k * world.stateLength));
    this.arrived += stayers.length;
  }

  /** Tests its pairs. @returns the contacts of each member's bodies */
  async findContacts(step: number, sum: Digest): Promise<MeetingsOf[]> {
    const { loads, residents, space, place } = this;
    loads.clear();
    const found = (this.found = await residents.sweep((x, y, z) => {
      if (space.ownerAt(x, y, z) !== place) return false;
      this.countAt(x, y, 1);
      return true;
    }));
    const out = this.members.map(() => new ContactPacker());
    for (let i = 0; i < found.count; i++) {
      const slotA = found.slotA[i];
      const slotB = found.slotB[i];
      addContact(sum, step, found, i);
      this.countAt(
        Math.max(this.reachOn(slotA, 0), this.reachOn(slotB, 0)),
        Math.max(this.reachOn(slotA, 1), this.reachOn(slotB, 1)),
        0,
      );
      for (const [body, slot, other, otherSlot] of [
        [found.a[i], slotA, found.b[i], slotB],
        [found.b[i], slotB, found.a[i], slotA],
      ] as const) {
        out[space.homeAt(body, this.reachOn(slot, 6), this.reachOn(slot, 7))].add(
          body,
          other,
          found.toi[i],
          residents.originOn(otherSlot, 0),
          residents.originOn(otherSlot, 1),
          residents.originOn(otherSlot, 2),
        );
      }
    }
    const all = out.map(packer => packer.values());
    this.own = all[place];
    return all;
  }

  /**
   * Lets its bodies respond to their contacts. theirs: the contacts found by other members. @throws
   * CollisionError 'Cluster'
   */
  respond(step: number, theirs: readonly MeetingsOf[]): void {
    const { homes, world } = this;
    const byBody = new Map<number, BodyContact[]>();
    for (const { bodies, others, toi, origins } of [this.own, ...theirs]) {
      for (let i = 0; i < bodies.length; i++) {
        const meeting = {
          other: others[i],
          toi: toi[i],
          x: origins[3 * i],
          y: origins[3 * i + 1],
          z: origins[3 * i + 2],
        };
        const known = byBody.get(bodies[i]);
        if (known) known.push(meeting);
        else byBody.set(bodies[i], [meeting]);
      }
    }
    for (const [body, meetings] of byBody) {
      const place = homes.placeOf(body);
      if (place === undefined)
        throw new ClusterError(
          `this member received contacts of body ${body}, but does not own that body`,
          'give every process of a cluster the same worlds',
        );
      world.respond(
        body,
        homes.stateAt(place),
        step,
        meetings.sort((a, b) => a.other - b.other),
      );
    }
  }

  /** Adds the states of all its bodies to a digest. */
  addStates(sum: Digest, step: number): void {
    for (let place = 0; place < this.homes.count; place++)
      addState(sum, step, this.homes.ids[place], this.homes.stateAt(place));
  }

  dispose(): void {
    this.residents.dispose();
  }

  private reachOn(slot: number, at: number): number {
    return this.residents.reaches[REACH_LENGTH * slot + at];
  }

  private countAt(x: number, y: number, which: 0 | 1): void {
    const column = this.space.columnAt(x, y);
    const load = this.loads.get(column);
    if (load) load[which]++;
    else this.loads.set(column, which === 0 ? [1, 0] : [0, 1]);
  }

  private refine(m: number): void {
    const columns = new Columns(this.grid);
    const finer = columns.refine();
    if (this.world.spaceOf || m !== finer.grid.m)
      throw new ClusterError(
        `the swarm changed to ${m} columns per side of a sub-space, but this member has ${this.grid.m}`,
        'run the same version of pfront everywhere',
      );
    this.owners = columns.refineValues(this.owners);
    this.grid = finer.grid;
  }

  private setMembers(members: Uint32Array): void {
    this.members = [...members];
    this.place = this.members.indexOf(this.me);
    this.space = makeSpace(this.world, this.grid, this.members, this.owners);
  }
}

/** Adds a contact with all its data to a digest. */
export function addContact(sum: Digest, step: number, found: SwarmContacts, i: number): void {
  sum.begin();
  sum.word(step);
  for (const list of [
    found.a,
    found.b,
    found.kind,
    found.featureA,
    found.featureB,
    found.triangleA,
    found.triangleB,
  ])
    sum.word(list[i]);
  sum.double(found.toi[i]);
  sum.double(found.bound[i]);
  sum.end();
}

export function addState(sum: Digest, step: number, body: number, state: Float64Array): void {
  sum.begin();
  sum.word(step);
  sum.word(body);
  for (let i = 0; i < state.length; i++) sum.double(state[i]);
  sum.end();
}
