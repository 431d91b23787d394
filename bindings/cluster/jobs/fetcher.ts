// Blocks of bytes that others have -> fetched by their names, piece by piece, a few at a time, asked for
// again where pieces are lost; content is checked against its hash when it is whole.
import type { Channel } from '../channel.js';
import { ClusterError, Malformed } from '../errors.js';
import type { Heading, Said } from '../message.js';
import { type Deferred, deferred } from '../promises.js';
import { hashOf, textOf } from './content.js';
import { Ask, HASH_WORDS, LEAST_PIECE, MOST_PIECE, Piece } from './messages.js';
import { RoundTrip } from './roundTrip.js';

/**
 * Whom to ask: by which subject, in which run, whether the answer comes by the run's subject, who alone may
 * answer, and for how long it is waited for.
 */
export interface Source {
  subject: string;
  run: readonly [number, number];
  viaRun: boolean;
  holder?: number;
  patience?: number;
}

/** Of one transfer, pieces asked for at a time; of one block, bytes. */
const AT_ONCE = 8;
const MOST_BYTES = 2 ** 31;
/** Milliseconds until a piece is asked for again, at least and at most. */
const AGAIN = 150;
const MOST_AGAIN = 1000;
const TRIES = 3;

interface Transfer extends Deferred<Uint8Array> {
  ticket: number;
  key: string;
  name: Uint32Array;
  source: Source;
  total: number;
  bytes: Uint8Array;
  count: number;
  next: number;
  missing: number;
  tries: number;
  /** When a piece came, when one was asked for, and how long to wait from then. */
  heardAt: number;
  askedAt: number;
  wait: number;
  /** Pieces that were asked for, and when. */
  asked: Map<number, number>;
}

export class Fetcher {
  private readonly channel: Channel;
  private readonly from: number;
  private readonly pieceBytes: number;
  private readonly patience: number;
  private readonly transfers = new Map<number, Transfer>();
  private readonly roundTrip = new RoundTrip(AGAIN);
  private tickets = 0;

  /** from: who asks. patience: milliseconds, of sources that name none. */
  constructor(channel: Channel, from: number, patience = 10_000) {
    this.channel = channel;
    this.from = from;
    this.pieceBytes = pieceBytesOf(channel);
    this.patience = patience;
  }

  /**
   * The same content is asked for once. @throws CollisionError 'Cluster' where it is not there, does not
   * come, or is not what its hash says
   */
  fetch(name: ArrayLike<number>, source: Source, now: number): Promise<Uint8Array> {
    const key =
      name.length === HASH_WORDS
        ? `content ${textOf(name)}`
        : `block ${textOf(name)} ${source.subject} ${source.run.join(' ')}`;
    for (const known of this.transfers.values()) if (known.key === key) return known.promise;
    const end = deferred<Uint8Array>();
    end.promise.catch(() => {});
    const ticket = this.tickets++ >>> 0;
    const transfer: Transfer = {
      ticket,
      key,
      name: Uint32Array.from(name),
      source,
      total: -1,
      bytes: new Uint8Array(0),
      count: 1,
      next: 1,
      missing: 1,
      tries: 0,
      heardAt: now,
      askedAt: now,
      wait: 0,
      asked: new Map(),
      ...end,
    };
    this.transfers.set(ticket, transfer);
    this.begin(transfer, now);
    return end.promise;
  }

  /** @throws Malformed */
  take({ ticket, index, total, bytes, from }: Said<typeof Piece>, now: number): void {
    const transfer = this.transfers.get(ticket);
    // Of a transfer that has ended, or of one who was not asked.
    if (!transfer || (transfer.source.holder ?? from) !== from) return;
    if (total === -1) return this.fail(transfer, 'is not there any more');
    const askedAt = transfer.asked.get(index);
    const { pieceBytes } = this;
    if (askedAt === undefined) return;
    if (
      total > MOST_BYTES ||
      total !== (transfer.total < 0 ? total : transfer.total) ||
      bytes.length !== Math.min(pieceBytes, total - index * pieceBytes)
    )
      throw new Malformed(
        `piece ${index} of ${total} bytes, with ${bytes.length}`,
        'it is not what was asked for',
      );
    if (transfer.total < 0) {
      transfer.total = total;
      transfer.bytes = new Uint8Array(total);
      transfer.missing = transfer.count = Math.max(1, Math.ceil(total / pieceBytes));
    }
    this.roundTrip.add(now - askedAt);
    transfer.asked.delete(index);
    transfer.bytes.set(bytes, index * pieceBytes);
    transfer.heardAt = now;
    transfer.wait = this.wait;
    if (--transfer.missing === 0) void this.end(transfer);
    else this.goOn(transfer, now);
  }

