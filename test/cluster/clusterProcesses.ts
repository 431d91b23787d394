// Starts a broker and nodes as processes on this machine. The processes can be killed, suspended, resumed and
// started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until, within } from '../support/within.js';

const nodeMain = fileURLToPath(new URL('../../dist/cluster/nodeMain.js', import.meta.url));
const STARTING = 20_000;
const ENDING = 5000;

/** A process that can be killed and started again with the same arguments. */
export interface Restartable {
  readonly isUp: boolean;
  /** Everything that the process has written since its first start, including before restarts. */
  readonly output: string;
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** Kills the process, as if its machine were switched off. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Suspends the process; its memory and its connections remain. */
  hang(): void;
  /** Resolves when the process is suspended. hang() only sends a signal, which takes effect later. */
  stands(): Promise<void>;
  wake(): void;
}

interface Command {
  file: string;
  args: readonly string[];
  /** The text that the process writes when it is ready. */
  ready: RegExp;
  withChannel?: boolean;
}

const running = new Set<ChildProcess>();
// Ends all processes even if a test fails.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function restartable({ file, args, ready, withChannel = false }: Command): Restartable {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let output = '';

  async function start(): Promise<void> {
    await ended;
    const started = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(withChannel ? ['ipc' as const] : [])],
    });
    child = started;
    running.add(started);
    ended = new Promise(resolve => {
      const end = (): void => {
        running.delete(started);
        if (child === started) child = undefined;
        resolve();
      };
      started.once('exit', end).once('error', end);
    });
    await within(
      STARTING,
      `the start of ${file}`,
      new Promise<void>((resolve, reject) => {
        let written = '';
        for (const stream of [started.stdout!, started.stderr!]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            written += text;
            output += text;
            if (ready.test(written)) resolve();
          });
        }
        void ended.then(() => reject(new Error(`${file} ended before it was ready: ${written}`)));
      }),
    );
  }

  return {
    get isUp() {
      return child !== undefined;
    },
    get output() {
      return output;
    },
    get pid() {
      return child?.pid;
    },
    start,
    async kill() {
      child?.kill('SIGKILL');
      await within(ENDING, `the end of ${file}`, ended);
    },
    hang() {
      child?.kill('SIGSTOP');
    },
    async stands() {
      const { pid } = child ?? {};
      await until(`the suspension of ${file}`, () => pid === undefined || isStill(pid));
    },
    wake() {
      child?.kill('SIGCONT');
    },
  };
}

// Returns whether all threads of a process are suspended; each thread stops separately. Also returns true if
// the system does not report the states of threads.
function isStill(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  return (
    !existsSync(threads) ||
    readdirSync(threads).every(thread => /\) [TtZX] /.test(readFileSync(`${threads}/${thread}/stat`, 'utf8')))
  );
}

export interface Broker extends Restartable {
  readonly port: number;
  readonly url: string;
}

/** Starts a broker on a free port. When started again, the broker uses the same port. */
export async function startBroker(): Promise<Broker> {
  const port = await freePort();
  const broker = restartable({
    file: 'nats-server',
    args: ['--addr', '127.0.0.1', '--port', String(port)],
    ready: /Server is ready/,
  });
  await broker.start();
  return Object.create(broker, {
    port: { value: port },
    url: { value: `nats://127.0.0.1:${port}` },
  }) as Broker;
}

/** Starts a node as `pfront cluster` does, with one thread. Resolves when the node has joined. */
export async function startNodeProcess({
  url,
  cluster,
  name,
}: {
  url: string;
  cluster: string;
  name: string;
}): Promise<Restartable> {
  const node = nodeProcess({ url, cluster, name });
  await node.start();
  return node;
}

/** Makes a node process with the same arguments as startNodeProcess does, but does not start it. */
export function nodeProcess({
  url,
  cluster,
  name,
}: {
  url: string;
  cluster: string;
  name: string;
}): Restartable {
  return restartable({
    file: process.execPath,
    args: [nodeMain, '--servers', url, '--cluster', cluster, '--name', name],
    ready: / is ready/,
    withChannel: true,
  });
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  return port;
}
