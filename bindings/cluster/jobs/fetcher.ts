// Fetches blocks of bytes from other processes by name. A few chunks are requested at a time, and lost chunks
// are requested again. If a block is named by a hash, its content is checked against the hash when all chunks
// have arrived.
import { concatBytes } from '../bytes.js';
import type { Channel } from '../channel.js';
import { ClusterError, Malformed } from '../errors.js';
import type { Heading, ReceivedMessage } from '../message.js';
import { type Deferred, deferred } from '../promises.js';
import { randomToken } from '../randomToken.js';
import { hashOf, textOf } from './content.js';
import { Chunk, ChunkRequest, HASH_WORDS, MAX_CHUNK_BYTES, MIN_CHUNK_BYTES } from './messages.js';
import { RoundTrip } from './roundTrip.js';

/** Where to fetch a block from, and how. */
export interface BlockSource {
  /** The subject to which requests are sent. */
  subject: string;
  run: readonly [number, number];
  /** true: replies are sent to the run's subject; false: to the subject of this process. */
  viaRun: boolean;
  /** The only node that may reply. Default: any sender. */
  holder?: number;
  /** Milliseconds without a new chunk after which the transfer fails. Default: set by the Fetcher. */
  patience?: number;
}

/** Maximum number of chunks that one transfer requests at a time. */
const MAX_REQUESTED_CHUNKS = 8;
/** Maximum size of a block, in bytes. */
const MAX_BYTES = 2 ** 31;
/**
 * The min and max wait before a chunk is requested again, in milliseconds. The wait grows with each request. If
 * round trips take long, the wait may exceed the max (see RoundTrip).
 */
const MIN_RETRY_WAIT = 150;
const MAX_RETRY_WAIT = 1000;
/** A transfer fails when the block has arrived this many times and never matched its hash. */
const MAX_TRIES = 3;

/** A run that waits for a block. */
interface Waiting extends Deferred<Uint8Array> {
  source: BlockSource;
}

interface Transfer {
  ticket: number;
  key: string;
  name: Uint32Array;
  /** The runs that wait for the block. The block is requested from the source of the first run. */
  waiting: Waiting[];
  total: number;
  /** The chunks that have arrived. No memory is reserved for the size that the sender claims. */
  chunks: Uint8Array[];
  count: number;
  next: number;
  missing: number;
  tries: number;
  /** When a chunk last arrived. */
  heardAt: number;
  /** When a chunk was last requested. */
  requestedAt: number;
  /** Missing chunks are requested again this many milliseconds after the later of heardAt and requestedAt. */
  wait: number;
  /** For each chunk that was requested and has not arrived: when it was requested. */
  requested: Map<number, number>;
}

export class Fetcher {
  private readonly channel: Channel;
  private readonly from: number;
  private readonly chunkBytes: number;
  private readonly patience: number;
  private readonly transfers = new Map<number, Transfer>();
  private readonly roundTrip = new RoundTrip(MIN_RETRY_WAIT);

  /**
   * from: the id of this process. patience: milliseconds without a new chunk after which a transfer fails,
   * unless its source specifies another value.
   */
  constructor(channel: Channel, from: number, patience = 10_000) {
    this.channel = channel;
    this.from = from;
    this.chunkBytes = chunkBytesOf(channel);
    this.patience = patience;
  }

  /**
   * Fetches a block. Concurrent fetches of the same content share one transfer. If the source of one run
   * fails, or if the run is canceled, the transfer continues for the other runs.
   * @throws CollisionError 'Cluster' if the source does not have the block, if the block does not arrive in
   * time or does not match its hash, or if the run is canceled
   */
  fetch(name: ArrayLike<number>, source: BlockSource, now: number): Promise<Uint8Array> {
    const key =
      name.length === HASH_WORDS
        ? `content ${textOf(name)}`
        : `block ${textOf(name)} ${source.subject} ${source.run.join(' ')}`;
    const known = [...this.transfers.values()].find(transfer => transfer.key === key);
    const sameRun = known?.waiting.find(({ source: { run } }) => isSameRun(run, source.run));
    if (sameRun) return sameRun.promise;
    const own: Waiting = { source, ...deferred<Uint8Array>() };
    own.promise.catch(() => {});
    if (known) {
      known.waiting.push(own);
      return own.promise;
    }
    const ticket = randomToken();
    const transfer: Transfer = {
      ticket,
      key,
      name: Uint32Array.from(name),
      waiting: [own],
      total: -1,
      chunks: [],
      count: 1,
      next: 1,
      missing: 1,
      tries: 0,
      heardAt: now,
      requestedAt: now,
      wait: 0,
      requested: new Map(),
    };
    this.transfers.set(ticket, transfer);
    this.begin(transfer, now);
    return own.promise;
  }

