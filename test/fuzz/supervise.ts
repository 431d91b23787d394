// Runs the fuzzer in a worker thread and ends the thread if an input takes too much time or memory.
import { type Ended, type Limits, startWorker, superviseWorker } from '../support/superviseWorker.js';
import { type FuzzResult, minimize } from './fuzzer.js';

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

/** The limits of SECURITY.md. */
export const LIMITS: Limits = { seconds: 10, bytes: 2 ** 31 };
/** No fuzz target allows longer inputs. */
const MAX_INPUT_BYTES = 2 ** 16;
/** The maximum number of workers that are started to minimize one input. */
const MINIMIZE_RUNS = 24;

/**
 * Runs one worker until it finishes, fails or exceeds a limit. Resolves to the output of the worker if it
 * finishes, and otherwise to the input that the worker was reading.
 */
function runWorker(
  bundle: string,
  task: Omit<FuzzTask, 'progress' | 'input'>,
  limits: Limits,
): Promise<FuzzOutput | (Ended & { input: Uint8Array; reads: number })> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const input = new Uint8Array(new SharedArrayBuffer(MAX_INPUT_BYTES));
  const worker = startWorker(bundle, { ...task, progress, input } satisfies FuzzTask, limits);
  return superviseWorker<FuzzOutput | (Ended & { input: Uint8Array; reads: number })>(
    worker,
    progress,
    limits,
    message => message,
    ended => ({
      ...ended,
      input: input.slice(0, Atomics.load(progress, 1)),
      reads: Atomics.load(progress, 0),
    }),
  );
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
