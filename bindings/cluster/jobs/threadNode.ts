// Starts a node in a worker thread, so that the node's computations do not block this thread.
import { nodeThreads } from '../../runtime/transport.js';
import { ClusterError } from '../errors.js';
import type { Link } from '../link.js';
import type { NodeOptions } from '../node.js';
import { servePort } from '../portLink.js';

/** What the worker thread gets when it starts. */
export interface ThreadStart {
  port: MessagePort;
  controlPort: MessagePort;
  packetBytes: number;
  options: NodeOptions;
  /**
   * The name of a lock that the worker holds while it lives. A page gets no event when a worker ends, so it
   * waits for the lock instead.
   */
  lock: string;
}
/** Messages from the worker thread. */
export type ThreadMessage = { kind: 'ready' } | { kind: 'failed'; text: string } | { kind: 'ended' };

interface ThreadNode {
  onLost: (listener: (error: Error) => void) => void;
  close(): Promise<void>;
}

const START_MILLISECONDS = 30_000;
const END_MILLISECONDS = 5_000;

/**
 * Starts a thread whose node joins the cluster that the link reaches. @throws CollisionError 'Cluster' if the
 * thread does not start
 */
export async function startThread(link: Link, options: NodeOptions): Promise<ThreadNode> {
  const { port1, port2 } = new MessageChannel();
  const { port1: controlPort, port2: toThread } = new MessageChannel();
  const listeners: ((error: Error) => void)[] = [];
  let lost: ClusterError | undefined;
  const lose = (text: string): void => {
    lost ??= new ClusterError(
      `the worker thread of the jobs has ended: ${text}`,
      'open a new job server with openJobs()',
    );
    for (const listener of listeners) listener(lost);
  };
  const messages = new MessageQueue(controlPort);
  const worker = makeWorker(
    {
      port: port2,
      controlPort: toThread,
      packetBytes: link.packetBytes,
      options,
      lock: `pfront jobs ${Math.random().toString(36).slice(2)}`,
    },
    text => {
      lose(text);
      messages.put({ kind: 'failed', text });
    },
  );
  const endPort = servePort(port1, link);
  async function end(): Promise<void> {
    endPort();
    await worker.terminate();
    for (const port of [port1, controlPort]) port.close();
    await link.close();
  }
  const started = await messages.next(START_MILLISECONDS);
  if (started?.kind !== 'ready') {
    await end();
    throw new ClusterError(
      `the worker thread of the jobs did not start: ${started?.kind === 'failed' ? started.text : `it was not ready after ${START_MILLISECONDS} ms`}`,
      "use where: 'here'",
    );
  }
  worker.watch();
  return {
    onLost(listener) {
      listeners.push(listener);
      if (lost) listener(lost);
    },
    async close() {
      listeners.length = 0;
      if (!lost) {
        controlPort.postMessage('end');
        await messages.next(END_MILLISECONDS);
      }
      await end();
    },
  };
}

// A queue of the worker thread's messages.
class MessageQueue {
  private readonly waiting: ThreadMessage[] = [];
  private take: ((message: ThreadMessage) => void) | undefined;

  constructor(port: MessagePort) {
    port.addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => this.put(data));
    port.start();
  }

  put(message: ThreadMessage): void {
    if (this.take) this.take(message);
    else this.waiting.push(message);
  }

  /** Resolves with the next message, or undefined if none arrives in time. */
  next(milliseconds: number): Promise<ThreadMessage | undefined> {
    return new Promise(resolve => {
      const settle = (message: ThreadMessage | undefined): void => {
        clearTimeout(timer);
        this.take = undefined;
        resolve(message);
      };
      const timer = setTimeout(() => settle(undefined), milliseconds);
      this.take = settle;
      const message = this.waiting.shift();
      if (message) settle(message);
    });
  }
}

interface JobThread {
  terminate(): Promise<unknown>;
  /**
   * Begins to watch for the end of a web worker. Call it only when the worker is ready and holds its lock:
   * otherwise the page acquires the lock at once, and the worker seems to have ended.
   */
  watch(): void;
}

function makeWorker(start: ThreadStart, onEnd: (text: string) => void): JobThread {
  const threads = nodeThreads();
  const transfer = [start.port, start.controlPort];
  if (threads) {
    const worker = new threads.Worker(new URL('./threadMain.js', import.meta.url), {
      workerData: start,
      transferList: transfer as never[],
      execArgv: [],
    });
    worker.on('error', error => onEnd(error.message));
    worker.on('exit', code => onEnd(`it exited with code ${code}`));
    return { terminate: () => worker.terminate(), watch() {} };
  }
  const worker = new Worker(new URL('./threadMain.js', import.meta.url), { type: 'module' });
  worker.addEventListener('error', event => onEnd(event.message || 'its script could not be loaded'));
  worker.postMessage(start, transfer);
  return {
    terminate: async () => worker.terminate(),
    // Without the Web Locks API, the end of the worker is not noticed: its jobs fail only after their
    // `patience`.
    watch() {
      globalThis.navigator.locks?.request(start.lock, () => onEnd('the reason is unknown')).catch(() => {});
    },
  };
}
