// Starts the node processes (workers) of a cluster on this machine, and restarts a worker that dies. The
// number of restarts per minute is limited.
import { type ChildProcess, spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CredentialFiles } from '../../cluster/credentials.js';
import { deferred } from '../../cluster/promises.js';

const NODE_MAIN = fileURLToPath(new URL('../../cluster/nodeMain.js', import.meta.url));
/** The maximum number of restarts of a worker within RESTART_WINDOW milliseconds. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW = 60_000;
/**
 * Milliseconds before the first restart of a worker. The wait doubles with each restart within
 * RESTART_WINDOW.
 */
const FIRST_WAIT = 100;
/** Milliseconds from SIGTERM, which tells a worker to end, to SIGKILL, which kills a worker that still runs. */
const KILL_DELAY = 3500;

export interface SupervisorOptions {
  workers: number;
  threads: number;
  /** Where the nodes compute: auto, wasm or webgpu. */
  backend: string;
  servers: string[];
  cluster: string;
  files: CredentialFiles;
  /** Called with a line of text for each event of a worker. */
  onEvent(line: string): void;
  /** Called when a worker process has started, become ready or ended. */
  onChange(): void;
}

export interface Supervisor {
  readonly pids: number[];
  /** The number of workers that are ready. */
  readonly readyCount: number;
  /**
   * Resolves when no worker runs and none will be restarted. The value is true if all workers ended normally.
   */
  readonly ended: Promise<boolean>;
  /** Ends all workers within four seconds. */
  close(): Promise<void>;
}

interface Worker {
  name: string;
  child: ChildProcess | undefined;
  isReady: boolean;
  /** Times at which the worker's process died, within the last RESTART_WINDOW milliseconds. */
  deaths: number[];
  timer: NodeJS.Timeout | undefined;
  /** 'kept': runs, or will be restarted. 'left': ended normally. 'given up': died too often. */
  state: 'kept' | 'left' | 'given up';
}

export function startWorkers({
  workers,
  threads,
  backend,
  servers,
  cluster,
  files,
  onEvent,
  onChange,
}: SupervisorOptions): Supervisor {
  let isClosing = false;
  // The call of onChange is deferred, because onChange may use the supervisor, which does not exist yet while
  // the first workers start.
  const notifyChange = (): void => queueMicrotask(onChange);
  const { promise: ended, resolve: end } = deferred<boolean>();
  const all = Array.from(
    { length: workers },
    (_, i): Worker => ({
      name: `${hostname().split('.')[0]}-${process.pid}-${i + 1}`,
      child: undefined,
      isReady: false,
      deaths: [],
      timer: undefined,
      state: 'kept',
    }),
  );

  function launch(worker: Worker): void {
    const args = [
      NODE_MAIN,
      '--servers',
      servers.join(','),
      '--cluster',
      cluster,
      '--name',
      worker.name,
      '--threads',
      String(threads),
      '--backend',
      backend,
      ...Object.entries(files).flatMap(([option, file]) => (file === undefined ? [] : [`--${option}`, file])),
    ];
    // When this process ends, for whatever reason, its IPC channel closes, which tells the worker to end.
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let errorText = '';
    let output = '';
    worker.child = child;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (worker.isReady) return;
      output = (output + text).slice(-2000);
      if (!output.includes(' is ready')) return;
      worker.isReady = true;
      notifyChange();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errorText = (errorText + text).slice(-2000);
    });
    child.on('error', error => {
      errorText += error.message;
    });
    child.on('close', (code, signal) => handleExit(worker, code, signal, errorText.trim()));
    notifyChange();
  }

  function handleExit(worker: Worker, code: number | null, signal: string | null, errorText: string): void {
    worker.child = undefined;
    worker.isReady = false;
    if (isClosing) return;
    if (code === 0) worker.state = 'left';
    else
      restart(
        worker,
        `${signal ? `was ended by ${signal}` : `ended with code ${code}`}${errorText === '' ? '' : `: ${errorText.split('\n')[0].replace(/^pfront: /, '')}`}`,
      );
    notifyChange();
    if (all.every(({ state }) => state !== 'kept')) end(all.every(({ state }) => state === 'left'));
  }

  function restart(worker: Worker, outcome: string): void {
    const now = performance.now();
    worker.deaths = [...worker.deaths.filter(at => at > now - RESTART_WINDOW), now];
    if (worker.deaths.length > MAX_RESTARTS) {
      worker.state = 'given up';
      onEvent(
        `${worker.name} ${outcome}; it has died ${worker.deaths.length} times within a minute and will not be restarted`,
      );
      return;
    }
    onEvent(`${worker.name} ${outcome}; it will be restarted`);
    worker.timer = setTimeout(() => launch(worker), FIRST_WAIT * 2 ** (worker.deaths.length - 1));
  }

  for (const worker of all) launch(worker);
  return {
    get pids() {
      return all.flatMap(({ child }) => child?.pid ?? []);
    },
    get readyCount() {
      return all.filter(({ isReady }) => isReady).length;
    },
    ended,
    async close() {
      isClosing = true;
      const left = all.flatMap(({ child, timer }) => {
        clearTimeout(timer);
        return child ? [child] : [];
      });
      for (const child of left) child.kill('SIGTERM');
      const kill = setTimeout(() => {
        for (const child of left) child.kill('SIGKILL');
      }, KILL_DELAY);
      await Promise.all(
        left.map(child =>
          child.exitCode !== null || child.signalCode !== null
            ? undefined
            : new Promise(resolve => {
                child.once('exit', resolve);
              }),
        ),
      );
      clearTimeout(kill);
      end(true);
    },
  };
}
