// Makes a link for a worker thread. The link forwards everything through a MessagePort to the thread that owns
// the real link.
import { ClusterError } from './errors.js';
import { checkPacket, type Link, type Packet } from './link.js';
import { deferred } from './promises.js';

type Request =
  | { op: 'publish'; subject: string; data: Uint8Array }
  | { op: 'subscribe'; id: number; subject: string; queue: string | undefined }
  | { op: 'end'; id: number }
  | { op: 'flush'; id: number; patience: number | undefined }
  | { op: 'close' };
type Reply =
  | { op: 'packet'; id: number; packet: Packet }
  | { op: 'flushed'; id: number; problem?: Problem }
  | { op: 'closed'; reason?: string };
/**
 * The message and the suggested fix of a flush's error. The reply has these fields instead of the error itself,
 * because a MessagePort does not preserve the class of the error.
 */
type Problem = Pick<ClusterError, 'message' | 'fix'>;

const CLOSED: Problem = { message: 'the link is closed', fix: 'start a new node' };

/** Lets the other end of a port use a link (see makePortLink). @returns a function that stops serving */
export function servePort(port: MessagePort, link: Link): () => void {
  const unsubscribers = new Map<number, () => void>();
  const reply = (message: Reply, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  const serve = ({ data: request }: MessageEvent<Request>): void => {
    if (request.op === 'publish') publish(request.subject, request.data);
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
    else if (request.op === 'end') {
      unsubscribers.get(request.id)?.();
      unsubscribers.delete(request.id);
    } else if (request.op === 'flush')
      void link
        .flush(request.patience)
        .then(
          () => undefined,
          ({ message, fix }: Problem) => ({ message, fix }),
        )
        .then(problem => {
          reply({ op: 'flushed', id: request.id, problem });
        });
    else stop();
  };
  // The max packet size of a link may decrease, so `link.publish` may refuse a packet that the other end
  // accepted.
  function publish(subject: string, data: Uint8Array): void {
    try {
      link.publish(subject, data);
    } catch (error) {
      stop(error as Error);
    }
  }
  function stop(reason?: Error): void {
    for (const end of unsubscribers.values()) end();
    port.removeEventListener('message', serve as EventListener);
    reply({ op: 'closed', ...(reason && { reason: reason.message }) });
  }
  port.addEventListener('message', serve as EventListener);
  port.start();
  void link.closed.then(stop);
  return () => stop();
}

/** Returns a link that forwards everything to the link that servePort serves at the other end of the port. */
export function makePortLink(port: MessagePort, packetBytes: number): Link {
  const subscribers = new Map<number, (packet: Packet) => void>();
  const flushes = new Map<number, (problem?: Problem) => void>();
  const request = (message: Request, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  };
  let next = 0;
  let isOpen = true;
  const { promise: closed, resolve: end } = deferred<Error | undefined>();
  port.addEventListener('message', (({ data: reply }: MessageEvent<Reply>): void => {
    if (reply.op === 'packet') subscribers.get(reply.id)?.(reply.packet);
    else if (reply.op === 'flushed') flushes.get(reply.id)?.(reply.problem);
    else {
      isOpen = false;
      for (const onFlushed of flushes.values()) onFlushed(CLOSED);
      end(reply.reason === undefined ? undefined : new Error(reply.reason));
    }
  }) as EventListener);
  port.start();
  return {
    packetBytes,
    closed,
    publish(subject, data) {
      checkPacket(data, packetBytes);
      if (!isOpen) return;
      // The constructor copies the data. The method `slice` of a Node.js Buffer would not copy it, but return a
      // view of memory that other buffers may share.
      const own = new Uint8Array(data);
      request({ op: 'publish', subject, data: own }, [own.buffer]);
    },
    subscribe(subject, onPacket, { queue } = {}) {
      const id = next++;
      subscribers.set(id, onPacket);
      request({ op: 'subscribe', id, subject, queue });
      return () => {
        subscribers.delete(id);
        request({ op: 'end', id });
      };
    },
    flush(patience) {
      const id = next++;
      return new Promise((resolve, reject) => {
        const onFlushed = (problem?: Problem): void => {
          flushes.delete(id);
          if (problem) reject(new ClusterError(problem.message, problem.fix));
          else resolve();
        };
        if (!isOpen) return void onFlushed(CLOSED);
        flushes.set(id, onFlushed);
        request({ op: 'flush', id, patience });
      });
    },
    async close() {
      request({ op: 'close' });
      await closed;
    },
  };
}
