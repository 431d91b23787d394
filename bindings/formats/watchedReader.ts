// Runs a reader of files in a worker thread, and terminates the worker if it stops making progress or exceeds
// its memory limit.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';

/**
 * Options of a worker that turn off Node's detection of ES modules. To find out whether a CommonJS script is an
 * ES module, Node would compile the script a second time. This is slow for web-ifc, whose script is 6 MB long.
 */
const withoutDetection = process.allowedNodeEnvironmentFlags?.has('--experimental-detect-module')
  ? { execArgv: ['--no-experimental-detect-module'] }
  : {};

/** Factors that scale the limits of time and memory for one file. */
export interface ReaderLimits {
  time: number;
  memory: number;
  /**
   * The number of files that are being read at the moment, in an array that all threads share. If undefined,
   * one file is read at a time.
   */
  readers?: Int32Array | undefined;
}

/** Limits that are not scaled. */
export const UNSCALED: ReaderLimits = { time: 1, memory: 1 };

/**
 * Input of every reader's worker. `progress` holds three numbers: the number of steps (reports of progress), a
 * number that identifies what is being read, and the thousandths of the file that are done.
 */
export interface ReaderTask {
  bytes: Uint8Array;
  progress: Int32Array;
  memoryBytes: number;
  /** The name of the package that reads the file. */
  library: string;
  memory: MemoryAdvice;
}

/** What the user of a reader can do if a file needs more memory than its limit. */
export interface MemoryAdvice {
  /** The command line option that raises the limits. */
  limitOption: string;
  /** The max memory in bytes that the library can use. A higher limit has no effect. */
  maxBytes: number;
  /** How to get a file that needs less memory: a sentence. */
  smaller: string;
}

/** Output of every reader's worker. */
export interface ReaderOutput {
  parts: Part[];
  unread: Unread[];
  notes: { message: string; fix: string }[];
  error?: { code: string; message: string; fix: string };
}

/** A reader, and its limits for one file. */
export interface WatchedReader {
  script: URL;
  library: string;
  memory: MemoryAdvice;
  /** Limit of processor time between two reports of progress. */
  seconds: number;
  /** See ReaderLimits. */
  readers: Int32Array | undefined;
  /** Limit of memory in bytes. If this exceeds `memory.maxBytes`, the limit is `memory.maxBytes`. */
  memoryBytes: number;
  /**
   * Makes the error for a step that exceeds the time limit.
   * @param reading The second number of `progress`.
   */
  timeout(reading: number, seconds: number): Error;
}

const MIN_HEAP_BYTES = 2 ** 29;
const POLL_INTERVAL = 100;

/**
 * Reads a file in a worker.
 * @param extra Further input of the worker.
 * @param onProgress Called from time to time with the share that is done, 0 to 1.
 * @throws InvalidFile; the error that `reader.timeout` returns if a step takes too long
 */
export function runReader(
  bytes: Uint8Array,
  extra: object,
  reader: WatchedReader,
  onProgress: (done: number) => void = () => {},
): Promise<ReaderOutput> {
  const { script, library, memory, seconds, readers, timeout } = reader;
  const progress = new Int32Array(new SharedArrayBuffer(12));
  const memoryBytes = Math.min(reader.memoryBytes, memory.maxBytes);
  // A copy, because its memory is transferred to the worker below. A Buffer's `slice` would not copy.
  const own = new Uint8Array(bytes);
  const task: ReaderTask = { bytes: own, progress, memoryBytes, library, memory };
  const worker = startWorker(script, library, {
    workerData: { ...task, ...extra },
    transferList: [own.buffer],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(memoryBytes, MIN_HEAP_BYTES) / 2 ** 20) },
    ...withoutDetection,
  });
  return new Promise<ReaderOutput>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory('requires', memoryBytes, memory) : error,
      ),
    );
    worker.once('exit', code => reject(new InvalidFile(`${library} exited with code ${code}`, EXPORT_AGAIN)));
    const stop = watch(progress, seconds, readers, onProgress, reading => reject(timeout(reading, seconds)));
    worker.once('exit', stop);
  }).finally(() => worker.terminate());
}

function startWorker(script: URL, library: string, options: WorkerOptions): Worker {
  try {
    return new Worker(script, options);
  } catch (error) {
    throw new InvalidFile(
      `${library} needs a thread, but the system cannot start one (${(error as Error).message})`,
      'Read the file again when fewer programs run, or with a smaller --jobs.',
    );
  }
}

/** Makes the error for a file that exceeds the memory limit. @param needs The beginning of the message. */
export function outOfMemory(
  needs: string,
  bytes: number,
  { limitOption, maxBytes, smaller }: MemoryAdvice,
): InvalidFile {
  const message = `${needs} more than ${Math.round(bytes / 2 ** 20)} MiB of memory`;
  return bytes >= maxBytes
    ? new InvalidFile(`${message}, which is the max that the library can use`, smaller)
    : new InvalidFile(message, `Split the file, or raise the limits with ${limitOption} 4.`);
}

/**
 * Returns the parts of a worker's output.
 * @param onUnread Called for each element that could not be read.
 * @throws InvalidFile, MissingPackage
 */
export function partsOfOutput(
  { parts, unread, notes, error }: ReaderOutput,
  onWarning: WarningHandler,
  onUnread: (unread: Unread) => void,
): Part[] {
  for (const { message, fix } of notes) onWarning(message, fix);
  if (error) throw errorOfOutput(error);
  if (parts.length === 0 && unread.length > 0)
    throw new InvalidFile(
      `none of its elements can be read: ${unread[0].name} ${unread[0].reason}`,
      EXPORT_AGAIN,
    );
  unread.forEach(onUnread);
  return parts;
}

/** Returns the error that a worker has posted. */
export function errorOfOutput({ code, message, fix }: NonNullable<ReaderOutput['error']>): CollisionError {
  return code === 'InvalidFile' ? new InvalidFile(message, fix) : new CollisionError(code, message, fix);
}

/**
 * Measures the processor time since the last step of a reader. Each file that is being read is charged an equal
 * share of the processor time of the process.
 */
export class StepClock {
  #steps = -1;
  #seconds = 0;

  /**
   * Returns the seconds since the last step.
   * @param steps The number of steps that the reader has made.
   * @param seconds Processor time of the process since the last call.
   * @param readers The number of files that are being read.
   */
  advance(steps: number, seconds: number, readers: number): number {
    this.#seconds = steps === this.#steps ? this.#seconds + seconds / Math.max(1, readers) : 0;
    this.#steps = steps;
    return this.#seconds;
  }
}

// Calls `onStall` if the number of steps does not change for more than `seconds` seconds of processor time.
// Returns a function that ends the watch.
function watch(
  progress: Int32Array,
  seconds: number,
  readers: Int32Array | undefined,
  onProgress: (done: number) => void,
  onStall: (reading: number) => void,
): () => void {
  const clock = new StepClock();
  let since = process.cpuUsage();
  const poll = (): void => {
    const { user, system } = process.cpuUsage(since);
    since = process.cpuUsage();
    onProgress(Atomics.load(progress, 2) / 1000);
    const steps = Atomics.load(progress, 0);
    if (clock.advance(steps, (user + system) / 1e6, readers ? Atomics.load(readers, 0) : 1) > seconds)
      onStall(Atomics.load(progress, 1));
  };
  const timer = setInterval(poll, POLL_INTERVAL);
  return () => clearInterval(timer);
}
