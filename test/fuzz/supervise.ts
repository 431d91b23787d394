// Runs the fuzzer in a worker thread and ends the thread if an input takes too long or too much memory.
import { Worker } from 'node:worker_threads';
import { scaledTimeout } from '../support/within.js';
import { type Finding, type FuzzResult, minimize } from './fuzzer.js';

/**
 * progress[0]: the number of the current input, from 1. progress[1]: the length of the current input in
 * bytes. input: shared memory that begins with the bytes of the current input.
 */
export interface FuzzTask {
  name: string;
  seed: number;
  mutants: number;
  corpus: Uint8Array[];
  progress: Int32Array;
  input: Uint8Array;
}

/**
 * reached: how many coverage counters in the reader's code were reached. all: the number of these counters.
 */
export interface FuzzOutput extends FuzzResult {
  reached: number;
  all: number;
}

export interface Limits {
  /**
   * Processor time for one input, in seconds. Unlike elapsed time, it does not depend on the machine's load.
   */
  seconds: number;
  /** Limit of the process's resident memory, and also of the worker's JavaScript heap. */
  bytes: number;
}

/** The limits of SECURITY.md. */
export const LIMITS: Limits = { seconds: 10, bytes: 2 ** 31 };
const POLL_INTERVAL = 50;
/** No fuzz target allows longer inputs. */
const MAX_INPUT_BYTES = 2 ** 16;
/** The maximum number of workers that are started to minimize one input. */
const MINIMIZE_RUNS = 24;

type Ended = Pick<Finding, 'kind' | 'error'> & { input: Uint8Array; reads: number };

/**
 * Runs one worker until it finishes, fails or exceeds a limit. Resolves to the output of the worker if it
 * finishes, and otherwise to the input that the worker was reading.
 */
function runWorker(
  bundle: string,
  task: Omit<FuzzTask, 'progress' | 'input'>,
  { seconds, bytes: maxBytes }: Limits,
): Promise<FuzzOutput | Ended> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const input = new Uint8Array(new SharedArrayBuffer(MAX_INPUT_BYTES));
  const worker = new Worker(bundle, {
    workerData: { ...task, progress, input } satisfies FuzzTask,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(maxBytes / 2 ** 20) },
    // This process runs TypeScript sources with a loader, which the bundle does not need.
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  return new Promise<FuzzOutput | Ended>((resolve, reject) => {
    let reads = -1;
    let since = process.cpuUsage();
    let sinceTime = performance.now();
    const end = (kind: Finding['kind'], error: string): void => {
      const length = Atomics.load(progress, 1);
      resolve({ kind, error, input: input.slice(0, length), reads: Atomics.load(progress, 0) });
    };
    const timer = setInterval(() => {
      const rss = process.memoryUsage.rss();
      if (rss > maxBytes) end('memory', `the process uses ${rss} bytes, more than the limit of ${maxBytes}`);
      const { user, system } = process.cpuUsage(since);
      const current = Atomics.load(progress, 0);
      if (current !== reads) {
        reads = current;
        since = process.cpuUsage();
        sinceTime = performance.now();
      } else if (current > 0 && (user + system) / 1e6 > seconds)
        end('hang', `the input took more than ${seconds} s of processor time`);
      // A thread that only waits takes no processor time, so elapsed time is limited too.
      else if (performance.now() - sinceTime > scaledTimeout(1000 * seconds))
        end('hang', `the input took more than ${scaledTimeout(seconds)} s`);
    }, POLL_INTERVAL);
    worker.once('message', resolve);
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
 * Fuzzes a target in a worker. If an input ends the worker, minimizes this input and returns it as the only
 * finding: earlier findings of the worker are lost. bundle: the path that `bundleWithCounters` returned.
 */
export async function runFuzzer(
  bundle: string,
  { name, seed, mutants, corpus }: { name: string; seed: number; mutants: number; corpus: Uint8Array[] },
  limits: Limits = LIMITS,
): Promise<FuzzOutput> {
  const output = await runWorker(bundle, { name, seed, mutants, corpus }, limits);
  if (!('kind' in output)) return output;
  const { kind, error, input, reads } = output;
  const bytes = await minimize(
    input,
    async shorter => {
      const again = await runWorker(bundle, { name, seed, mutants: 0, corpus: [shorter] }, limits);
      return 'kind' in again && again.kind === kind;
    },
    MINIMIZE_RUNS,
  );
  return {
    mutants: reads,
    accepted: 0,
    corpus: [],
    findings: [{ target: name, kind, error, bytes }],
    reached: 0,
    all: 0,
  };
}
