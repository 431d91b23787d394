// Runs the scenes of scenes.ts on many mutants. If a mutant hangs or ends its worker, a new worker runs the
// remaining mutants.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginBuild } from 'esbuild';
import { pathOf } from '../../bindings/build/paths.mjs';
import { bundleWorker } from '../support/bundleWorker.mjs';
import { type Limits, startWorker, superviseWorker } from '../support/superviseWorker.js';
import { bytesOf, files } from './kernelMutants.js';
import type { Mutant, Outcome, SceneMutant, SceneReference } from './mutant.js';
import type { SceneMessage, SceneTask } from './scenes.js';

const BYTES = 2 ** 32;
/** The time limit of the first run of all scenes together, with correct code, in seconds. */
const CONTROL_SECONDS = 60;
/** A scene of a mutant may take this many times the processor time of the longest scene of correct code. */
const TIME_FACTOR = 6;

type OnOutcome = (index: number, outcome: Outcome) => void;

/** The bundle of the worker, and the results and times of the scenes with correct code. */
export class SceneRunner {
  readonly #bundle: string;
  readonly #correct = Object.fromEntries(files.map(file => [file, bytesOf(file)]));
  #references: readonly SceneReference[] = [];

  private constructor(bundle: string) {
    this.#bundle = bundle;
  }

  /**
   * scripts: the texts of instrumented files, by their paths relative to dist.
   * @throws if correct code does not give the same results twice
   */
  static async start(scripts: ReadonlyMap<string, string> = new Map()): Promise<SceneRunner> {
    const bundle = await bundleWorker(fileURLToPath(new URL('./scenes.ts', import.meta.url)), [
      {
        name: 'instrumented scripts',
        setup(bundler: PluginBuild) {
          bundler.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
            const contents = scripts.get(path.relative(pathOf('dist'), file).replaceAll(path.sep, '/'));
            return contents === undefined ? undefined : { contents };
          });
        },
      },
    ]);
    const runner = new SceneRunner(bundle);
    const references = await runner.#runWorker([], undefined, CONTROL_SECONDS, () => {});
    if (typeof references === 'number') throw new Error('the scenes of correct code did not end');
    runner.#references = references;
    const control = { scenes: references.map(({ name }) => name) };
    await runner.#runAll([control], (_, { status, by }) => {
      if (status !== 'survived') throw new Error(`correct code: ${status} (${by})`);
    });
    return runner;
  }

  /**
   * The results and times of the scenes with correct code, in the order in which the scenes of a mutant run.
   */
  get references(): readonly SceneReference[] {
    return this.#references;
  }

  close(): void {
    rmSync(this.#bundle);
  }

  /** Runs mutants in order. onOutcome: called with the number and the outcome of each mutant. */
  run(mutants: readonly Mutant[], onOutcome: OnOutcome): Promise<void> {
    return this.#runAll(
      mutants.map(mutant => mutant.sceneMutant(this.#references)),
      onOutcome,
    );
  }

  async #runAll(mutants: readonly SceneMutant[], onOutcome: OnOutcome): Promise<void> {
    const longest = Math.max(...this.#references.map(({ seconds }) => seconds));
    for (let from = 0; from < mutants.length; ) {
      const ended = await this.#runWorker(
        mutants.slice(from),
        this.#references,
        TIME_FACTOR * Math.max(longest, 0.5),
        (index, outcome) => onOutcome(from + index, outcome),
      );
      from = typeof ended === 'number' ? from + ended + 1 : mutants.length;
    }
  }

  // Resolves to the references if the worker finishes, or to the number of the mutant that ended it.
  #runWorker(
    mutants: readonly SceneMutant[],
    references: readonly SceneReference[] | undefined,
    seconds: number,
    onOutcome: OnOutcome,
  ): Promise<readonly SceneReference[] | number> {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    const limits: Limits = { seconds, bytes: BYTES };
    const task: SceneTask = {
      correct: this.#correct,
      engineWorker: pathOf('dist/runtime/worker.js'),
      mutants,
      references,
      progress,
    };
    return superviseWorker<readonly SceneReference[] | number>(
      startWorker(this.#bundle, task, limits),
      progress,
      limits,
      (message: SceneMessage) => {
        if ('references' in message) return message.references;
        onOutcome(message.index, message.outcome);
        return undefined;
      },
      ({ kind, error }) => {
        const index = Atomics.load(progress, 1);
        onOutcome(index, { status: kind === 'hang' ? 'timeout' : 'error', by: error.split('\n')[0] });
        return index;
      },
    );
  }
}
