// Coordinates one job in the process that submitted it: tracks the tasks of the job, and exchanges messages
// with the nodes that run these tasks.
import { Channel, messageHandler } from '../channel.js';
import { ClusterError, Malformed, SAME_VERSION } from '../errors.js';
import type { Link } from '../link.js';
import type { Heading, ReceivedMessage } from '../message.js';
import { pick } from '../pick.js';
import { deferred } from '../promises.js';
import { randomRun, subjectsOf } from '../subjects.js';
import { Admission } from './admission.js';
import { hashOf, textOf, wordsOf } from './content.js';
import { errorOf } from './failure.js';
import { Fetcher, sendChunks } from './fetcher.js';
import { GrantSender } from './grantSender.js';
import type { JobCoordinator, NodePool, RunTerms, TaskKind } from './jobKind.js';
import type { ExcludedNode, JobStats } from './jobStats.js';
import { LeaseTokens } from './leaseTokens.js';
import { Ledger, type RunFailure } from './ledger.js';
import { Chunk, ChunkRequest, Failed, Finished, Grant, NodeStatus, Open, RunEnded } from './messages.js';
import type { Recomputer } from './recomputer.js';
import type { TaskPlacement } from './storedResults.js';

export interface RunOptions extends RunTerms {
  link: Link;
  cluster: string;
  id: number;
  patience: number;
  /** Computes tasks in this process, to check the results of nodes. Default: nodes are trusted. */
  recomputer?: Recomputer;
  /** Whether every task is given to two nodes. */
  isTwofold?: boolean;
}
/** The tasks of one call of `run`. Their results are awaited together. */
interface Round {
  kind: TaskKind<unknown, unknown>;
  first: number;
  left: number;
  make: (i: number, holderOf: (task: number) => number) => unknown;
  check: (report: unknown, i: number, node: number) => void;
  reports: unknown[];
  resolve: (reports: unknown[]) => void;
  reject: (error: Error) => void;
}

const TICK = 50;
const ANNOUNCE_MILLISECONDS = 400;
/** The maximum duration of a lease, in multiples of `patience`. */
const MAX_LEASE = 4;
/** How long `gather` without a count waits for more nodes after the first one, in milliseconds. */
const GATHER_MILLISECONDS = 150;
/** How long a run that has ended still answers messages of nodes with `RunEnded`, in milliseconds. */
const LINGER = 10_000;

export class Run<Answer> implements NodePool {
  readonly id: readonly [number, number];
  readonly ledger: Ledger;
  readonly channel: Channel;
  /** Bytes of content sent to nodes; content that is sent twice counts twice. */
  contentBytes = 0;
  isOver = false;
  private readonly options: RunOptions;
  private readonly subjects: ReturnType<typeof subjectsOf>;
  private readonly fetcher: Fetcher;
  private readonly contents = new Map<string, Uint8Array | (() => Uint8Array)>();
  private readonly roundOf: (Round | undefined)[] = [];
  private firstKnown = 0;
  private readonly rounds = new Set<Round>();
  private readonly grantSender: GrantSender;
  private readonly admission = new Admission();
  private readonly leaseTokens = new LeaseTokens();
  private readonly excluded = new Map<number, ExcludedNode>();
  /**
   * The time at which the run became idle: tasks are open, but no node has any task. 0 if the run is not idle.
   */
  private idleSince = 0;
  private readonly lastErrors = new Map<number, Error>();
  /**
   * Functions that wake the waiting calls of `waitUntil`. After each event, all are called, and each waiting
   * call checks its condition.
   */
  private readonly waiters: (() => void)[] = [];
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly outcome = deferred<Answer>();
  private announcedAt = -Infinity;
  /** When `now` last read the time. */
  private seenAt = performance.now();
  /** The total time for which this process was blocked, for example suspended. Short delays do not count. */
  private blockedMilliseconds = 0;
  /** The time from which `patience` is measured, unless a message of a node has arrived later. */
  private patienceFrom = performance.now();

