// What one holds and another needs -> fetched piece by piece, a few at a time; pieces that do not come are asked for again.
import type { Channel } from '../channel.js';
import type { Heading } from '../message.js';
import { Malformed } from '../malformed.js';
import { Fetch, Gone, Piece } from './messages.js';

type FetchMessage = ReturnType<typeof Fetch.decode>;
type PieceMessage = ReturnType<typeof Piece.decode>;

/** Who holds it, by which subject, and the name of it there. */
export interface Source { holder: number; subject: string; task: number; selector: readonly number[] }

/** Pieces on their way at a time; bytes of a message beside those of its piece; of one transfer. */
const AT_ONCE = 8, AROUND = 256, MOST_BYTES = 2 ** 31;
/** Milliseconds until a piece is asked for again: at first, and at most. */
const AGAIN = 150, MOST_AGAIN = 2000;

/** The holder did not answer, or has it no more. */
export class Missing extends Error {
  readonly task: number;
  constructor(task: number) {
    super(`the result of task ${task} does not come`);
    this.task = task;
  }
}

interface Transfer {
  source: Source; run: Heading['run']; silence: number; bytes: Uint8Array | undefined; here: Uint8Array; missing: number; next: number; asked: Set<number>;
  heardAt: number; askedAt: number; again: number; resolve(bytes: Uint8Array): void; reject(reason: Error): void;
}

/** Fetches for one process. */
export class Transfers {
  /** Bytes that came. */
  bytes = 0;
  private readonly channel: Channel;
  private readonly id: number;
  private readonly toRun: boolean;
  private readonly pieceBytes: number;
  private readonly open = new Map<number, Transfer>();
  private readonly timer: ReturnType<typeof setInterval>;
  private ticket = 0;

  /** toRun: answers come by the run's subject. */
  constructor(channel: Channel, id: number, toRun: boolean) {
    this.channel = channel;
    this.id = id;
    this.toRun = toRun;
    this.pieceBytes = Math.max(256, Math.min(2 ** 20, channel.link.packetBytes) - AROUND);
    this.timer = setInterval(() => this.tick(), AGAIN / 3);
  }

  /** silence: milliseconds without a piece after which the holder has none. @throws Missing */
  fetch(run: Heading['run'], source: Source, silence: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const ticket = this.ticket++, now = performance.now();
      this.open.set(ticket, { source, run, silence, bytes: undefined, here: new Uint8Array(0), missing: 1, next: 1, asked: new Set([0]), heardAt: now, askedAt: now, again: AGAIN, resolve, reject });
      this.ask(ticket, 0, 1);
    });
  }

  take({ ticket, index, total, bytes, from }: PieceMessage): void {
    const transfer = this.open.get(ticket);
    // Of a ticket that was closed, or of a holder that was not asked.
    if (!transfer || transfer.source.holder !== from) return;
    const { pieceBytes } = this;
    if (total > MOST_BYTES) throw new Malformed(`a result of ${total} bytes`, `${MOST_BYTES} are the most`);
    if (!transfer.bytes) {
      transfer.bytes = new Uint8Array(total);
      transfer.missing = Math.max(1, Math.ceil(total / pieceBytes));
      transfer.here = new Uint8Array(transfer.missing);
    }
    if (total !== transfer.bytes.length || index >= transfer.here.length || bytes.length !== Math.min(pieceBytes, total - index * pieceBytes)) throw new Malformed(`piece ${index} of ${total} bytes, with ${bytes.length}`, 'it is not what was asked for');
    if (transfer.here[index] === 1) return;
    transfer.here[index] = 1;
    transfer.bytes.set(bytes, index * pieceBytes);
    this.bytes += bytes.length;
    transfer.asked.delete(index);
    transfer.heardAt = performance.now();
    transfer.again = AGAIN;
    if (--transfer.missing === 0) {
      this.open.delete(ticket);
      transfer.resolve(transfer.bytes);
    } else this.goOn(ticket, transfer);
  }

  gone({ ticket, from }: ReturnType<typeof Gone.decode>): void {
    const transfer = this.open.get(ticket);
    if (transfer?.source.holder === from) this.fail(ticket, transfer);
  }

  /** Ends what is asked of a run, or all. */
  cancel(run?: Heading['run']): void {
    for (const [ticket, transfer] of this.open) if (!run || (run[0] === transfer.run[0] && run[1] === transfer.run[1])) this.fail(ticket, transfer);
  }

  close(): void {
    clearInterval(this.timer);
    this.cancel();
  }

  // Half of those that may be on their way at a time.
  private goOn(ticket: number, transfer: Transfer): void {
    const count = Math.min(AT_ONCE - transfer.asked.size, transfer.here.length - transfer.next);
    if (count < Math.min(AT_ONCE / 2, transfer.here.length - transfer.next) || count <= 0) return;
    for (let i = 0; i < count; i++) transfer.asked.add(transfer.next + i);
    this.ask(ticket, transfer.next, count);
    transfer.next += count;
  }

  private tick(): void {
    const now = performance.now();
    for (const [ticket, transfer] of this.open) {
      if (now - transfer.heardAt > transfer.silence) this.fail(ticket, transfer);
      else if (now - Math.max(transfer.heardAt, transfer.askedAt) > transfer.again) {
        transfer.again = Math.min(MOST_AGAIN, 2 * transfer.again);
        for (const index of transfer.asked) this.ask(ticket, index, 1);
      }
    }
  }

  private ask(ticket: number, first: number, count: number): void {
    const transfer = this.open.get(ticket)!, { source: { subject, task, selector }, run } = transfer;
    transfer.askedAt = performance.now();
    this.channel.send(subject, Fetch, { run, step: 0, from: this.id }, { task, ticket, first, count, pieceBytes: this.pieceBytes, toRun: this.toRun ? 1 : 0, selector: Uint32Array.from(selector) });
  }

  private fail(ticket: number, transfer: Transfer): void {
    this.open.delete(ticket);
    transfer.reject(new Missing(transfer.source.task));
  }
}

/** Sends what was asked for. bytes: of the whole; none: it is not there. */
export function answer(channel: Channel, subject: string, id: number, { run, ticket, first, count, pieceBytes }: FetchMessage, bytes: Uint8Array | undefined): void {
  const heading: Heading = { run, step: 0, from: id };
  if (!bytes) return channel.send(subject, Gone, heading, { ticket });
  const end = Math.min(first + count, Math.max(1, Math.ceil(bytes.length / pieceBytes)));
  for (let index = first; index < end; index++) channel.send(subject, Piece, heading, { ticket, index, total: bytes.length, bytes: bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes) });
}
