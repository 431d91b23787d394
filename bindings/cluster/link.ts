// Defines `Link`, the transport between nodes: nodes publish packets to subjects, and subscribe to subjects.
// There are links over NATS, over the port of a worker, and between nodes within one thread.
import { ClusterError } from './errors.js';

/** Bytes received on a subject. */
export interface Packet {
  /** The subject to which the packet was published. */
  subject: string;
  /** The bytes; valid only during the call of the subscriber. */
  data: Uint8Array;
}

/**
 * A connection to the other nodes. Delivery is the same as in core NATS: each packet arrives at most once, the
 * packets of one sender arrive in order, and lost packets are not reported.
 */
export interface Link {
  /** The maximum size of a packet, in bytes. */
  readonly packetBytes: number;
  /**
   * A number from 0 to 4095 that identifies the credentials of this connection, if it has an nkey or a user
   * name. The ids of the processes that use this connection begin with this number. The broker can thus
   * prevent clients with other credentials from receiving messages to these processes.
   */
  readonly owner?: number | undefined;
  /** Sends bytes to all subscribers. @throws RangeError for more than `packetBytes` bytes */
  publish(subject: string, data: Uint8Array): void;
  /**
   * Calls onPacket with every packet published to a subject. In `subject`, `*` stands for one token, and `>`
   * for one or more tokens at the end. With the option `queue`, each packet goes to only one of the
   * subscribers that name the same queue.
   * @returns a function that unsubscribes
   */
  subscribe(subject: string, onPacket: (packet: Packet) => void, options?: { queue?: string }): () => void;
  /**
   * Resolves when the broker, if there is one, has received everything published, and all subscriptions are
   * in effect.
   * @param patience the maximum wait, in milliseconds. Default 10,000
   * @throws CollisionError 'Cluster' after this wait, or if the link is closed
   */
  flush(patience?: number): Promise<void>;
  /**
   * Resolves when the link has ended and will not reconnect: with undefined after `close`, otherwise with the
   * reason.
   */
  readonly closed: Promise<Error | undefined>;
  /** Closes the link. Subscribers get no more packets. */
  close(): Promise<void>;
}

/** Checks the size of a packet. @throws RangeError if it exceeds `packetBytes` */
export function checkPacket(data: Uint8Array, packetBytes: number): void {
  if (data.length > packetBytes)
    throw new RangeError(`a packet of ${data.length} bytes exceeds the maximum of ${packetBytes}`);
}

/**
 * Passes a packet to a subscriber. An exception of the subscriber is rethrown later, so that other
 * subscribers still get the packet.
 */
export function deliverPacket(onPacket: (packet: Packet) => void, packet: Packet): void {
  try {
    onPacket(packet);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

type EndListener = (reason: Error | undefined) => void;
/** The listeners of each link. One callback of the link's promise `closed` calls all of them. */
const endListeners = new WeakMap<Link, Set<EndListener>>();

// This is a separate function, because its callback below lives as long as the link. If the callback were in
// `onLinkEnd`, its scope would contain a listener, which would then stay in memory as long as the link.
function endListenersOf(link: Link): Set<EndListener> {
  const known = endListeners.get(link);
  if (known) return known;
  const listeners = new Set<EndListener>();
  endListeners.set(link, listeners);
  void link.closed.then(reason => {
    endListeners.delete(link);
    for (const onEnd of listeners) onEnd(reason);
  });
  return listeners;
}

/**
 * Calls a listener with an error when a link has ended and will not reconnect. fix: the suggested fix of this
 * error. @returns a function that removes the listener. Call this function as soon as the listener is no longer
 * needed. Otherwise the listener, and the objects that it uses, stay in memory until the link ends.
 */
export function onLinkEnd(link: Link, fix: string, listener: (error: ClusterError) => void): () => void {
  const listeners = endListenersOf(link);
  const onEnd: EndListener = reason =>
    listener(new ClusterError(`the link was closed${reason ? `: ${reason.message}` : ''}`, fix));
  listeners.add(onEnd);
  return () => {
    listeners.delete(onEnd);
  };
}
