// Some of many boxes -> how many a box would be tested against by sweep and prune of all of them, and how
// many it overlaps.

import { boxLimits } from '../records/boxLimits.js';
import { setWords } from '../records/record.js';
import { SampleBoxesJob, SampledBox } from '../records/surveyLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import type { BoxSet, BoxStats } from './boxSet.js';

/** One of so many boxes is looked at, and no more than this of all. */
export const BOXES_A_SAMPLE = 64,
  MOST_SAMPLED = 512;
const GOLDEN = 0.6180339887498949;
/**
 * Number of the i-th box of a sample of `count`: multiples of the golden ratio, evenly spread, and in step
 * with no order that boxes may have.
 */
export const sampled = (i: number, count: number): number => Math.floor(((i * GOLDEN) % 1) * count);
/** Tests a box that sweep and prune makes anyway: eight others at a time, whatever they are. */
const LEAST_TESTS = 20;
const AT = SampleBoxesJob.at;

/**
 * Of all boxes, by what the sample has: tests and pairs a box, and of the tests those that are too close for
 * cells; mixture is above 1 where long boxes lie in different directions.
 */
export interface Sampled {
  tests: number;
  pairs: number;
  close: number;
  mixture: number;
}

export class BoxSample {
  readonly #backend: Backend;
  readonly #memory: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#memory = new Buffer(backend.arena);
  }

  /** scratchAt: where the sample may be written to, where there is such a place. @throws Capacity */
  take(boxes: Pick<BoxSet, 'at' | 'count'>, stats: BoxStats, scratchAt?: number): Sampled {
    const { arena, pool } = this.#backend;
    const { count } = stats;
    const size = Math.min(MOST_SAMPLED, Math.ceil(count / BOXES_A_SAMPLE));
    const jobAt =
      scratchAt ??
      this.#memory.reserve(SampleBoxesJob.size + size * (SampledBox.size + 8) + 4 * boxLimits.MOST_SLABS);
    setWords(arena.u32, jobAt, SampleBoxesJob, {
      boxesAt: boxes.at,
      boxCount: boxes.count,
      size,
      planAt: stats.at,
      threads: pool.threadCount,
    });
    pool.kernels.sampleBoxes(jobAt, 0, 1);
    const { f64, u32 } = arena;
    const scale = count / size / size;
    const mixture = f64[(jobAt + AT.mixture) / 8];
    return {
      tests: LEAST_TESTS + u32[(jobAt + AT.tests) / 4] * scale,
      pairs: u32[(jobAt + AT.pairs) / 4] * scale,
      close: u32[(jobAt + AT.close) / 4] * scale,
      mixture: mixture > 1 && mixture < Infinity ? mixture : 1,
    };
  }

  dispose(): void {
    this.#memory.dispose();
  }
}
