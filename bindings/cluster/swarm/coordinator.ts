// Coordinates a swarm, a simulation of moving bodies on many nodes: assigns the columns of the ground to its
// members, starts each step, keeps checkpoints, and restarts from the last checkpoint when a member is lost.

import type { CollisionError } from '../../core/errors.js';
import { ClusterError } from '../errors.js';
import type { ReceivedMessage } from '../message.js';
import { randomId, randomRun, subjectsOf } from '../subjects.js';
import { chooseMoves, type Move } from './balance.js';
import { assignAllColumns, assignToNewMembers, ownerChanges, reassignLostColumns } from './columnOwners.js';
import { Columns } from './columns.js';
import { FailureDetector, MembersLost } from './failureDetector.js';
import { Membership } from './membership.js';
import { Contacts, Go, Report, Round, Start, States } from './messages.js';
import { ReliableMailbox } from './reliableMailbox.js';
import { makeRow, mergeContacts, type SwarmRow } from './rows.js';
import { MAX_COLUMN_SHARE, type Settings } from './settings.js';
import { StepVerifier } from './stepVerifier.js';

/**
 * Columns are split only if one of them has more load than this. A load up to this value comes from one or two
 * pairs of bodies, and a split cannot divide a pair.
 */
const MIN_COLUMN_LOAD = 2;

export class Coordinator {
  readonly rows: SwarmRow[] = [];
  /** The states of all bodies after step `checkpoint`, ordered by the numbers of the bodies. */
  states: Float64Array;
  private checkpoint: number;
  private epoch = 0;
  private restarts = 0;
  private members: number[] = [];
  private owners: Uint32Array = new Uint32Array(0);
  /** Nodes that have announced that they will leave. */
  private readonly leavingNodes = new Set<number>();
  /** For each member, the step that its last `start` message named. The member begins after this step. */
  private readonly startedAfter = new Map<number, number>();
  private lastRowAt = performance.now();
  private readonly id: number;
  private readonly run: readonly [number, number];
  private readonly settings: Settings;
  private columns: Columns;
  /** The load of each column, smoothed over steps. */
  private loads: Float64Array;
  private readonly mailbox: ReliableMailbox;
  private readonly membership: Membership;
  private readonly failureDetector: FailureDetector;
  private readonly verifier: StepVerifier;

  constructor(settings: Settings) {
    const { link, cluster, retryInterval, grid } = settings;
    const subjects = subjectsOf(cluster);
    this.settings = settings;
    this.id = randomId(link);
    this.run = randomRun(link);
    this.columns = new Columns(grid);
    this.loads = settings.loads.slice();
    this.mailbox = new ReliableMailbox({
      link,
      run: this.run,
      id: this.id,
      retryInterval,
      subjectOf: id => subjects.member(this.run, id),
    });
    this.membership = new Membership({ ...settings, run: this.run, id: this.id });
    this.mailbox.isKnown = id => this.membership.names.has(id);
    this.mailbox.onEarlierEpoch = id => {
      if (this.startedAfter.has(id))
        this.mailbox.sendFirstFragment(id, {
          epoch: this.epoch,
          step: this.startedAfter.get(id)!,
          round: Round.start,
        });
    };
    this.failureDetector = new FailureDetector(this.mailbox, settings);
    this.verifier = new StepVerifier(settings);
    this.states = settings.states.slice();
    this.checkpoint = settings.firstStep;
  }

  /**
   * Runs the swarm to its end. @throws CollisionError 'Cluster'; the reason of `signal` if it is aborted; any
   * error that `onStep` throws
   */
  async coordinate(): Promise<void> {
    try {
      await this.gather(this.settings.nodes, this.settings.nodes);
      this.owners = assignAllColumns(this.columns, this.members, this.loads);
      for (;;) {
        try {
          await this.runFromCheckpoint();
          return;
        } catch (error) {
          if (!(error instanceof MembersLost)) throw error;
          await this.recover(error);
        }
      }
    } finally {
      // Tells the remaining members that the run is over. Sending a message may throw an error, so everything
      // that has a timer is ended first.
      this.membership.close();
      this.failureDetector.close();
      this.verifier.dispose();
      this.mailbox.isOver = true;
      try {
        for (const id of this.membership.names.keys()) this.mailbox.sendAlive(id);
      } finally {
        this.mailbox.close();
      }
    }
  }

