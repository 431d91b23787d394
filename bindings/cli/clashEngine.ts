// Starts the engine of `pfront clash`, which loads only the modules that the command uses.
import { createEngine, type Engine, type EngineOptions } from '../index.js';

const MODULES = ['scenes', 'continuous', 'proximity'] as const;

/** An engine with at least the modules that `pfront clash` uses. */
export type ClashEngine = Engine<(typeof MODULES)[number]>;

/**
 * Starts an engine. threads: see `EngineOptions`. It is not warmed up, because the command searches once.
 * @throws as `createEngine`
 */
export const startClashEngine = (threads: EngineOptions['threads']): Promise<ClashEngine> =>
  createEngine({ warmUp: 'off', threads, modules: MODULES });
