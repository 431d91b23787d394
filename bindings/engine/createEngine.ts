// Creates an engine: reserves memory, compiles kernels and starts workers. Adds a note to `info.notes` for
// each resource that is unavailable.

import { checkValue, copyOptions, oneOf, rejectExtraArgument } from '../core/checkOptions.js';
import { missingModule } from '../core/errors.js';
import type { Note } from '../core/note.js';
import { QUERY, type QueryOptions } from '../core/queryOptions.js';
import {
  BoxPairs,
  copyPrototype,
  ManyTrianglePairs,
  type PairsCopy,
  TrianglePairs,
} from '../core/results.js';
import { Mesh, type MeshData } from '../mesh/mesh.js';
import { type EngineContext, type KernelContext, writePackTable } from '../runtime/engineContext.js';
import { Arena, PAGE_BYTES, reserveMemory } from '../runtime/memory.js';
import { Pool } from '../runtime/pool.js';
import { availableThreads, canBlock, canShareMemory } from '../runtime/transport.js';
import { type Compiled, compileKernels, type InlinedKernels } from '../runtime/wasm.js';
import { CoreEngine, type Engine, type EngineInfo } from './engine.js';
import { customKernelsOf, ENGINE, type EngineOptions, type WasmFile } from './engineOptions.js';
import { type AnyModule, loadModule, moduleNames, withDependencies } from './modules.js';
import type { ModuleName } from './moduleTable.js';
import { nameLength, wasmGzipBase64 } from '../wasm/pfront.wasm.js';

/**
 * An engine is warmed up only if its maximum memory has at least this many pages. An engine with less memory is
 * made for small inputs.
 */
const MIN_WARM_UP_PAGES = 1024;

/**
 * Creates an engine. If `modules` are given, the engine has only the core methods and the methods of these
 * modules. `info.notes` lists what is unavailable (threads, shared memory, a GPU).
 * @throws Unsupported for unknown or invalid options, WorkerLoad, Capacity
 */
export async function createEngine<const Modules extends readonly ModuleName[] = readonly ModuleName[]>(
  options: EngineOptions & { modules?: Modules } = {},
): Promise<Engine<Modules[number]>> {
  rejectExtraArgument(arguments[1], 'createEngine(options)');
  return (await startEngine(copyOptions(ENGINE, options))) as Engine<Modules[number]>;
}

/** Creates an engine from checked options. extra: modules that are not part of the package. @internal */
export async function startEngine(options: EngineOptions, ...extra: AnyModule[]): Promise<CoreEngine> {
  const names = withDependencies(options.modules ?? moduleNames);
  if (!names.includes('gpu')) rejectGpuOptions(options);
  const threads =
    options.threads === undefined || options.threads === 'auto' ? availableThreads() : options.threads;
  const isShared = options.memory !== 'single' && canShareMemory();
  const kind = isShared && (threads > 1 || options.memory === 'shared') ? 'shared' : 'single';
  const { memory, maximumPages } = reserveMemory(kind, options.maximumMemoryBytes);
  const arena = new Arena(memory, maximumPages);
  const [{ printCore }, { instantiateKernels }, core, ...loaded] = await Promise.all([
    import('../core/printCore.js'),
    import('../runtime/instantiate.js'),
    compile('pfront', { nameLength, wasmGzipBase64 }, kind, options),
    ...names.map(name => loadWithKernels(name, kind, options)),
    ...extra.map(async module => ({
      name: undefined,
      module,
      compiled: module.inlined && (await compileKernels(module.inlined, kind)),
    })),
  ]);
  printCore(CoreEngine, Mesh, TrianglePairs, ManyTrianglePairs, BoxPairs, copyPrototype);
  const files = [core, ...loaded.flatMap(({ compiled }) => compiled ?? [])];
  const kernels = files.map(({ module }) => module);
  const modules = new Map(loaded.map(({ name, module }) => [name as ModuleName, module]));
  const pool = new Pool(instantiateKernels(kernels, memory), arena, threads, canBlock());
  const machine: KernelContext = { arena, pool, packTableAt: writePackTable(arena) };
  const context: EngineContext = {
    ...machine,
    extensions: Object.assign({}, ...loaded.map(({ module }) => module.extend?.(machine))),
  };
  const notes: Note[] = files.flatMap(({ note }) => note ?? []);
  const workers = threads > 1 ? await import('../runtime/startWorkers.js') : undefined;
  if (workers) notes.push(...(await workers.startThreads(pool, kernels, kind, threads, options)));
  const info: EngineInfo = {
    backend: 'wasm',
    threads: pool.threadCount,
    memory: kind,
    maximumMemoryBytes: maximumPages * PAGE_BYTES,
    notes,
  };
  workers?.watchThreads(context, info);
  try {
    const engine = new CoreEngine(context, info, modules, options.initialPairCapacity);
    const isWarm = options.warmUp !== 'off' && maximumPages >= MIN_WARM_UP_PAGES;
    if (isWarm) (await import('../runtime/warmUp.js')).warmUp(engine);
    for (const module of modules.values()) {
      if (isWarm) module.warmUp?.(engine);
      await module.start?.(engine, options);
    }
    return engine;
  } catch (error) {
    await pool.dispose();
    throw error;
  }
}

// Rejects the options that only the module 'gpu' reads. @throws Unsupported
function rejectGpuOptions({ backend, gpu, storage }: EngineOptions): void {
  const name = backend === 'webgpu' ? "backend: 'webgpu'" : gpu ? 'gpu' : storage && 'storage';
  if (name) throw missingModule(name, 'gpu');
}

// Compiles a kernel file. The user may provide a copy of the file, but this is rare. So the code that loads
// such a copy is imported only if there is one.
async function compile(
  file: WasmFile,
  inlined: InlinedKernels,
  kind: 'shared' | 'single',
  options: EngineOptions,
): Promise<Compiled> {
  const own = customKernelsOf(file, options);
  return own.wasmUrl || own.wasmModule
    ? (await import('../runtime/customKernels.js')).compileCustomKernels(inlined, kind, own)
    : compileKernels(inlined, kind);
}

async function loadWithKernels(name: ModuleName, kind: 'shared' | 'single', options: EngineOptions) {
  const module = await loadModule(name);
  return {
    name,
    module,
    compiled: module.inlined && (await compile(name, module.inlined, kind, options)),
  };
}

/**
 * Returns the intersecting triangle pairs of two meshes, in new arrays. Creates an engine for this call only.
 * Source: the papers and books that the method `query` names.
 * @throws as createEngine, createMesh and query
 */
export async function collide(
  a: MeshData,
  b: MeshData,
  options: Omit<QueryOptions, 'want'> & { want?: 'pairs' } = {},
): Promise<PairsCopy> {
  rejectExtraArgument(arguments[3], 'collide(a, b, options)');
  const queryOptions = copyOptions(QUERY, options);
  checkValue('want', queryOptions.want, oneOf('pairs'));
  const engine = await createEngine({ warmUp: 'off', modules: [] });
  try {
    return engine.query(engine.createMesh(a), engine.createMesh(b), queryOptions as { want: 'pairs' }).copy();
  } finally {
    engine.dispose();
  }
}
