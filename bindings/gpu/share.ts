// How long two took for their parts of a list -> the part that the first is given the next time.

/** Milliseconds within which both are said to have ended together. */
const TOGETHER = 0.5;
/** How much of a step towards what would have been even is taken. */
const STEP = 0.5;
const LEAST = 0.1;
const GREATEST = 0.9;
/** Fewer are not worth to be shared. */
const FEW = 64;

/** Of pairs between the GPU, whose part it is, and the CPU. */
export class Share {
  part = 0.5;
  readonly #least: number;
  readonly #greatest: number;

  constructor(least = LEAST, greatest = GREATEST) {
    this.#least = least;
    this.#greatest = greatest;
  }

  /** How many of so many the GPU is given. */
  of(count: number): number {
    return count < FEW ? count : Math.round(this.part * count);
  }

  /** What both took, from the same moment on. Of a GPU that was ready first it is not known when it was. */
  note(cpu: number, gpu: number): void {
    const { part } = this;
    const even = gpu - cpu < TOGETHER ? part + 0.1 : part / gpu / (part / gpu + (1 - part) / cpu);
    this.part = Math.min(this.#greatest, Math.max(this.#least, part + STEP * (even - part)));
  }
}

/**
 * Ends with the second's answer when the first has ended, too: `first` goes on while `second` is this
 * thread's. Both have ended, also where one fails.
 */
export async function together<First, Second>(
  share: Share,
  first: Promise<First>,
  second: () => Second,
): Promise<[First, Second]> {
  const startedAt = performance.now();
  first.catch(() => {});
  // Its steps are sent before this thread is busy.
  await new Promise(resolve => {
    setTimeout(resolve, 0);
  });
  let answer: Second;
  try {
    answer = second();
  } catch (error) {
    // The next question finds the GPU idle.
    await first.catch(() => {});
    throw error;
  }
  const cpu = performance.now() - startedAt;
  const found = await first;
  share.note(cpu, performance.now() - startedAt);
  return [found, answer];
}
