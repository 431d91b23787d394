// Starts the workers of a pool in the first way that works on this platform, and adds notes about what
// failed.

import { WorkerLoad } from '../core/errors.js';
import type { Note } from '../core/note.js';
import type { EngineInfo } from '../engine/engine.js';
import type { EngineOptions } from '../engine/engineOptions.js';
import type { EngineContext } from './engineContext.js';
import { startNodeWorker, wrapNodeWorker } from './nodeWorkers.js';
import type { Pool } from './pool.js';
import {
  availableThreads,
  type NodeWorker,
  nodeThreads,
  type StartWorker,
  type WorkerHandle,
} from './transport.js';
import { loadInlinedWorker, startModuleWorker, startWorkerAt, wrapWebWorker } from './webWorkers.js';

interface StartMethod {
  name: string;
  load: () => Promise<StartWorker>;
}

/**
 * If memory is shared, starts `threads` - 1 workers, because the calling thread computes as well. Returns
 * notes about what failed.
 * @throws WorkerLoad in Node if no worker starts
 */
export async function startThreads(
  pool: Pool,
  modules: readonly WebAssembly.Module[],
  memory: 'shared' | 'single',
  threads: number,
  options: EngineOptions,
): Promise<Note[]> {
  if (memory === 'single')
    return [options.memory === 'single' ? singleMemoryNote(threads) : notIsolatedNote(threads)];
  return startWorkers(pool, modules, threads - 1, threads <= availableThreads() ? 'spin' : 'park', options);
}

/**
 * Ends the threads of an engine that was not disposed of, when its EngineContext has been garbage-collected.
 */
const contextRegistry = /* @__PURE__ */ new FinalizationRegistry<Pool>(pool => {
  void pool.dispose();
});

/** Adds a note when a thread is lost later, and ends all threads when the context is garbage-collected. */
export function watchThreads(context: EngineContext, info: EngineInfo): void {
  const { pool } = context;
  // Meshes and scenes reference the context, so the threads run while one of them is referenced, even if the
  // engine itself is not.
  contextRegistry.register(context, pool);
  pool.onLost = () => {
    info.threads = pool.threadCount;
    info.notes.push({
      code: 'lost-thread',
      message: `a worker died or did not respond in time; ${info.threads} threads are left`,
      fix: 'create a new engine to have all threads again',
    });
  };
}

async function startWorkers(
  pool: Pool,
  modules: readonly WebAssembly.Module[],
  count: number,
  idleMode: 'spin' | 'park',
  options: EngineOptions,
): Promise<Note[]> {
  const failures: string[] = [];
  for (const { name, load } of startMethodsOf(options)) {
    // A worker script that cannot be loaded counts as a worker that does not start.
    const start = await load().catch(
      (error: unknown): StartWorker =>
        () => {
          throw error;
        },
    );
    // On pages, several ways may have to be tried, so one worker is started first.
    const firstCount = nodeThreads() ? 0 : await pool.start(start, modules, 1, idleMode);
    const started =
      firstCount +
      (nodeThreads() || (firstCount > 0 && count > 1)
        ? await pool.start(start, modules, count - firstCount, idleMode)
        : 0);
    if (started > 0)
      return [
        ...notesOf(name, failures),
        ...(started < count ? [fewerThreadsNote(started + 1, count + 1)] : []),
      ];
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
      fix: "add worker-src 'self' blob: to the page's Content-Security-Policy, or pass workerUrl or createWorker",
    },
  ];
}

function startMethodsOf({ createWorker, workerUrl }: EngineOptions): StartMethod[] {
  if (createWorker)
    return [{ name: 'createWorker', load: async () => start => asHandle(createWorker(start), start) }];
  if (nodeThreads()) return [{ name: 'worker thread', load: async () => startNodeWorker }];
  if (workerUrl) return [{ name: 'workerUrl', load: async () => startWorkerAt(workerUrl) }];
  return [
    { name: 'worker.js', load: async () => startModuleWorker },
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
          message: `workers run from the ${name}, because the worker file did not start (${failures.join('; ')})`,
          fix: 'no action is required, since results are the same; or pass the URL of worker.js as workerUrl',
        },
      ];

const fewerThreadsNote = (threads: number, requested: number): Note => ({
  code: 'fewer-threads',
  message: `${threads} of ${requested} threads started`,
  fix: 'pass fewer threads, or check createWorker',
});

const singleMemoryNote = (threads: number): Note => ({
  code: 'single-memory',
  message: `memory: 'single' runs on 1 thread, not ${threads}`,
  fix: "omit `memory`, or pass 'shared'",
});

const notIsolatedNote = (threads: number): Note => ({
  code: 'not-isolated',
  message: `1 thread instead of ${threads}: the page is not cross-origin isolated, so memory cannot be shared`,
  fix: 'serve the page with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
});
