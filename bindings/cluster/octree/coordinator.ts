// The coordinator of one run: invites nodes, gives out the ledger's tasks until they are done, gives the boxes to who asks, fetches results.
import { CollisionError } from '../../errors.js';
import { Channel, taker } from '../channel.js';
import type { Link } from '../link.js';
import { subjectsOf } from '../subjects.js';
import { Ledger, type Work } from './ledger.js';
import { bytesOf } from './listCode.js';
import { BOXES_GIVEN, Done, Fetch, Gone, Invite, Offer, Over, Piece, Task, Trouble } from './messages.js';
import { firstOf } from './partBytes.js';
import { Missing, Transfers, answer } from './transfers.js';

export type DoneMessage = ReturnType<typeof Done.decode>;
export type TaskValues = Omit<Parameters<typeof Task.encode>[1], 'task' | 'kind' | 'part' | 'needs' | 'holders' | 'silence'>;

export interface CoordinatorOptions {
  cluster: string;
  /** Milliseconds without any node, or without anything done, after which the run ends. */
  patience: number;
  /** Milliseconds that a node may be silent: it computes, or it is lost. */
  silence: number;
}

/** Milliseconds between invitations, and until a task is told of again. */
const BEAT = 200, AGAIN = 250;

export class Coordinator {
  readonly ledger = new Ledger();
  readonly channel: Channel;
  readonly run: readonly [number, number];
  /** Task by task, what its node told. */
  readonly results = new Map<number, DoneMessage>();
  /** By node: microseconds of its processor since it heard of the run. */
  readonly cpu = new Map<number, number>();
  readonly transfers: Transfers;
  /** Nodes that were ever heard, and bytes of boxes that they were given. */
  readonly met = new Set<number>();
  servedBytes = 0;
  /** Told when a task is done. */
  onDone: () => void = () => {};
  private readonly id: number;
  private readonly options: CoordinatorOptions;
  private readonly boxes: Float32Array;
  private readonly heard = new Map<number, number>();
  private readonly told = new Map<number, number>();
  private readonly values = new Map<number, TaskValues>();
  private readonly waiting = new Set<() => void>();
  private readonly timer: ReturnType<typeof setInterval>;
  private failure: Error | undefined;
  private lastGood = performance.now();
  private invitedAt = -Infinity;

  constructor(link: Link, boxes: Float32Array, options: CoordinatorOptions) {
    const words = crypto.getRandomValues(new Uint32Array(3)), subjects = subjectsOf(options.cluster);
    this.run = [words[0]!, words[1]!];
    this.id = words[2]!;
    this.boxes = boxes;
    this.options = options;
    this.channel = new Channel(link);
    this.transfers = new Transfers(this.channel, this.id, true);
    this.channel.receive(subjects.run(this.run), [
      taker(Offer, ({ from }) => this.hear(from)), taker(Done, (done) => this.done(done)), taker(Trouble, (trouble) => this.trouble(trouble)),
      taker(Fetch, (asked) => this.serve(asked)), taker(Piece, (piece) => { this.hear(piece.from); this.transfers.take(piece); }), taker(Gone, (gone) => this.transfers.gone(gone)),
    ]);
    void link.closed.then((reason) => this.fail(new CollisionError('Cluster', `the link closed${reason ? `: ${reason.message}` : ''}`, 'connect again, and submit again')));
    this.timer = setInterval(() => this.tick(), BEAT / 2);
    this.tick();
  }

  get nodeCount(): number { return this.ledger.nodeCount; }

  /** values: what the task's message says beside who does it. */
  add(work: Work, values: TaskValues): void {
    this.values.set(work.id, values);
    this.ledger.add(work);
    this.giveOut();
  }

