// The main module of a worker thread that runs a node: it joins the cluster, and leaves when a message on
// `orders` tells it to.
import { nodeThreads } from '../../runtime/transport.js';
import { startNode } from '../node.js';
import { makePortLink } from '../portLink.js';
import type { ThreadMessage, ThreadStart } from './threadNode.js';

async function main({ port, orders, packetBytes, options }: ThreadStart): Promise<void> {
  const send = (word: ThreadMessage): void => {
    orders.postMessage(word);
  };
  try {
    const node = await startNode(makePortLink(port, packetBytes), options);
    orders.addEventListener('message', () => {
      void node.close().then(() => send({ word: 'ended' }));
    });
    orders.start();
    send({ word: 'ready' });
  } catch (error) {
    send({ word: 'failed', text: (error as Error).message });
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
      // On a sandboxed page with an opaque origin, the Web Locks API exists, but every request is rejected.
      if (navigator.locks) navigator.locks.request(data.lock, hold).catch(() => main(data));
      else void main(data);
    },
    { once: true },
  );
}
