// Reads STEP and IGES files: one part for each solid or shell. A worker thread reads the file, and is
// terminated if it exceeds its limits.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CadFormat } from './cadContents.js';
import { InvalidFile, type Part, type Unread, type WarningHandler } from './part.js';
import { partsOfOutput, type ReaderLimits, type ReaderTask, runReader, UNSCALED } from './watchedReader.js';

/** Input of the worker. */
export interface CadTask extends ReaderTask {
  format: CadFormat;
  /** The linear deflection of the triangulation, in mm. */
  deflection: number;
  /** Whether the parts have `exact`. */
  keepsDoubles: boolean;
  /** The library's WebAssembly module; undefined if the worker has to load it. */
  wasm: WebAssembly.Module | undefined;
}

/** The linear deflection in mm, if none is chosen. */
export const DEFAULT_DEFLECTION = 0.1;

// Limits of processor time in seconds, and of memory, for a file. The time limit applies to each of three
// stages: checking the file, calling the library, and making the parts. The library does not report progress.
const SECONDS = 120;
const SECONDS_PER_MIB = 20;
const MEMORY_BYTES = 2 ** 30;
const MEMORY_PER_BYTE = 100;
const MEMORY = {
  limitOption: '--cad-limits',
  // occt-import-js is built with this limit.
  maxBytes: 2 ** 31,
  smaller: 'Split the assembly into several files, raise --deflection, or convert it to GLB.',
};

let wasm: Promise<WebAssembly.Module | undefined> | undefined;

// Returns the library's WebAssembly module, or undefined if it cannot be loaded. All workers use this module, so
// each of its functions is compiled only once, when it is first called. To compile the functions that a small
// file needs takes longer than to read the file.
const compileLibrary = () =>
  (wasm ??= (async () => {
    try {
      const path = createRequire(import.meta.url).resolve('occt-import-js/dist/occt-import-js.wasm');
      return await WebAssembly.compile(await readFile(path));
    } catch {
      // The worker tries again, and reports what is wrong.
      return undefined;
    }
  })());

/**
 * Reads a STEP or IGES file.
 * @param onUnread Called for each solid that could not be read, or was read only in part.
 * @throws InvalidFile, MissingPackage
 */
export async function readCad(
  bytes: Uint8Array,
  format: CadFormat,
  onWarning: WarningHandler,
  onUnread: (unread: Unread) => void,
  deflection = DEFAULT_DEFLECTION,
  { time, memory, readers }: ReaderLimits = UNSCALED,
  keepsDoubles = false,
): Promise<Part[]> {
  const task = { format, deflection, keepsDoubles, wasm: await compileLibrary() } satisfies Partial<CadTask>;
  const output = await runReader(bytes, task, {
    script: new URL('./cadWorker.js', import.meta.url),
    library: 'occt-import-js',
    memory: MEMORY,
    readers,
    seconds: time * (SECONDS + (SECONDS_PER_MIB * bytes.length) / 2 ** 20),
    memoryBytes: memory * (MEMORY_BYTES + MEMORY_PER_BYTE * bytes.length),
    timeout: (_, seconds) =>
      new InvalidFile(
        `occt-import-js did not read the file within ${Math.round(seconds)} s of processor time`,
        'Raise --deflection, split the file, or raise the limits with --cad-limits 4.',
      ),
  });
  return partsOfOutput(output, onWarning, onUnread);
}
