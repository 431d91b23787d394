// Measures contenders (engines or methods to compare) on the same cases, interleaved. Checks that all of them
// find the same number of results.
import type { Progress } from '../../cli/progress.js';
import type { Measured } from './scene.js';

/**
 * The outcome of one run: the number of results, which must be equal for all contenders, and the times of the
 * run's steps, by name.
 */
export interface Run {
  found: number;
  milliseconds: Readonly<Record<string, number>>;
}

export interface Contender<Case> {
  threads: number;
  run(at: Case): Run | Promise<Run>;
}

/**
 * Runs the contenders in the order A B C, then C B A, then A B C and so on. If the machine becomes faster or
 * slower during the measurement, this affects all contenders alike. Each contender runs the cases in order,
 * so that motion stays continuous. The first round warms up and is not counted.
 * @returns for each contender, its time for each step: the median over the rounds, averaged over the cases.
 */
export async function interleave<Case>(
  cases: readonly Case[],
  contenders: readonly Contender<Case>[],
  rounds: number,
  progress: Progress,
): Promise<Measured[]> {
  const samples = contenders.map(() => cases.map(() => new Map<string, number[]>()));
  const found: number[] = [];
  progress.begin('Measuring', (rounds + 1) * contenders.length);
  for (let round = -1; round < rounds; round++) {
    for (let position = 0; position < contenders.length; position++) {
      const contender = round % 2 === 0 ? position : contenders.length - 1 - position;
      for (const [i, at] of cases.entries()) {
        const run = await contenders[contender].run(at);
        if ((found[i] ??= run.found) !== run.found)
          throw new Error(
            `contender ${contender} found ${run.found} in case ${i}, but another one found ${found[i]}`,
          );
        if (round >= 0) addSamples(samples[contender][i], run.milliseconds);
      }
      progress.step();
    }
  }
  return contenders.map(({ threads }, contender) => ({
    threads,
    milliseconds: meanOfMedians(samples[contender]),
  }));
}

function addSamples(samples: Map<string, number[]>, milliseconds: Run['milliseconds']): void {
  for (const [measure, time] of Object.entries(milliseconds)) {
    const times = samples.get(measure);
    if (times) times.push(time);
    else samples.set(measure, [time]);
  }
}

function meanOfMedians(cases: readonly Map<string, number[]>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const samples of cases) {
    for (const [measure, times] of samples)
      sums.set(measure, (sums.get(measure) ?? 0) + median(times) / cases.length);
  }
  return sums;
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** Returns what `run` returns, and its time in milliseconds. */
export function measureTime<T>(run: () => T): [T, number] {
  const startedAt = performance.now();
  const result = run();
  return [result, performance.now() - startedAt];
}
