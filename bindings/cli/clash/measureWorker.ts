// Runs in a worker: measures pairs of parts, as long as there are pairs that no other thread has taken.
import { parentPort, workerData } from 'node:worker_threads';
import type { Mesh } from '../../index.js';
import { startClashEngine } from '../clashEngine.js';
import { type MeasuredByWorker, type MeasureTask, takePair } from './measurePairs.js';

async function run({ method, meshes, pairs, counts }: MeasureTask): Promise<MeasuredByWorker[]> {
  // Other threads may have taken all pairs while this worker started.
  if (Atomics.load(counts, 0) >= pairs.length) return [];
  const engine = await startClashEngine(1, false);
  const made: Mesh[] = [];
  const meshOf = (index: number): Mesh => (made[index] ??= engine.createMesh(meshes[index]));
  const found: MeasuredByWorker[] = [];
  for (let index = takePair(counts); index < pairs.length; index = takePair(counts)) {
    const { a, b, options } = pairs[index];
    try {
      found.push({ index, result: engine[method](meshOf(a), meshOf(b), options) });
      Atomics.add(counts, 1, 1);
    } catch {
      // The thread that started this worker measures the pair again, and reports the error.
    }
  }
  return found;
}

void run(workerData as MeasureTask).then(found => parentPort!.postMessage(found));
