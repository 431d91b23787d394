// Makes links that connect nodes within one thread.
import { checkValue, integer } from '../core/checkOptions.js';
import { ClusterError } from './errors.js';
import { checkPacket, deliverPacket, type Link, type Packet } from './link.js';
import { deferred } from './promises.js';

/** The header of a packet has 32 bytes, so much smaller packets would have little or no room for data. */
const MIN_PACKET_BYTES = 256;

interface Subscriber {
  pattern: string[];
  queue: string | undefined;
  onPacket: (packet: Packet) => void;
  owner: Link;
  isOpen: boolean;
}

/**
 * Simulates faults of a network: returns the delays, in milliseconds, after which a packet is delivered. The
 * packet is delivered once per delay. If the list is empty, the packet is dropped.
 */
export type PacketFaults = (packet: Packet) => readonly number[];

/**
 * Returns whether a subject matches a pattern, as in NATS: `*` stands for one token, and `>` at the end
 * stands for one or more tokens.
 */
export function matchesSubject(pattern: readonly string[], tokens: readonly string[]): boolean {
  for (const [i, token] of pattern.entries()) {
    if (token === '>') return tokens.length > i;
    if (i >= tokens.length || (token !== '*' && token !== tokens[i])) return false;
  }
  return pattern.length === tokens.length;
}

/**
 * Makes a hub: a function that makes links. A packet published on one of these links reaches the subscribers
 * of all of them.
 * @param packetBytes the maximum size of a packet, 256 bytes to 1 GiB. Default 1 MiB
 * @param faults simulates faults in tests. Default: each packet is delivered once, in the order sent
 * @throws Unsupported
 */
export function makeHub(packetBytes = 1 << 20, faults?: PacketFaults): () => Link {
  checkValue('packetBytes', packetBytes, integer(MIN_PACKET_BYTES, 2 ** 30));
  let subscribers: readonly Subscriber[] = [];
  let nextMember = 0;

  function deliver(packet: Packet): void {
    const tokens = packet.subject.split('.');
    const queues = new Map<string, Subscriber[]>();
    for (const subscriber of subscribers) {
      if (!matchesSubject(subscriber.pattern, tokens)) continue;
      if (subscriber.queue === undefined) deliverTo(subscriber, packet);
      else queues.set(subscriber.queue, [...(queues.get(subscriber.queue) ?? []), subscriber]);
    }
    for (const members of queues.values()) deliverTo(members[nextMember++ % members.length], packet);
  }

  return () => {
    const { promise: closed, resolve: end } = deferred<Error | undefined>();
    let isOpen = true;
    const link: Link = {
      packetBytes,
      closed,
      publish(subject, data) {
        if (!isOpen) return;
        checkPacket(data, packetBytes);
        const packet = { subject, data: new Uint8Array(data) };
        if (!faults) return void setImmediateOrTimeout(() => deliver(packet));
        for (const delay of faults(packet)) setTimeout(() => deliver(packet), delay);
      },
      subscribe(subject, onPacket, { queue } = {}) {
        if (!isOpen) return () => {};
        const subscriber: Subscriber = {
          pattern: subject.split('.'),
          queue,
          onPacket,
          owner: link,
          isOpen: true,
        };
        subscribers = [...subscribers, subscriber];
        return () => {
          subscriber.isOpen = false;
          subscribers = subscribers.filter(other => other !== subscriber);
        };
      },
      flush: () =>
        new Promise((resolve, reject) => {
          if (isOpen) setImmediateOrTimeout(resolve);
          else reject(new ClusterError('the link is closed', 'make a new link'));
        }),
      async close() {
        isOpen = false;
        for (const subscriber of subscribers) if (subscriber.owner === link) subscriber.isOpen = false;
        subscribers = subscribers.filter(({ owner }) => owner !== link);
        end(undefined);
      },
    };
    return link;
  };
}

function deliverTo(subscriber: Subscriber, packet: Packet): void {
  if (subscriber.isOpen) deliverPacket(subscriber.onPacket, packet);
}

// Calls `run` later, from the event loop, so that other work of the thread runs between two packets.
function setImmediateOrTimeout(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run);
  else setTimeout(run, 0);
}