  constructor(coordinate: JobCoordinator<Answer>, options: RunOptions) {
    this.options = options;
    this.id = randomRun(options.link);
    this.subjects = subjectsOf(options.cluster);
    this.ledger = new Ledger(options);
    this.channel = new Channel(options.link);
    this.fetcher = new Fetcher(this.channel, options.id);
    this.grantSender = new GrantSender(
      options.link.packetBytes,
      options.keeps ? 3 * TICK : TICK,
      (task, node) => this.encode(task, node),
      (node, values) =>
        this.channel.send(
          this.subjects.node(node),
          Grant,
          this.heading(this.ledger.members.get(node)?.grants),
          { ...values, membership: this.admission.secretOf(node) },
        ),
    );
    this.answer.catch(() => {});
    this.channel.receive(this.subjects.run(this.id), [
      messageHandler(NodeStatus, message => this.receiveStatus(message)),
      messageHandler(Finished, message => this.receiveFinished(message)),
      messageHandler(Failed, message => this.receiveFailed(message)),
      messageHandler(ChunkRequest, message => this.sendBlock(message)),
      messageHandler(Chunk, message => this.fetcher.receiveChunk(message, this.now())),
    ]);
    this.timer = setInterval(() => this.tick(), TICK);
    coordinate(this).then(
      result => this.end(() => this.outcome.resolve(result)),
      (error: Error) => this.fail(error),
    );
  }

  get answer(): Promise<Answer> {
    return this.outcome.promise;
  }

  get stats(): JobStats {
    const {
      ledger: { count, counters, members },
      channel: { traffic },
      contentBytes,
    } = this;
    return {
      tasks: count,
      nodes: members.joinedCount,
      reassigned: counters.lostLeases + counters.lostResults,
      duplicated: counters.duplicates,
      ...pick(traffic, ['sentBytes', 'sentMessages', 'receivedBytes', 'receivedMessages']),
      contentBytes,
      refused: traffic.refused,
      excluded: [...this.excluded.values()],
    };
  }

  get isTwofold(): boolean {
    return this.options.isTwofold === true;
  }

  get recompute(): NodePool['recompute'] {
    const { recomputer } = this.options;
    return recomputer && ((kind, task, contents = this.contents) => recomputer.run(kind, task, contents));
  }

  private nameOf(node: number): string {
    const name = this.ledger.members.get(node)?.name;
    const id = node.toString(16);
    return name ? `${name} (${id})` : id;
  }

  exclude(node: number, what: string): void {
    this.excluded.set(node, { node: this.nameOf(node), what });
    this.ledger.remove(node);
    this.sendOver(this.subjects.node(node));
    this.assignTasks();
  }

  async gather(count?: number): Promise<number> {
    const {
      ledger: { members },
      options: { patience },
    } = this;
    const end = this.now() + patience;
    const needed = count ?? 1;
    this.announce();
    await this.waitUntil(() => members.size >= needed || this.now() > end);
    if (members.size < needed)
      throw new ClusterError(
        count === undefined
          ? `no node answered within ${patience} ms`
          : `${members.size} of ${count} nodes answered within ${patience} ms`,
        'start nodes (pfront cluster up), or check that they are connected to the same broker and belong to the same cluster',
      );
    if (count !== undefined) return count;
    const gatherDeadline = this.now() + GATHER_MILLISECONDS;
    await this.waitUntil(() => this.now() > gatherDeadline);
    return members.size;
  }

  async share(bytes: Uint8Array): Promise<Uint32Array> {
    const hash = await hashOf(bytes);
    this.shareAs(hash, bytes);
    return hash;
  }

  shareAs(name: ArrayLike<number>, bytes: Uint8Array | (() => Uint8Array)): void {
    this.contents.set(textOf(name), bytes);
  }

  unshare(name: ArrayLike<number>): void {
    this.contents.delete(textOf(name));
  }

  forgetBefore(task: number): void {
    this.ledger.forgetBefore(task);
    for (; this.firstKnown < task; this.firstKnown++) {
      this.leaseTokens.delete(this.firstKnown);
      this.roundOf[this.firstKnown] = undefined;
      this.lastErrors.delete(this.firstKnown);
    }
  }

