// Makes an EngineContext (memory and threads) without an engine, for tests of kernels and of internal
// classes.

import { writeMesh } from '../../dist/mesh/serialize.js';
import { type EngineContext, type KernelContext, writePackTable } from '../../dist/runtime/engineContext.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { Arena, reserveMemory } from '../../dist/runtime/memory.js';
import { startNodeWorker } from '../../dist/runtime/nodeWorkers.js';
import { Pool } from '../../dist/runtime/pool.js';
import { startMore } from '../../dist/runtime/startWorkers.js';
import { compileAll } from './kernels.js';

export interface TestContext extends EngineContext {
  close(): Promise<void>;
}

// threadCount: number of threads, including the calling thread. maximumPages: max memory, in pages of 64 KiB.
export async function makeTestContext(threadCount = 1, maximumPages?: number): Promise<TestContext> {
  const { memory, maximumPages: pages } = reserveMemory(
    'shared',
    maximumPages === undefined ? undefined : maximumPages * 65536,
  );
  const arena = new Arena(memory, pages);
  const modules = await compileAll();
  const pool = new Pool(instantiateKernels(modules, memory), arena, threadCount, true);
  if (threadCount > 1) await startMore(pool, startNodeWorker, modules, threadCount - 1, 'spin', []);
  const machine: KernelContext = { arena, pool, packTableAt: writePackTable(arena) };
  const context: EngineContext = {
    ...machine,
    extensions: { writeMesh: (recordAt, making) => writeMesh(machine, recordAt, making) },
  };
  return { ...context, close: () => pool.dispose() };
}
