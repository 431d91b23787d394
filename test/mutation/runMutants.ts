// Runs the scenes and the tests on mutants, and keeps the results in the cache folder. An interrupted run
// therefore continues where it ended, and two runs of different mutants may run at the same time.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, pathOf } from '../../bindings/build/paths.mjs';
import { digest, filesBelow } from '../../bindings/build/stamps.mjs';
import { chooseKernelMutants, files } from './kernelMutants.js';
import type { Mutant, Outcome } from './mutant.js';
import { SceneRunner } from './runScenes.js';
import { TestRunner } from './runTests.js';

/** What is mutated: the kernels, or the TypeScript sources. */
export type Part = 'kernels' | 'scripts';

/**
 * A result of a mutant. stage: what ran; for 'reached', the scenes ran on the variant of the mutant that traps.
 * files: the number of test files that possibly run the changed code. filesRun: how many of them ran. seconds:
 * the value of `maxSeconds` with which they ran.
 */
export interface Result extends Outcome {
  index: number;
  stage: 'scenes' | 'tests' | 'reached';
  filesRun?: number;
  files?: number;
  seconds?: number;
}

/** The results for one seed, in a file with one line of JSON for each result. */
class Results {
  readonly #file: string;

  constructor(part: Part, seed: number) {
    const folder = path.join(cacheFolder, 'mutation');
    mkdirSync(folder, { recursive: true });
    // Results of other versions of the mutated files do not count.
    const mutated =
      part === 'scripts'
        ? filesBelow([pathOf('bindings')])
        : files.map(file => pathOf(`dist/wasm/${file}.wasm`));
    this.#file = path.join(folder, `${part}-${seed}-${digest(mutated).slice(0, 12)}.jsonl`);
  }

  read(): Result[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    return lines.map(line => JSON.parse(line));
  }

  /** Returns the results of a stage by the number of the mutant: for each mutant, the latest result, if any. */
  ofStage(stage: Result['stage']): ReadonlyMap<number, Result> {
    return new Map(
      this.read()
        .filter(result => result.stage === stage)
        .map(result => [result.index, result]),
    );
  }

  add(result: Result): void {
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }
}

export interface RunOptions {
  seed: number;
  /** The number of the first mutant, and how many to run. */
  from: number;
  count: number;
  /** Whether only the scenes are run. */
  scenesOnly: boolean;
  /**
   * The max total time, with correct code, of the test files that run on one mutant, in seconds. At least one
   * file runs.
   */
  maxSeconds: number;
  log: (text: string) => void;
}

/** Mutants and their results. scripts: if scripts are mutated, the texts of the files with the errors. */
export interface Mutants {
  mutants: readonly Mutant[];
  scripts?: ReadonlyMap<string, string>;
  results: Results;
}

export async function chooseMutants(part: Part, seed: number, count: number): Promise<Mutants> {
  const results = new Results(part, seed);
  if (part === 'kernels') return { mutants: chooseKernelMutants(seed, count), results };
  // The instrumenter takes long to load.
  const { chooseScriptMutants } = await import('./scriptMutants.js');
  return { ...(await chooseScriptMutants(seed, count)), results };
}

async function runScenes(
  stage: 'scenes' | 'reached',
  { scripts }: Mutants,
  chosen: readonly (readonly [index: number, mutant: Mutant])[],
  keep: (result: Result) => void,
): Promise<void> {
  if (chosen.length === 0) return;
  const runner = await SceneRunner.start(scripts);
  try {
    await runner.run(
      chosen.map(([, mutant]) => mutant),
      (i, outcome) => keep({ index: chosen[i][0], stage, ...outcome }),
    );
  } finally {
    runner.close();
  }
}

async function runTests(
  { mutants, results }: Mutants,
  numbers: readonly number[],
  { maxSeconds, log }: RunOptions,
  keep: (result: Result) => void,
): Promise<void> {
  const earlier = results.ofStage('tests');
  // Includes mutants that survived an earlier run with a smaller time limit: they are tested with more files.
  const untested = numbers.filter(index => {
    const { status = 'survived', filesRun = 0, files = 1, seconds = 0 } = earlier.get(index) ?? {};
    return status === 'survived' && filesRun < files && seconds < maxSeconds;
  });
  if (untested.length === 0) return;
  const runner = await TestRunner.start(log);
  try {
    for (const index of untested) {
      const outcome = await runner.run(mutants[index], maxSeconds, earlier.get(index)?.filesRun);
      keep({ index, stage: 'tests', ...outcome, seconds: maxSeconds });
    }
  } finally {
    runner.close();
  }
}

/**
 * Runs the mutants that have no result yet. The scenes run first; the test files run on mutants that survive
 * the scenes. For mutants that survive both, finds out whether the scenes run the changed code.
 */
export async function runMutants(part: Part, options: RunOptions): Promise<Mutants> {
  const all = await chooseMutants(part, options.seed, options.from + options.count);
  const { mutants, results } = all;
  const chosen = [...mutants.keys()].slice(options.from);
  const keep = (result: Result): void => {
    results.add(result);
    const { index, stage, status, by } = result;
    const { where, change } = mutants[index];
    options.log(`${index} ${where}: ${change}: ${stage}: ${status} ${by}`);
  };
  const known = results.ofStage('scenes');
  const unknown = chosen.filter(index => !known.has(index));
  await runScenes(
    'scenes',
    all,
    unknown.map(index => [index, mutants[index]]),
    keep,
  );
  if (options.scenesOnly) return all;
  const surviving = (stage: Result['stage']): number[] => {
    const outcomes = results.ofStage(stage);
    return chosen.filter(index => outcomes.get(index)?.status === 'survived');
  };
  await runTests(all, surviving('scenes'), options, keep);
  const traced = results.ofStage('reached');
  const untraced = surviving('tests').flatMap((index): [number, Mutant][] => {
    const trap = traced.has(index) ? undefined : mutants[index].trapping?.();
    return trap ? [[index, trap]] : [];
  });
  await runScenes('reached', all, untraced, keep);
  return all;
}
