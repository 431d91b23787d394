// Measures pairs of parts. If the measurements take long, workers take over some of the pairs. Each worker has
// an engine of its own, with the meshes of its pairs. (The engine's own threads would not help, since most of the
// time is spent in JavaScript.)
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { type Part, placementsOf } from '../../formats/part.js';
import type {
  Classification,
  ClassifyOptions,
  DoubleMeshData,
  MeasuredPenetration,
  Mesh,
  MeshData,
} from '../../index.js';
import type { ClashEngine } from '../clashEngine.js';
import { exactMeshOf } from '../findClashes.js';

/** The methods of an engine that measure a pair, and their results, which contain only plain data. */
interface Results {
  classify: Classification;
  penetration: MeasuredPenetration;
}
type Method = keyof Results;
/** The placements, the limits and the figures to measure. */
type Options = ClassifyOptions & { overlapDepth: true };

/** A pair of parts a, b (indices of parts). */
export interface MeasuredPair {
  a: number;
  b: number;
  options: Options;
}

/** The parts of a model, and the mesh of each part, created by the engine that measures. */
export interface MeasuredModel {
  parts: readonly Part[];
  meshes: readonly Mesh[];
}

/** Returns pairs of parts with their placements and the same further options. */
export const placedPairs = (
  parts: readonly Part[],
  pairs: readonly { a: number; b: number }[],
  options: Omit<Options, 'transformA' | 'transformB'>,
): MeasuredPair[] =>
  pairs.map(({ a, b }) => ({ a, b, options: { ...placementsOf(parts[a], parts[b]), ...options } }));

/** Input of a worker. */
export interface MeasureTask {
  method: Method;
  /** The meshes of the pairs, in shared memory. */
  meshes: readonly (MeshData | DoubleMeshData)[];
  /** a, b: indices of `meshes`. */
  pairs: readonly { a: number; b: number; options: Options }[];
  /** Two numbers: how many pairs are taken, and how many are measured. */
  counts: Int32Array;
}

/** A pair that a worker has measured. */
export interface MeasuredByWorker {
  index: number;
  result: unknown;
}

/**
 * The calling thread measures alone for this long, and then estimates how long the other pairs would take. A
 * worker pays for WORKER_MILLISECONDS: until then, it starts, and its code is compiled.
 */
const ALONE_MILLISECONDS = 500;
const WORKER_MILLISECONDS = 2000;
/**
 * Workers are not started if the vertices and triangles of their meshes together would need more than this many
 * bytes. Each worker has its own copy, and a tree that is about as large.
 */
const MAX_BYTES = 2 ** 30;
const SHOW_MILLISECONDS = 100;

/**
 * Measures each pair with a method of the engine.
 *
 * @param onMeasured - Called once for each measured pair, possibly later.
 * @param limits - When workers start: see ALONE_MILLISECONDS and WORKER_MILLISECONDS.
 * @returns The results, in the order of the pairs. They do not depend on the number of threads.
 * @throws Errors of the engine: that of the first pair that cannot be measured.
 */
