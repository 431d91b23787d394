// Simulates the part of a swarm that one member owns: moves its owned bodies, selects the bodies to send to
// other members, tests the pairs of bodies in its own columns, and lets its owned bodies respond to contacts.
import { ClusterError } from '../errors.js';
import type { ReceivedMessage } from '../message.js';
import { Columns, type Grid } from './columns.js';
import type { Digest } from './digest.js';
import type { SwarmHost } from './host.js';
import { type FoundContacts, LocalBodies } from './localBodies.js';
import type { Crossing, Go, Start } from './messages.js';
import { OwnedBodies } from './ownedBodies.js';
import { ContactPacker, type CrossingOf, CrossingPacker, type PairContactsOf } from './packers.js';
import { REACH_LENGTH, reachOf } from './reach.js';
import type { SwarmContacts } from './rows.js';
import { makeSpace, type SpacePartition } from './space.js';
import type { BodyContact, SwarmWorld } from './world.js';

export class LocalSimulation {
  readonly ownedBodies: OwnedBodies;
  /** The number of bodies that migrated to this member in the last step. */
  arrived = 0;
  found!: FoundContacts;
  /** For each column: the number of contacts and the number of tested pairs. */
  readonly loads = new Map<number, [contacts: number, tested: number]>();
  members: number[] = [];
  /** The index of this member in `members`. */
  private index = 0;
  private owners: Uint32Array = new Uint32Array(0);
  private grid: Grid;
  private space!: SpacePartition;
  private readonly world: SwarmWorld;
  private readonly id: number;
  private readonly localBodies: LocalBodies;
  private readonly reach = new Float64Array(REACH_LENGTH);
  private readonly rows = new Float64Array(24);
  private ownContacts: PairContactsOf = {
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
        `the swarm has ${start.bodyCount} bodies with ${start.stateLength} numbers each, but the world of the same name on this node has ${world.count} bodies with ${world.stateLength} numbers each`,
        'give every process of a cluster the same worlds',
      );
    }
    if (start.owners.length === 0 && !world.spaceOf)
      throw new ClusterError(
        'the swarm has no columns, but the world of the same name on this node is divided into columns',
        'give every process of a cluster the same worlds',
      );
    this.world = world;
    this.id = id;
    this.localBodies = new LocalBodies(engine, world, gpu);
    this.ownedBodies = new OwnedBodies(world.stateLength);
    start.ids.forEach((body, i) => this.ownedBodies.add(body, start.states, i * world.stateLength));
    this.owners = start.owners.slice();
    const { ground, across, along, m } = start;
    this.grid = { ground: [ground[0], ground[1], ground[2], ground[3]], across, along, m };
    this.setMembers(start.members);
  }

  get localBodyCount(): number {
    return this.localBodies.count;
  }

  /**
   * Applies the changes of columns, owners and members in a `go` message. @throws CollisionError 'Cluster'
   */
  apply({ members, columns, owners, m }: ReceivedMessage<typeof Go>): void {
    if (m !== this.grid.m) this.refine(m);
    columns.forEach((column, i) => {
      this.owners[column] = owners[i];
    });
    this.setMembers(members);
  }

  /** Moves the owned bodies. @returns for each member, the bodies to send to it */
  moveBodies(step: number): CrossingOf[] {
    const { world, ownedBodies, members, rows, reach } = this;
    const out = members.map(() => new CrossingPacker(world.stateLength));
    const marks = new Uint8Array(members.length);
    const from = rows.subarray(0, 12);
    const to = rows.subarray(12, 24);
    this.arrived = 0;
    this.localBodies.begin();
    // Iterates from the end, because the last body moves to the place of a removed body.
    for (let place = ownedBodies.count - 1; place >= 0; place--) {
      const body = ownedBodies.ids[place];
      const state = ownedBodies.stateAt(place);
      world.place(body, state, from);
      world.advance(body, state, step);
      world.place(body, state, to);
      reachOf(this.localBodies.spheres[world.meshOf(body)], rows, 0, rows, 12, reach);
      const owner = this.space.ownerOfBody(body, reach[6], reach[7]);
      marks.fill(0);
      this.space.markReached(reach, marks);
      if (marks[this.index]) this.localBodies.addBody(body, rows, 0, rows, 12, reach);
      if (owner !== this.index) marks[owner] = 1;
      for (let member = 0; member < marks.length; member++)
        if (marks[member] && member !== this.index)
          out[member].add(body, rows, member === owner ? state : undefined);
      if (owner !== this.index) ownedBodies.removeAt(place);
    }
    return out.map(packer => packer.values());
  }

  /**
   * Adds bodies of another member that reach the columns of this member or migrate to it. @throws
   * CollisionError 'Cluster', Unsupported, Capacity
   */
  addArrivals({ ids, rows: doubles, floats, migrants, states }: ReceivedMessage<typeof Crossing>): void {
    const { world, ownedBodies } = this;
    const rows = floats.length > 0 ? Float64Array.from(floats) : doubles;
    if (states.length !== migrants.length * world.stateLength || ids.some(id => id >= world.count))
      throw new ClusterError(
        `a member sent ${ids.length} bodies and ${states.length} numbers for the states of ${migrants.length} of them, but the world has ${world.count} bodies with ${world.stateLength} numbers each`,
        'give every process of a cluster the same worlds',
      );
    ids.forEach((body, i) => {
      reachOf(this.localBodies.spheres[world.meshOf(body)], rows, 24 * i, rows, 24 * i + 12, this.reach);
      this.localBodies.addBody(body, rows, 24 * i, rows, 24 * i + 12, this.reach);
    });
    migrants.forEach((i, k) => ownedBodies.add(ids[i], states, k * world.stateLength));
    this.arrived += migrants.length;
  }

  /**
   * Tests the pairs whose reference point lies in this member's columns, and adds their contacts to a digest.
   * @returns for each member, the contacts of its owned bodies
   */
  async findContacts(step: number, digest: Digest): Promise<PairContactsOf[]> {
    const { loads, localBodies, space } = this;
    loads.clear();
    const found = (this.found = await localBodies.sweep((x, y, z) => {
      if (space.ownerAt(x, y, z) !== this.index) return false;
      this.countAt(x, y, 1);
      return true;
    }));
    const out = this.members.map(() => new ContactPacker());
    for (let i = 0; i < found.count; i++) {
      const slotA = found.slotA[i];
      const slotB = found.slotB[i];
      addContact(digest, step, found, i);
      this.countAt(
        Math.max(this.reachOn(slotA, 0), this.reachOn(slotB, 0)),
        Math.max(this.reachOn(slotA, 1), this.reachOn(slotB, 1)),
        0,
      );
      for (const [body, slot, other, otherSlot] of [
        [found.a[i], slotA, found.b[i], slotB],
        [found.b[i], slotB, found.a[i], slotA],
      ] as const) {
        out[space.ownerOfBody(body, this.reachOn(slot, 6), this.reachOn(slot, 7))].add(
          body,
          other,
          found.toi[i],
          localBodies.originOn(otherSlot, 0),
          localBodies.originOn(otherSlot, 1),
          localBodies.originOn(otherSlot, 2),
        );
      }
    }
    const all = out.map(packer => packer.values());
    this.ownContacts = all[this.index];
    return all;
  }

  /**
   * Lets the owned bodies respond to their contacts. theirs: the contacts found by other members. @throws
   * CollisionError 'Cluster'
   */
  respond(step: number, theirs: readonly PairContactsOf[]): void {
    const { ownedBodies, world } = this;
    const byBody = new Map<number, BodyContact[]>();
    for (const { bodies, others, toi, origins } of [this.ownContacts, ...theirs]) {
      for (let i = 0; i < bodies.length; i++) {
        const contact = {
          other: others[i],
          toi: toi[i],
          x: origins[3 * i],
          y: origins[3 * i + 1],
          z: origins[3 * i + 2],
        };
        const known = byBody.get(bodies[i]);
        if (known) known.push(contact);
        else byBody.set(bodies[i], [contact]);
      }
    }
    for (const [body, contacts] of byBody) {
      const place = ownedBodies.indexOf(body);
      if (place === undefined)
        throw new ClusterError(
          `this member received contacts of body ${body}, but does not own that body`,
          'give every process of a cluster the same worlds',
        );
      world.respond(
        body,
        ownedBodies.stateAt(place),
        step,
        contacts.sort((a, b) => a.other - b.other),
      );
    }
  }

  /** Adds the states of all owned bodies to a digest. */
  addStates(digest: Digest, step: number): void {
    for (let place = 0; place < this.ownedBodies.count; place++)
      addState(digest, step, this.ownedBodies.ids[place], this.ownedBodies.stateAt(place));
  }

  dispose(): void {
    this.localBodies.dispose();
  }

  private reachOn(slot: number, at: number): number {
    return this.localBodies.reaches[REACH_LENGTH * slot + at];
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
    this.index = this.members.indexOf(this.id);
    this.space = makeSpace(this.world, this.grid, this.members, this.owners);
  }
}

/** Adds a contact with all its data to a digest. */
export function addContact(digest: Digest, step: number, found: SwarmContacts, i: number): void {
  digest.begin();
  digest.addWord(step);
  for (const list of [
    found.a,
    found.b,
    found.kind,
    found.featureA,
    found.featureB,
    found.triangleA,
    found.triangleB,
  ])
    digest.addWord(list[i]);
  digest.addDouble(found.toi[i]);
  digest.addDouble(found.bound[i]);
  digest.end();
}

export function addState(digest: Digest, step: number, body: number, state: Float64Array): void {
  digest.begin();
  digest.addWord(step);
  digest.addWord(body);
  for (let i = 0; i < state.length; i++) digest.addDouble(state[i]);
  digest.end();
}
