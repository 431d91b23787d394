// Runs fixed scenes on mutants, in a worker thread, and compares the results with those of correct code. The
// scenes are those of the suite `determinism`, and random calls of the suite `soak`, on engines with one thread
// and with three threads.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { WasmFile } from '../../dist/engine/engineOptions.js';
import { createEngine, type Engine } from '../../dist/index.js';
import * as samples from '../../dist/samples/index.js';
import { runBlock } from '../soak/calls.js';
import { countKernels, hashOf, queryNames, runQueries } from '../support/answers.js';
import { contextOf } from '../support/engines.js';
import type { Outcome, SceneMutant, SceneReference } from './mutant.js';

/**
 * correct: the kernel files without errors. engineWorker: the path of the script that threads of an engine run;
 * its scripts have no errors. references: if missing, the worker computes them with correct code.
 * progress: two numbers. The first one increases before an engine is created for a mutant and before each of
 * the mutant's scenes; the time limit applies to each of these steps. The second one is the number of the
 * current mutant.
 */
export interface SceneTask {
  correct: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  engineWorker: string;
  mutants: readonly SceneMutant[];
  references?: readonly SceneReference[];
  progress: Int32Array;
}

/** Messages of the worker: the outcome of a mutant, or the references as the last message. */
export type SceneMessage = { index: number; outcome: Outcome } | { references: readonly SceneReference[] };

/** Numbers of blocks of random calls, by the number of threads of the engine. */
const RANDOM_BLOCKS: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [3, 4],
]);
const MEMORY_BYTES = 2 ** 30;

interface Scene {
  threads: number;
  /** Runs the scene. note: called with the name and the hash of each result. */
  run(engine: Engine, note: (name: string, hash: string) => void): void | Promise<void>;
}

const scenes = new Map<string, Scene>();
for (const [threads, blocks] of RANDOM_BLOCKS) {
  for (const name of queryNames)
    scenes.set(`${name}, threads: ${threads}`, {
      threads,
      run: (engine, note) =>
        runQueries(name, engine, samples, (result, ...arrays) => note(result, hashOf(...arrays))),
    });
  for (let block = 0; block < blocks; block++)
    scenes.set(`random calls, block ${block}, threads: ${threads}`, {
      threads,
      run: (engine, note) => note('all calls', runBlock(engine, 1, block).hash),
    });
}

/**
 * What the instrumented scripts read and write: the number of the active script mutant, and how often the
 * changed code of each script mutant ran. The package @stryker-mutator/instrumenter chose the names.
 */
interface Instrumented {
  activeMutant?: string;
  mutantCoverage?: { static: Record<string, number> };
}
const instrumented: Instrumented = ((globalThis as { __stryker__?: Instrumented }).__stryker__ ??= {});

class Different extends Error {}

const startEngine = (
  threads: number,
  wasmModule: Partial<Record<WasmFile, WebAssembly.Module>>,
): Promise<Engine> =>
  createEngine({
    threads,
    memory: 'shared',
    warmUp: 'off',
    createWorker: start => new Worker(task.engineWorker, { workerData: start, execArgv: [] }),
    maximumMemoryBytes: MEMORY_BYTES,
    wasmModule,
  });

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function referenceOf(
  name: string,
  modules: Record<string, WebAssembly.Module>,
): Promise<SceneReference> {
  if (instrumented.mutantCoverage) instrumented.mutantCoverage.static = {};
  const { threads, run } = scenes.get(name)!;
  const engine = await startEngine(threads, modules);
  const kernels = countKernels(contextOf(engine) as never);
  const notes: [string, string][] = [];
  const before = cpuSeconds();
  await run(engine, (...note) => notes.push(note));
  const seconds = cpuSeconds() - before;
  engine.dispose();
  const scripts = Object.keys(instrumented.mutantCoverage?.static ?? {});
  return { name, notes, kernels: [...kernels], scripts, seconds };
}

function outcomeOf(error: unknown, scene: string): Outcome {
  const { message, code } = error as { message: string; code?: string };
  const by = `${scene}: ${String(message).split('\n')[0].slice(0, 120)}`;
  if (error instanceof Different) return { status: 'wrong result', by };
  // Errors of the random calls are wrapped, with the original error as their cause.
  const cause = (error as { cause?: { code?: string } }).cause;
  // One scene calls a kernel directly, so if this kernel traps, the error is a WebAssembly.RuntimeError.
  const isTrap = error instanceof WebAssembly.RuntimeError || [code, cause?.code].includes('Internal');
  return { status: isTrap ? 'trap' : 'error', by };
}

async function runScene(engine: Engine, { name, notes }: SceneReference): Promise<void> {
  let next = 0;
  await scenes.get(name)!.run(engine, (result, hash) => {
    const [expectedResult, expectedHash] = notes[next++] ?? [];
    if (result !== expectedResult || hash !== expectedHash) throw new Different(`${result} differs`);
  });
  if (next < notes.length) throw new Different(`${notes[next][0]} is missing`);
}

/**
 * Runs the scenes of a mutant until one of them fails: first those with one thread, the shortest first. onScene:
 * called before an engine is created, and before each scene.
 */
async function run(
  { wasm, script, scenes: names }: SceneMutant,
  modules: Record<string, WebAssembly.Module>,
  references: readonly SceneReference[],
  onScene: () => void,
): Promise<Outcome> {
  const engines = new Map<number, Engine>();
  let now = 'createEngine';
  try {
    const own = { ...modules };
    if (wasm) {
      const bytes = task.correct[wasm.file].slice();
      bytes.set(wasm.bytes, wasm.at);
      own[wasm.file] = await WebAssembly.compile(bytes);
    }
    instrumented.activeMutant = script;
    for (const reference of references.filter(({ name }) => names.includes(name))) {
      onScene();
      now = 'createEngine';
      const { threads } = scenes.get(reference.name)!;
      const engine = engines.get(threads) ?? (await startEngine(threads, own));
      engines.set(threads, engine);
      onScene();
      now = reference.name;
      await runScene(engine, reference);
    }
    return { status: 'survived', by: '' };
  } catch (error) {
    return outcomeOf(error, now);
  } finally {
    instrumented.activeMutant = undefined;
    for (const engine of engines.values())
      try {
        engine.dispose();
      } catch {
        /* The mutant's error made the engine unusable. */
      }
  }
}

const task = workerData as SceneTask;
const { mutants, progress } = task;
const send = (message: SceneMessage): void => parentPort!.postMessage(message);
const modules = Object.fromEntries(
  await Promise.all(
    Object.entries(task.correct).map(
      async ([name, bytes]) => [name, await WebAssembly.compile(bytes)] as const,
    ),
  ),
);
const references = [...(task.references ?? [])];
if (!task.references) {
  for (const name of scenes.keys()) references.push(await referenceOf(name, modules));
  const threadsOf = ({ name }: SceneReference): number => scenes.get(name)!.threads;
  references.sort((a, b) => threadsOf(a) - threadsOf(b) || a.seconds - b.seconds);
}
for (const [index, mutant] of mutants.entries()) {
  Atomics.store(progress, 1, index);
  send({ index, outcome: await run(mutant, modules, references, () => Atomics.add(progress, 0, 1)) });
}
send({ references });
