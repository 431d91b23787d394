// A link for a worker thread, forwarded through a MessagePort to the thread that owns the real link.
import { checkPacket, type Link, type Packet } from './link.js';
import { deferred } from './promises.js';

type Request =
  | { op: 'publish'; subject: string; data: Uint8Array }
  | { op: 'subscribe'; id: number; subject: string; queue: string | undefined }
  | { op: 'end'; id: number }
  | { op: 'flush'; id: number }
  | { op: 'close' };
type Reply = { op: 'packet'; id: number; packet: Packet } | { op: 'flushed'; id: number } | { op: 'closed' };

/** Lets the other end of a port use a link (see makePortLink). @returns a function that stops this */
export function servePort(port: MessagePort, link: Link): () => void {
  const unsubscribers = new Map<number, () => void>();
  const reply = (message: Reply, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  const serve = ({ data: request }: MessageEvent<Request>): void => {
    if (request.op === 'publish') link.publish(request.subject, request.data);
    else if (request.op === 'subscribe')
      unsubscribers.set(
        request.id,
        link.subscribe(
          request.subject,
          packet => {
            reply({ op: 'packet', id: request.id, packet: { subject: packet.subject, data: packet.data } });
          },
          { queue: request.queue },
        ),
      );
    else if (request.op === 'end') unsubscribers.get(request.id)?.();
    else if (request.op === 'flush')
      void link
        .flush()
        .catch(() => {})
        .then(() => {
          reply({ op: 'flushed', id: request.id });
        });
    else stop();
  };
  function stop(): void {
    for (const end of unsubscribers.values()) end();
    port.removeEventListener('message', serve as EventListener);
    reply({ op: 'closed' });
  }
  port.addEventListener('message', serve as EventListener);
  port.start();
  void link.closed.then(stop);
  return stop;
}

/** Returns a link that forwards everything to the link that the other end of the port serves (servePort). */
export function makePortLink(port: MessagePort, packetBytes: number): Link {
  const subscribers = new Map<number, (packet: Packet) => void>();
  const flushes = new Map<number, () => void>();
  const request = (message: Request, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  let next = 0;
  let isOpen = true;
  const { promise: closed, resolve: end } = deferred<Error | undefined>();
  port.addEventListener('message', (({ data: reply }: MessageEvent<Reply>): void => {
    if (reply.op === 'packet') subscribers.get(reply.id)?.(reply.packet);
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
      // Copied by the constructor, since the `slice` of Node's Buffer does not copy: it shares pooled memory.
      const own = new Uint8Array(data);
      request({ op: 'publish', subject, data: own }, [own.buffer]);
    },
    subscribe(subject, take, { queue } = {}) {
      const id = next++;
      subscribers.set(id, take);
      request({ op: 'subscribe', id, subject, queue });
      return () => {
        subscribers.delete(id);
        request({ op: 'end', id });
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
        request({ op: 'flush', id });
      });
    },
    async close() {
      request({ op: 'close' });
      await closed;
    },
  };
}
