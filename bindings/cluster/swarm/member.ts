// Implements a member of a swarm (a simulation of moving bodies on many nodes): the part of a node that takes
// part in one swarm, from the invitation to the end. In each step, the members exchange two rounds of messages.

import { cpuMilliseconds } from '../cpuTime.js';
import { deferred } from '../promises.js';
import { subjectsOf } from '../subjects.js';
import { Digest } from './digest.js';
import type { SwarmHost } from './host.js';
import { LocalSimulation } from './localSimulation.js';
import { Contacts, Crossing, Go, PairContacts, Report, Round, Start, States } from './messages.js';
import { type Address, ReliableMailbox, Superseded } from './reliableMailbox.js';
import { mergeContacts } from './rows.js';
import type { SwarmWorld } from './world.js';

interface MemberOptions {
  host: SwarmHost;
  world: SwarmWorld;
  run: readonly [number, number];
  coordinator: number;
  patience: number;
  retryInterval: number;
}

/** How long the coordinator may be silent before it counts as lost, in multiples of `patience`. */
const COORDINATOR_PATIENCE = 3;
/**
 * The maximum time that a member waits for a silent coordinator before the swarm begins, in milliseconds. A
 * member may wait in vain, if the coordinator has found enough other members or the invitation is forged. A
 * member that has waited in vain can be invited again.
 */
const MAX_WAIT_FOR_START = 60_000;

export class Member {
  readonly run: readonly [number, number];
  private isLeaving = false;
  private epoch = 0;
  private readonly ended = deferred<void>();
  private running = Promise.resolve();
  private readonly options: MemberOptions;
  private readonly mailbox: ReliableMailbox;
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly invitedAt = performance.now();
  private checkedAt = performance.now();
  private simulation: LocalSimulation | undefined;
  /**
   * The time at which the coordinator released this member. The member then stays for ten times
   * `retryInterval`, to answer requests of the coordinator.
   */
  private releasedAt = Infinity;

  constructor(options: MemberOptions) {
    const { host, run, coordinator, retryInterval, patience } = options;
    const subjects = subjectsOf(host.cluster);
    this.options = options;
    this.run = run;
    this.mailbox = new ReliableMailbox({
      link: host.link,
      run,
      id: host.id,
      retryInterval,
      subjectOf: id => subjects.member(run, id),
    });
    this.mailbox.isKnown = id => id === coordinator || (this.simulation?.members.includes(id) ?? false);
    this.mailbox.onLaterEpoch = (from, address) => {
      if (from === coordinator && address.round === Round.start) this.begin(address);
    };
    this.timer = setInterval(
      () => this.check(),
      Math.max(5, Math.min(retryInterval, patience / 4, MAX_WAIT_FOR_START / 4)),
    );
  }

  /** Resolves when the membership has ended, so that the node can join another swarm. */
  get whenEnded(): Promise<void> {
    return this.ended.promise;
  }

  /**
   * Leaves the swarm. A member that has not started yet leaves immediately. Any other member announces in its
   * next report that it leaves; it then takes part in one more step, in which its bodies move to other
   * members. If members own fixed regions, the member stays until the swarm ends. Resolves when the member
   * has left, or when its coordinator has been silent for too long.
   */
  async leave(): Promise<void> {
    this.isLeaving = true;
    if (!this.simulation) this.finish();
    await this.whenEnded;
  }

  private begin(address: Address): void {
    this.epoch = address.epoch;
    this.mailbox.begin(address.epoch, address.step);
    this.running = this.running
      .then(() => this.runEpoch(address))
      .catch((error: Error) => {
        // An error of an earlier epoch does not matter in the current epoch.
        if (error instanceof Superseded || address.epoch !== this.epoch) return;
        this.mailbox.failure = error.message;
        this.mailbox.sendAlive(this.options.coordinator);
      });
  }

  private async runEpoch(startAddress: Address): Promise<void> {
    const { host, world, coordinator } = this.options;
    const { mailbox } = this;
    const start = Start.decode(await mailbox.take(coordinator, startAddress));
    this.simulation?.dispose();
    const simulation = (this.simulation = new LocalSimulation(host, world, start));
    for (let step = startAddress.step + 1; ; step++) {
      const go = Go.decode(
        await mailbox.take(coordinator, { epoch: startAddress.epoch, step, round: Round.go }),
      );
      mailbox.advance(step);
      if (go.isEnd || !go.members.includes(host.id)) return this.receiveRelease();
      simulation.apply(go);
      await this.step(simulation, startAddress.epoch, step, go.wantsStates !== 0, start.collect !== 0);
    }
  }

