// A link for a worker thread, forwarded through a MessagePort to the thread that owns the real link.
import { checkPacket, type Link, type Packet } from './link.js';
import { deferred } from './promises.js';

type Order =
  | { op: 'publish'; subject: string; data: Uint8Array }
  | { op: 'subscribe'; id: number; subject: string; queue: string | undefined }
  | { op: 'end'; id: number }
  | { op: 'flush'; id: number }
  | { op: 'close' };
type Reply = { op: 'packet'; id: number; packet: Packet } | { op: 'flushed'; id: number } | { op: 'closed' };

/** Serves a link to the other end of a port. @returns a function that stops serving */
export function servePort(port: MessagePort, link: Link): () => void {
  const ends = new Map<number, () => void>();
  const reply = (message: Reply, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  const serve = ({ data: order }: MessageEvent<Order>): void => {
    if (order.op === 'publish') link.publish(order.subject, order.data);
    else if (order.op === 'subscribe')
      ends.set(
        order.id,
        link.subscribe(
          order.subject,
          packet => {
            reply({ op: 'packet', id: order.id, packet: { subject: packet.subject, data: packet.data } });
          },
          { queue: order.queue },
        ),
      );
    else if (order.op === 'end') ends.get(order.id)?.();
    else if (order.op === 'flush')
      void link
        .flush()
        .catch(() => {})
        .then(() => {
          reply({ op: 'flushed', id: order.id });
        });
    else stop();
  };
  function stop(): void {
    for (const end of ends.values()) end();
    port.removeEventListener('message', serve as EventListener);
    reply({ op: 'closed' });
  }
  port.addEventListener('message', serve as EventListener);
  port.start();
  void link.closed.then(stop);
  return stop;
}

/** Returns a link that forwards to the other end of the port. */
export function makePortLink(port: MessagePort, packetBytes: number): Link {
  const takers = new Map<number, (packet: Packet) => void>();
  const flushes = new Map<number, () => void>();
  const order = (message: Order, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  let next = 0;
  let isOpen = true;
  const { promise: closed, resolve: end } = deferred<Error | undefined>();
  port.addEventListener('message', (({ data: reply }: MessageEvent<Reply>): void => {
    if (reply.op === 'packet') takers.get(reply.id)?.(reply.packet);
    else if (reply.op === 'flushed') flushes.get(reply.id)?.();
    else {
      isOpen = false;
      for (const flushed of flushes.values()) flushed();
      end(undefined);
    }
  }) as EventListener);
  port.start();
  return {
    packetBytes,
    closed,
    publish(subject, data) {
      checkPacket(data, packetBytes);
      if (!isOpen) return;
      // Not a slice: the slice of Node's Buffer shares the memory of a pool.
      const own = new Uint8Array(data);
      order({ op: 'publish', subject, data: own }, [own.buffer]);
    },
    subscribe(subject, take, { queue } = {}) {
      const id = next++;
      takers.set(id, take);
      order({ op: 'subscribe', id, subject, queue });
      return () => {
        takers.delete(id);
        order({ op: 'end', id });
      };
    },
    flush() {
      if (!isOpen) return Promise.resolve();
      const id = next++;
      return new Promise(resolve => {
        flushes.set(id, () => {
          flushes.delete(id);
          resolve();
        });
        order({ op: 'flush', id });
      });
    },
    async close() {
      order({ op: 'close' });
      await closed;
    },
  };
}