  /** Resolves when it is so: looked at whenever something happened. @throws CollisionError where the run ends before */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.failure) throw this.failure;
      await new Promise<void>((resolve) => { this.waiting.add(resolve); });
    }
    if (this.failure) throw this.failure;
  }

  /** Resolves when the results of these tasks can be had. @throws as until */
  untilDone(tasks: readonly number[]): Promise<void> {
    return this.until(() => {
      const isSo = this.ledger.want(tasks);
      if (!isSo) this.giveOut();
      return isSo;
    });
  }

  /** Some of a task's result, from who has it; a result that is lost is made again. @throws as until */
  async fetch(task: number, selector: readonly number[]): Promise<Uint8Array> {
    for (;;) {
      await this.untilDone([task]);
      const holder = this.ledger.holderOf(task)!;
      try {
        const bytes = await this.transfers.fetch(this.run, { holder, subject: subjectsOf(this.options.cluster).octreeNode(holder), task, selector }, this.options.silence);
        this.lastGood = performance.now();
        return bytes;
      } catch (error) {
        if (this.failure) throw this.failure;
        if (!(error instanceof Missing)) throw error;
        this.ledger.missing(task);
        this.giveOut();
      }
    }
  }

  /** Ends the run; what waits is told why. */
  fail(reason: Error): void {
    this.failure ??= reason;
    this.wake();
  }

  close(): void {
    clearInterval(this.timer);
    const { options: { cluster }, channel } = this;
    channel.send(subjectsOf(cluster).octreeOpen, Over, this.heading, {});
    this.transfers.close();
    channel.dispose();
  }

  private get heading() { return { run: this.run, step: 0, from: this.id }; }

  private hear(node: number): void {
    this.heard.set(node, performance.now());
    this.met.add(node);
    this.ledger.join(node);
    this.giveOut();
    this.wake();
  }

  private done(message: DoneMessage): void {
    this.hear(message.from);
    this.cpu.set(message.from, Math.max(this.cpu.get(message.from) ?? 0, message.cpu));
    if (!this.ledger.done(message.task, message.from)) return;
    this.lastGood = performance.now();
    this.results.set(message.task, message);
    this.onDone();
    this.giveOut();
    this.wake();
  }

  private trouble({ task, from, missing, code, message, fix }: ReturnType<typeof Trouble.decode>): void {
    this.hear(from);
    const isGivenUp = this.ledger.failed(task, from, missing.length === 0);
    for (const need of missing) this.ledger.missing(need);
    if (isGivenUp) {
      const [name, what, todo] = [code, message, fix].map((bytes) => new TextDecoder().decode(bytes)) as [string, string, string];
      this.fail(new CollisionError(name, `a node could not do task ${task}: ${what}`, todo));
    } else this.giveOut();
  }

  // The caller's own boxes, a part of them.
  private serve(asked: ReturnType<typeof Fetch.decode>): void {
    this.hear(asked.from);
    const [part, partCount] = asked.selector, count = this.boxes.length / 6;
    if (asked.task !== BOXES_GIVEN || part === undefined || partCount === undefined || part >= partCount) return;
    const bytes = bytesOf(this.boxes.subarray(6 * firstOf(part, partCount, count), 6 * firstOf(part + 1, partCount, count)));
    this.servedBytes += Math.max(0, Math.min(bytes.length, (asked.first + asked.count) * asked.pieceBytes) - asked.first * asked.pieceBytes);
    answer(this.channel, subjectsOf(this.options.cluster).octreeNode(asked.from), this.id, asked, bytes);
  }

  private giveOut(): void {
    if (this.failure) return;
    for (const { work, node } of this.ledger.give()) this.tell(work, node);
    if (this.ledger.endless !== undefined) this.fail(new CollisionError('Cluster', `task ${this.ledger.endless} was given out again and again`, 'look at the links between nodes: results do not get from one to another'));
  }

  private tell({ id, kind, part, needs }: Work, node: number): void {
    this.told.set(id, performance.now());
    const holders = needs.map((need) => this.ledger.holderOf(need) ?? 0);
    this.channel.send(subjectsOf(this.options.cluster).octreeNode(node), Task, this.heading, { ...this.values.get(id)!, silence: this.options.silence, task: id, kind, part, needs: Uint32Array.from(needs), holders: Uint32Array.from(holders) });
  }

  private tick(): void {
    const now = performance.now(), { patience, silence, cluster } = this.options;
    if (now - this.invitedAt >= BEAT) {
      this.invitedAt = now;
      this.channel.send(subjectsOf(cluster).octreeOpen, Invite, this.heading, {});
    }
    for (const [node, at] of this.heard) {
      if (now - at <= silence) continue;
      this.heard.delete(node);
      this.ledger.lose(node);
      this.giveOut();
    }
    for (const { work, node } of this.ledger.given()) if (now - this.told.get(work.id)! > AGAIN) this.tell(work, node);
    if (now - this.lastGood > patience && this.ledger.nodeCount === 0) this.fail(new CollisionError('Cluster', `no node answered for ${patience} ms`, 'start nodes (pfront cluster up), or look whether they are connected to the same broker and of the same cluster'));
    if (now - this.lastGood > 4 * Math.max(patience, silence)) this.fail(new CollisionError('Cluster', `nothing was done for ${4 * Math.max(patience, silence)} ms`, 'raise patience where tasks take longer, or look at the nodes'));
    this.wake();
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
