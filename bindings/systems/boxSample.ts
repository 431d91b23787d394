// Some of many boxes -> how many a box would be tested against by sweep and prune of all of them, and how many it overlaps.
import { limits } from '../layout.js';
import type { Arena } from '../memory.js';
import type { BoxSet, BoxStats } from './boxSet.js';
import { axesOf, cellsFor, slabsFor } from './slabSweep.js';

/** One of so many boxes is looked at, and no more than this of all. */
export const BOXES_A_SAMPLE = 64, MOST_SAMPLED = 1024;
/** More pairs than this are not counted: the sweep is hopeless. */
const ENOUGH = 16384;
const GOLDEN = 0.6180339887498949;
/** Number of the i-th box of a sample of `count`: multiples of the golden ratio, evenly spread, and in step with no order that boxes may have. */
export const sampled = (i: number, count: number): number => Math.floor(i * GOLDEN % 1 * count);
/** Of a box of the sample: its corners as the sweep has them, first and last slab, first and last column. */
const WORDS = 10;
const LOW = 0, HIGH = 3, SLAB = 6, COLUMN = 8;

export class BoxSample {
  /** Tests and pairs a box, for all boxes; eight others at least are tested at a time, whatever they are. */
  readonly tests: number;
  readonly pairs: number;
  /** Product of the mean sizes over the mean product: above 1 where long boxes lie in different directions. */
  mixture = 1;
  private readonly size: number;
  private readonly boxes: Float64Array;
  /** By slab: how much earlier than a box a later one may start. */
  private readonly disorder: Float64Array;

  constructor(arena: Arena, boxes: BoxSet, stats: BoxStats, threads: number) {
    this.size = Math.min(MOST_SAMPLED, Math.ceil(stats.count / BOXES_A_SAMPLE));
    this.boxes = new Float64Array(this.size * WORDS);
    this.disorder = this.take(arena, boxes, stats, threads);
    const { tests, pairs } = this.sweep();
    const scale = stats.count / this.size / this.size;
    this.tests = LEAST_TESTS + tests * scale;
    this.pairs = pairs * scale;
  }

  private take({ f32 }: Arena, { at, count }: BoxSet, stats: BoxStats, threads: number): Float64Array {
    const { size, boxes } = this;
    const { sweep, slab, column } = axesOf(stats);
    const slabCount = slabsFor(stats, slab, stats.count, threads);
    const slabOf = cutter(stats, slab, slabCount), columnOf = cutter(stats, column, cellsFor(stats, column, stats.count));
    const held = new Float64Array(slabCount);
    let sumX = 0, sumY = 0, sumZ = 0, volumes = 0;
    for (let i = 0, to = 0; i < size; i++, to += WORDS) {
      const from = at / 4 + 6 * sampled(i, count);
      const x = f32[from + sweep]!, y = f32[from + slab]!, z = f32[from + column]!, maxX = f32[from + 3 + sweep]!, maxY = f32[from + 3 + slab]!, maxZ = f32[from + 3 + column]!;
      boxes[to + LOW] = x;
      boxes[to + LOW + 1] = y;
      boxes[to + LOW + 2] = z;
      boxes[to + HIGH] = maxX;
      boxes[to + HIGH + 1] = maxY;
      boxes[to + HIGH + 2] = maxZ;
      boxes[to + SLAB] = slabOf(y);
      boxes[to + SLAB + 1] = slabOf(maxY);
      boxes[to + COLUMN] = columnOf(z);
      boxes[to + COLUMN + 1] = columnOf(maxZ);
      for (let s = slabOf(y); s <= slabOf(maxY); s++) held[s]!++;
      sumX += maxX - x;
      sumY += maxY - y;
      sumZ += maxZ - z;
      volumes += (maxX - x) * (maxY - y) * (maxZ - z);
    }
    const mixture = sumX / size * (sumY / size) * sumZ / volumes;
    if (mixture > 0 && mixture < Infinity) this.mixture = mixture;
    const range = stats.high[sweep]! - stats.low[sweep]!;
    return held.map((boxesHeld) => range / bucketsFor(boxesHeld * stats.count / size));
  }

  // Pairs of the sample that would be tested, and those that overlap.
  private sweep(): { tests: number; pairs: number } {
    const { size, boxes, disorder } = this;
    const order = this.sort();
    let tests = 0, pairs = 0;
    for (let i = 0; i < size && tests < ENOUGH; i++) {
      const a = order[i]!, end = boxes[a + HIGH]!, limit = end + disorder[boxes[a + SLAB]!]!;
      for (let k = i + 1; k < size; k++) {
        const b = order[k]!;
        if (boxes[b + LOW]! > limit) break;
        if (!this.meet(a, b, SLAB, SLAB + 1) || !this.meet(a, b, COLUMN, COLUMN + 1)) continue;
        tests++;
        if (boxes[b + LOW]! <= end && this.meet(a, b, LOW + 1, HIGH + 1) && this.meet(a, b, LOW + 2, HIGH + 2)) pairs++;
      }
    }
    return { tests, pairs };
  }

  private meet(a: number, b: number, least: number, greatest: number): boolean {
    const { boxes } = this;
    return boxes[a + least]! <= boxes[b + greatest]! && boxes[b + least]! <= boxes[a + greatest]!;
  }

  // Where the boxes stand in the array, by their starts: a float32 leaves the low bits of a float64 free for the number.
  private sort(): Uint32Array {
    const { size, boxes } = this;
    const keys = new Float64Array(size), words = new Uint32Array(keys.buffer), order = new Uint32Array(size);
    for (let i = 0; i < size; i++) {
      keys[i] = boxes[i * WORDS + LOW]!;
      words[2 * i]! |= i;
    }
    keys.sort();
    for (let i = 0; i < size; i++) order[i] = words[2 * i]! % MOST_SAMPLED * WORDS;
    return order;
  }
}

/** Tests a box that sweep and prune makes anyway. */
const LEAST_TESTS = 20;

// From a coordinate to the number of its cell.
function cutter({ low, high }: BoxStats, axis: number, cellCount: number): (value: number) => number {
  const origin = low[axis]!, scale = cellCount / Math.max(high[axis]! - origin, 1e-300), last = cellCount - 1;
  return (value) => Math.max(0, Math.min(last, Math.floor((value - origin) * scale)));
}

// As `sweepSlabs` sorts a slab of so many boxes.
const bucketsFor = (count: number): number => (count < 8 ? 1 : Math.min(limits.SWEEP_BUCKETS, 2 ** (30 - Math.clz32(count))));
