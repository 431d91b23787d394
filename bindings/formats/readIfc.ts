// Reads IFC files: one part for each element. A worker thread reads the file, and is terminated if it stops
// making progress.
import { Worker } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';

/**
 * Input of the worker. `progress`: a step counter, and the number of the record that is being read (0: none).
 * `skip`: records of elements to leave out, each with the reason.
 */
export interface IfcTask {
  bytes: Uint8Array;
  progress: Int32Array;
  memoryBytes: number;
  skip: ReadonlyMap<number, string>;
}

/** Output of the worker. */
export interface IfcOutput {
  parts: Part[];
  unread: Unread[];
  notes: { message: string; fix: string }[];
  error?: { code: string; message: string; fix: string };
}

// Limit of processor time, in seconds, for one element or for opening the file. It grows with the size of the
// file. Processor time is used because it does not depend on the load of the machine.
const SECONDS = 60;
const SECONDS_PER_MIB = 2;
const MEMORY_BYTES = 2 ** 29;
const MEMORY_PER_BYTE = 20;
const MAX_MEMORY = 2 ** 32;
const POLL_INTERVAL = 100;
// Maximum number of elements on which web-ifc may hang. A file with more such elements is rejected, because
// each of them takes the whole time limit.
const MAX_STUCK = 3;

/** Factors that scale the limits for one file. */
export interface IfcLimits {
  time: number;
  memory: number;
}

/**
 * Reads an IFC file.
 * @param onUnread Called for each element that could not be read.
 * @param run Replaces runWorker in tests.
 * @throws InvalidFile, MissingPackage
 */
export async function readIfc(
  bytes: Uint8Array,
  onWarning: WarningHandler,
  onUnread: (unread: Unread) => void,
  limits: IfcLimits = { time: 1, memory: 1 },
  run = runWorker,
): Promise<Part[]> {
  const { parts, unread, notes, error } = await retryWithoutStuck(skip => run(bytes, limits, skip));
  for (const { message, fix } of notes) onWarning(message, fix);
  if (error)
    throw error.code === 'InvalidFile'
      ? new InvalidFile(error.message, error.fix)
      : new CollisionError(error.code, error.message, error.fix);
  if (parts.length === 0 && unread.length > 0)
    throw new InvalidFile(
      `none of its elements can be read: ${unread[0].name} ${unread[0].reason}`,
      EXPORT_AGAIN,
    );
  unread.forEach(onUnread);
  return parts;
}

// Reads the file. If web-ifc hangs on an element, reads the file again without that element.
async function retryWithoutStuck(
  run: (skip: ReadonlyMap<number, string>) => Promise<IfcOutput>,
): Promise<IfcOutput> {
  const skip = new Map<number, string>();
  for (;;) {
    try {
      return await run(skip);
    } catch (error) {
      if (
        !(error instanceof IfcTimeout) ||
        error.record === 0 ||
        skip.has(error.record) ||
        skip.size === MAX_STUCK
      )
        throw error;
      skip.set(error.record, error.reason);
    }
  }
}

/**
 * Reads a file in a worker.
 * @param skip Records of elements to leave out, with the reason.
 * @throws IfcTimeout, InvalidFile
 */
export function runWorker(
  bytes: Uint8Array,
  { time, memory }: IfcLimits,
  skip: ReadonlyMap<number, string>,
): Promise<IfcOutput> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const mebibytes = bytes.length / 2 ** 20;
  const memoryBytes = Math.min(memory * (MEMORY_BYTES + MEMORY_PER_BYTE * bytes.length), MAX_MEMORY);
  const own = bytes.slice();
  const worker = new Worker(new URL('./ifcWorker.js', import.meta.url), {
    workerData: { bytes: own, progress, memoryBytes, skip } satisfies IfcTask,
    transferList: [own.buffer],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(memoryBytes, MEMORY_BYTES) / 2 ** 20) },
  });
  return new Promise<IfcOutput>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(memoryBytes) : error),
    );
    worker.once('exit', code => reject(new InvalidFile(`web-ifc exited with code ${code}`, EXPORT_AGAIN)));
    const stop = watch(progress, time * (SECONDS + SECONDS_PER_MIB * mebibytes), reject);
    worker.once('exit', stop);
  }).finally(() => worker.terminate());
}

const outOfMemory = (bytes: number): InvalidFile =>
  new InvalidFile(
    `requires more than ${Math.round(bytes / 2 ** 20)} MiB of memory`,
    'Split the file, or raise the limits with --ifc-limits 4.',
  );

// Calls `reject` if the step counter stands still for `seconds` of processor time. Measures the processor
// time of the whole process, because the process does nothing else while the worker reads. Returns a function
// that ends the watch.
function watch(progress: Int32Array, seconds: number, reject: (error: Error) => void): () => void {
  let steps = -1;
  let since = process.cpuUsage();
  const poll = (): void => {
    const currentSteps = Atomics.load(progress, 0);
    const { user, system } = process.cpuUsage(since);
    if (currentSteps !== steps) [steps, since] = [currentSteps, process.cpuUsage()];
    else if ((user + system) / 1e6 > seconds) reject(new IfcTimeout(Atomics.load(progress, 1), seconds));
  };
  const timer = setInterval(poll, POLL_INTERVAL);
  return () => clearInterval(timer);
}

/** Thrown if web-ifc exceeds the time limit. */
export class IfcTimeout extends InvalidFile {
  readonly reason: string;

  /** @param record The number of the element, or 0 while the file is being opened. */
  constructor(
    readonly record: number,
    seconds: number,
  ) {
    const limit = `within ${Math.round(seconds)} s of processor time`;
    super(
      `web-ifc ${record === 0 ? 'did not open the file' : `made no triangles for #${record}`} ${limit}`,
      `Inspect ${record === 0 ? 'it' : 'the element'} in the program that wrote the file, or raise the limits with --ifc-limits 4.`,
    );
    this.reason = `web-ifc made no triangles for it ${limit}`;
  }
}