  async fetch(task: number, selector: readonly number[]): Promise<Uint8Array> {
    const { ledger } = this;
    const patience = ledger.leaseMilliseconds;
    for (;;) {
      if (ledger.holderOf(task) === undefined) {
        ledger.requireResults([task]);
        this.assignTasks();
        await this.waitUntil(() => ledger.holderOf(task) !== undefined);
      }
      const holder = ledger.holderOf(task)!;
      const subject = this.subjects.node(holder);
      try {
        return await this.fetcher.fetch(
          [task, ...selector],
          { subject, run: this.id, viaRun: true, holder, patience },
          this.now(),
        );
      } catch {
        ledger.reopen(task);
      }
    }
  }

  run<Task, Report, Fetched>(
    kind: TaskKind<Task, Report, Fetched>,
    count: number,
    make: (i: number, holderOf: (task: number) => number) => Task,
    check: (report: Report, i: number, node: number) => void = () => {},
    placementOf?: (i: number) => TaskPlacement,
    avoidedBy?: (i: number) => number,
  ): Promise<Report[]> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(new ClusterError('the run has ended', 'submit the job again'));
      if (count === 0) return resolve([]);
      const first = this.ledger.add(count, placementOf, avoidedBy);
      const round = {
        kind,
        first,
        left: count,
        make,
        check,
        reports: new Array(count),
        resolve,
        reject,
      } as unknown as Round;
      for (let i = 0; i < count; i++) this.roundOf.push(round);
      this.rounds.add(round);
      this.patienceFrom = this.now();
      if (this.ledger.members.size === 0) this.announce();
      this.assignTasks();
    });
  }

  /** Ends the run with an error, and notifies the nodes. */
  fail(error: Error): void {
    this.end(() => {
      this.outcome.reject(error);
      for (const round of this.rounds) round.reject(error);
    });
  }

  private end(settle: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.fetcher.cancel();
    settle();
    this.rounds.clear();
    this.roundOf.length = 0;
    this.contents.clear();
    this.grantSender.clear();
    this.leaseTokens.clear();
    this.wake();
    if (this.announcedAt > -Infinity) this.sendOver(this.subjects.open);
    const timer = setTimeout(() => this.channel.dispose(), LINGER) as { unref?: () => void };
    timer.unref?.();
  }

  /**
   * Returns the time of the clock that measures leases and `patience`. This clock stands still while the
   * process is blocked, because messages that arrive during this time are read only afterwards.
   */
  private now(): number {
    const time = performance.now();
    const maxStep = Math.max(TICK, Math.min(this.options.patience, this.ledger.leaseMilliseconds) / 4);
    this.blockedMilliseconds += Math.max(0, time - this.seenAt - maxStep);
    this.seenAt = time;
    return time - this.blockedMilliseconds;
  }

  private heading(step = 0): Heading {
    return { run: this.id, step, from: this.options.id };
  }
  private sendOver(subject: string): void {
    this.channel.send(subject, RunEnded, this.heading(), {});
  }

  private receiveStatus(message: ReceivedMessage<typeof NodeStatus>): void {
    const { from: node, holds, isLeaving, name } = message;
    if (!this.receiveReport(message, isLeaving !== 0)) return;
    const member = this.ledger.members.get(node);
    if (member && member.name === '') member.name = new TextDecoder().decode(name);
    // If a node still reports a finished task, the acknowledgment was lost. It is sent again, because nodes
    // hold only a limited number of unacknowledged results.
    for (const task of holds) if (this.ledger.isFinished(task)) this.grantSender.acknowledge(node, task);
    this.assignTasks();
  }

  // Records what a node reports. Any process can send messages in the name of a node, so each message must
  // contain a secret, which the run has sent only to this node. If the secret is missing or wrong, the right
  // one is sent to the node. @returns whether the message may be used
  private receiveReport(
    {
      from: node,
      step: serial,
      slots,
      heard: lastGrant,
      holds,
      membership,
    }: Pick<ReceivedMessage<typeof Finished>, 'from' | 'step' | 'slots' | 'heard' | 'holds' | 'membership'>,
    isLeaving = false,
  ): boolean {
    if (this.isOver || this.excluded.has(node)) {
      this.sendOver(this.subjects.node(node));
      return false;
    }
    if (!this.admission.admits(node, membership)) {
      if (!isLeaving) this.grantSender.greet(node);
      if (membership !== 0)
        this.channel.refuse(
          new Malformed(`a message in the name of node ${node} has a wrong secret`, SAME_VERSION),
        );
      return false;
    }
    // Ignores tasks that were not assigned to the node.
    const heldTasks = holds.filter(task => this.leaseTokens.has(task, node));
    this.ledger.receiveReport({ node, serial, slots, lastGrant, heldTasks, isLeaving }, this.now());
    return true;
  }

  private receiveFinished(message: ReceivedMessage<typeof Finished>): void {
    const { from: node, tasks, leases, isStored, offsets, bodies } = message;
    if (!this.receiveReport(message)) return;
    tasks.forEach((task, i) => {
      if (this.ledger.isFinished(task)) return this.grantSender.acknowledge(node, task);
      if (!this.hasLease(task, node, leases[i])) return;
      const body = bodies.slice(offsets[i], offsets[i + 1]);
      if (isStored[i] === 0) return this.accept(task, node, body);
      this.fetcher
        .fetch(
          wordsOf(body),
          { subject: this.subjects.node(node), run: this.id, viaRun: true, holder: node },
          this.now(),
        )
        .then(
          result => {
            // While the result was fetched, another node may have finished the task.
            if (this.isOver || this.excluded.has(node) || this.ledger.isFinished(task)) return;
            if (!this.hasLease(task, node, leases[i])) return;
            this.accept(task, node, result);
            this.assignTasks();
          },
          () => {},
        );
    });
    this.assignTasks();
  }

  // Returns whether a task was assigned to a node with this token; if not, counts the message as refused.
  private hasLease(task: number, node: number, token: number): boolean {
    if (this.leaseTokens.matches(task, node, token)) return true;
    this.channel.refuse(
      new Malformed(
        `node ${node} sent a result of task ${task}, which was not assigned to it with this token`,
        SAME_VERSION,
      ),
    );
    return false;
  }

  // Checks a result, and acknowledges it if it is valid. Otherwise its task counts as failed.
  private accept(task: number, node: number, body: Uint8Array): void {
    const round = this.roundOf[task]!;
    try {
      const report = round.kind.report.decode(body);
      round.check(report, task - round.first, node);
      // A task that runs again because its kept result was lost does not count twice.
      if (round.reports[task - round.first] === undefined) round.left--;
      round.reports[task - round.first] = report;
    } catch (error) {
      return this.refuse(task, node, error as Error);
    }
    const { others } = this.ledger.finish(task, node, this.now());
    this.leaseTokens.delete(task);
    this.lastErrors.delete(task);
    for (const other of others) this.grantSender.acknowledge(other, task);
    if (round.left === 0 && this.rounds.delete(round)) round.resolve(round.reports);
    this.grantSender.acknowledge(node, task);
  }

  private receiveFailed(message: ReceivedMessage<typeof Failed>): void {
    const { from: node, task, lease, missing } = message;
    if (!this.receiveReport(message)) return;
    if (this.ledger.isFinished(task)) return this.grantSender.acknowledge(node, task);
    if (this.hasLease(task, node, lease)) this.refuse(task, node, errorOf(message), Array.from(missing));
    this.assignTasks();
  }

  private refuse(task: number, node: number, error: Error, missing?: readonly number[]): void {
    this.lastErrors.set(task, error);
    const failure = this.ledger.fail(task, node, missing);
    if (failure) return this.failBy(failure);
    this.grantSender.acknowledge(node, task);
  }

  private failBy({ task, why }: RunFailure): void {
    const error = this.lastErrors.get(task);
    if (why === 'failed' && error) return this.fail(error);
    this.fail(
      why === 'endless'
        ? new ClusterError(
            `task ${task} was assigned too often, because nodes that need its result cannot fetch it`,
            'check the connections between nodes',
          )
        : new ClusterError(
            `several nodes stopped answering while they ran task ${task} of ${this.ledger.count}`,
            'check the logs of the nodes: they may be out of memory',
          ),
    );
  }

  private sendBlock(request: ReceivedMessage<typeof ChunkRequest>): void {
    const subject = this.subjects.node(request.from);
    if (this.isOver) return this.sendOver(subject);
    this.contentBytes += sendChunks(
      this.channel,
      subject,
      this.options.id,
      this.contentOf(request.name),
      request,
    );
  }

  private contentOf(name: ArrayLike<number>): Uint8Array | undefined {
    const content = this.contents.get(textOf(name));
    if (typeof content !== 'function') return content;
    const bytes = content();
    this.shareAs(name, bytes);
    return bytes;
  }

  private assignTasks(): void {
    if (this.isOver) return;
    for (const [{ node }, tasks] of this.ledger.assignTasks(this.now())) this.grantSender.assign(node, tasks);
    this.wake();
  }

  private encode(
    task: number,
    node: number,
  ): { kind: TaskKind<unknown, unknown>; lease: number; body: Uint8Array } | undefined {
    if (this.ledger.isFinished(task)) return undefined;
    const { kind, make, first } = this.roundOf[task]!;
    return {
      kind,
      lease: this.leaseTokens.tokenFor(task, node),
      body: kind.task.encode(
        this.heading(task),
        make(task - first, need => this.ledger.holderOf(need) ?? 0),
      ),
    };
  }

  private announce(): void {
    this.announcedAt = this.now();
    this.channel.send(this.subjects.open, Open, this.heading(), {
      waiting: this.ledger.count - this.ledger.done,
      keeps: this.options.keeps ? 1 : 0,
    });
  }

  private tick(): void {
    const {
      ledger,
      options: { patience },
    } = this;
    const now = this.now();
    const failure = ledger.tick(now);
    if (failure) return this.failBy(failure);
    this.fetcher.tick(now);
    if (ledger.isDone) {
      this.patienceFrom = now;
    } else if (now - Math.max(this.patienceFrom, ledger.members.heardAt) > patience) {
      const what = ledger.members.heardAt > -Infinity ? 'no node has sent a message' : 'no node has answered';
      return this.fail(
        new ClusterError(
          `${what} for ${patience} ms; ${ledger.done} of ${ledger.count} tasks are done${this.excludedText()}`,
          'start nodes (pfront cluster up) for the same cluster, or raise patience',
        ),
      );
    }
    // Nodes that send reports, but neither accept tasks nor finish them, must not keep the run waiting
    // forever.
    const idle = ledger.idleTask();
    if (idle === undefined) this.idleSince = 0;
    else if (now - (this.idleSince ||= now) > patience)
      return this.fail(
        new ClusterError(
          `no node accepted task ${idle} within ${patience} ms${this.excludedText()}`,
          'start more nodes (pfront cluster up); with verify, at least two are needed',
        ),
      );
    for (const { task, node } of ledger.leasesSince(now - MAX_LEASE * patience))
      this.refuse(
        task,
        node,
        new ClusterError(
          `node ${this.nameOf(node)} did not finish task ${task} within ${MAX_LEASE * patience} ms`,
          'check this node, or raise patience',
        ),
      );
    if (this.isOver) return;
    if (now - this.announcedAt >= ANNOUNCE_MILLISECONDS) this.announce();
    this.assignTasks();
    this.grantSender.tick(now);
  }

  private excludedText(): string {
    return [...this.excluded.values()]
      .map(({ node, what }) => `; node ${node} was excluded for a false result: ${what}`)
      .join('');
  }

  /**
   * Resolves when a condition holds. The condition is checked after each event. @throws CollisionError
   * 'Cluster' if the run ends first
   */
  private async waitUntil(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.isOver) throw new ClusterError('the run has ended', 'submit the job again');
      await new Promise<void>(resolve => {
        this.waiters.push(resolve);
      });
    }
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}
