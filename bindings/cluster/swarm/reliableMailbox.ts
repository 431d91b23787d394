// Delivers messages reliably between members (nodes) of a swarm, over links that lose, duplicate and delay
// packets. Each message is delivered completely and once, and is identified by its sender, epoch, step and
// round. The receiver requests missing fragments.
import { concatBytes } from '../bytes.js';
import { Channel, messageHandler, type Traffic } from '../channel.js';
import type { Link } from '../link.js';
import { Alive, Fragment, MessageRequest, ROUNDS } from './messages.js';

/**
 * Identifies a message among the messages of its sender. The epoch increases with every restart of the swarm.
 */
export interface Address {
  epoch: number;
  step: number;
  round: number;
}

/** When a member was last heard from (`at`), and its state. failure: why the member cannot continue. */
interface LastMessage {
  at: number;
  waitingFor: Uint32Array;
  isOver: boolean;
  failure: string;
}

/** Bytes of a packet that are reserved for its headings. */
const HEADER_BYTES = 128;
/** A received message is dropped if its step is more than this many steps ahead. */
const STEPS_AHEAD = 2;
/** The factor by which the wait for a message grows after each request for it. */
const BACKOFF = 1.2;
/**
 * How many messages tell a dismissed member that the run is over for it, in addition to replies to its
 * requests.
 */
const DISMISSALS = 5;
/** The maximum wait between two requests, in multiples of `retryInterval`. */
const MAX_BACKOFF = 8;

interface PendingTake {
  from: number;
  address: Address;
  resolve(message: Uint8Array): void;
  reject(error: Error): void;
  requestedAt: number;
  patience: number;
}
interface IncompleteMessage {
  fragments: (Uint8Array | undefined)[];
  missing: number;
}
interface Sent {
  to: number;
  address: Address;
  fragments: Uint8Array[];
}

interface MailboxOptions {
  link: Link;
  run: readonly [number, number];
  /** The id of this member. */
  id: number;
  subjectOf: (id: number) => string;
  /** Milliseconds after which a message is requested again; the wait grows with each request. */
  retryInterval: number;
}

export class ReliableMailbox {
  /** When each sender was last heard from, and its state. */
  readonly peers = new Map<number, LastMessage>();
  /** Returns whether messages of a sender are accepted. */
  isKnown: (id: number) => boolean = () => false;
  /** Called when a message of a later epoch arrives. */
  onLaterEpoch: (from: number, address: Address) => void = () => {};
  /** Called when a sign of life shows that its sender does not know the current epoch yet. */
  onEarlierEpoch: (from: number) => void = () => {};
  /** Bytes sent, messages sent and bytes received, by round. */
  readonly sentBytes = new Float64Array(ROUNDS);
  readonly messagesSent = new Float64Array(ROUNDS);
  readonly receivedBytes = new Float64Array(ROUNDS);
  isOver = false;
  /** Why this member cannot continue. */
  failure = '';
  private isClosed = false;
  private epoch = 0;
  private step = 0;
  private readonly channel: Channel;
  private readonly options: MailboxOptions;
  private readonly sent = new Map<string, Sent>();
  /** Members that no longer take part: see `dismiss`. */
  private readonly dismissed = new Set<number>();
  private readonly incomplete = new Map<string, IncompleteMessage>();
  private readonly complete = new Map<string, Uint8Array>();
  private readonly delivered = new Set<string>();
  private readonly pending = new Map<string, PendingTake>();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(options: MailboxOptions) {
    this.options = options;
    this.channel = new Channel(options.link);
    this.channel.receive(options.subjectOf(options.id), [
      messageHandler(Fragment, fragment => {
        if (this.isOurs(fragment.run))
          this.takeFragment(fragment.from, fragment, fragment.index, fragment.count, fragment.bytes);
      }),
      messageHandler(MessageRequest, request => {
        if (this.isOurs(request.run)) this.answer(request.from, request, request.missing);
      }),
      messageHandler(Alive, alive => {
        if (!this.isOurs(alive.run) || !this.updatePeer(alive.from)) return;
        const peer = this.peers.get(alive.from)!;
        peer.isOver ||= alive.isOver !== 0;
        // The fields `waitingFor` and `failure` of a sign of life count only in the epoch of its sender. They
        // are ignored if this member is in another epoch.
        if (alive.epoch === this.epoch) {
          peer.waitingFor = alive.waitingFor;
          peer.failure = new TextDecoder().decode(alive.failure);
        }
        if (alive.epoch < this.epoch) this.onEarlierEpoch(alive.from);
      }),
    ]);
    this.timer = setInterval(() => this.requestAgain(), Math.max(5, options.retryInterval / 2));
  }

