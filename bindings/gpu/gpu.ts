// WebGPU -> what it adds to an engine: its verbs as promises, which go to the GPU where that is quicker.

import { Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule, StartOptions } from '../core/module.js';
import type { GpuInfo, Note } from '../core/note.js';
import { AsyncEngine } from './asyncEngine.js';
import { type SyncVerbs, synchronousVerbs } from './syncVerbs.js';

/** The verbs as promises. */
export class GpuVerbs {
  /**
   * The verbs as promises, answered in memory of their own: on the GPU where that is quicker, with the same
   * bytes.
   */
  readonly async: AsyncEngine;

  /** @internal */
  constructor(host: EngineHost) {
    this.async = new AsyncEngine(host);
    host.atEnd(() => this.async.dispose());
  }
}

/** What `start` needs of an engine. */
interface StartedEngine extends SyncVerbs {
  async: AsyncEngine;
  info: { backend: 'wasm' | 'webgpu'; gpu?: GpuInfo; notes: Note[] };
}

function refusal(verb: string): () => never {
  return () => {
    throw new Unsupported(
      `engine.${verb} is synchronous, and backend is 'webgpu'`,
      `await engine.async.${verb}, or leave backend out`,
    );
  };
}

async function start(engine: object, { backend = 'auto', gpu }: StartOptions): Promise<void> {
  const started = engine as StartedEngine;
  const { async, info } = started;
  const kept = synchronousVerbs.map(verb => [verb, started[verb]] as const);
  async.begin(
    Object.fromEntries(
      kept.map(([verb, ask]) => [verb, (...asked: unknown[]) => Reflect.apply(ask, started, asked)]),
    ) as unknown as SyncVerbs,
    { backend, source: gpu as never },
    info,
  );
  if (backend !== 'webgpu') return;
  await async.ready();
  info.backend = 'webgpu';
  for (const verb of synchronousVerbs) Object.assign(started, { [verb]: refusal(verb) });
}

export const gpu: EngineModule<GpuVerbs> = { makeVerbs: host => new GpuVerbs(host), start };
