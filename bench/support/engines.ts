// Makes engines by number of threads, and prints each one's notes at the end: if an engine lost a thread, its
// rows claim more threads than were measured.

import { createEngine, type Engine } from '../../dist/index.js';
import { threadsText } from './machine.js';

export interface NamedEngine {
  name: string;
  engine: Engine;
}

/** Names state the requested number of threads, so that no two rows have the same name. */
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
