// What nodes speak through: subjects that carry bytes. One interface over NATS, over a worker's port, and
// within one thread.
import { ClusterError } from './errors.js';

/** Bytes that came by a subject. */
export interface Packet {
  /** What it was published to. */
  subject: string;
  /** The bytes; they are not kept for who takes them. */
  data: Uint8Array;
}

/** Like NATS's plain subjects: at most once, in order from one sender, nobody is told of what is lost. */
export interface Link {
  /** Greatest size of a packet, bytes. */
  readonly packetBytes: number;
  /** Sends bytes to all who have subscribed. @throws RangeError for more than `packetBytes` */
  publish(subject: string, data: Uint8Array): void;
  /**
   * Every packet of a subject; `*` stands for one part of it, `>` for the rest. queue: one of those that name
   * the same queue gets it.
   * @returns ends it
   */
  subscribe(subject: string, take: (packet: Packet) => void, options?: { queue?: string }): () => void;
  /**
   * Resolves when what was published has been handed over and every subscription is known.
   * patience: milliseconds, at most. Default 10,000. @throws CollisionError 'Cluster' where it takes longer,
   * or the link is closed
   */
  flush(patience?: number): Promise<void>;
  /** Resolves with the reason when nothing will come through any more: undefined after `close`. */
  readonly closed: Promise<Error | undefined>;
  /** Ends it: nothing comes through any more. */
  close(): Promise<void>;
}

/** @throws RangeError for a packet that is too large */
export function checkPacket(data: Uint8Array, packetBytes: number): void {
  if (data.length > packetBytes)
    throw new RangeError(`a packet of ${data.length} bytes, and ${packetBytes} are the most`);
}

/** Hands a packet over; what the taker throws is thrown later, and keeps nothing from the others. */
export function hand(take: (packet: Packet) => void, packet: Packet): void {
  try {
    take(packet);
  } catch (mistake) {
    queueMicrotask(() => {
      throw mistake;
    });
  }
}

/** Resolves with an error when nothing will come through a link any more. */
export const lossOf = async ({ closed }: Link, fix: string): Promise<ClusterError> => {
  const reason = await closed;
  return new ClusterError(`the link was closed${reason ? `: ${reason.message}` : ''}`, fix);
};
