// Options of engine.async's sweeps: those of the synchronous sweeps with progress and cancellation, and how
// they are taken apart.
import type { FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import { FEATURE_SWEEP, PLACED_SWEEP, SWEEP } from '../core/moduleOptions.js';
import { type OptionTable, PROGRESS, type ProgressOptions } from '../core/optionTable.js';

export const ASYNC_FEATURE_SWEEP: OptionTable<FeatureSweepOptions & ProgressOptions> = {
  ...FEATURE_SWEEP,
  ...PROGRESS,
};
export const ASYNC_SWEEP: OptionTable<SweepOptions & ProgressOptions> = { ...SWEEP, ...PROGRESS };
export const ASYNC_PLACED_SWEEP: OptionTable<PlacedSweepOptions & ProgressOptions> = {
  ...PLACED_SWEEP,
  ...PROGRESS,
};

/** Options -> those of the question, and those of its progress; no progress if neither of these is given. */
export function takeProgress<Options extends ProgressOptions>({
  onProgress,
  signal,
  ...options
}: Options): { options: Omit<Options, keyof ProgressOptions>; progress: ProgressOptions | undefined } {
  return { options, progress: onProgress || signal ? { onProgress, signal } : undefined };
}

/** A question that is answered in one step. @throws the reason that the signal was aborted with */
export async function inOneStep<Answer>(
  progress: ProgressOptions | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  progress?.signal?.throwIfAborted();
  const answer = await ask();
  progress?.signal?.throwIfAborted();
  progress?.onProgress?.(1);
  return answer;
}

/** Loads the code that answers in many steps. */
export const loadSteps = () => import('../ccd/sweepInSteps.js');
