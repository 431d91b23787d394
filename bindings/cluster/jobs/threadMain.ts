// The main module of a worker thread that runs a node. The node joins the cluster, and leaves it when a
// message arrives on `controlPort`.
import { nodeThreads } from '../../runtime/transport.js';
import { startNode } from '../node.js';
import { makePortLink } from '../portLink.js';
import type { ThreadMessage, ThreadStart } from './threadNode.js';

async function main({ port, controlPort, packetBytes, options }: ThreadStart): Promise<void> {
  const send = (message: ThreadMessage): void => {
    controlPort.postMessage(message);
  };
  try {
    const node = await startNode(makePortLink(port, packetBytes), options);
    controlPort.addEventListener('message', () => {
      void node.close().then(() => send({ kind: 'ended' }));
    });
    controlPort.start();
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'failed', text: (error as Error).message });
  }
}

const threads = nodeThreads();
if (threads) void main(threads.workerData as ThreadStart);
else {
  addEventListener(
    'message',
    ({ data }: MessageEvent<ThreadStart>) => {
      const hold = (): Promise<never> => {
        void main(data);
        return new Promise(() => {});
      };
      // The worker holds the lock while it lives. When the page can acquire the lock, it knows that the
      // worker has ended (see ThreadStart.lock). On a sandboxed page with an opaque origin, the Web Locks API
      // exists, but every request is rejected: the worker then runs without the lock.
      if (navigator.locks) navigator.locks.request(data.lock, hold).catch(() => main(data));
      else void main(data);
    },
    { once: true },
  );
}
