// Runs a script in a worker thread, and ends the thread if one step of the script takes too long or the process
// uses too much memory.
import { Worker } from 'node:worker_threads';
import { scaledTimeout } from './within.js';

export interface Limits {
  /**
   * Processor time for one step, in seconds. Unlike elapsed time, it does not depend on the machine's load.
   */
  seconds: number;
  /** Limit of the process's resident memory, and also of the worker's JavaScript heap. */
  bytes: number;
}

const POLL_INTERVAL = 50;

/** What ended a worker before it finished. */
export interface Ended {
  kind: 'hang' | 'memory' | 'crash';
  error: string;
}

/**
 * Waits until a worker finishes, fails or exceeds a limit, and then terminates the worker. progress[0]: the
 * number of the step that the worker is running, from 1; the time limit applies to each step. outputOf: called
 * with each message; returns the worker's output if the message is the last one, and otherwise undefined.
 * endedOf: called at the moment when the worker fails or exceeds a limit; returns the output for this case.
 */
export function superviseWorker<Output>(
  worker: Worker,
  progress: Int32Array,
  { seconds, bytes: maxBytes }: Limits,
  outputOf: (message: any) => Output | undefined,
  endedOf: (ended: Ended) => Output,
): Promise<Output> {
  return new Promise<Output>((resolve, reject) => {
    let step = -1;
    let since = process.cpuUsage();
    let sinceTime = performance.now();
    let isOver = false;
    const finish = (output: Output): void => {
      isOver = true;
      resolve(output);
    };
    const end = (kind: Ended['kind'], error: string): void => {
      if (!isOver) finish(endedOf({ kind, error }));
    };
    const timer = setInterval(() => {
      const rss = process.memoryUsage.rss();
      if (rss > maxBytes) end('memory', `the process has ${rss} bytes, more than ${maxBytes}`);
      const { user, system } = process.cpuUsage(since);
      const current = Atomics.load(progress, 0);
      if (current !== step) {
        step = current;
        since = process.cpuUsage();
        sinceTime = performance.now();
      } else if (current > 0 && (user + system) / 1e6 > seconds)
        end('hang', `took more than ${seconds} s of processor time`);
      // A thread that only waits takes no processor time, so elapsed time is limited too.
      else if (performance.now() - sinceTime > scaledTimeout(1000 * seconds))
        end('hang', `took more than ${scaledTimeout(seconds)} s`);
    }, POLL_INTERVAL);
    worker.on('message', message => {
      const output = outputOf(message);
      if (output !== undefined) finish(output);
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (Atomics.load(progress, 0) === 0) reject(error);
      else if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end('memory', error.message);
      else end('crash', String(error.stack));
    });
    worker.once('exit', code => {
      clearInterval(timer);
      end('crash', `the thread exited with code ${code}`);
    });
  }).finally(() => worker.terminate());
}

/**
 * Starts a worker with a limited heap. bundle: the path of the worker's bundle, which `bundleWorker` returned.
 */
export const startWorker = (bundle: string, workerData: object, { bytes }: Limits): Worker =>
  new Worker(bundle, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(bytes / 2 ** 20) },
    // This process runs TypeScript sources with a loader, which the bundle does not need.
    execArgv: [],
    stdout: true,
    stderr: true,
  });
