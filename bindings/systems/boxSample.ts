// Some of many boxes -> how many a box would be tested against by sweep and prune of all of them, and how many it overlaps.
import type { Backend } from '../backend.js';
import { SampledBox, SampleBoxesJob } from '../boxLayout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { axesOf, cellsFor, slabsFor } from './slabSweep.js';

/** One of so many boxes is looked at, and no more than this of all. */
export const BOXES_A_SAMPLE = 64, MOST_SAMPLED = 512;
const GOLDEN = 0.6180339887498949;
/** Number of the i-th box of a sample of `count`: multiples of the golden ratio, evenly spread, and in step with no order that boxes may have. */
export const sampled = (i: number, count: number): number => Math.floor(i * GOLDEN % 1 * count);
/** Tests a box that sweep and prune makes anyway: eight others at a time, whatever they are. */
const LEAST_TESTS = 20;
const AT = SampleBoxesJob.at;

/** Of all boxes, by what the sample has: tests and pairs a box, and of the tests those that are too close for cells; mixture is above 1 where long boxes lie in different directions. */
export interface Sampled { tests: number; pairs: number; close: number; mixture: number }

export class BoxSample {
  private readonly backend: Backend;
  private readonly memory: Buffer;

  constructor(backend: Backend) {
    this.backend = backend;
    this.memory = new Buffer(backend.arena);
  }

  /** @throws Capacity */
  take(boxes: BoxSet, stats: BoxStats): Sampled {
    const { arena, pool } = this.backend;
    const { count, low, high } = stats, { sweep, slab, column } = axesOf(stats);
    const size = Math.min(MOST_SAMPLED, Math.ceil(count / BOXES_A_SAMPLE));
    const slabCount = slabsFor(stats, slab, count, pool.threadCount), columnCount = cellsFor(stats, column, count);
    const jobAt = this.memory.reserve(SampleBoxesJob.size + size * (SampledBox.size + 8) + 4 * slabCount);
    const sampleAt = jobAt + SampleBoxesJob.size, orderAt = sampleAt + size * SampledBox.size, heldAt = orderAt + 8 * size;
    setWords(arena.u32, jobAt, SampleBoxesJob, {
      boxesAt: boxes.at, boxCount: boxes.count, size, sweepAxis: sweep, slabAxis: slab, columnAxis: column, slabCount, columnCount, sampleAt, orderAt, heldAt,
    });
    const { f64, u32 } = arena;
    const scaleOf = (axis: number, cells: number): number => cells / Math.max(high[axis]! - low[axis]!, 1e-300);
    f64.set([low[slab]!, scaleOf(slab, slabCount), low[column]!, scaleOf(column, columnCount), high[sweep]! - low[sweep]!, count / size], (jobAt + AT.slabLow) / 8);
    pool.kernels.sampleBoxes(jobAt, 0, 1);
    const scale = count / size / size, mixture = f64[(jobAt + AT.mixture) / 8]!;
    return {
      tests: LEAST_TESTS + u32[(jobAt + AT.tests) / 4]! * scale, pairs: u32[(jobAt + AT.pairs) / 4]! * scale, close: u32[(jobAt + AT.close) / 4]! * scale,
      mixture: mixture > 1 && mixture < Infinity ? mixture : 1,
    };
  }

  dispose(): void { this.memory.dispose(); }
}
