// Makes engines with given numbers of threads, and prints the notes of each engine when it is disposed. If an
// engine has lost a thread, one of these notes says so. In this case, the rows of the engine state more threads
// than it used.

import { createEngine, type Engine } from '../../dist/index.js';
import { threadsText } from './machine.js';

export interface NamedEngine {
  name: string;
  engine: Engine;
}

/**
 * Makes one engine for each number of threads. The name of an engine states the requested number of threads,
 * even if fewer threads have started, so that no two engines have the same name.
 */
export async function createEngines(...threads: number[]): Promise<NamedEngine[]> {
  const engines: NamedEngine[] = [];
  for (const count of new Set(threads))
    engines.push({ name: threadsText(count), engine: await createEngine({ threads: count }) });
  return engines;
}

export function disposeEngines(engines: readonly NamedEngine[]): void {
  for (const { name, engine } of engines) {
    for (const { message, fix } of engine.info.notes) console.log(`  engine of ${name}: ${message}; ${fix}`);
    engine.dispose();
  }
}
