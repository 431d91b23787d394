// Models the time of a query on p threads from the times of its stages on one thread, which runs the work
// lists of p threads one after another. Three stages are divided into slices: expanding the front, summing its
// costs and copying the results. Each of them takes 1/k of its time, where k is the number of its slices on p
// threads. The time of the traversal is multiplied by the busiest thread's share of the work. All other stages
// take their full times.

import type { Engine, QueryStats } from '../../dist/index.js';
import { copySliceCount } from '../../dist/narrowphase/resultGatherer.js';
import { internalsOf } from './internals.js';
import { noTimes, type StageTimes } from './stageTimes.js';

/** The formula of a modeled time on p threads, for the column `how` of a row. */
export const TIME_MODEL =
  'from times on one thread: sliced stages / number of slices, traversal * cost of the most expensive list / cost of all lists, other stages unchanged';

/**
 * The milliseconds of one query with p work lists, in total and by stage. `slices`: the number of slices in
 * which p threads would expand its front. `copySlices`: the number of slices in which they would copy its
 * results.
 */
export interface TimedQuery extends StageTimes {
  all: number;
  slices: number;
  copySlices: number;
}

/**
 * Times one query.
 * @param stageTimes What `timeStages` returned for this engine.
 * @param parts The number of work lists that `run` uses.
 */
export function timeQuery<Result extends { count: number; stats: QueryStats }>(
  engine: Engine,
  stageTimes: StageTimes,
  parts: number,
  run: () => Result,
): { result: Result; times: TimedQuery } {
  Object.assign(stageTimes, noTimes());
  const startedAt = performance.now();
  const result = run();
  const all = performance.now() - startedAt;
  const { maker } = internalsOf(engine).front;
  const copySlices = copySliceCount(result.count, parts);
  return { result, times: { ...stageTimes, all, slices: maker.slicesOn(parts), copySlices } };
}

/** Returns the time of making the front and storing its costs, on one thread. */
export const frontTime = ({ prepare, storeCosts }: StageTimes): number => prepare + storeCosts;

/** Returns the modeled time of making the front and storing its costs, on p threads. */
export function frontTimeOnThreads(times: TimedQuery): number {
  const divided = times.expand + times.sumCosts;
  return frontTime(times) - divided + divided / times.slices;
}

/**
 * Returns the modeled time of the query on p threads.
 * @param busiestShare The busiest thread's share of the work of the traversal: 1 / p if all threads have equal
 * work.
 */
export const timeOnThreads = (times: TimedQuery, busiestShare: number): number =>
  times.all -
  frontTime(times) -
  times.traverse -
  times.copy +
  times.traverse * busiestShare +
  times.copy / times.copySlices +
  frontTimeOnThreads(times);