  // Accepts nodes that offer to take part, up to `maxMembers`, and waits until there are `wanted` members.
  private async gather(wanted: number, maxMembers: number): Promise<void> {
    const { patience, retryInterval, worldName, cluster } = this.settings;
    const until = performance.now() + patience;
    for (;;) {
      for (const id of this.offeringNodes().slice(0, Math.max(0, maxMembers - this.members.length)))
        this.addMember(id);
      this.membership.wantsMembers = this.members.length < this.settings.maxNodes;
      if (this.members.length >= wanted) return;
      if (performance.now() > until)
        throw new ClusterError(
          `${this.members.length} of ${wanted} nodes joined within ${patience} ms`,
          `start nodes that know the world '${worldName}' in the cluster '${cluster}', or set fewer nodes`,
        );
      await this.failureDetector.pause(Math.min(retryInterval, 20));
    }
  }

  private offeringNodes(): number[] {
    return this.membership.newNodes(this.members).filter(id => !this.leavingNodes.has(id));
  }

  private addMember(id: number): void {
    this.members.push(id);
    this.membership.offers.delete(id);
  }

  private async recover({ lost, reason }: MembersLost): Promise<void> {
    const { maxRestarts, minNodes, maxNodes } = this.settings;
    this.restarts++;
    if (this.restarts > maxRestarts)
      throw new ClusterError(
        `the swarm was restarted ${maxRestarts} times and cannot be restarted again: ${reason}`,
        'check the nodes and their links, or raise maxRestarts',
      );
    this.members = this.members.filter(id => !lost.includes(id));
    for (const id of lost) this.membership.offers.delete(id);
    this.membership.wantsMembers = true;
    try {
      await this.gather(minNodes, maxNodes);
    } catch (error) {
      throw new ClusterError(`${reason}; ${(error as Error).message}`, (error as CollisionError).fix);
    }
    this.owners = reassignLostColumns(this.columns, this.members, this.owners, this.loads);
  }

  // Runs from the last checkpoint to the end.
  private async runFromCheckpoint(): Promise<void> {
    const { firstStep, steps } = this.settings;
    const last = firstStep + steps;
    this.mailbox.begin(++this.epoch, this.checkpoint);
    this.failureDetector.begin(this.members);
    const ownedBodies = this.settings.ownedBodiesOf(this.states, this.columns, this.owners, this.members);
    this.members.forEach((id, place) => this.sendStart(id, this.checkpoint, ownedBodies[place]));
    // A restart may have interrupted the last step of a member that leaves. Such a member is told that the
    // swarm is over for it.
    for (const id of this.leavingNodes) if (!this.members.includes(id)) this.mailbox.dismiss(id);
    let change = ownerChanges(this.owners, this.owners);
    let participants = this.members;
    for (let step = this.checkpoint + 1; step <= last; step++) {
      const { owners, columns } = this;
      const wantsStates = step === last || step % this.settings.checkpointEvery === 0;
      const bytesBefore = this.mailbox.traffic.sentBytes + this.mailbox.traffic.receivedBytes;
      const statesBefore = this.mailbox.receivedBytes[Round.states];
      this.mailbox.advance(step);
      this.sendGo(step, participants, change, wantsStates, false);
      const reports = await this.takeAll(participants, step, Round.report, Report.decode);
      const collected = this.settings.collect
        ? mergeContacts([
            ...(await this.takeAll(participants, step, Round.contacts, Contacts.decode)).values(),
          ])
        : undefined;
      const before = { step: this.checkpoint, states: this.states };
      // The states of the bodies arrive last in a step. They become the checkpoint only after the row with the
      // results of the step is recorded and the verifier has accepted the step.
      const states = wantsStates ? await this.takeStates(step, participants) : undefined;
      const checkpointBytes = this.mailbox.receivedBytes[Round.states] - statesBefore;
      this.updateLoads(reports, step);
      const { loads } = this;
      const next = this.chooseNext(reports, participants, step === last);
      const now = performance.now();
      this.recordRow({
        ...makeRow({
          step,
          restarts: this.restarts,
          columns,
          loads,
          owners,
          reports,
          names: this.membership.names,
          isColumns: !this.settings.isFixed,
        }),
        moves: next.moves,
        milliseconds: now - this.lastRowAt,
        coordinatorBytes:
          this.mailbox.traffic.sentBytes + this.mailbox.traffic.receivedBytes - bytesBefore - checkpointBytes,
        checkpointBytes,
        ...(collected ? { collected } : {}),
      });
      this.lastRowAt = now;
      if (states) {
        const rows = this.rows.slice(before.step - firstStep, step - firstStep);
        await this.verifier.check(before, rows, states);
        [this.states, this.checkpoint] = [states, step];
      }
      change = next.isSplit ? ownerChanges(this.owners, this.owners) : ownerChanges(owners, this.owners);
      await this.settings.onStep(this.rows[step - firstStep - 1]);
      for (const id of next.newMembers)
        this.sendStart(id, step, { ids: new Uint32Array(0), states: new Float64Array(0) });
      // If a member has announced that it will leave, it takes part in one more step, in which its bodies
      // migrate to other members. After that, the `go` message below tells it that it has left the swarm.
      for (const id of participants)
        if (!next.participants.includes(id)) {
          this.sendGo(step + 1, [id], change, false, true);
          this.mailbox.dismiss(id);
        }
      participants = next.participants;
      this.failureDetector.begin(participants);
    }
    await this.release(participants, last + 1);
  }

