// Contenders and cases -> their times in one run, taken in turns: A B C, C B A, A B C, so that a drifting machine hits all alike.

import { median, summarise, type Summary } from './statistics.js';

export interface Contender<Case> {
  name: string;
  run(at: Case): unknown;
}

export interface Timing extends Summary {
  name: string;
  /** Median milliseconds of each case. */
  perCase: Float64Array;
}

/**
 * Every round, each contender in turn runs all cases in order, so that motion stays motion. The first round warms up and is
 * not counted. `n` of the result counts cases; median, p95 and mean are over the cases' medians.
 */
export function interleave<Case>(cases: readonly Case[], contenders: readonly Contender<Case>[], rounds: number): Timing[] {
  const samples = contenders.map(() => cases.map(() => new Float64Array(rounds)));
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const who = round % 2 === 0 ? turn : contenders.length - 1 - turn;
      const { run } = contenders[who]!;
      for (let i = 0; i < cases.length; i++) {
        const at = cases[i]!;
        const startedAt = performance.now();
        run(at);
        const milliseconds = performance.now() - startedAt;
        if (round >= 0) samples[who]![i]![round] = milliseconds;
      }
    }
  }
  return contenders.map(({ name }, who) => {
    const perCase = Float64Array.from(samples[who]!, (times) => median(times));
    return { name, perCase, ...summarise(perCase) };
  });
}
