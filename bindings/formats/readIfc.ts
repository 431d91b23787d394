// Reads IFC files: one part for each element. A worker thread reads the file, and is terminated if it stops
// making progress.
import { InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';
import {
  partsOfOutput,
  type ReaderLimits,
  type ReaderOutput,
  type ReaderTask,
  runReader,
  UNSCALED,
} from './watchedReader.js';

/**
 * Input of the worker. The second number of `progress` is the number of the record that is being read (0:
 * none).
 */
export interface IfcTask extends ReaderTask, IfcRequest {}

/** What to read. */
export interface IfcRequest {
  /** Records of elements to leave out, each with the reason. */
  skip: ReadonlyMap<number, string>;
  withProperties: boolean;
}

// Limit of processor time, in seconds, for one element or for opening the file. It grows with the size of the
// file. Processor time is used because it does not depend on the load of the machine.
const SECONDS = 60;
const SECONDS_PER_MIB = 2;
const MEMORY_BYTES = 2 ** 29;
const MEMORY_PER_BYTE = 20;
const MEMORY = {
  limitOption: '--ifc-limits',
  // web-ifc is built with this limit.
  maxBytes: 2 ** 32 - 2 ** 16,
  smaller:
    'Split the model by storey or discipline, export only the elements that are needed, or convert it to GLB.',
};
// Maximum number of elements on which web-ifc may hang. A file with more such elements is rejected, because
// each of them takes the whole time limit.
const MAX_STUCK = 3;

export interface IfcOptions {
  onWarning: WarningHandler;
  /** Called for each element that could not be read. */
  onUnread: (unread: Unread) => void;
  /** Called from time to time with the share of elements that are done, 0 to 1. */
  onProgress?: (done: number) => void;
  /** Whether to read the properties of the parts, too. */
  withProperties?: boolean;
}

/**
 * Reads an IFC file.
 * @param run Replaces runWorker in tests.
 * @throws InvalidFile, MissingPackage
 */
export async function readIfc(
  bytes: Uint8Array,
  { onWarning, onUnread, onProgress, withProperties = false }: IfcOptions,
  limits: ReaderLimits = UNSCALED,
  run = runWorker,
): Promise<Part[]> {
  const output = await retryWithoutStuck(skip => run(bytes, limits, { skip, withProperties }, onProgress));
  return partsOfOutput(output, onWarning, onUnread);
}

// Reads the file. If web-ifc hangs on an element, reads the file again without that element.
async function retryWithoutStuck(
  run: (skip: ReadonlyMap<number, string>) => Promise<ReaderOutput>,
): Promise<ReaderOutput> {
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
 * @throws IfcTimeout, InvalidFile
 */
export function runWorker(
  bytes: Uint8Array,
  { time, memory, readers }: ReaderLimits,
  request: IfcRequest,
  onProgress?: (done: number) => void,
): Promise<ReaderOutput> {
  const reader = {
    script: new URL('./ifcWorker.js', import.meta.url),
    library: 'web-ifc',
    memory: MEMORY,
    readers,
    seconds: time * (SECONDS + (SECONDS_PER_MIB * bytes.length) / 2 ** 20),
    memoryBytes: memory * (MEMORY_BYTES + MEMORY_PER_BYTE * bytes.length),
    timeout: (record: number, seconds: number) => new IfcTimeout(record, seconds),
  };
  return runReader(bytes, request, reader, onProgress);
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