  private async step(
    simulation: LocalSimulation,
    epoch: number,
    step: number,
    wantsStates: boolean,
    collect: boolean,
  ): Promise<void> {
    const { host, run, coordinator } = this.options;
    const { mailbox } = this;
    const heading = { run, step, from: host.id };
    const others = simulation.members.filter(id => id !== host.id);
    const at = (round: number): Address => ({ epoch, step, round });
    const contactSum = new Digest();
    const stateSum = new Digest();
    const milliseconds: number[] = [];
    const bytesBefore = this.sentToMembers();
    let startedAt = cpuMilliseconds();
    const lap = (): void => {
      milliseconds.push(cpuMilliseconds() - startedAt);
    };
    const crossings = simulation.moveBodies(step);
    for (const id of others)
      mailbox.send(
        id,
        at(Round.crossing),
        Crossing.encode(heading, crossings[simulation.members.indexOf(id)]),
      );
    lap();
    const arriving = await Promise.all(others.map(id => mailbox.take(id, at(Round.crossing))));
    startedAt = cpuMilliseconds();
    for (const message of arriving) simulation.addArrivals(Crossing.decode(message));
    const pairContacts = await simulation.findContacts(step, contactSum);
    for (const id of others)
      mailbox.send(
        id,
        at(Round.pairContacts),
        PairContacts.encode(heading, pairContacts[simulation.members.indexOf(id)]),
      );
    lap();
    const theirs = await Promise.all(others.map(id => mailbox.take(id, at(Round.pairContacts))));
    startedAt = cpuMilliseconds();
    simulation.respond(
      step,
      theirs.map(message => PairContacts.decode(message)),
    );
    simulation.addStates(stateSum, step);
    lap();
    const { found, loads } = simulation;
    const sent = this.sentToMembers();
    mailbox.send(
      coordinator,
      at(Round.report),
      Report.encode(heading, {
        isLeaving: this.isLeaving ? 1 : 0,
        ownedBodies: simulation.ownedBodies.count,
        localBodies: simulation.localBodyCount,
        arrived: simulation.arrived,
        contacts: found.count,
        tested: found.tested,
        boxTests: found.boxTests,
        facePairs: found.stats.facePairs,
        featurePairs: found.stats.featurePairs,
        milliseconds,
        sentBytes: sent.bytes - bytesBefore.bytes,
        sentMessages: sent.messages - bytesBefore.messages,
        contactSum: [contactSum.low, contactSum.high],
        stateSum: [stateSum.low, stateSum.high],
        columns: Uint32Array.from(loads.keys()),
        loads: Uint32Array.from(loads.values(), ([contacts]) => contacts),
        candidates: Uint32Array.from(loads.values(), ([, tested]) => tested),
      }),
    );
    if (collect)
      mailbox.send(
        coordinator,
        at(Round.contacts),
        Contacts.encode(heading, mergeContacts([simulation.found])),
      );
    if (wantsStates)
      mailbox.send(
        coordinator,
        at(Round.states),
        States.encode(heading, {
          ids: simulation.ownedBodies.ids.slice(0, simulation.ownedBodies.count),
          states: simulation.ownedBodies.states.slice(
            0,
            (simulation.ownedBodies.count * simulation.ownedBodies.states.length) /
              simulation.ownedBodies.ids.length,
          ),
        }),
      );
  }

  private sentToMembers(): { bytes: number; messages: number } {
    const { sentBytes, messagesSent } = this.mailbox;
    return {
      bytes: sentBytes[Round.crossing] + sentBytes[Round.pairContacts],
      messages: messagesSent[Round.crossing] + messagesSent[Round.pairContacts],
    };
  }

  // Confirms to the coordinator that the swarm has ended for this member. The member then stays for a while,
  // in case the confirmation is lost.
  private receiveRelease(): void {
    this.mailbox.isOver = true;
    this.mailbox.sendAlive(this.options.coordinator);
    this.releasedAt = performance.now();
  }

  private check(): void {
    const now = performance.now();
    const { coordinator, patience, retryInterval } = this.options;
    const isLate = now - this.checkedAt > patience;
    this.checkedAt = now;
    // If the thread was busy computing, this check is skipped, so that the thread first reads the messages
    // that arrived meanwhile.
    if (isLate) return;
    const coordinatorPatience = Math.min(
      COORDINATOR_PATIENCE * patience,
      this.simulation ? Infinity : MAX_WAIT_FOR_START,
    );
    const heardAt = this.mailbox.peers.get(coordinator)?.at ?? this.invitedAt;
    if (
      this.mailbox.peers.get(coordinator)?.isOver ||
      now - this.releasedAt > 10 * retryInterval ||
      now - heardAt > coordinatorPatience ||
      (this.mailbox.failure && now - heardAt > patience)
    )
      this.finish();
  }

  /** Ends the membership immediately, even in the middle of a step. */
  finish(): void {
    clearInterval(this.timer);
    this.mailbox.close();
    void this.running.then(() => {
      this.simulation?.dispose();
      this.simulation = undefined;
      this.ended.resolve();
    });
  }
}
