// The times that the GPU and the CPU took for their parts of a question -> the part that the GPU gets next time.

/** Milliseconds within which both count as having finished at the same time. */
const TOGETHER = 0.5;
/** How far a step goes towards the part that would have been even. */
const STEP = 0.5;
const MIN_PART = 0.1;
const MAX_PART = 0.9;
/** Fewer pairs are not split. */
const MIN_PAIRS = 64;

/** Splits pairs between the GPU, which gets `part` of them, and the CPU. */
export class LoadSplit {
  part = 0.5;
  readonly #min: number;
  readonly #max: number;

  constructor(min = MIN_PART, max = MAX_PART) {
    this.#min = min;
    this.#max = max;
  }

  /** Returns how many of `count` pairs the GPU gets. */
  of(count: number): number {
    return count < MIN_PAIRS ? count : Math.round(this.part * count);
  }

  /**
   * Moves `part` towards an even split. cpu, gpu: milliseconds that both took from the same moment on. The
   * finish time of a GPU that finished first is unknown: it counts as the CPU's.
   */
  note(cpu: number, gpu: number): void {
    const { part } = this;
    const even = gpu - cpu < TOGETHER ? part + 0.1 : part / gpu / (part / gpu + (1 - part) / cpu);
    this.part = Math.min(this.#max, Math.max(this.#min, part + STEP * (even - part)));
  }
}

/**
 * Runs `onCpu` on this thread while `onGpu` is under way, and returns both answers. Both have ended when it
 * returns or throws.
 */
export async function together<OnGpu, OnCpu>(
  split: LoadSplit,
  onGpu: Promise<OnGpu>,
  onCpu: () => OnCpu,
): Promise<[OnGpu, OnCpu]> {
  const startedAt = performance.now();
  onGpu.catch(() => {});
  // The GPU's steps are submitted before this thread is busy.
  await new Promise(resolve => {
    setTimeout(resolve, 0);
  });
  let answer: OnCpu;
  try {
    answer = onCpu();
  } catch (error) {
    // The next question finds the GPU idle.
    await onGpu.catch(() => {});
    throw error;
  }
  const cpu = performance.now() - startedAt;
  const found = await onGpu;
  split.note(cpu, performance.now() - startedAt);
  return [found, answer];
}
