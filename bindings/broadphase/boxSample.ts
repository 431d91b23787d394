// Estimates from a sample of the boxes what sweep and prune would cost: the number of tests and the number of
// overlapping pairs, both per box.

import { boxLimits } from '../records/boxLimits.js';
import { SampleBoxesJob, SampledBox } from '../records/boxStatisticsLayout.js';
import { setWords } from '../records/record.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import type { BoxSet, BoxStats } from './boxSet.js';

/** One box in BOXES_PER_SAMPLE is sampled, but at most MAX_SAMPLES boxes. */
export const BOXES_PER_SAMPLE = 64,
  MAX_SAMPLES = 512;
const GOLDEN = 0.6180339887498949;
/**
 * Returns the index of the i-th sampled box of `count` boxes. The fractional parts of multiples of the golden
 * ratio are evenly spread, and do not correlate with any order of the boxes.
 */
export const sampleIndex = (i: number, count: number): number => Math.floor(((i * GOLDEN) % 1) * count);
/**
 * Number of tests per box that is added to the estimate from the sample. Sweep and prune tests eight boxes at
 * a time, so even a box without neighbors takes some tests.
 */
const MIN_TESTS = 20;
const AT = SampleBoxesJob.at;

/**
 * Estimates for all boxes. tests: tests per box. pairs: overlapping pairs per box. close: tests per box that
 * the quantized coordinates of the sweep cannot decide, so that the float coordinates are compared. mixture:
 * product of the mean sizes on the three axes, divided by the mean volume; 1 if this quotient is less than 1 or
 * not finite. It is above 1 if long boxes lie in different directions.
 */
export interface SampleEstimate {
  tests: number;
  pairs: number;
  close: number;
  mixture: number;
}

export class BoxSample {
  readonly #context: EngineContext;
  readonly #memory: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#memory = new GrowableBlock(context.arena);
  }

  /**
   * Takes a sample of the boxes and returns the estimates. scratchAt: address of memory that the sample may
   * overwrite; if omitted, the sample uses its own memory. @throws Capacity
   */
  take(boxes: Pick<BoxSet, 'at' | 'count'>, stats: BoxStats, scratchAt?: number): SampleEstimate {
    const { arena, pool } = this.#context;
    const { count } = stats;
    const size = Math.min(MAX_SAMPLES, Math.ceil(count / BOXES_PER_SAMPLE));
    const jobAt =
      scratchAt ??
      this.#memory.reserve(SampleBoxesJob.size + size * (SampledBox.size + 8) + 4 * boxLimits.MAX_SLABS);
    setWords(arena.u32, jobAt, SampleBoxesJob, {
      boxesAt: boxes.at,
      boxCount: boxes.count,
      size,
      planAt: stats.at,
      threads: pool.threadCount,
    });
    pool.kernels.sampleBoxes(jobAt, 0, 1);
    const { f64, u32 } = arena;
    const sampledCount = Math.max(1, u32[(jobAt + AT.sampledCount) / 4]);
    const scale = count / sampledCount / sampledCount;
    const mixture = f64[(jobAt + AT.mixture) / 8];
    return {
      tests: MIN_TESTS + u32[(jobAt + AT.tests) / 4] * scale,
      pairs: u32[(jobAt + AT.pairs) / 4] * scale,
      close: u32[(jobAt + AT.undecidedTests) / 4] * scale,
      mixture: mixture > 1 && mixture < Infinity ? mixture : 1,
    };
  }

  dispose(): void {
    this.#memory.dispose();
  }
}
