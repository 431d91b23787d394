// A link that counts what goes through it: of a node, whatever services it has.
import type { Link } from './link.js';

/** Packets and bytes. */
export interface LinkTraffic {
  /** Packets that were published. */
  sentMessages: number;
  /** Their bytes. */
  sentBytes: number;
  /** Packets that came, for each subscription. */
  receivedMessages: number;
  /** Their bytes. */
  receivedBytes: number;
}

export function countLink(link: Link): { link: Link; traffic: LinkTraffic } {
  const traffic: LinkTraffic = { sentMessages: 0, sentBytes: 0, receivedMessages: 0, receivedBytes: 0 };
  return {
    traffic,
    link: {
      get packetBytes() {
        return link.packetBytes;
      },
      closed: link.closed,
      publish(subject, data) {
        traffic.sentMessages++;
        traffic.sentBytes += data.length;
        link.publish(subject, data);
      },
      subscribe: (subject, take, options) =>
        link.subscribe(
          subject,
          packet => {
            traffic.receivedMessages++;
            traffic.receivedBytes += packet.data.length;
            take(packet);
          },
          options,
        ),
      flush: patience => link.flush(patience),
      close: () => link.close(),
    },
  };
}
