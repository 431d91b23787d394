// A pool and what the user asked for -> its workers started by the first way that works here; what did not is
// noted.

import { WorkerLoad } from '../core/errors.js';
import type { Note } from '../core/note.js';
import type { EngineInfo } from '../engine/engine.js';
import type { EngineOptions } from '../engine/engineOptions.js';
import type { Backend } from './backend.js';
import { startNodeWorker, wrapNodeWorker } from './nodeWorkers.js';
import type { Pool } from './pool.js';
import {
  availableThreads,
  type NodeWorker,
  nodeThreads,
  type StartWorker,
  type WorkerHandle,
} from './transport.js';
import { loadInlinedWorker, startBesideWorker, startWorkerAt, wrapWebWorker } from './webWorkers.js';

interface Way {
  name: string;
  load: () => Promise<StartWorker>;
}

/**
 * Starts workers, so that so many threads compute, where memory is shared. @returns what is to be known about
 * it. @throws WorkerLoad in Node, when none starts
 */
export async function startThreads(
  pool: Pool,
  modules: readonly WebAssembly.Module[],
  memory: 'shared' | 'single',
  threads: number,
  options: EngineOptions,
): Promise<Note[]> {
  if (memory === 'single')
    return [options.memory === 'single' ? singleMemory(threads) : notIsolated(threads)];
  return startWorkers(pool, modules, threads - 1, threads <= availableThreads() ? 'spin' : 'park', options);
}

/**
 * Ends the threads of engines that were dropped rather than disposed of: of a pool when nothing holds the
 * backend any more.
 */
const dropped = /* @__PURE__ */ new FinalizationRegistry<Pool>(pool => {
  void pool.dispose();
});

/**
 * Adds a note when a thread is lost later, and ends all threads when the garbage collector takes the backend.
 */
export function watchThreads(backend: Backend, info: EngineInfo): void {
  const { pool } = backend;
  // Meshes and scenes hold the backend, so it outlives a dropped engine as long as one of them is held.
  dropped.register(backend, pool);
  pool.onLost = () => {
    info.threads = pool.threadCount;
    info.notes.push({
      code: 'lost-thread',
      message: `a worker died or did not answer in time; ${info.threads} threads are left`,
      fix: 'create a new engine to have all threads again',
    });
  };
}

async function startWorkers(
  pool: Pool,
  modules: readonly WebAssembly.Module[],
  count: number,
  spin: 'spin' | 'park',
  options: EngineOptions,
): Promise<Note[]> {
  const failures: string[] = [];
  for (const { name, load } of waysFor(options)) {
    // What cannot be loaded does not start.
    const start = await load().catch(
      (error: unknown): StartWorker =>
        () => {
          throw error;
        },
    );
    // One goes ahead where more than one way may have to be tried.
    const ahead = nodeThreads() ? 0 : await pool.start(start, modules, 1, spin);
    const started =
      ahead +
      (nodeThreads() || (ahead > 0 && count > 1) ? await pool.start(start, modules, count - ahead, spin) : 0);
    if (started > 0)
      return [...notesOf(name, failures), ...(started < count ? [fewer(started + 1, count + 1)] : [])];
    failures.push(
      `${name}: ${pool.startError instanceof Error ? pool.startError.message : String(pool.startError ?? 'no answer within 3 s')}`,
    );
    pool.startError = undefined;
  }
  if (nodeThreads())
    throw new WorkerLoad(
      `none of ${count} workers started within 3 s: ${failures.join('; ')}`,
      'check createWorker, or pass threads: 1',
    );
  return [
    {
      code: 'no-worker',
      message: `1 thread instead of ${count + 1}: no worker started (${failures.join('; ')})`,
      fix: "let the page's Content-Security-Policy have worker-src 'self' blob:, or pass workerUrl or createWorker",
    },
  ];
}

function waysFor({ createWorker, workerUrl }: EngineOptions): Way[] {
  if (createWorker)
    return [{ name: 'createWorker', load: async () => start => asHandle(createWorker(start), start) }];
  if (nodeThreads()) return [{ name: 'worker thread', load: async () => startNodeWorker }];
  if (workerUrl) return [{ name: 'workerUrl', load: async () => startWorkerAt(workerUrl) }];
  return [
    { name: 'worker.js', load: async () => startBesideWorker },
    { name: 'inlined worker', load: loadInlinedWorker },
  ];
}

function asHandle(made: WorkerHandle | Worker | NodeWorker, start: Parameters<StartWorker>[0]): WorkerHandle {
  if ('ready' in made) return made;
  return 'once' in made ? wrapNodeWorker(made) : wrapWebWorker(made, start);
}

const notesOf = (name: string, failures: readonly string[]): Note[] =>
  failures.length === 0
    ? []
    : [
        {
          code: 'inlined-worker',
          message: `workers run from the ${name}, since its own file did not start (${failures.join('; ')})`,
          fix: 'nothing: it computes the same; pass workerUrl to name where worker.js lies',
        },
      ];

const fewer = (threads: number, wanted: number): Note => ({
  code: 'fewer-threads',
  message: `${threads} of ${wanted} threads started`,
  fix: 'pass fewer threads, or check createWorker',
});

const singleMemory = (threads: number): Note => ({
  code: 'single-memory',
  message: `memory: 'single' runs on 1 thread, not ${threads}`,
  fix: "leave `memory` out, or pass 'shared'",
});

const notIsolated = (threads: number): Note => ({
  code: 'not-isolated',
  message: `1 thread instead of ${threads}: the page is not cross-origin isolated, so memory cannot be shared`,
  fix: 'send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp with the page',
});
