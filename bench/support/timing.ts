// Measures several contenders (functions to compare) on the same cases in one run. The contenders run in the
// order A B C, C B A, A B C, so that a drift of the machine's speed affects all of them equally.

import { median, type Summary, summarize } from './statistics.js';

export interface Contender<Case> {
  name: string;
  run(at: Case): unknown;
  /** Runs before each case. Its time is not counted. */
  prepare?(at: Case): void;
}

export interface Timing extends Summary {
  name: string;
  /** Median milliseconds of each case. */
  perCase: Float64Array;
}

/**
 * Measures contenders in iterations. In every iteration, each contender runs all cases in order, so cases that
 * are frames of a motion follow each other as in the motion. The first iteration warms up and is not counted.
 * In the result, `n` is the number of cases. `median`, `p95`, `mean` and `max` are taken over the medians of
 * the cases.
 */
export function interleave<Case>(
  cases: readonly Case[],
  contenders: readonly Contender<Case>[],
  iterations: number,
): Timing[] {
  const samples = samplesFor(contenders, cases, iterations);
  for (const { iteration, contenderIndex, i } of schedule(contenders, cases, iterations)) {
    const at = cases[i];
    const { prepare, run } = contenders[contenderIndex];
    prepare?.(at);
    const startedAt = performance.now();
    run(at);
    const milliseconds = performance.now() - startedAt;
    if (iteration >= 0) samples[contenderIndex][i][iteration] = milliseconds;
  }
  return timingsOf(contenders, samples);
}

/** Like `interleave`, for contenders that return promises. */
export async function interleaveAsync<Case>(
  cases: readonly Case[],
  contenders: readonly Contender<Case>[],
  iterations: number,
): Promise<Timing[]> {
  const samples = samplesFor(contenders, cases, iterations);
  for (const { iteration, contenderIndex, i } of schedule(contenders, cases, iterations)) {
    const at = cases[i];
    const { prepare, run } = contenders[contenderIndex];
    prepare?.(at);
    const startedAt = performance.now();
    await run(at);
    const milliseconds = performance.now() - startedAt;
    if (iteration >= 0) samples[contenderIndex][i][iteration] = milliseconds;
  }
  return timingsOf(contenders, samples);
}

/**
 * Measures every contender on every case once, in blocks of consecutive cases: A B C for one block, C B A for
 * the next. The first block also runs once before, to warm up. Use this function instead of `interleave` if
 * there are so many cases that one time per case is enough, and that an iteration of `interleave` would take
 * long: the machine's speed could then drift between contenders.
 */
export function interleaveBlocks<Case>(
  cases: readonly Case[],
  contenders: readonly Contender<Case>[],
  block: number,
): Timing[] {
  const samples = samplesFor(contenders, cases, 1);
  const inOrder = contenders.map((contender, at) => ({ contender, times: samples[at] }));
  for (let first = -block; first < cases.length; first += block) {
    for (const { contender, times } of inOrder.reverse()) {
      for (let i = Math.max(0, first); i < Math.min(first < 0 ? block : first + block, cases.length); i++) {
        contender.prepare?.(cases[i]);
        const startedAt = performance.now();
        contender.run(cases[i]);
        times[i][0] = performance.now() - startedAt;
      }
    }
  }
  return timingsOf(contenders, samples);
}

function* schedule(
  contenders: readonly unknown[],
  cases: readonly unknown[],
  iterations: number,
): Generator<{ iteration: number; contenderIndex: number; i: number }> {
  for (let iteration = -1; iteration < iterations; iteration++) {
    for (let place = 0; place < contenders.length; place++) {
      const contenderIndex = iteration % 2 === 0 ? place : contenders.length - 1 - place;
      for (let i = 0; i < cases.length; i++) yield { iteration, contenderIndex, i };
    }
  }
}

const samplesFor = (
  contenders: readonly unknown[],
  cases: readonly unknown[],
  iterations: number,
): Float64Array[][] => contenders.map(() => cases.map(() => new Float64Array(iterations)));

const timingsOf = (
  contenders: readonly { name: string }[],
  samples: readonly (readonly Float64Array[])[],
): Timing[] =>
  contenders.map(({ name }, contenderIndex) => {
    const perCase = Float64Array.from(samples[contenderIndex], times => median(times));
    return { name, perCase, ...summarize(perCase) };
  });
