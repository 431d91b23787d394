// Wraps a link (a connection to the cluster) to count the packets and bytes of all services of a node.
import type { Link } from './link.js';

/** Counters of packets and bytes. */
export interface LinkTraffic {
  /** Number of packets published. */
  sentMessages: number;
  /** Number of data bytes in the published packets. */
  sentBytes: number;
  /** Number of packets received. A packet counts once for each subscription that receives it. */
  receivedMessages: number;
  /**
   * Number of data bytes in the received packets. A packet counts once for each subscription that receives
   * it.
   */
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
      subscribe: (subject, onPacket, options) =>
        link.subscribe(
          subject,
          packet => {
            traffic.receivedMessages++;
            traffic.receivedBytes += packet.data.length;
            onPacket(packet);
          },
          options,
        ),
      flush: patience => link.flush(patience),
      close: () => link.close(),
    },
  };
}