export async function measurePairs<M extends Method>(
  engine: ClashEngine,
  method: M,
  model: MeasuredModel,
  pairs: readonly MeasuredPair[],
  onMeasured: () => void,
  { alone = ALONE_MILLISECONDS, perWorker = WORKER_MILLISECONDS } = {},
): Promise<Results[M][]> {
  const results: (Results[M] | undefined)[] = pairs.map(() => undefined);
  const measure = (index: number): void => {
    const { a, b, options } = pairs[index];
    results[index] = engine[method](model.meshes[a], model.meshes[b], options) as Results[M];
  };
  const startedAt = performance.now();
  let first = 0;
  for (; first < pairs.length && performance.now() - startedAt < alone; first++) {
    measure(first);
    onMeasured();
  }
  const rest = pairs.slice(first);
  const expected = ((performance.now() - startedAt) / Math.max(1, first)) * rest.length;
  // With n threads, workers save (n - 1) / n of the expected time.
  const threads = Math.min(engine.info.threads, availableParallelism(), rest.length);
  const isLong = threads > 1 && expected * (threads - 1) >= perWorker * threads;
  const task = isLong ? makeTask(method, model, rest, threads - 1) : undefined;
  let shown = 0;
  const show = (count: number): void => {
    for (; shown < count; shown++) onMeasured();
  };
  if (task) {
    const { counts } = task;
    const helpers = new Helpers(task, threads - 1);
    try {
      for (let index = takePair(counts); index < rest.length; index = takePair(counts)) {
        try {
          measure(first + index);
          Atomics.add(counts, 1, 1);
        } catch {
          // The pair is measured again below, in order. Until then, no thread takes further pairs.
          Atomics.store(counts, 0, rest.length);
        }
        show(Atomics.load(counts, 1));
      }
      for (const { index, result } of await helpers.finish(() => show(Atomics.load(counts, 1))))
        results[first + index] = result as Results[M];
    } finally {
      await helpers.terminate();
    }
  }
  // Without workers, these are all other pairs. Otherwise, these are the pairs that a thread could not measure.
  // The first of them that still cannot be measured throws its error.
  for (let index = first; index < pairs.length; index++) {
    if (results[index] !== undefined) continue;
    measure(index);
    if (!task) show(shown + 1);
  }
  show(rest.length);
  return results as Results[M][];
}

/** Takes the next pair. Returns its index, which may be after the last pair. */
export const takePair = (counts: Int32Array): number => Atomics.add(counts, 0, 1);

// Returns the input of the workers; undefined if their meshes would need too much memory.
function makeTask(
  method: Method,
  { parts, meshes }: MeasuredModel,
  pairs: readonly MeasuredPair[],
  workerCount: number,
): MeasureTask | undefined {
  const indexOf = new Map<Mesh, number>();
  const shared: MeshData[] = [];
  let bytes = 0;
  const shareMesh = (part: number): number => {
    const known = indexOf.get(meshes[part]);
    if (known !== undefined) return known;
    const { positions, indices } = exactMeshOf(parts[part]) as MeshData & { indices: Uint32Array };
    bytes += positions.byteLength + indices.byteLength;
    if (workerCount * bytes <= MAX_BYTES)
      shared.push({ positions: inSharedMemory(positions), indices: inSharedMemory(indices) });
    indexOf.set(meshes[part], shared.length - 1);
    return shared.length - 1;
  };
  const sharedPairs = pairs.map(({ a, b, options }) => ({ a: shareMesh(a), b: shareMesh(b), options }));
  if (workerCount * bytes > MAX_BYTES) return undefined;
  return { method, meshes: shared, pairs: sharedPairs, counts: new Int32Array(new SharedArrayBuffer(8)) };
}

function inSharedMemory<Numbers extends Float32Array | Float64Array | Uint32Array>(
  numbers: Numbers,
): Numbers {
  const Type = numbers.constructor as new (buffer: SharedArrayBuffer) => Numbers;
  const shared = new Type(new SharedArrayBuffer(numbers.byteLength));
  shared.set(numbers);
  return shared;
}

/** The workers of a task. */
class Helpers {
  readonly #workers: Worker[] = [];
  readonly #ends: Promise<MeasuredByWorker[]>[] = [];

  constructor(task: MeasureTask, count: number) {
    for (let i = 0; i < count; i++) {
      let worker: Worker;
      try {
        worker = new Worker(new URL('./measureWorker.js', import.meta.url), { workerData: task });
      } catch {
        // The system has no thread left, so the other threads measure all pairs.
        return;
      }
      this.#workers.push(worker);
      this.#ends.push(
        new Promise(resolve => {
          worker.once('message', resolve);
          // The pairs of a worker that fails, for example because memory is full, are measured again.
          worker.once('error', () => resolve([]));
          worker.once('exit', () => resolve([]));
        }),
      );
    }
  }

  /** Waits until the workers have measured the pairs that they took. Calls `onWait` from time to time. */
  async finish(onWait: () => void): Promise<MeasuredByWorker[]> {
    const timer = setInterval(onWait, SHOW_MILLISECONDS);
    try {
      return (await Promise.all(this.#ends)).flat();
    } finally {
      clearInterval(timer);
    }
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.terminate()));
  }
}