  /** Handles a received chunk. @throws Malformed */
  receiveChunk({ ticket, index, total, bytes, from }: ReceivedMessage<typeof Chunk>, now: number): void {
    const transfer = this.transfers.get(ticket);
    // Ignores the chunk if the transfer has ended, or if the chunk was not requested from this sender.
    if (!transfer || (transfer.waiting[0].source.holder ?? from) !== from) return;
    if (total === -1) return this.failFirst(transfer, 'is no longer available', now);
    const requestedAt = transfer.requested.get(index);
    const { chunkBytes } = this;
    if (requestedAt === undefined) return;
    if (
      total > MAX_BYTES ||
      total !== (transfer.total < 0 ? total : transfer.total) ||
      bytes.length !== Math.min(chunkBytes, total - index * chunkBytes)
    )
      throw new Malformed(
        `chunk ${index} has ${bytes.length} bytes of a block of ${total}, which does not match the request`,
        'run the same version of pfront everywhere',
      );
    if (transfer.total < 0) {
      transfer.total = total;
      transfer.missing = transfer.count = Math.max(1, Math.ceil(total / chunkBytes));
    }
    this.roundTrip.add(now - requestedAt);
    transfer.requested.delete(index);
    transfer.chunks[index] = bytes;
    transfer.heardAt = now;
    transfer.wait = this.wait;
    if (--transfer.missing === 0)
      this.end(transfer).catch((error: Error) => {
        while (transfer.waiting.length > 0)
          this.failFirst(transfer, `cannot be checked: ${error.message}`, now);
      });
    else this.requestMore(transfer, now);
  }

  /** Requests missing chunks again, and gives up on transfers that make no progress. */
  tick(now: number): void {
    for (const transfer of this.transfers.values()) {
      const {
        heardAt,
        requestedAt,
        wait,
        requested,
        waiting: [
          {
            source: { patience = this.patience },
          },
        ],
      } = transfer;
      if (now - heardAt > patience) this.failFirst(transfer, 'did not arrive', now);
      else if (now - Math.max(heardAt, requestedAt) > wait) {
        transfer.wait = Math.max(this.wait, Math.min(MAX_RETRY_WAIT, 1.5 * wait));
        for (const index of requested.keys()) this.request(transfer, index, 1, now);
      }
    }
  }

  /** Cancels the transfers of a run, or all transfers. */
  cancel(run?: readonly [number, number]): void {
    const reason = 'was not fetched, because the run has ended';
    for (const transfer of this.transfers.values()) {
      const [first] = transfer.waiting;
      const isOver = ({ source }: Waiting): boolean => !run || isSameRun(source.run, run);
      const others = transfer.waiting.slice(1);
      transfer.waiting = [first, ...others.filter(each => !isOver(each))];
      for (const each of others.filter(isOver)) each.reject(notFetched(transfer, reason));
      if (isOver(first)) this.failFirst(transfer, reason, performance.now());
    }
  }

  private get wait(): number {
    return Math.max(MIN_RETRY_WAIT, this.roundTrip.timeout);
  }

  // Requests the first chunk. The reply gives the size of the block, and thus the number of its chunks.
  private begin(transfer: Transfer, now: number): void {
    Object.assign(transfer, { total: -1, chunks: [], missing: 1, next: 1, wait: this.wait });
    transfer.requested.clear();
    this.request(transfer, 0, 1, now);
  }

