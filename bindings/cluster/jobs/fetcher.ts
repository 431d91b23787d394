// Content that another one has -> fetched by its hash, piece by piece, asked for again where pieces are lost, and checked when whole.
import { CollisionError } from '../../errors.js';
import type { Channel } from '../channel.js';
import { Ask, Piece } from './messages.js';
import { hashOf, textOf, type HashText } from './content.js';
import { RoundTrip } from './roundTrip.js';

/** Whom to ask: by which subject, in which run, and whether the answer comes by the run's subject. */
export interface Source { subject: string; run: readonly [number, number]; viaRun: boolean }
type PieceMessage = Parameters<typeof Piece.encode>[1];

/** Of one transfer, pieces asked for at a time; of one content, bytes. */
const AT_ONCE = 8, MOST_BYTES = 2 ** 31;
const TRIES = 3;

interface Transfer {
  hash: ArrayLike<number>; source: Source; totalBytes: number; bytes: Uint8Array; next: number; missing: number; tries: number; heardAt: number;
  /** Where pieces begin that were asked for, and when. */
  asked: Map<number, number>;
  resolve: (bytes: Uint8Array) => void; reject: (reason: Error) => void; promise: Promise<Uint8Array>;
}

export class Fetcher {
  private readonly channel: Channel;
  private readonly from: number;
  private readonly pieceBytes: number;
  private readonly giveUpMilliseconds: number;
  private readonly transfers = new Map<HashText, Transfer>();
  private readonly roundTrip = new RoundTrip();

  /** from: who asks. */
  constructor(channel: Channel, from: number, giveUpMilliseconds = 10_000) {
    this.channel = channel;
    this.from = from;
    this.pieceBytes = pieceBytesOf(channel);
    this.giveUpMilliseconds = giveUpMilliseconds;
  }

  /** The same content is asked for once. @throws CollisionError 'Cluster' where it is not there, does not come, or is not what its hash says */
  fetch(hash: ArrayLike<number>, source: Source, now: number): Promise<Uint8Array> {
    const key = textOf(hash), known = this.transfers.get(key);
    if (known) return known.promise;
    let resolve!: Transfer['resolve'], reject!: Transfer['reject'];
    const promise = new Promise<Uint8Array>((yes, no) => { [resolve, reject] = [yes, no]; });
    promise.catch(() => {});
    const transfer: Transfer = { hash: Array.from({ length: 8 }, (_, i) => hash[i]!), source, totalBytes: -1, bytes: new Uint8Array(0), next: 0, missing: 1, tries: 0, heardAt: now, asked: new Map(), resolve, reject, promise };
    this.transfers.set(key, transfer);
    this.ask(transfer, 0, now);
    return promise;
  }

  take({ hash, at, totalBytes, data }: PieceMessage, now: number): void {
    const key = textOf(hash), transfer = this.transfers.get(key);
    if (!transfer) return;
    if (totalBytes === -1) return this.fail(key, transfer, `content ${key.slice(0, 16)} is not there any more`);
    if (totalBytes > MOST_BYTES || (transfer.totalBytes >= 0 && totalBytes !== transfer.totalBytes)) return;
    const askedAt = transfer.asked.get(at);
    if (askedAt === undefined || data.length !== Math.min(this.pieceBytes, totalBytes - at)) return;
    transfer.heardAt = now;
    if (transfer.totalBytes < 0) {
      transfer.totalBytes = totalBytes;
      transfer.bytes = new Uint8Array(totalBytes);
      transfer.missing = Math.max(1, Math.ceil(totalBytes / this.pieceBytes));
      transfer.next = this.pieceBytes;
    }
    this.roundTrip.add(now - askedAt);
    transfer.asked.delete(at);
    transfer.bytes.set(data, at);
    if (--transfer.missing === 0) void this.check(key, transfer);
    else this.askMore(transfer, now);
  }

  /** Asks again for what has not come, and gives up what does not come at all. */
  tick(now: number): void {
    for (const [key, transfer] of this.transfers) {
      if (now - transfer.heardAt > this.giveUpMilliseconds) this.fail(key, transfer, `content ${key.slice(0, 16)} does not come`);
      else for (const [at, askedAt] of transfer.asked) if (now - askedAt > this.roundTrip.patience) this.ask(transfer, at, now);
    }
  }

  /** Gives up all of a run, or all. */
  cancel(run?: readonly [number, number]): void {
    for (const [key, transfer] of this.transfers) {
      if (!run || (run[0] === transfer.source.run[0] && run[1] === transfer.source.run[1])) this.fail(key, transfer, 'the run has ended');
    }
  }

  private ask(transfer: Transfer, at: number, now: number): void {
    const { source: { subject, run, viaRun }, hash } = transfer;
    transfer.asked.set(at, now);
    this.channel.send(subject, Ask, { run, step: 0, from: this.from }, { hash, at, bytes: this.pieceBytes, viaRun: viaRun ? 1 : 0 });
  }

  private askMore(transfer: Transfer, now: number): void {
    for (; transfer.asked.size < AT_ONCE && transfer.next < transfer.totalBytes; transfer.next += this.pieceBytes) this.ask(transfer, transfer.next, now);
  }

  private async check(key: HashText, transfer: Transfer): Promise<void> {
    if (textOf(await hashOf(transfer.bytes)) === key) {
      this.transfers.delete(key);
      return transfer.resolve(transfer.bytes);
    }
    if (++transfer.tries === TRIES) return this.fail(key, transfer, `content ${key.slice(0, 16)} came ${TRIES} times and was not what its hash says`);
    transfer.totalBytes = -1;
    transfer.missing = 1;
    this.ask(transfer, 0, transfer.heardAt);
  }

  private fail(key: HashText, transfer: Transfer, what: string): void {
    this.transfers.delete(key);
    transfer.reject(new CollisionError('Cluster', what, 'the task is done again elsewhere; where this recurs, look at the network'));
  }
}

// What else is in a packet takes less than this; large pieces keep a slow link busy for long.
const AROUND = 256, MOST_PIECE = 2 ** 18;
const pieceBytesOf = ({ link: { packetBytes } }: Channel): number => Math.max(64, Math.min(MOST_PIECE, packetBytes - AROUND));

/** Answers who asks for content. subject: where to. */
export function answer(channel: Channel, subject: string, from: number, content: Uint8Array | undefined, { run, hash, at, bytes }: { run: readonly [number, number]; hash: ArrayLike<number>; at: number; bytes: number }): void {
  const heading = { run, step: 0, from };
  if (!content) return channel.send(subject, Piece, heading, { hash, at: 0, totalBytes: -1, data: new Uint8Array(0) });
  if (at <= content.length) channel.send(subject, Piece, heading, { hash, at, totalBytes: content.length, data: content.subarray(at, at + Math.min(bytes, MOST_PIECE)) });
}
