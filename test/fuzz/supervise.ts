// Runs the fuzzer in a worker thread and ends the thread if an input takes too long or too much memory.
import { Worker } from 'node:worker_threads';
import { scaledTimeout } from '../support/within.js';
import { type Finding, type FuzzResult, minimize } from './fuzzer.js';

/** progress: the number of inputs read so far, and the length of the current one. input: its bytes. */
export interface FuzzTask {
  name: string;
  seed: number;
  mutants: number;
  corpus: Uint8Array[];
  progress: Int32Array;
  input: Uint8Array;
}

/** reached, all: counters of the reader's code. */
export interface FuzzOutput extends FuzzResult {
  reached: number;
  all: number;
}

export interface Limits {
  /** Processor time for one input, in seconds; it does not depend on the load of the machine. */
  seconds: number;
  /** Resident memory of the process, and JavaScript heap of the worker. */
  bytes: number;
}

/** The limits of SECURITY.md. */
export const LIMITS: Limits = { seconds: 10, bytes: 2 ** 31 };
const POLL_INTERVAL = 50;
/** No target has longer inputs. */
const MAX_INPUT_BYTES = 2 ** 16;
/** Runs of one minimization of an input that ends its thread. */
const MINIMIZE_RUNS = 24;

type Ended = Pick<Finding, 'kind' | 'error'> & { input: Uint8Array; reads: number };

/** Runs one worker to its end. Resolves to its output, or to the input at which it was ended. */
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
    // Sources run as they are, but the bundle needs no loader.
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
      if (rss > maxBytes) end('memory', `the process has ${rss} bytes, more than ${maxBytes}`);
      const { user, system } = process.cpuUsage(since);
      const current = Atomics.load(progress, 0);
      if (current !== reads) {
        reads = current;
        since = process.cpuUsage();
        sinceTime = performance.now();
      } else if (current > 0 && (user + system) / 1e6 > seconds)
        end('hang', `took more than ${seconds} s of processor time`);
      // A thread that waits takes no processor time.
      else if (performance.now() - sinceTime > scaledTimeout(1000 * seconds))
        end('hang', `took more than ${scaledTimeout(seconds)} s`);
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
 * Fuzzes a target. If an input ends the worker, minimizes the input and returns the findings so far.
 * bundle: made by `bundleWithCounters`.
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
