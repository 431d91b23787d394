// Options -> an engine: memory reserved, kernels compiled, workers started; what could not be had is noted.
import { writePackTable, type Backend } from './backend.js';
import { Engine, type EngineInfo, type Note } from './engine.js';
import { WorkerLoad } from './errors.js';
import { Arena, PAGE_BYTES, reserveMemory } from './memory.js';
import type { MeshData } from './mesh.js';
import { checkEngineOptions, type EngineOptions, type QueryOptions } from './options.js';
import { Pool } from './pool.js';
import type { PairsCopy } from './results.js';
import { availableThreads, startNodeWorker } from './transport.js';
import { warmUp } from './warmUp.js';
import { compileKernels, instantiateKernels } from './wasm.js';

/** An engine of less memory is for small work: none of it is lent to warming up. */
const WARM_UP_PAGES = 1024;

/** Starts an engine. @throws Unsupported for options that do not exist, WorkerLoad, Capacity */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  checkEngineOptions(options);
  const cores = availableThreads();
  const threads = options.threads === undefined || options.threads === 'auto' ? cores : options.threads;
  const kind = options.memory === 'single' || (threads === 1 && options.memory !== 'shared') ? 'single' : 'shared';
  const { memory, maximumPages } = reserveMemory(kind, options.maximumMemoryBytes);
  const arena = new Arena(memory, maximumPages);
  const module = await compileKernels(kind);
  const pool = new Pool(instantiateKernels(module, memory), arena, threads - 1, true);
  const backend: Backend = { arena, pool, packTableAt: writePackTable(arena) };
  const notes: Note[] = [];
  if (kind === 'single' && threads > 1) {
    notes.push({ code: 'single-memory', message: `memory: 'single' runs on 1 thread, not ${threads}`, fix: "leave `memory` out, or pass 'shared'" });
  } else if (threads > 1) {
    const started = await pool.start(options.createWorker ?? startNodeWorker, module, threads - 1, threads <= cores ? 'spin' : 'park');
    if (started === 0) {
      throw new WorkerLoad(`none of ${threads - 1} workers started within 3 s${pool.startError ? `: ${String(pool.startError)}` : ''}`, 'check createWorker, or pass threads: 1');
    }
    if (started < threads - 1) notes.push({ code: 'fewer-threads', message: `${started + 1} of ${threads} threads started`, fix: 'pass fewer threads, or check createWorker' });
  }
  const info: EngineInfo = { backend: 'wasm', threads: pool.threadCount, memory: kind, maximumMemoryBytes: maximumPages * PAGE_BYTES, gpu: undefined, notes };
  pool.onLost = () => {
    info.threads = pool.threadCount;
    notes.push({ code: 'lost-thread', message: `a worker died or did not answer in time; ${info.threads} threads are left`, fix: 'create a new engine to have all threads again' });
  };
  try {
    const engine = new Engine(backend, info, options.initialPairCapacity);
    if (options.warmUp !== 'off' && maximumPages >= WARM_UP_PAGES) warmUp(engine);
    return engine;
  } catch (error) {
    await pool.dispose();
    throw error;
  }
}

/** One line, no set-up: the intersecting triangle pairs of two meshes in their own memory. @throws as query and createMesh */
export async function collide(a: MeshData, b: MeshData, options: QueryOptions = {}): Promise<PairsCopy> {
  const engine = await createEngine({ warmUp: 'off' });
  try {
    return engine.query(engine.createMesh(a), engine.createMesh(b), { ...options, want: 'pairs' }).copy();
  } finally {
    engine.dispose();
  }
}
