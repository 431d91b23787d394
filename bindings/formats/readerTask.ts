// Provides what all workers that read files with a library need: the import of the library, the memory limit,
// and reports of progress.
import { workerData } from 'node:worker_threads';
import { missingPackage } from './missingPackage.js';
import { outOfMemory, type ReaderTask } from './watchedReader.js';

const PAGE_BYTES = 65536;

const { memoryBytes, library, memory, progress } = workerData as ReaderTask;
let isOutOfMemory = false;
// The size of the library's memory in bytes.
let usedBytes = 0;

// The libraries grow their memory on demand. This replacement of `grow` enforces the memory limit.
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function grown(this: WebAssembly.Memory, pages: number) {
  if (this.buffer.byteLength + PAGE_BYTES * pages <= memoryBytes) {
    const before = grow.call(this, pages);
    usedBytes = this.buffer.byteLength;
    return before;
  }
  isOutOfMemory = true;
  throw new RangeError('beyond the memory limit');
};

/** Throws InvalidFile if the library has tried to exceed the memory limit. */
export function checkMemory(): void {
  if (isOutOfMemory) throw outOfMemory(`${library} needs`, memoryBytes, memory);
}

/**
 * Throws InvalidFile if the library has probably run out of memory. Workers call this function after the
 * library has thrown an error. A library never tries to grow its memory beyond its own maximum, so checkMemory
 * does not notice that the library needs more. But a list of the library doubles when it grows, so if there is
 * no room for a larger list, the memory has more than half of its maximum size.
 */
export function checkMemoryAfterError(): void {
  checkMemory();
  if (usedBytes > memory.maxBytes / 2) throw outOfMemory(`${library} needs`, memory.maxBytes, memory);
}

/**
 * Reports progress to the thread that watches this worker.
 * @param reading A number that says what is read next.
 * @param done The share of the file that is done, 0 to 1.
 */
export function reportProgress(reading: number, done = 0): void {
  Atomics.store(progress, 2, Math.floor(1000 * done));
  Atomics.store(progress, 1, reading);
  Atomics.add(progress, 0, 1);
}

/**
 * Loads the library.
 * @param files The format of the files that require the library, such as `IFC`, for the error message.
 * @throws MissingPackage
 */
export async function loadLibrary<Library>(files: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    throw missingPackage(error, `${files} files`, library);
  }
}
