// A job under way: its ledger, and the talk with the nodes that do its tasks.
import { CollisionError } from '../../errors.js';
import { Channel, taker } from '../channel.js';
import type { Link } from '../link.js';
import type { Heading } from '../message.js';
import { subjectsOf } from '../subjects.js';
import { hashOf, textOf, wordsOf } from './content.js';
import { errorOf } from './failure.js';
import { answer, Fetcher } from './fetcher.js';
import type { Crew, Lead, TaskKind } from './jobKind.js';
import { Ledger, type LedgerOptions, type Verdict } from './ledger.js';
import type { Report } from './members.js';
import { Ask, Bodies, Failed, Finished, Grant, Open, Over, Piece, Want } from './messages.js';

export interface RunOptions extends LedgerOptions { link: Link; cluster: string; id: number; patience: number }
/** Tasks of one kind that are waited for together. */
interface Round { kind: TaskKind<unknown, unknown>; first: number; left: number; make: (i: number) => unknown; check: (part: unknown, i: number) => void; parts: unknown[]; resolve: (parts: unknown[]) => void; reject: (error: Error) => void }
interface Outgoing { settled: number[]; tasks: number[] }
type Message<V> = V & Heading;

const TICK = 50, ANNOUNCE = 400;
/** After its end nodes that were not told are, when they speak. */
const LINGER = 10_000;
/** Of the tasks of one message. */
const MOST_BODIES = 2 ** 18;

export class Run<Answer> implements Crew {
  readonly id: readonly [number, number];
  readonly ledger: Ledger;
  readonly channel: Channel;
  /** Bytes of content that went to nodes, each time that it did. */
  contentBytes = 0;
  readonly answer: Promise<Answer>;
  isOver = false;
  private readonly options: RunOptions;
  private readonly subjects: ReturnType<typeof subjectsOf>;
  private readonly fetcher: Fetcher;
  private readonly contents = new Map<string, Uint8Array>();
  private readonly roundOf: Round[] = [];
  private readonly rounds = new Set<Round>();
  private readonly outgoing = new Map<number, Outgoing>();
  private readonly lastErrors = new Map<number, Error>();
  private readonly timer: ReturnType<typeof setInterval>;
  private settle!: { resolve: (answer: Answer) => void; reject: (error: Error) => void };
  private announcedAt = -Infinity;
  /** When there was last reason to wait: from then on patience counts. */
  private since = performance.now();

  constructor(lead: Lead<Answer>, options: RunOptions) {
    this.options = options;
    this.id = Array.from(crypto.getRandomValues(new Uint32Array(2))) as unknown as readonly [number, number];
    this.subjects = subjectsOf(options.cluster);
    this.ledger = new Ledger(options);
    this.channel = new Channel(options.link);
    this.fetcher = new Fetcher(this.channel, options.id);
    this.answer = new Promise((resolve, reject) => { this.settle = { resolve, reject }; });
    this.answer.catch(() => {});
    this.channel.receive(this.subjects.run(this.id), [
      taker(Want, ({ from, step, slots, heard, holds, isLeaving }) => this.hear({ node: from, serial: step, slots, heard, holds, isLeaving: isLeaving !== 0 })),
      taker(Finished, (message) => this.finished(message)),
      taker(Failed, (message) => this.failed(message)),
      taker(Ask, (message) => this.give(message)),
      taker(Piece, (message) => this.fetcher.take(message, performance.now())),
    ]);
    this.timer = setInterval(() => this.tick(), TICK);
    lead(this).then((result) => this.end(() => this.settle.resolve(result)), (error: Error) => this.fail(error));
  }

  async share(bytes: Uint8Array): Promise<Uint32Array> {
    const hash = await hashOf(bytes);
    this.contents.set(textOf(hash), bytes);
    return hash;
  }

