// Splits the work of a query between the GPU and the CPU, according to the times that the two devices took for
// their shares of earlier queries.

/**
 * If the GPU seems to finish less than this many milliseconds after the CPU, the GPU is taken to have finished
 * first: while this thread is busy with the CPU's share, it does not notice that the GPU has finished.
 */
const SAME_TIME = 0.5;
/** Each query moves the split by this fraction of its distance to the even split (see `record`). */
const STEP = 0.5;
const MIN_SHARE = 0.1;
const MAX_SHARE = 0.9;
/** If there are fewer pairs, the GPU gets all of them. */
const MIN_PAIRS = 64;

/** Splits pairs between the GPU, which gets the fraction `gpuShare` of them, and the CPU. */
export class LoadSplit {
  gpuShare = 0.5;
  readonly #min: number;
  readonly #max: number;

  constructor(min = MIN_SHARE, max = MAX_SHARE) {
    this.#min = min;
    this.#max = max;
  }

  /** Returns how many of `count` pairs the GPU gets. */
  gpuCount(count: number): number {
    return count < MIN_PAIRS ? count : Math.round(this.gpuShare * count);
  }

  /**
   * Moves `gpuShare` toward the even split, at which the GPU and the CPU take equally long. cpu, gpu:
   * milliseconds from their common start until each finished. If the GPU finished first, its finish time is
   * unknown; then `gpu` is about the CPU's time, and the even split is taken to be a fixed amount above
   * `gpuShare`.
   */
  record(cpu: number, gpu: number): void {
    const { gpuShare } = this;
    const even =
      gpu - cpu < SAME_TIME ? gpuShare + 0.1 : gpuShare / gpu / (gpuShare / gpu + (1 - gpuShare) / cpu);
    this.gpuShare = Math.min(this.#max, Math.max(this.#min, gpuShare + STEP * (even - gpuShare)));
  }
}

/**
 * Runs `onCpu` on this thread while `onGpu` is in progress, and returns both answers. When the returned
 * promise settles, both have ended, even if one failed.
 */
export async function runTogether<OnGpu, OnCpu>(
  split: LoadSplit,
  onGpu: Promise<OnGpu>,
  onCpu: () => OnCpu,
): Promise<[OnGpu, OnCpu]> {
  const startedAt = performance.now();
  onGpu.catch(() => {});
  // Lets the GPU's steps be submitted before this thread is busy.
  await new Promise(resolve => {
    setTimeout(resolve, 0);
  });
  let answer: OnCpu;
  try {
    answer = onCpu();
  } catch (error) {
    // Wait, so that the GPU is idle for the next query.
    await onGpu.catch(() => {});
    throw error;
  }
  const cpu = performance.now() - startedAt;
  const found = await onGpu;
  split.record(cpu, performance.now() - startedAt);
  return [found, answer];
}
