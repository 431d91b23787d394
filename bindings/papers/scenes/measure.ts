// Contenders and cases -> milliseconds by measure, all taken in turns in one run, and the same answer from
// all.
import type { Progress } from '../../cli/progress.js';
import type { Measured } from './scene.js';

/** One run: what it found, by which all contenders are compared, and what its steps took. */
export interface Run {
  found: number;
  milliseconds: Readonly<Record<string, number>>;
}

export interface Contender<Case> {
  threads: number;
  run(at: Case): Run | Promise<Run>;
}

/**
 * A B C, C B A, A B C, so that a drifting machine hits all alike; a contender takes the cases in order, so
 * that motion stays motion. A round before the first warms up. @returns the mean over the cases of each one's
 * median over the rounds.
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
    for (let turn = 0; turn < contenders.length; turn++) {
      const who = round % 2 === 0 ? turn : contenders.length - 1 - turn;
      for (const [i, at] of cases.entries()) {
        const run = await contenders[who].run(at);
        if ((found[i] ??= run.found) !== run.found)
          throw new Error(`contender ${who} found ${run.found} in case ${i}, another one ${found[i]}`);
        if (round >= 0) keep(samples[who][i], run.milliseconds);
      }
      progress.step();
    }
  }
  return contenders.map(({ threads }, who) => ({ threads, milliseconds: meanOfMedians(samples[who]) }));
}

function keep(samples: Map<string, number[]>, milliseconds: Run['milliseconds']): void {
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

/** What `run` returns, and its milliseconds. */
export function timed<T>(run: () => T): [T, number] {
  const startedAt = performance.now();
  const result = run();
  return [result, performance.now() - startedAt];
}