  /** Asks again for what has not come, and gives up what does not come at all. */
  tick(now: number): void {
    for (const transfer of this.transfers.values()) {
      const {
        heardAt,
        askedAt,
        wait,
        asked,
        source: { patience = this.patience },
      } = transfer;
      if (now - heardAt > patience) this.fail(transfer, 'does not come');
      else if (now - Math.max(heardAt, askedAt) > wait) {
        transfer.wait = Math.max(this.wait, Math.min(MOST_AGAIN, 1.5 * wait));
        for (const index of asked.keys()) this.ask(transfer, index, 1, now);
      }
    }
  }

  /** Gives up all of a run, or all. */
  cancel(run?: readonly [number, number]): void {
    for (const transfer of this.transfers.values()) {
      if (!run || (run[0] === transfer.source.run[0] && run[1] === transfer.source.run[1]))
        this.fail(transfer, 'is not needed: the run has ended');
    }
  }

  private get wait(): number {
    return Math.max(AGAIN, this.roundTrip.patience);
  }

  // The first piece tells how many there are.
  private begin(transfer: Transfer, now: number): void {
    Object.assign(transfer, { total: -1, missing: 1, next: 1, wait: this.wait });
    this.ask(transfer, 0, 1, now);
  }

  private ask(transfer: Transfer, first: number, count: number, now: number): void {
    const {
      ticket,
      name,
      source: { subject, run, viaRun },
    } = transfer;
    for (let i = 0; i < count; i++) transfer.asked.set(first + i, now);
    transfer.askedAt = now;
    this.channel.send(
      subject,
      Ask,
      { run, step: 0, from: this.from },
      { ticket, first, count, pieceBytes: this.pieceBytes, viaRun: viaRun ? 1 : 0, name },
    );
  }

  // Half of those that may be on their way at a time are asked for together.
  private goOn(transfer: Transfer, now: number): void {
    const left = transfer.count - transfer.next;
    const count = Math.min(AT_ONCE - transfer.asked.size, left);
    if (count === 0 || count < Math.min(AT_ONCE / 2, left)) return;
    this.ask(transfer, transfer.next, count, now);
    transfer.next += count;
  }

  private async end(transfer: Transfer): Promise<void> {
    const { ticket, name, bytes, resolve } = transfer;
    if (name.length === HASH_WORDS && textOf(await hashOf(bytes)) !== textOf(name)) {
      if (++transfer.tries === TRIES)
        return this.fail(transfer, `came ${TRIES} times and was not what its hash says`);
      return this.begin(transfer, transfer.heardAt);
    }
    this.transfers.delete(ticket);
    resolve(bytes);
  }

  private fail({ ticket, name, reject }: Transfer, what: string): void {
    this.transfers.delete(ticket);
    reject(
      new ClusterError(
        `${name.length === HASH_WORDS ? `content ${textOf(name).slice(0, 16)}` : `block ${name.join(' ')}`} ${what}`,
        'the task is done again elsewhere; where this recurs, look at the network',
      ),
    );
  }
}

// What else is in a packet takes less than this.
const AROUND = 256;
const pieceBytesOf = ({ link: { packetBytes } }: Channel): number =>
  Math.max(LEAST_PIECE, Math.min(MOST_PIECE, packetBytes - AROUND));

/**
 * Sends the pieces that were asked for, as far as they are there. subject: where to. @returns how many bytes
 * that are
 */
export function answer(
  channel: Channel,
  subject: string,
  from: number,
  block: Uint8Array | undefined,
  { run, ticket, first, count, pieceBytes }: Said<typeof Ask>,
): number {
  const heading: Heading = { run, step: 0, from };
  const total = block?.length ?? -1;
  const end = block ? Math.min(first + count, Math.max(1, Math.ceil(total / pieceBytes))) : 0;
  if (!block) channel.send(subject, Piece, heading, { ticket, index: 0, total, bytes: new Uint8Array(0) });
  else
    for (let index = first; index < end; index++)
      channel.send(subject, Piece, heading, {
        ticket,
        index,
        total,
        bytes: block.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      });
  return Math.max(0, Math.min(total, end * pieceBytes) - first * pieceBytes);
}
