// IFC -> parts, one an element. A worker reads the file; it is ended where it gets nowhere.
import { Worker } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { EXPORT_AGAIN, InvalidFile, type Part, type Tell, type Unread } from './part.js';

/**
 * What the worker is given. progress: how often it got on, and the number of the record that it is at, 0 for
 * none. skip: records of elements that it leaves out, and why.
 */
export interface IfcTask {
  bytes: Uint8Array;
  progress: Int32Array;
  memoryBytes: number;
  skip: ReadonlyMap<number, string>;
}

/** What the worker answers. */
export interface IfcAnswer {
  parts: Part[];
  unread: Unread[];
  notes: { message: string; fix: string }[];
  error?: { code: string; message: string; fix: string };
}

// Seconds of processor time for one element, or to open the file; more for larger files. A machine that is
// busy makes them no fewer.
const SECONDS = 60;
const SECONDS_PER_MIB = 2;
const MEMORY_BYTES = 2 ** 29;
const MEMORY_PER_BYTE = 20;
const LARGEST_MEMORY = 2 ** 32;
const LOOK_EVERY = 100;
// Each element that hangs costs the time limit once more: a file with more of them is refused.
const MOST_STUCK = 3;

/** Factors of the limits for one file. */
export interface IfcLimits {
  time: number;
  memory: number;
}

/**
 * tellUnread: hears of each element that could not be read. run: another runWorker, for tests. Throws
 * InvalidFile or MissingPackage.
 */
export async function readIfc(
  bytes: Uint8Array,
  tell: Tell,
  tellUnread: (unread: Unread) => void,
  limits: IfcLimits = { time: 1, memory: 1 },
  run = runWorker,
): Promise<Part[]> {
  const { parts, unread, notes, error } = await withoutStuck(skip => run(bytes, limits, skip));
  for (const { message, fix } of notes) tell(message, fix);
  if (error)
    throw error.code === 'InvalidFile'
      ? new InvalidFile(error.message, error.fix)
      : new CollisionError(error.code, error.message, error.fix);
  if (parts.length === 0 && unread.length > 0)
    throw new InvalidFile(
      `none of its elements can be read: ${unread[0].name} ${unread[0].reason}`,
      EXPORT_AGAIN,
    );
  unread.forEach(tellUnread);
  return parts;
}

// Reads the file again without the elements that web-ifc gets nowhere with.
async function withoutStuck(
  run: (skip: ReadonlyMap<number, string>) => Promise<IfcAnswer>,
): Promise<IfcAnswer> {
  const skip = new Map<number, string>();
  for (;;) {
    try {
      return await run(skip);
    } catch (error) {
      if (
        !(error instanceof Stuck) ||
        error.record === 0 ||
        skip.has(error.record) ||
        skip.size === MOST_STUCK
      )
        throw error;
      skip.set(error.record, error.reason);
    }
  }
}

/** Reads a file in a worker. skip: records of elements to leave out, and why. @throws Stuck, InvalidFile */
export function runWorker(
  bytes: Uint8Array,
  { time, memory }: IfcLimits,
  skip: ReadonlyMap<number, string>,
): Promise<IfcAnswer> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const mebibytes = bytes.length / 2 ** 20;
  const memoryBytes = Math.min(memory * (MEMORY_BYTES + MEMORY_PER_BYTE * bytes.length), LARGEST_MEMORY);
  const own = bytes.slice();
  const worker = new Worker(new URL('./ifcWorker.js', import.meta.url), {
    workerData: { bytes: own, progress, memoryBytes, skip } satisfies IfcTask,
    transferList: [own.buffer],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(memoryBytes, MEMORY_BYTES) / 2 ** 20) },
  });
  return new Promise<IfcAnswer>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(memoryBytes) : error),
    );
    worker.once('exit', code => reject(new InvalidFile(`web-ifc ended with ${code}`, EXPORT_AGAIN)));
    const stop = watch(progress, time * (SECONDS + SECONDS_PER_MIB * mebibytes), reject);
    worker.once('exit', stop);
  }).finally(() => worker.terminate());
}

const outOfMemory = (bytes: number): InvalidFile =>
  new InvalidFile(
    `needs more than ${Math.round(bytes / 2 ** 20)} MiB of memory`,
    'Split the file, or raise the limits with --ifc-limits 4.',
  );

// While the worker reads, this process does nothing else: its processor time is the worker's.
function watch(progress: Int32Array, seconds: number, reject: (error: Error) => void): () => void {
  let steps = -1;
  let since = process.cpuUsage();
  const look = (): void => {
    const now = Atomics.load(progress, 0);
    const { user, system } = process.cpuUsage(since);
    if (now !== steps) [steps, since] = [now, process.cpuUsage()];
    else if ((user + system) / 1e6 > seconds) reject(new Stuck(Atomics.load(progress, 1), seconds));
  };
  const timer = setInterval(look, LOOK_EVERY);
  return () => clearInterval(timer);
}

/** web-ifc gets nowhere. */
export class Stuck extends InvalidFile {
  readonly reason: string;

  /** record: the number of the element, or 0 while the file is opened. */
  constructor(
    readonly record: number,
    seconds: number,
  ) {
    const limit = `after ${Math.round(seconds)} s of processor time`;
    super(
      `${record === 0 ? 'web-ifc has not opened it' : `web-ifc has no triangles of #${record}`} ${limit}`,
      'Look at it in the program that wrote the file, or raise the limits with --ifc-limits 4.',
    );
    this.reason = `web-ifc has no triangles of it ${limit}`;
  }
}
