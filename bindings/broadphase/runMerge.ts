// Parallel merge sort of keys with values: each thread sorts one run; then the sorted runs are merged pairwise
// in a tree (Lucchesi, section 3.4, steps 3 to 6, and section 6.2, item 3).

import { boxLimits } from '../records/boxLimits.js';
import { limits } from '../records/layout.js';
import { Merge, RunJob } from '../records/octreeLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { Columns } from '../runtime/digitSort.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { runStep } from '../runtime/steps.js';

/** Two runs to merge, and the index at which the merged run starts. */
export type MergeOf = Record<keyof typeof Merge.at, number>;

/**
 * Runs one round of merges on all threads. merges: in the order of their outputs; each output must start where
 * the previous output ends. @throws WorkerLost, Capacity
 */
export function mergeRuns(
  context: EngineContext,
  from: Columns,
  to: Columns,
  merges: readonly MergeOf[],
  sliceCount: number,
): void {
  const { arena } = context;
  const blocks = new BlockGroup(arena);
  try {
    const jobAt = blocks.take(RunJob.size);
    const mergesAt = blocks.take(merges.length * Merge.size);
    merges.forEach((merge, i) => setWords(arena.u32, mergesAt + i * Merge.size, Merge, merge));
    const { firstA, endA, firstB, endB, to: last } = merges.at(-1)!;
    const count = last + endA - firstA + endB - firstB;
    setWords(arena.u32, jobAt, RunJob, {
      keysAt: from[0],
      valuesAt: from[1],
      toKeysAt: to[0],
      toValuesAt: to[1],
      mergesAt,
      mergeCount: merges.length,
      count,
      sliceCount,
    });
    runStep(context, 'mergeRuns', jobAt, sliceCount);
  } finally {
    blocks.releaseAll();
  }
}

/**
 * Merges sorted runs pairwise, round by round, until one run is left. borders: the index at which each run
 * begins, then the end of the last run. @returns the columns that hold the result. @throws WorkerLost,
 * Capacity
 */
export function mergeAllRuns(
  context: EngineContext,
  from: Columns,
  to: Columns,
  borders: readonly number[],
  sliceCount: number,
): Columns {
  const count = borders.at(-1)!;
  while (borders.length > 2) {
    const at = (run: number): number => borders[Math.min(run, borders.length - 1)];
    const firsts = borders.slice(0, -1).filter((_, run) => run % 2 === 0);
    mergeRuns(
      context,
      from,
      to,
      firsts.map((firstA, i) => ({
        firstA,
        endA: at(2 * i + 1),
        firstB: at(2 * i + 1),
        endB: at(2 * i + 2),
        to: firstA,
      })),
      sliceCount,
    );
    borders = [...firsts, count];
    [from, to] = [to, from];
  }
  return from;
}

/**
 * Sorts `count` keys with their values. The sort is stable, like `sortByDigits`. @returns the columns that hold
 * the result. @throws WorkerLost, Capacity
 */
export function sortByMerging(
  context: EngineContext,
  from: Columns,
  to: Columns,
  count: number,
  sliceCount: number,
): Columns {
  const { arena } = context;
  const blocks = new BlockGroup(arena);
  const borders = Array.from({ length: sliceCount + 1 }, (_, run) => Math.floor((run * count) / sliceCount));
  try {
    const jobAt = blocks.take(RunJob.size);
    const bordersAt = blocks.takeWords(borders);
    const histogramsAt = blocks.take(sliceCount * boxLimits.RUN_DIGITS * limits.DIGIT_BUCKETS * 4);
    setWords(arena.u32, jobAt, RunJob, {
      keysAt: from[0],
      valuesAt: from[1],
      toKeysAt: to[0],
      toValuesAt: to[1],
      bordersAt,
      histogramsAt,
    });
    runStep(context, 'sortRuns', jobAt, sliceCount);
  } finally {
    blocks.releaseAll();
  }
  return mergeAllRuns(context, to, from, borders, sliceCount);
}
