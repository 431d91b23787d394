// Waits for messages of the members (nodes) of a swarm, and detects lost members: members that are silent,
// have failed, or block a step of the simulation.
import { onLinkEnd } from '../link.js';
import { sleep } from '../promises.js';
import type { ReliableMailbox } from './reliableMailbox.js';
import type { Settings } from './settings.js';

/** Thrown when members of a swarm count as lost. */
export class MembersLost extends Error {
  readonly lost: readonly number[];
  readonly reason: string;

  constructor(lost: readonly number[], reason: string) {
    super(reason);
    this.lost = lost;
    this.reason = reason;
  }
}

/**
 * How long all members may be silent before they count as lost, in multiples of `patience`. This is longer
 * than for a single member, because silence of all members points to the broker rather than to the members.
 */
const ALL_SILENT = 3;
/** How long a step may make no progress while members send signs of life, in multiples of `patience`. */
const NO_PROGRESS = 4;

type FailureDetectorOptions = Pick<Settings, 'link' | 'patience' | 'retryInterval' | 'signal'>;

export class FailureDetector {
  private readonly mailbox: ReliableMailbox;
  private readonly options: FailureDetectorOptions;
  /** The error that ends the swarm; undefined while the swarm runs. */
  private reason: { error: Error } | undefined;
  /**
   * The functions that reject the waits of `raceWithEnd`. They are used instead of one promise that is rejected
   * at the end of the swarm. With Promise.race, such a promise would keep the result of every wait in memory,
   * and thus all messages of the swarm.
   */
  private readonly rejecters = new Set<(error: Error) => void>();
  private readonly removeListener: () => void;
  private isClosed = false;
  private readonly silenceStarts = new Map<number, number>();
  private onAbort: () => void = () => {};

  constructor(mailbox: ReliableMailbox, options: FailureDetectorOptions) {
    this.mailbox = mailbox;
    this.options = options;
    const { link, signal } = options;
    const end = (error: Error): void => {
      this.reason ??= { error };
      for (const reject of this.rejecters) reject(this.reason.error);
    };
    this.removeListener = onLinkEnd(
      link,
      'keep the broker running, and the link open, until the swarm has ended',
      end,
    );
    this.onAbort = () => end(signal!.reason as Error);
    if (signal?.aborted) this.onAbort();
    else signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Sets the members. The silence of each member is measured from now on. */
  begin(ids: readonly number[]): void {
    const now = performance.now();
    for (const id of [...this.silenceStarts.keys()]) if (!ids.includes(id)) this.silenceStarts.delete(id);
    for (const id of ids) this.silenceStarts.set(id, now);
  }

  /** Waits for the given time. @throws the error that ends the swarm, if the swarm ends meanwhile */
  pause(milliseconds: number): Promise<void> {
    return this.raceWithEnd(sleep(milliseconds));
  }

  /**
   * Takes one message from each member in `ids` with `take`. @throws MembersLost if members count as lost;
   * the error that ends the swarm, if the swarm ends meanwhile
   */
  async takeAll(ids: readonly number[], take: (id: number) => Promise<Uint8Array>): Promise<Uint8Array[]> {
    const open = new Set(ids);
    const since = performance.now();
    let timer: ReturnType<typeof setInterval> | undefined;
    const messages = Promise.all(
      ids.map(async id => {
        const message = await take(id);
        open.delete(id);
        return message;
      }),
    );
    messages.catch(() => {});
    const lost = new Promise<never>((_, reject) => {
      let checkedAt = since;
      timer = setInterval(
        () => {
          const now = performance.now();
          const isLate = now - checkedAt > this.options.patience / 2;
          checkedAt = now;
          // If this process itself was blocked, this check is skipped, so that the process first reads the
          // messages that arrived meanwhile.
          const found = isLate ? undefined : this.findLostMembers(open, since);
          if (found) reject(found);
        },
        Math.max(5, Math.min(this.options.retryInterval, this.options.patience / 4)),
      );
    });
    lost.catch(() => {});
    try {
      return await this.raceWithEnd(Promise.race([messages, lost]));
    } finally {
      clearInterval(timer);
    }
  }

  close(): void {
    this.isClosed = true;
    this.removeListener();
    this.options.signal?.removeEventListener('abort', this.onAbort);
  }

  private raceWithEnd<T>(work: Promise<T>): Promise<T> {
    if (this.isClosed) throw new Error('the failure detector is closed');
    const { reason } = this;
    if (reason) {
      work.catch(() => {});
      return Promise.reject(reason.error);
    }
    return new Promise((resolve, reject) => {
      this.rejecters.add(reject);
      const settle = (outcome: () => void): void => {
        this.rejecters.delete(reject);
        outcome();
      };
      work.then(
        value => settle(() => resolve(value)),
        (error: Error) => settle(() => reject(error)),
      );
    });
  }

  private findLostMembers(open: ReadonlySet<number>, since: number): MembersLost | undefined {
    const now = performance.now();
    const { patience } = this.options;
    const heard = (id: number) => this.mailbox.peers.get(id);
    const failed = [...open].filter(id => heard(id)?.failure);
    if (failed.length > 0)
      return new MembersLost(failed, `a node could not continue: ${heard(failed[0])!.failure}`);
    const silentFor = (id: number): number =>
      now - Math.max(heard(id)?.at ?? 0, this.silenceStarts.get(id) ?? since);
    const silent = [...open].filter(id => silentFor(id) > patience);
    if (
      silent.length > 0 &&
      (silent.length < this.silenceStarts.size || silent.every(id => silentFor(id) > ALL_SILENT * patience))
    ) {
      const waited = silent.length === this.silenceStarts.size ? ALL_SILENT * patience : patience;
      return new MembersLost(
        silent,
        `${silent.length} of ${this.silenceStarts.size} nodes were silent for ${waited} ms`,
      );
    }
    if (now - since < NO_PROGRESS * patience) return undefined;
    const blamed = this.maxVotesMember(open);
    return new MembersLost(
      [blamed],
      `a step made no progress for ${NO_PROGRESS * patience} ms: its nodes do not receive messages from each other`,
    );
  }

  private maxVotesMember(open: ReadonlySet<number>): number {
    const votes = new Map<number, number>();
    for (const id of open)
      for (const other of this.mailbox.peers.get(id)?.waitingFor ?? [])
        if (this.silenceStarts.has(other)) votes.set(other, (votes.get(other) ?? 0) + 1);
    return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? [...open][0];
  }
}