  private sendStart(
    id: number,
    step: number,
    { ids, states }: { ids: Uint32Array; states: Float64Array },
  ): void {
    this.startedAfter.set(id, step);
    const { bodyCount, stateLength, isFixed, collect } = this.settings;
    const { ground, across, along, m } = this.columns.grid;
    this.mailbox.send(
      id,
      { epoch: this.epoch, step, round: Round.start },
      Start.encode(this.heading(step), {
        bodyCount,
        stateLength,
        ground,
        across,
        along,
        m,
        collect: collect ? 1 : 0,
        members: Uint32Array.from(this.members),
        owners: isFixed ? new Uint32Array(0) : this.owners,
        ids,
        states,
      }),
    );
  }

  private sendGo(
    step: number,
    to: readonly number[],
    { columns, owners }: { columns: Uint32Array; owners: Uint32Array },
    wantsStates: boolean,
    isEnd: boolean,
  ): void {
    const message = Go.encode(this.heading(step), {
      isEnd: isEnd ? 1 : 0,
      wantsStates: wantsStates ? 1 : 0,
      m: this.columns.grid.m,
      members: Uint32Array.from(to),
      columns,
      owners,
    });
    for (const id of to) this.mailbox.send(id, { epoch: this.epoch, step, round: Round.go }, message);
  }

  private async takeAll<V>(
    ids: readonly number[],
    step: number,
    round: number,
    decode: (message: Uint8Array) => V,
  ): Promise<Map<number, V>> {
    const messages = await this.failureDetector.takeAll(ids, id =>
      this.mailbox.take(id, { epoch: this.epoch, step, round }),
    );
    return new Map(ids.map((id, i) => [id, decode(messages[i])]));
  }

  private async takeStates(step: number, ids: readonly number[]): Promise<Float64Array> {
    const { stateLength, bodyCount, worldName } = this.settings;
    const states = this.states.slice();
    const known = new Uint8Array(bodyCount);
    for (const message of (await this.takeAll(ids, step, Round.states, States.decode)).values()) {
      if (message.states.length !== message.ids.length * stateLength)
        throw new ClusterError(
          `a node sent ${message.states.length} numbers for the states of ${message.ids.length} bodies, not ${stateLength} per body`,
          'give every process the same worlds',
        );
      message.ids.forEach((body, i) => {
        if (body >= bodyCount || known[body])
          throw new ClusterError(
            body >= bodyCount
              ? `a node sent the state of body ${body}, but '${worldName}' has ${bodyCount} bodies`
              : `two nodes sent the state of body ${body}`,
            'give every process the same worlds',
          );
        known[body] = 1;
        states.set(message.states.subarray(i * stateLength, (i + 1) * stateLength), body * stateLength);
      });
    }
    const missing = known.indexOf(0);
    if (missing >= 0)
      throw new ClusterError(
        `no node sent the state of body ${missing} of '${worldName}' after step ${step}`,
        'give every process the same worlds',
      );
    return states;
  }

  private updateLoads(reports: ReadonlyMap<number, ReceivedMessage<typeof Report>>, step: number): void {
    const { load, smoothing } = this.settings;
    const weight = step === this.settings.firstStep + 1 ? 1 : smoothing;
    const { loads } = this;
    for (let column = 0; column < loads.length; column++) loads[column] *= 1 - weight;
    for (const { columns, loads: contacts, candidates } of reports.values()) {
      columns.forEach((column, i) => {
        if (column < loads.length) loads[column] += weight * (load === 'contacts' ? contacts : candidates)[i];
      });
    }
  }

