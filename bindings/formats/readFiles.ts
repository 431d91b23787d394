// Reads the files of a model into parts. Several files are read at the same time, each in its own worker
// thread.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AnimatedScene } from './animation.js';
import { InvalidFile } from './part.js';
import { MAX_UNPACK_RATIO, type ReadOptions, readParts } from './readParts.js';
import { errorOfOutput, type ReaderOutput, UNSCALED } from './watchedReader.js';

/** What a file contains, and the warnings about it. */
export interface FileContents extends Omit<ReaderOutput, 'error'> {
  /** The nodes and animations of a glTF file, if they were requested. */
  scene?: AnimatedScene;
}

/** How files are read. Unlike the options of readParts, these can be sent to a worker. */
export interface FileOptions extends Omit<ReadOptions, 'onWarning' | 'onUnread' | 'onProgress' | 'onScene'> {
  /** Whether the nodes and animations of glTF files are requested. */
  withScenes?: boolean;
}

/** Input of the worker. */
export interface FileTask {
  path: string;
  options: FileOptions;
}

// A reader may temporarily need 20 times as much memory as its unpacked file. So large files are read one after
// another.
const BYTES_AT_ONCE = 2 ** 28;
/** Text meshes compress by a factor of 5 to 20. */
const USUAL_RATIO = 20;

/**
 * Reads a file, and collects the warnings and the elements that could not be read.
 * @throws InvalidFile, also if the file contains no triangles; MissingPackage
 */
export async function readContents(
  path: string,
  { withScenes, ...options }: FileOptions,
  onProgress: (done: number) => void,
): Promise<FileContents> {
  const contents: FileContents = { parts: [], unread: [], notes: [] };
  contents.parts = await readParts(path, {
    ...options,
    onProgress,
    onWarning: (message, fix) => contents.notes.push({ message, fix }),
    onUnread: element => contents.unread.push(element),
    ...(withScenes
      ? {
          onScene: scene => {
            contents.scene = scene;
          },
        }
      : {}),
  });
  if (contents.parts.length > 0) return contents;
  throw new InvalidFile(
    `${basename(path)}: contains no triangles`,
    'Give a file with surfaces; points and lines cannot clash.',
  );
}

/**
 * Reads at most `jobs` files at the same time. Files that together have more than `bytesAtOnce` unpacked bytes
 * are not read at the same time. A .gltf file is read alone, because its buffers may be large.
 * @param onProgress Called from time to time with the share of bytes that is read, 0 to 1.
 * @returns The contents in the order of `paths`.
 * @throws InvalidFile and MissingPackage, always for the first file of `paths` that cannot be read
 */
export async function readFiles(
  paths: readonly string[],
  jobs: number,
  options: FileOptions,
  onProgress: (done: number) => void = () => {},
  bytesAtOnce = BYTES_AT_ONCE,
): Promise<FileContents[]> {
  const sizes = paths.map(path => unpackedSize(path, options.maxUnpackRatio));
  const total = sizes.reduce((sum, size) => sum + size, 0) || 1;
  const shares = paths.map(() => 0);
  const readers = new Int32Array(new SharedArrayBuffer(4));
  const shared = {
    ...options,
    ifcLimits: { ...(options.ifcLimits ?? UNSCALED), readers },
    cadLimits: { ...(options.cadLimits ?? UNSCALED), readers },
  };
  const contents: FileContents[] = [];
  const running = new Map<number, { end: AbortController; ended: Promise<void> }>();
  let failure: { file: number; error: unknown } | undefined;

  const fail = (file: number, error: unknown): void => {
    if (failure && failure.file < file) return;
    failure = { file, error };
    // Files before this one are still read: if one of them fails, too, its error is thrown instead.
    for (const [other, { end }] of running) if (other > file) end.abort();
  };
  const fits = (file: number): boolean => {
    const bytes = [...running.keys()].reduce((sum, other) => sum + sizes[other], sizes[file]);
    return running.size === 0 || (running.size < jobs && bytes <= bytesAtOnce);
  };
  const start = (file: number): void => {
    const end = new AbortController();
    const show = (done: number): void => {
      shares[file] = done;
      onProgress(shares.reduce((sum, share, i) => sum + share * sizes[i], 0) / total);
    };
    const ended = (
      jobs > 1 && paths.length > 1
        ? readInWorker({ path: paths[file], options: shared }, end.signal, show)
        : readContents(paths[file], shared, show)
    )
      .then(
        read => {
          contents[file] = read;
          show(1);
        },
        error => fail(file, error),
      )
      .finally(() => {
        running.delete(file);
        readers[0] = running.size;
      });
    running.set(file, { end, ended });
    readers[0] = running.size;
  };

  for (let file = 0; file < paths.length && !failure; file++) {
    while (!fits(file)) await Promise.race([...running.values()].map(({ ended }) => ended));
    if (!failure) start(file);
  }
  await Promise.all([...running.values()].map(({ ended }) => ended));
  if (failure) throw failure.error;
  return contents;
}

// Estimates the unpacked size of a file, including other files that it refers to. Returns 0 for a file that
// cannot be read; reading it throws the error later.
function unpackedSize(path: string, maxUnpackRatio = MAX_UNPACK_RATIO): number {
  if (/\.gltf(\.gz)?$/i.test(path)) return BYTES_AT_ONCE;
  try {
    const { size } = statSync(path);
    return /\.(gz|3mf)$/i.test(path) ? Math.min(maxUnpackRatio, USUAL_RATIO) * size : size;
  } catch {
    return 0;
  }
}

async function readInWorker(
  task: FileTask,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<FileContents> {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./fileWorker.js', import.meta.url), { workerData: task });
  } catch {
    // The system has no thread left, so this thread reads the file.
    return readContents(task.path, task.options, onProgress);
  }
  return new Promise<FileContents>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.on('message', (message: number | ReaderOutput) => {
      if (typeof message === 'number') onProgress(message);
      else if (message.error) reject(errorOfOutput(message.error));
      else resolve(message);
    });
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(task.path) : error),
    );
    worker.once('exit', code =>
      reject(new Error(`the worker that reads ${task.path} exited with code ${code}`)),
    );
  }).finally(() => worker.terminate());
}

function tooLarge(path: string): InvalidFile {
  return new InvalidFile(
    `${basename(path)}: is too large for this machine`,
    'Split the file into smaller ones, or read one file at a time with --jobs 1.',
  );
}
