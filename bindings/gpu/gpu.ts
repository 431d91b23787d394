// WebGPU -> what it adds to an engine: its methods as promises, which go to the GPU where that is quicker.

import { Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule, StartOptions } from '../core/module.js';
import type { GpuInfo, Note } from '../core/note.js';
import { AsyncEngine } from './asyncEngine.js';
import { type SyncMethods, synchronousMethods } from './syncMethods.js';

/** The methods as promises. */
export class GpuMethods {
  /**
   * The methods as promises, answered in memory of their own: on the GPU where that is quicker, with the same
   * bytes.
   */
  readonly async: AsyncEngine;

  /** @internal */
  constructor(host: EngineHost) {
    this.async = new AsyncEngine(host);
    host.onDispose(() => this.async.dispose());
  }
}

/** What `start` needs of an engine. */
interface StartedEngine extends SyncMethods {
  async: AsyncEngine;
  info: { backend: 'wasm' | 'webgpu'; gpu?: GpuInfo; notes: Note[] };
}

function refusal(method: string): () => never {
  return () => {
    throw new Unsupported(
      `engine.${method} is synchronous, and backend is 'webgpu'`,
      `await engine.async.${method}, or leave backend out`,
    );
  };
}

async function start(engine: object, { backend = 'auto', gpu }: StartOptions): Promise<void> {
  const started = engine as StartedEngine;
  const { async, info } = started;
  const kept = synchronousMethods.map(method => [method, started[method]] as const);
  async.begin(
    Object.fromEntries(
      kept.map(([method, ask]) => [method, (...asked: unknown[]) => Reflect.apply(ask, started, asked)]),
    ) as unknown as SyncMethods,
    { backend, source: gpu as never },
    info,
  );
  if (backend !== 'webgpu') return;
  await async.ready();
  info.backend = 'webgpu';
  for (const method of synchronousMethods) Object.assign(started, { [method]: refusal(method) });
}

export const gpu: EngineModule<GpuMethods> = { makeMethods: host => new GpuMethods(host), start };
