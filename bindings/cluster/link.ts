// What nodes speak through: subjects that carry bytes. One interface over NATS, over a worker's port, and
// within one thread.

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
