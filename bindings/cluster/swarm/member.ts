// A node's part in a swarm from the invitation to its end: lock-step, two rounds of letters a step.

import { cpuMilliseconds } from '../cpuTime.js';
import { deferred } from '../promises.js';
import { subjectsOf } from '../subjects.js';
import { Digest } from './digest.js';
import type { SwarmHost } from './host.js';
import { Contacts, Crossing, Go, Meetings, Report, Round, Start, States } from './messages.js';
import { Part } from './part.js';
import { type Address, ReliableMailbox, Superseded } from './reliableMailbox.js';
import { mergeContacts } from './rows.js';
import type { SwarmWorld } from './world.js';

interface MemberOptions {
  host: SwarmHost;
  world: SwarmWorld;
  run: readonly [number, number];
  conductor: number;
  patience: number;
  again: number;
}

/** Patiences without a word of the conductor after which there is none. */
const PATIENCES = 3;

export class Member {
  readonly run: readonly [number, number];
  private isLeaving = false;
  private readonly ended = deferred<void>();
  private lives = Promise.resolve();
  private readonly options: MemberOptions;
  private readonly post: ReliableMailbox;
  private readonly watch: ReturnType<typeof setInterval>;
  private readonly invitedAt = performance.now();
  private checkedAt = performance.now();
  private part: Part | undefined;
  /** While its conductor may still ask whether the end has come. */
  private overAt = Infinity;

  constructor(options: MemberOptions) {
    const { host, run, conductor, again, patience } = options;
    const subjects = subjectsOf(host.cluster);
    this.options = options;
    this.run = run;
    this.post = new ReliableMailbox({
      link: host.link,
      run,
      id: host.id,
      again,
      subjectOf: id => subjects.member(run, id),
    });
    this.post.isKnown = id => id === conductor || (this.part?.members.includes(id) ?? false);
    this.post.onLater = (from, address) => {
      if (from === conductor && address.round === Round.start) this.begin(address);
    };
    this.watch = setInterval(() => this.check(), Math.max(5, Math.min(again, patience / 4)));
  }

  /** Resolves when it is free again. */
  get over(): Promise<void> {
    return this.ended.promise;
  }

  /** At the next step's border. Resolves when it is out, or its conductor is not heard. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    if (!this.part) this.finish();
    await this.over;
  }

  private begin(address: Address): void {
    this.post.begin(address.epoch, address.step);
    this.lives = this.lives
      .then(() => this.live(address))
      .catch((error: Error) => {
        if (error instanceof Superseded) return;
        this.post.failure = error.message;
        this.post.sayAlive(this.options.conductor);
      });
  }

  private async live(begun: Address): Promise<void> {
    const { host, world, conductor } = this.options;
    const { post } = this;
    const start = Start.decode(await post.take(conductor, begun));
    this.part?.dispose();
    const part = (this.part = new Part(host, world, start));
    for (let step = begun.step + 1; ; step++) {
      const go = Go.decode(await post.take(conductor, { epoch: begun.epoch, step, round: Round.go }));
      post.advance(step);
      if (go.isEnd || !go.members.includes(host.id)) return this.wasReleased();
      part.apply(go);
      await this.step(part, begun.epoch, step, go.wantsStates !== 0, start.collect !== 0);
    }
  }

  private async step(
    part: Part,
    epoch: number,
    step: number,
    wantsStates: boolean,
    collect: boolean,
  ): Promise<void> {
    const { host, run, conductor } = this.options;
    const { post } = this;
    const heading = { run, step, from: host.id };
    const others = part.members.filter(id => id !== host.id);
    const at = (round: number): Address => ({ epoch, step, round });
    const contactSum = new Digest();
    const stateSum = new Digest();
    const milliseconds: number[] = [];
    const bytesBefore = this.lettersOut();
    let startedAt = cpuMilliseconds();
    const lap = (): void => {
      milliseconds.push(cpuMilliseconds() - startedAt);
    };
    const crossings = part.cross(step);
    for (const id of others)
      post.put(id, at(Round.crossing), Crossing.encode(heading, crossings[part.members.indexOf(id)]));
    lap();
    const arriving = await Promise.all(others.map(id => post.take(id, at(Round.crossing))));
    startedAt = cpuMilliseconds();
    for (const letter of arriving) part.receive(Crossing.decode(letter));
    const meetings = await part.meet(step, contactSum);
    for (const id of others)
      post.put(id, at(Round.meetings), Meetings.encode(heading, meetings[part.members.indexOf(id)]));
    lap();
    const met = await Promise.all(others.map(id => post.take(id, at(Round.meetings))));
    startedAt = cpuMilliseconds();
    part.respond(
      step,
      met.map(letter => Meetings.decode(letter)),
    );
    part.addStates(stateSum, step);
    lap();
    const { found, loads } = part;
    const sent = this.lettersOut();
    post.put(
      conductor,
      at(Round.report),
      Report.encode(heading, {
        isLeaving: this.isLeaving ? 1 : 0,
        homes: part.homes.count,
        residents: part.residentCount,
        arrived: part.arrived,
        contacts: found.count,
        tested: found.tested,
        boxTests: found.boxTests,
        facePairs: found.stats.facePairs,
        featurePairs: found.stats.featurePairs,
        milliseconds,
        sentBytes: sent.bytes - bytesBefore.bytes,
        sentMessages: sent.letters - bytesBefore.letters,
        contactSum: [contactSum.low, contactSum.high],
        stateSum: [stateSum.low, stateSum.high],
        columns: Uint32Array.from(loads.keys()),
        loads: Uint32Array.from(loads.values(), ([contacts]) => contacts),
        candidates: Uint32Array.from(loads.values(), ([, tested]) => tested),
      }),
    );
    if (collect)
      post.put(conductor, at(Round.contacts), Contacts.encode(heading, mergeContacts([part.found])));
    if (wantsStates)
      post.put(
        conductor,
        at(Round.states),
        States.encode(heading, {
          ids: part.homes.ids.slice(0, part.homes.count),
          states: part.homes.states.slice(
            0,
            (part.homes.count * part.homes.states.length) / part.homes.ids.length,
          ),
        }),
      );
  }

  private lettersOut(): { bytes: number; letters: number } {
    const { sentBytes, sentLetters } = this.post;
    return {
      bytes: sentBytes[Round.crossing] + sentBytes[Round.meetings],
      letters: sentLetters[Round.crossing] + sentLetters[Round.meetings],
    };
  }

  // Stays a little: its conductor may not have heard that it knows.
  private wasReleased(): void {
    this.post.isOver = true;
    this.post.sayAlive(this.options.conductor);
    this.overAt = performance.now();
  }

  private check(): void {
    const now = performance.now();
    const { conductor, patience, again } = this.options;
    const isLate = now - this.checkedAt > patience;
    this.checkedAt = now;
    // It has computed all the time: what has come meanwhile is read first.
    if (isLate) return;
    const heardAt = this.post.heard.get(conductor)?.at ?? this.invitedAt;
    if (
      this.post.heard.get(conductor)?.isOver ||
      now - this.overAt > 10 * again ||
      now - heardAt > PATIENCES * patience ||
      (this.post.failure && now - heardAt > patience)
    )
      this.finish();
  }

  /** At once, whatever it was doing. */
  finish(): void {
    clearInterval(this.watch);
    this.post.close();
    void this.lives.then(() => {
      this.part?.dispose();
      this.part = undefined;
      this.ended.resolve();
    });
  }
}