  // Chooses the members, columns and owners of the next step. Members that leave still participate in it.
  private chooseNext(
    reports: ReadonlyMap<number, ReceivedMessage<typeof Report>>,
    participants: readonly number[],
    isLast: boolean,
  ): { participants: number[]; newMembers: number[]; moves: Move[]; isSplit: boolean } {
    const { balance, isFixed, maxNodes } = this.settings;
    const staying = this.members.filter(id => !reports.get(id)?.isLeaving);
    this.membership.wantsMembers = staying.length < maxNodes;
    const isEnd = isLast && staying.length === 0;
    if (isFixed || isEnd)
      return { participants: [...participants], newMembers: [], moves: [], isSplit: false };
    if (staying.length === 0) {
      for (const id of participants) {
        this.leavingNodes.add(id);
        this.mailbox.dismiss(id);
      }
      throw new MembersLost(this.members, 'all nodes have left');
    }
    const newMembers = this.offeringNodes()
      .filter(id => !participants.includes(id))
      .slice(0, Math.max(0, maxNodes - staying.length));
    const isSame = staying.length === this.members.length && newMembers.length === 0;
    const before = this.members;
    for (const id of before) if (!staying.includes(id)) this.leavingNodes.add(id);
    this.members = [...staying];
    for (const id of newMembers) this.addMember(id);
    if (!isSame) {
      if (staying.length < before.length)
        this.owners = reassignLostColumns(this.columns, staying, this.owners, this.loads);
      if (newMembers.length > 0)
        this.owners = assignToNewMembers(this.columns, this.members, newMembers, this.owners, this.loads);
    }
    const mayMove = isSame && balance !== false && staying.length > 1;
    const isSplit = mayMove && this.splitColumns();
    const moves =
      mayMove && !isSplit ? chooseMoves(this.columns, this.members, this.owners, this.loads, balance) : [];
    if (moves.length > 0) this.owners = this.owners.slice();
    for (const { column, to } of moves) this.owners[column] = to;
    return { participants: [...before, ...newMembers], newMembers, moves, isSplit };
  }

  // Splits each column in four if the load of any column exceeds MAX_COLUMN_SHARE times the mean load of a
  // member. Each
  // quarter keeps the owner of its column, so bodies do not migrate. @returns whether the columns were split
  private splitColumns(): boolean {
    const { columns, loads } = this;
    const total = loads.reduce((sum, load) => sum + load, 0);
    const maxLoad = loads.reduce((max, load) => Math.max(max, load), 0);
    if (
      4 * columns.count > this.settings.maxColumns ||
      maxLoad <= Math.max(MIN_COLUMN_LOAD, (MAX_COLUMN_SHARE * total) / this.members.length)
    )
      return false;
    this.owners = columns.refineValues(this.owners);
    this.loads = columns.refineValues(loads).map(load => load / 4);
    this.columns = columns.refine();
    return true;
  }

  private recordRow(row: SwarmRow): void {
    const place = row.step - this.settings.firstStep - 1;
    const known = this.rows[place];
    const changed = known && (['contactDigest', 'stateDigest'] as const).find(key => known[key] !== row[key]);
    if (changed) {
      throw new ClusterError(
        `the ${changed === 'contactDigest' ? 'contact' : 'state'} digest of step ${row.step} was ${known[changed]}, but ${row[changed]} when the step was repeated`,
        'make the world depend on states and steps only, and run the same version of pfront everywhere',
      );
    }
    this.rows[place] = row;
  }

  // Announces the end of the swarm, and then requests confirmations until every member has confirmed the end
  // or `patience` has passed.
  private async release(ids: readonly number[], step: number): Promise<void> {
    const { retryInterval, patience } = this.settings;
    const until = performance.now() + patience;
    const open = (): number[] => ids.filter(id => !this.mailbox.peers.get(id)?.isOver);
    this.mailbox.advance(step);
    this.sendGo(step, ids, ownerChanges(this.owners, this.owners), false, true);
    for (let requestedAt = performance.now(); performance.now() < until && open().length > 0; ) {
      await this.failureDetector.pause(Math.min(retryInterval, 5));
      if (performance.now() - requestedAt < retryInterval) continue;
      requestedAt = performance.now();
      for (const id of open())
        this.mailbox.requestMessage(id, { epoch: this.epoch, step, round: Round.report });
    }
  }

  private heading(step: number): { run: readonly [number, number]; step: number; from: number } {
    return { run: this.run, step, from: this.id };
  }
}