  private request(transfer: Transfer, first: number, count: number, now: number): void {
    const {
      ticket,
      name,
      waiting: [
        {
          source: { subject, run, viaRun },
        },
      ],
    } = transfer;
    for (let i = 0; i < count; i++) transfer.requested.set(first + i, now);
    transfer.requestedAt = now;
    this.channel.send(
      subject,
      ChunkRequest,
      { run, step: 0, from: this.from },
      { ticket, first, count, chunkBytes: this.chunkBytes, viaRun: viaRun ? 1 : 0, name },
    );
  }

  // Requests the next chunks: at least half of MAX_REQUESTED_CHUNKS at once, unless fewer are left.
  private requestMore(transfer: Transfer, now: number): void {
    const left = transfer.count - transfer.next;
    const count = Math.min(MAX_REQUESTED_CHUNKS - transfer.requested.size, left);
    if (count === 0 || count < Math.min(MAX_REQUESTED_CHUNKS / 2, left)) return;
    this.request(transfer, transfer.next, count, now);
    transfer.next += count;
  }

  private async end(transfer: Transfer): Promise<void> {
    const { name, chunks } = transfer;
    const bytes = concatBytes(chunks);
    if (name.length === HASH_WORDS && textOf(await hashOf(bytes)) !== textOf(name)) {
      // While the hash was computed, runs may have been canceled.
      if (transfer.chunks !== chunks || transfer.waiting.length === 0) return;
      if (++transfer.tries < MAX_TRIES) this.begin(transfer, transfer.heardAt);
      else
        this.failFirst(transfer, `arrived ${MAX_TRIES} times and did not match its hash`, transfer.heardAt);
      return;
    }
    // The ticket may have changed while the hash was computed.
    this.transfers.delete(transfer.ticket);
    for (const { resolve } of transfer.waiting) resolve(bytes);
  }

  // Rejects the promise of the first run, from whose source the block is requested. If other runs wait for the
  // block, requests it again from the source of the next run.
  private failFirst(transfer: Transfer, what: string, now: number): void {
    const [first, ...others] = transfer.waiting;
    transfer.waiting = others;
    first.reject(notFetched(transfer, what));
    if (others.length === 0) {
      this.transfers.delete(transfer.ticket);
      return;
    }
    transfer.tries = 0;
    transfer.heardAt = now;
    // A late reply of the last source must not count as a reply of the next one.
    this.transfers.delete(transfer.ticket);
    transfer.ticket = randomToken();
    this.transfers.set(transfer.ticket, transfer);
    this.begin(transfer, now);
  }
}

const isSameRun = (one: readonly [number, number], other: readonly [number, number]): boolean =>
  one[0] === other[0] && one[1] === other[1];

const notFetched = ({ name }: Transfer, what: string): ClusterError =>
  new ClusterError(
    `${name.length === HASH_WORDS ? `content ${textOf(name).slice(0, 16)}` : `block ${name.join(' ')}`} ${what}`,
    'the task runs again elsewhere; if this recurs, check the network',
  );

// An upper bound on the number of bytes of a packet that are not data of the chunk.
const OVERHEAD_BYTES = 256;
const chunkBytesOf = ({ link: { packetBytes } }: Channel): number =>
  Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, packetBytes - OVERHEAD_BYTES));

/**
 * Sends the requested chunks of a block to `subject`. If `block` is undefined, sends one reply, which says
 * that the block is not available. @returns the number of bytes sent
 */
export function sendChunks(
  channel: Channel,
  subject: string,
  from: number,
  block: Uint8Array | undefined,
  { run, ticket, first, count, chunkBytes }: ReceivedMessage<typeof ChunkRequest>,
): number {
  const heading: Heading = { run, step: 0, from };
  const total = block?.length ?? -1;
  const end = block ? Math.min(first + count, Math.max(1, Math.ceil(total / chunkBytes))) : 0;
  if (!block) channel.send(subject, Chunk, heading, { ticket, index: 0, total, bytes: new Uint8Array(0) });
  else
    for (let index = first; index < end; index++)
      channel.send(subject, Chunk, heading, {
        ticket,
        index,
        total,
        bytes: block.subarray(index * chunkBytes, (index + 1) * chunkBytes),
      });
  return Math.max(0, Math.min(total, end * chunkBytes) - first * chunkBytes);
}
