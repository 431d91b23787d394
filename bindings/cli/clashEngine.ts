// Starts the engine of `pfront clash`. The engine loads only the modules that the search uses.
import { createEngine, type Engine, type EngineOptions } from '../index.js';

const MODULES = ['scenes', 'proximity'] as const;

/** An engine with at least the modules that every search of `pfront clash` uses. */
export type ClashEngine = Engine<(typeof MODULES)[number]>;

/**
 * Starts an engine. The engine is not warmed up, because the command searches only once.
 *
 * @param threads - See `EngineOptions`.
 * @param moves - Whether parts move. If so, the engine also loads the module `continuous`.
 * @throws The errors of `createEngine`.
 */
export const startClashEngine = (threads: EngineOptions['threads'], moves: boolean): Promise<ClashEngine> =>
  createEngine({ warmUp: 'off', threads, modules: moves ? [...MODULES, 'continuous'] : MODULES });
