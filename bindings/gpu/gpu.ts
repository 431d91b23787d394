// The module `gpu` of an engine: adds `engine.async`, whose methods return promises and may use a GPU.

import { Unsupported } from '../core/errors.js';
import { checkStorage } from '../core/keyValueStorage.js';
import type { EngineHost, EngineModule, StartOptions } from '../core/module.js';
import type { GpuInfo, Note } from '../core/note.js';
import { AsyncEngine } from './asyncEngine.js';
import { type SyncMethods, syncMethodNames } from './syncMethods.js';

/** The methods that the module `gpu` adds to an engine. */
export class GpuMethods {
  /**
   * Asynchronous versions of the query methods, which return promises. With backend 'auto', they use a GPU for
   * the queries that it answers faster than the CPU; with 'webgpu', for all queries that it can run; with
   * 'wasm', they never use a GPU. The lists in their results are new arrays, which contain the same bytes
   * whether the GPU or the CPU computed them.
   */
  readonly async: AsyncEngine;

  /** @internal */
  constructor(host: EngineHost) {
    this.async = new AsyncEngine(host);
    host.onDispose(() => this.async.dispose());
  }
}

/** The properties of an engine that `start` uses. */
interface StartedEngine extends SyncMethods {
  async: AsyncEngine;
  info: { backend: 'wasm' | 'webgpu'; gpu?: GpuInfo; notes: Note[] };
}

function makeThrowingMethod(method: string): () => never {
  return () => {
    throw new Unsupported(
      `engine.${method} is synchronous, but backend is 'webgpu', which runs only asynchronous calls`,
      `await engine.async.${method}, or omit backend`,
    );
  };
}

async function start(engine: object, { backend = 'auto', gpu, storage }: StartOptions): Promise<void> {
  if (storage !== undefined) checkStorage(storage);
  const started = engine as StartedEngine;
  const { async, info } = started;
  const originals = syncMethodNames.map(method => [method, started[method]] as const);
  async.setUp(
    Object.fromEntries(
      originals.map(([method, run]) => [method, (...args: unknown[]) => Reflect.apply(run, started, args)]),
    ) as unknown as SyncMethods,
    { backend, source: gpu as never, storage },
    info,
  );
  if (backend !== 'webgpu') return;
  await async.ready();
  info.backend = 'webgpu';
  for (const method of syncMethodNames) Object.assign(started, { [method]: makeThrowingMethod(method) });
}

export const gpu: EngineModule<GpuMethods> = { makeMethods: host => new GpuMethods(host), start };