  get traffic(): Traffic {
    return this.channel.traffic;
  }

  /**
   * Begins an epoch. Messages and failures of earlier epochs become void, and pending `take` calls reject.
   */
  begin(epoch: number, step: number): void {
    this.epoch = epoch;
    this.step = step;
    for (const { reject } of this.pending.values()) reject(new Superseded());
    for (const map of [this.sent, this.incomplete, this.complete, this.pending]) map.clear();
    this.delivered.clear();
    this.failure = '';
    for (const peer of this.peers.values()) {
      peer.waitingFor = NO_IDS;
      peer.failure = '';
    }
  }

  /** Advances to a step. Drops the messages of all steps before the previous one. */
  advance(step: number): void {
    this.step = step;
    const isOld = (key: string): boolean => Number(key.split(' ')[2]) + 1 < step;
    for (const map of [this.sent, this.incomplete, this.complete])
      for (const key of [...map.keys()]) if (isOld(key)) map.delete(key);
    for (const key of [...this.delivered]) if (isOld(key)) this.delivered.delete(key);
  }

  /** Sends a message, and keeps it so that it can be sent again on request. @throws Superseded */
  send(to: number, address: Address, message: Uint8Array): void {
    this.rejectOldEpoch(address);
    const { round } = address;
    const size = Math.max(64, this.options.link.packetBytes - HEADER_BYTES);
    const fragments = Array.from({ length: Math.max(1, Math.ceil(message.length / size)) }, (_, i) =>
      message.subarray(i * size, (i + 1) * size),
    );
    this.sent.set(keyOf(to, address), { to, address, fragments });
    this.messagesSent[round] += 1;
    fragments.forEach((_, index) => this.sendFragment(to, address, fragments, index));
  }

  /**
   * Tells a member, in any epoch and at any step, that the run is over for it. Does so several times, because
   * packets may be lost, and again whenever the member requests a message that is no longer kept.
   */
  dismiss(id: number): void {
    this.dismissed.add(id);
    for (let i = 0; i < DISMISSALS; i++)
      this.timers.add(setTimeout(() => this.sendAlive(id), i * this.options.retryInterval));
  }

  /** Sends the first fragment of a message again; the receiver then requests the other fragments. */
  sendFirstFragment(to: number, address: Address): void {
    const sent = this.sent.get(keyOf(to, address));
    if (sent) this.sendFragment(to, address, sent.fragments, 0);
  }

  /** Resolves with a message once it is complete. @throws Superseded */
  async take(from: number, address: Address): Promise<Uint8Array> {
    this.rejectOldEpoch(address);
    const key = keyOf(from, address);
    const message = this.complete.get(key);
    if (message) {
      this.complete.delete(key);
      this.delivered.add(key);
      return message;
    }
    return new Promise((resolve, reject) => {
      this.pending.set(key, {
        from,
        address,
        resolve,
        reject,
        requestedAt: performance.now(),
        patience: this.options.retryInterval,
      });
    });
  }

  /** Returns the senders whose messages are awaited. */
  waitingFor(): number[] {
    return [...new Set([...this.pending.values()].map(({ from }) => from))];
  }

  /**
   * Requests a message from its sender. A sender without this message replies with a sign of life. missing:
   * the indices of the missing fragments; if empty, all fragments are requested.
   */
  requestMessage(from: number, { epoch, step, round }: Address, missing: Uint32Array = NO_IDS): void {
    this.channel.send(this.options.subjectOf(from), MessageRequest, this.heading(step), {
      epoch,
      round,
      missing,
    });
  }

