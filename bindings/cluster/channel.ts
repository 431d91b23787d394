// Sends and receives messages of any size over a link, whose packets have a limited size. Splits messages
// into packets, reassembles received packets, and passes each message to the handler for its kind.
import { Malformed } from './errors.js';
import type { Link } from './link.js';
import { type Heading, headingOf, type MessageKind } from './message.js';
import { type AssemblerLimits, MessageAssembler, splitMessage } from './messageAssembler.js';

/**
 * Limits on the incomplete messages of a subject. They suffice, because no message of pfront has more than a
 * few megabytes.
 */
const CHANNEL_LIMITS: AssemblerLimits = { bytes: 2 ** 26, messages: 1024 };
/** Limits for subjects on which all messages are small, such as announcements. */
export const SMALL_MESSAGES: AssemblerLimits = { bytes: 2 ** 18, messages: 64 };

/** Counters of messages and bytes of a channel. refused: number of messages reported to `onRefused`. */
export interface Traffic {
  sentMessages: number;
  sentBytes: number;
  receivedMessages: number;
  receivedBytes: number;
  refused: number;
}

export class Channel {
  readonly link: Link;
  readonly traffic: Traffic = {
    sentMessages: 0,
    sentBytes: 0,
    receivedMessages: 0,
    receivedBytes: 0,
    refused: 0,
  };
  /**
   * Called for each message that was malformed, that the link did not accept, or that a handler refused by
   * throwing an error. reason: what was wrong.
   */
  onRefused: (reason: Error) => void = () => {};
  private readonly unsubscribers: (() => void)[] = [];

  constructor(link: Link) {
    this.link = link;
  }

  /**
   * Sends a message. If the link throws, the message is lost, and this method returns normally. Senders must
   * expect lost messages in any case, and send a message again if no reply comes.
   */
  send<V>(subject: string, kind: MessageKind<V>, heading: Heading, values: V): void {
    const message = kind.encode(heading, values);
    this.traffic.sentMessages++;
    try {
      for (const packet of splitMessage(message, this.link.packetBytes, heading.from)) {
        this.traffic.sentBytes += packet.length;
        this.link.publish(subject, packet);
      }
    } catch (error) {
      this.refuse(error as Error);
    }
  }

  /**
   * Receives messages on a subject, and passes each to the handler for its kind. Messages of other kinds are
   * refused. limits: limits on incomplete messages.
   * @returns a function that unsubscribes
   */
  receive(
    subject: string,
    handlers: readonly MessageHandler[],
    limits: AssemblerLimits = CHANNEL_LIMITS,
  ): () => void {
    const byCode = new Map(handlers.map(handler => [handler.kind.code, handler]));
    const assembler = new MessageAssembler(limits);
    const unsubscribe = this.link.subscribe(subject, ({ data, subject: receivedOn }) => {
      this.traffic.receivedBytes += data.length;
      try {
        const message = assembler.addPacket(data);
        if (!message) return;
        const { kind } = headingOf(message);
        const handler = byCode.get(kind);
        if (!handler)
          throw new Malformed(
            `no handler on ${receivedOn} accepts messages of kind ${kind}`,
            'run the same version of pfront everywhere',
          );
        this.traffic.receivedMessages++;
        handler.handle(handler.kind.decode(message), receivedOn);
      } catch (error) {
        this.refuse(error as Error);
      }
    });
    this.unsubscribers.push(unsubscribe);
    return unsubscribe;
  }

  /** Counts a refused message, and reports it to `onRefused`. */
  refuse(reason: Error): void {
    this.traffic.refused++;
    this.onRefused(reason);
  }

  /** Ends all subscriptions; the link stays open. */
  dispose(): void {
    for (const unsubscribe of this.unsubscribers.splice(0)) unsubscribe();
  }
}

interface MessageHandler {
  kind: MessageKind<unknown>;
  handle(message: unknown, subject: string): void;
}

/** Pairs a kind of message with its handler. */
export function messageHandler<V>(
  kind: MessageKind<V>,
  handle: (message: V & Heading, subject: string) => void,
): MessageHandler {
  return { kind: kind as MessageKind<unknown>, handle: handle as MessageHandler['handle'] };
}
