// Starts the workers of a pool in the first way that works on this platform, and returns notes about the ways
// that failed. In Node, also replaces workers that are late or lost.

import { WorkerLoad } from '../core/errors.js';
import type { Note } from '../core/note.js';
import type { EngineInfo } from '../engine/engine.js';
import type { EngineOptions } from '../engine/engineOptions.js';
import { CallThreads } from './callThreads.js';
import type { EngineContext } from './engineContext.js';
import { startNodeWorker, wrapNodeWorker } from './nodeWorkers.js';
import type { Pool } from './pool.js';
import { PoolWorker } from './poolWorker.js';
import {
  availableThreads,
  type NodeWorker,
  nodeThreads,
  type StartWorker,
  type WorkerHandle,
} from './transport.js';
import { loadInlinedWorker, startModuleWorker, startWorkerAt, wrapWebWorker } from './webWorkers.js';

/**
 * Time limits for the start of workers. They are long, because the cores may be busy. If `count` workers start
 * together, the first one must be ready within (count + 2) * START_MILLISECONDS. Whenever a worker becomes
 * ready, the others have NEXT_MILLISECONDS from then on. WAIT_STEP: the interval between checks, in
 * milliseconds.
 */
const START_MILLISECONDS = 3000;
const NEXT_MILLISECONDS = 6000;
const WAIT_STEP = 50;
/** If this many workers in a row ended before they noticed an order, no more workers are started. */
const MAX_FAILED_STARTS = 8;

interface StartMethod {
  name: string;
  load: () => Promise<StartWorker>;
}

/**
 * If memory is shared, starts `threads` - 1 workers, because the calling thread computes as well. Returns
 * notes for the user if there are fewer threads than requested or if a way to start workers failed.
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
  // If the user passes a number of threads, every call uses all of them. Otherwise, CallThreads decides for
  // each call whether it uses all threads.
  if (options.threads === undefined || options.threads === 'auto') new CallThreads().attach(pool);
  return startWorkers(pool, modules, threads - 1, threads <= availableThreads() ? 'spin' : 'park', options);
}

/**
 * Ends the threads of an engine that was not disposed of, when its EngineContext has been garbage-collected.
 */
const contextRegistry = /* @__PURE__ */ new FinalizationRegistry<Pool>(pool => {
  void pool.dispose();
});

/** Holds the function that replaces an engine's workers, so that it lives as long as the engine's context. */
const replacers = /* @__PURE__ */ new WeakMap<EngineContext, () => void>();

/**
 * From now on, updates `info.threads` and adds a note whenever a thread is lost or replaced. Ends all threads
 * when the context is garbage-collected.
 */