  /** Sends a sign of life. */
  sendAlive(to: number): void {
    if (this.isClosed) return;
    this.channel.send(this.options.subjectOf(to), Alive, this.heading(this.step), {
      epoch: this.epoch,
      isOver: this.isOver || this.dismissed.has(to) ? 1 : 0,
      waitingFor: Uint32Array.from(this.waitingFor().slice(0, 64)),
      failure: new TextEncoder().encode(this.failure).subarray(0, 4096),
    });
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const timer of this.timers) clearTimeout(timer);
    this.channel.dispose();
    for (const { reject } of this.pending.values()) reject(new Superseded());
    this.pending.clear();
  }

  private rejectOldEpoch({ epoch }: Address): void {
    if (this.isClosed || epoch !== this.epoch) throw new Superseded('another epoch has begun');
  }

  private isOurs(run: readonly [number, number]): boolean {
    return run[0] === this.options.run[0] && run[1] === this.options.run[1];
  }
  private heading(step: number): { run: readonly [number, number]; step: number; from: number } {
    return { run: this.options.run, step, from: this.options.id };
  }

  // Records that a member was heard from. If the member is unknown, returns false. Keeps the state that the
  // member's last sign of life reported, because fragments and requests do not say whether a member can
  // continue.
  private updatePeer(from: number): boolean {
    if (!this.isKnown(from)) return false;
    const at = performance.now();
    const peer = this.peers.get(from);
    if (peer) peer.at = at;
    else this.peers.set(from, { at, waitingFor: NO_IDS, isOver: false, failure: '' });
    return true;
  }

  private takeFragment(
    from: number,
    address: Address,
    index: number,
    count: number,
    bytes: Uint8Array,
  ): void {
    if (!this.updatePeer(from)) return;
    this.receivedBytes[address.round] += bytes.length;
    if (address.epoch > this.epoch)
      this.onLaterEpoch(from, { epoch: address.epoch, step: address.step, round: address.round });
    if (
      address.epoch !== this.epoch ||
      address.step + 1 < this.step ||
      address.step > this.step + STEPS_AHEAD
    )
      return;
    const key = keyOf(from, address);
    if (this.delivered.has(key) || this.complete.has(key)) return;
    let incomplete = this.incomplete.get(key);
    if (!incomplete)
      this.incomplete.set(key, (incomplete = { fragments: new Array<undefined>(count), missing: count }));
    if (incomplete.fragments.length !== count || incomplete.fragments[index]) return;
    incomplete.fragments[index] = bytes;
    if (--incomplete.missing > 0) return;
    this.incomplete.delete(key);
    const fragments = incomplete.fragments as Uint8Array[];
    this.deliver(key, fragments.length === 1 ? fragments[0] : concatBytes(fragments));
  }

  private deliver(key: string, message: Uint8Array): void {
    const pending = this.pending.get(key);
    if (!pending) return void this.complete.set(key, message);
    this.pending.delete(key);
    this.delivered.add(key);
    pending.resolve(message);
  }

  private answer(from: number, address: Address, missing: Uint32Array): void {
    if (!this.updatePeer(from)) return;
    const sent = this.sent.get(keyOf(from, address));
    if (!sent) return this.sendAlive(from);
    for (const index of missing.length > 0 ? missing : sent.fragments.keys())
      if (index < sent.fragments.length) this.sendFragment(from, address, sent.fragments, index);
  }

  private sendFragment(to: number, address: Address, fragments: readonly Uint8Array[], index: number): void {
    const before = this.channel.traffic.sentBytes;
    this.channel.send(this.options.subjectOf(to), Fragment, this.heading(address.step), {
      epoch: address.epoch,
      round: address.round,
      index,
      count: fragments.length,
      bytes: fragments[index],
    });
    this.sentBytes[address.round] += this.channel.traffic.sentBytes - before;
  }

  private requestAgain(): void {
    const now = performance.now();
    for (const [key, pending] of this.pending) {
      if (now - pending.requestedAt < pending.patience) continue;
      pending.requestedAt = now;
      pending.patience = Math.min(MAX_BACKOFF * this.options.retryInterval, BACKOFF * pending.patience);
      const incomplete = this.incomplete.get(key);
      const missing = incomplete
        ? Uint32Array.from([...incomplete.fragments.keys()].filter(i => !incomplete.fragments[i]))
        : NO_IDS;
      this.requestMessage(pending.from, pending.address, missing);
    }
  }
}

/**
 * Thrown if a message can no longer be sent or received, because another epoch has begun or the mailbox is
 * closed.
 */
export class Superseded extends Error {}

const NO_IDS: Uint32Array = new Uint32Array(0);
const keyOf = (id: number, { epoch, step, round }: Address): string => `${id} ${epoch} ${step} ${round}`;
