// Messages of any size over a link: cut into packets, put together again, and handed to who asked for their
// kind.
import { Malformed } from './errors.js';
import type { Link } from './link.js';
import { type Heading, headingOf, type MessageKind } from './message.js';
import { cut, Parts } from './parts.js';

/** Bytes and messages that went through. */
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
  /** Called with the reason for each message that was wrong, or that the link did not take. */
  onRefused: (reason: Error) => void = () => {};
  private readonly ends: (() => void)[] = [];

  constructor(link: Link) {
    this.link = link;
  }

  /**
   * A message that the link throws at is lost, as any packet may be: its sender goes on, and sends it again
   * where no answer comes.
   */
  send<V>(subject: string, kind: MessageKind<V>, heading: Heading, values: V): void {
    const message = kind.encode(heading, values);
    this.traffic.sentMessages++;
    try {
      for (const packet of cut(message, this.link.packetBytes, heading.from)) {
        this.traffic.sentBytes += packet.length;
        this.link.publish(subject, packet);
      }
    } catch (error) {
      this.refuse(error as Error);
    }
  }

  /** Messages of these kinds that come by a subject; others are refused. @returns ends it */
  receive(subject: string, takers: readonly Taker[]): () => void {
    const byCode = new Map(takers.map(taker => [taker.kind.code, taker]));
    const parts = new Parts();
    const end = this.link.subscribe(subject, ({ data, subject: cameBy }) => {
      this.traffic.receivedBytes += data.length;
      try {
        const message = parts.add(data);
        if (!message) return;
        const { kind } = headingOf(message);
        const taker = byCode.get(kind);
        if (!taker) throw new Malformed(`a message of kind ${kind} by ${cameBy}`, 'nobody takes it there');
        this.traffic.receivedMessages++;
        taker.take(taker.kind.decode(message), cameBy);
      } catch (error) {
        this.refuse(error as Error);
      }
    });
    this.ends.push(end);
    return end;
  }

  /** Counts a message that was wrong, or that the link did not take. */
  refuse(reason: Error): void {
    this.traffic.refused++;
    this.onRefused(reason);
  }

  /** Ends all subscriptions; the link stays. */
  dispose(): void {
    for (const end of this.ends.splice(0)) end();
  }
}

interface Taker {
  kind: MessageKind<unknown>;
  take(message: unknown, subject: string): void;
}

/** What to do with messages of a kind. */
export function taker<V>(kind: MessageKind<V>, take: (message: V & Heading, subject: string) => void): Taker {
  return { kind: kind as MessageKind<unknown>, take: take as Taker['take'] };
}
