// The worker thread that reads an IFC file with web-ifc within a memory limit. The thread that started it
// terminates it.
import { parentPort, workerData } from 'node:worker_threads';
import { CollisionError } from '../core/errors.js';
import { type ReaderContext, readModel } from './ifcModel.js';
import { InvalidFile } from './part.js';
import type { IfcOutput, IfcTask } from './readIfc.js';
import { captureErrors, readingError } from './webIfcErrors.js';

const PAGE_BYTES = 65536;

const { bytes, progress, memoryBytes, skip } = workerData as IfcTask;
const notes: IfcOutput['notes'] = [];
const takeCapturedErrors = captureErrors();
let isOutOfMemory = false;

// web-ifc grows its memory on demand, up to 4 GiB. This replacement of `grow` enforces the memory limit.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function grown(this: WebAssembly.Memory, pages: number) {
  if (this.buffer.byteLength + PAGE_BYTES * pages <= memoryBytes) return grow.call(this, pages);
  isOutOfMemory = true;
  throw new RangeError('beyond the memory limit');
};

function checkMemory(): void {
  if (isOutOfMemory)
    throw new InvalidFile(
      `web-ifc needs more than ${Math.round(memoryBytes / 2 ** 20)} MiB of memory`,
      'Split the file, or raise the limits with --ifc-limits 4.',
    );
}

async function loadLibrary(): Promise<ReaderContext['library']> {
  try {
    return await import('web-ifc');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CollisionError(
      'MissingPackage',
      'IFC files require the package web-ifc, which is not installed',
      'Run npm install web-ifc, then this command again.',
    );
  }
}

async function runTask(): Promise<IfcOutput> {
  const library = await loadLibrary();
  const onProgress = (record: number): void => {
    Atomics.store(progress, 1, record);
    Atomics.add(progress, 0, 1);
  };
  const takeErrors = (): string[] => {
    checkMemory();
    return takeCapturedErrors();
  };
  try {
    return {
      notes,
      ...(await readModel(bytes, {
        library,
        onWarning: (message, fix) => notes.push({ message, fix }),
        onProgress,
        skip,
        takeErrors,
      })),
    };
  } catch (error) {
    if (!(error instanceof CollisionError)) checkMemory();
    throw readingError(error);
  }
}

try {
  const found = await runTask();
  parentPort!.postMessage(
    found,
    found.parts.flatMap(({ positions, indices }) => [positions.buffer, indices.buffer] as ArrayBuffer[]),
  );
} catch (error) {
  if (!(error instanceof CollisionError)) throw error;
  parentPort!.postMessage({
    notes,
    parts: [],
    unread: [],
    error: { code: error.code, message: error.message, fix: error.fix },
  } satisfies IfcOutput);
}