export function watchThreads(context: EngineContext, info: EngineInfo): void {
  const { pool } = context;
  // Meshes and scenes reference the context, so the threads run while a mesh or a scene is referenced, even
  // if the engine itself is not. A pool without workers is not registered, because it has no thread to end.
  // Registering it would leak the engine: the registry keeps the pool alive, and if memory is 'single', the
  // pool's arena references the engine (onGrow).
  if (pool.runningCount > 1) contextRegistry.register(context, pool);
  // The registry keeps the pool alive. The user's createWorker may reference the engine, so the pool has only a
  // weak reference to the function that calls createWorker. A strong one would keep the engine alive forever.
  const { onMissing } = pool;
  const weak = new WeakRef(onMissing);
  replacers.set(context, onMissing);
  pool.onMissing = () => {
    weak.deref()?.();
    info.threads = Math.max(info.threads, pool.runningCount);
  };
  const replaced = replacedThreadNote();
  let replacedCount = 0;
  pool.onLost = () => {
    const before = info.threads;
    // Late workers may serve again.
    const left = pool.workers.filter(({ state }) => state === 'serving' || state === 'late').length + 1;
    info.threads = Math.min(left, pool.wantedThreads);
    if (info.threads < before)
      info.notes.push({
        code: 'lost-thread',
        message: `a worker died or did not respond in time; threads left: ${info.threads}`,
        fix: 'create a new engine to use all threads again',
      });
    else {
      // Any number of workers may be replaced, so they share one note.
      if (replacedCount++ === 0) info.notes.push(replaced);
      replaced.message = `workers that died or did not respond in time and were replaced: ${replacedCount}`;
    }
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
    const errors: unknown[] = [];
    const begin = (more: number): Promise<number> => startMore(pool, start, modules, more, idleMode, errors);
    // On pages, several ways to start workers may have to be tried, so each way first starts only one worker.
    const firstCount = nodeThreads() ? 0 : await begin(1);
    const started =
      firstCount + (nodeThreads() || (firstCount > 0 && count > 1) ? await begin(count - firstCount) : 0);
    if (started > 0) {
      if (nodeThreads()) replaceMissing(pool, start, modules, idleMode);
      return [...notesOf(failures), ...(started < count ? [fewerThreadsNote(started + 1, count + 1)] : [])];
    }
    const [error = 'no answer in time'] = errors;
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (nodeThreads())
    throw new WorkerLoad(
      `none of ${count} workers started: ${failures.join('; ')}`,
      'pass threads: 1; if you pass createWorker, check that the workers it returns start',
    );
  return [
    {
      code: 'no-worker',
      message: `1 thread instead of ${count + 1}: no worker started (${failures.join('; ')})`,
      fix: "add worker-src 'self' blob: to the page's Content-Security-Policy, or pass workerUrl or createWorker",
    },
  ];
}

/**
 * Starts `count` more workers, and returns how many of them were ready in time. If a worker fails, its error
 * is appended to `errors`.
 */
export async function startMore(
  pool: Pool,
  start: StartWorker,
  modules: readonly WebAssembly.Module[],
  count: number,
  idleMode: 'spin' | 'park',
  errors: unknown[],
): Promise<number> {
  const added = Array.from(
    { length: count },
    () => new PoolWorker(pool, data => tryStart(start, { modules, ...data }), idleMode),
  );
  let limit = (count + 2) * START_MILLISECONDS;
  const admitted = await Promise.all(
    added.map(async worker => {
      try {
        const waited = await waitWhile(worker.handle.ready, waited => waited < limit);
        if (waited !== undefined) limit = waited + NEXT_MILLISECONDS;
        return worker.admit(waited !== undefined);
      } catch (error) {
        errors.push(error);
        return worker.admit(false);
      }
    }),
  );
  return admitted.filter(Boolean).length;
}

/**
 * Lets a pool start another worker whenever one is late or lost. The new worker gets orders at once. This is
 * safe: in Node, a thread can start even while the calling thread is blocked, and the caller takes back orders
 * that the worker has not begun. The number of workers, including lost ones whose threads have not ended, is
 * at most twice the pool's initial number of threads.
 */
function replaceMissing(
  pool: Pool,
  start: StartWorker,
  modules: readonly WebAssembly.Module[],
  idleMode: 'spin' | 'park',
): void {
  const maxWorkers = 2 * pool.runningCount;
  pool.onMissing = () => {
    try {
      while (
        pool.runningCount < pool.wantedThreads &&
        pool.workers.length < maxWorkers &&
        pool.failedStarts < MAX_FAILED_STARTS
      ) {
        const worker = new PoolWorker(pool, data => start({ modules, ...data }), idleMode);
        worker.serve();
      }
    } catch {
      // Memory is full or createWorker throws: the remaining threads do the work.
    }
  };
}

// Starts a worker. If the user's createWorker throws, returns a handle whose `ready` rejects with the error.
function tryStart(start: StartWorker, init: Parameters<StartWorker>[0]): WorkerHandle {
  try {
    return start(init);
  } catch (error) {
    return { ready: Promise.reject(error), onExit: listener => listener(), terminate: async () => {} };
  }
}

// Returns how many milliseconds passed until the promise was fulfilled, in whole steps, or undefined if this
// took too long; rejects if the promise rejects. Waits in short steps, so that messages that arrived while this
// thread was busy are processed before the time is up.
async function waitWhile(
  promise: Promise<void>,
  isWorthWaiting: (waited: number) => boolean,
): Promise<number | undefined> {
  for (let waited = 0; isWorthWaiting(waited); waited += WAIT_STEP) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), WAIT_STEP);
    });
    try {
      if (await Promise.race([promise.then(() => true), late])) return waited;
    } finally {
      clearTimeout(timer);
    }
  }
  return undefined;
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

const notesOf = (failures: readonly string[]): Note[] =>
  failures.length === 0
    ? []
    : [
        {
          code: 'inlined-worker',
          message: `workers run the inlined worker script, because no worker started from the file of the script (${failures.join('; ')})`,
          fix: 'no action is required, since results are the same; to avoid this note, pass the URL of worker.js as workerUrl',
        },
      ];

const fewerThreadsNote = (threads: number, requested: number): Note => ({
  code: 'fewer-threads',
  message: `${threads} of ${requested} threads started`,
  fix: 'pass fewer threads; if you pass createWorker, check that all workers it returns start',
});

const replacedThreadNote = (): Note => ({
  code: 'replaced-thread',
  message: '',
  fix: 'no action is required, since results are the same; if many workers are replaced, find out why they die or hang',
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