  run<Task, Part>(kind: TaskKind<Task, Part>, count: number, make: (i: number) => Task, check: (part: Part, i: number) => void = () => {}): Promise<Part[]> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(new CollisionError('Cluster', 'the run has ended', 'submit the job anew'));
      if (count === 0) return resolve([]);
      const first = this.ledger.add(count);
      const round = { kind, first, left: count, make, check, parts: new Array(count), resolve, reject } as unknown as Round;
      for (let i = 0; i < count; i++) this.roundOf.push(round);
      this.rounds.add(round);
      this.since = performance.now();
      this.announce();
      this.deal();
    });
  }

  /** Ends it with an error; nodes are told. */
  fail(error: Error): void {
    this.end(() => {
      this.settle.reject(error);
      for (const round of this.rounds) round.reject(error);
    });
  }

  private end(tell: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.fetcher.cancel();
    tell();
    this.rounds.clear();
    this.roundOf.length = 0;
    this.contents.clear();
    this.outgoing.clear();
    this.sendOver(this.subjects.open);
    const timer = setTimeout(() => this.channel.dispose(), LINGER) as { unref?: () => void };
    timer.unref?.();
  }

  private heading(step = 0): Heading { return { run: this.id, step, from: this.options.id }; }
  private sendOver(subject: string): void { this.channel.send(subject, Over, this.heading(), {}); }

  // @returns whether the run goes on
  private hear(report: Report): boolean {
    if (this.isOver) {
      this.sendOver(this.subjects.node(report.node));
      return false;
    }
    this.ledger.told(report, performance.now());
    // The word that a task is settled was lost, and results that are not settled take places.
    for (const task of Array.from(report.holds)) if (this.ledger.isFinished(task)) this.outgoingTo(report.node).settled.push(task);
    this.deal();
    return true;
  }

  private finished({ from: node, step, slots, heard, holds, tasks, isStored, offsets, bodies }: Message<Parameters<typeof Finished.encode>[1]>): void {
    if (this.isOver) return this.sendOver(this.subjects.node(node));
    this.ledger.told({ node, serial: step, slots, heard, holds }, performance.now());
    tasks.forEach((task, i) => {
      const body = bodies.slice(offsets[i]!, offsets[i + 1]!);
      if (isStored[i] === 0 || this.ledger.isFinished(task)) return this.accept(task, node, body);
      this.fetcher.fetch(wordsOf(body), { subject: this.subjects.node(node), run: this.id, viaRun: true }, performance.now())
        .then((whole) => { if (!this.isOver) this.accept(task, node, whole); }, () => {});
    });
    this.deal();
  }

  // Looks at a result, and settles its task.
  private accept(task: number, node: number, body: Uint8Array): void {
    if (task < this.ledger.count && !this.ledger.isFinished(task)) {
      const round = this.roundOf[task]!;
      try {
        const part = round.kind.part.decode(body);
        round.check(part, task - round.first);
        round.parts[task - round.first] = part;
      } catch (error) {
        return this.refuse(task, node, error as Error);
      }
      const { others } = this.ledger.finish(task, node, performance.now());
      this.lastErrors.delete(task);
      for (const other of others) this.outgoingTo(other).settled.push(task);
      if (--round.left === 0) {
        this.rounds.delete(round);
        round.resolve(round.parts);
      }
    }
    this.outgoingTo(node).settled.push(task);
  }

  private failed({ from: node, step: serial, task, slots, heard, holds, ...failure }: Message<Parameters<typeof Failed.encode>[1]>): void {
    if (this.isOver) return this.sendOver(this.subjects.node(node));
    this.ledger.told({ node, serial, slots, heard, holds }, performance.now());
    this.refuse(task, node, errorOf(failure));
    this.deal();
  }

  private refuse(task: number, node: number, error: Error): void {
    this.lastErrors.set(task, error);
    const verdict = this.ledger.fail(task, node);
    if (verdict) return this.judge(verdict);
    this.outgoingTo(node).settled.push(task);
  }

  private judge({ task, why }: Verdict): void {
    const error = this.lastErrors.get(task);
    this.fail(why === 'failed' && error ? error : new CollisionError('Cluster', `nodes fall silent at task ${task} of ${this.ledger.count}`, 'look at the log of the nodes: they may lack memory'));
  }

  private give(ask: Message<Parameters<typeof Ask.encode>[1]>): void {
    const subject = this.subjects.node(ask.from);
    if (this.isOver) return this.sendOver(subject);
    const content = this.contents.get(textOf(ask.hash));
    if (content) this.contentBytes += Math.max(0, Math.min(ask.bytes, content.length - ask.at));
    answer(this.channel, subject, this.options.id, content, ask);
  }

  private outgoingTo(node: number): Outgoing {
    let outgoing = this.outgoing.get(node);
    if (!outgoing) {
      // What one turn of the thread brings together is sent together.
      if (this.outgoing.size === 0) queueMicrotask(() => this.flush());
      this.outgoing.set(node, outgoing = { settled: [], tasks: [] });
    }
    return outgoing;
  }

  private deal(): void {
    for (const [{ node }, tasks] of this.ledger.deal(performance.now())) this.outgoingTo(node).tasks.push(...tasks);
  }

  private flush(): void {
    const all = [...this.outgoing];
    this.outgoing.clear();
    if (this.isOver) return;
    for (const [node, { settled, tasks }] of all) this.grant(node, settled, tasks);
  }

  // One message a kind of tasks, and as many as packets ask for.
  private grant(node: number, settled: number[], tasks: number[]): void {
    const most = Math.min(MOST_BODIES, this.options.link.packetBytes / 2), step = this.ledger.members.get(node)?.grants ?? 0;
    let kind: TaskKind<unknown, unknown> | undefined, bodies = new Bodies(), isSent = false;
    const send = (): void => {
      this.channel.send(this.subjects.node(node), Grant, this.heading(step), { taskKind: kind?.code ?? 0, settled: Uint32Array.from(isSent ? [] : settled), ...bodies.values() });
      [bodies, isSent] = [new Bodies(), true];
    };
    for (const task of tasks) {
      if (this.ledger.isFinished(task)) continue;
      const round = this.roundOf[task]!, body = round.kind.task.encode(this.heading(task), round.make(task - round.first));
      if (bodies.tasks.length > 0 && (round.kind !== kind || bodies.bytes + body.length > most)) send();
      kind = round.kind;
      bodies.add(task, body);
    }
    if (bodies.tasks.length > 0 || !isSent) send();
  }

  private announce(): void {
    this.announcedAt = performance.now();
    this.channel.send(this.subjects.open, Open, this.heading(), { waiting: this.ledger.count - this.ledger.done });
  }

  private tick(): void {
    const now = performance.now(), { ledger, options: { patience } } = this;
    const verdict = ledger.tick(now);
    if (verdict) return this.judge(verdict);
    this.fetcher.tick(now);
    if (ledger.isDone) { this.since = now; } else if (now - Math.max(this.since, ledger.members.heardAt) > patience) {
      const what = ledger.members.heardAt > -Infinity ? 'no node is heard any more' : 'no node answers';
      return this.fail(new CollisionError('Cluster', `${what}, for ${patience} ms; ${ledger.done} of ${ledger.count} tasks are done`, 'start nodes (pfront cluster up) for the same cluster, or be more patient'));
    }
    if (now - this.announcedAt >= ANNOUNCE) this.announce();
    this.deal();
  }
}
