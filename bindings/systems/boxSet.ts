// A user's boxes -> copied into engine memory, looked at once: how many, where, how large.
import type { Backend } from '../backend.js';
import { BoxSurvey, SurveyBoxesJob } from '../boxLayout.js';
import { boxLimits } from '../boxLimits.js';
import { InvalidBoxes, Unsupported } from '../errors.js';
import { limits } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { runStep } from '../steps.js';

export const BOX_BYTES = 24;
/** Fewer boxes than this a thread are not worth a hand-off. */
const BOXES_A_SLICE = 4096;
/** Floats that are copied before the other threads are told. */
const COPIED_AT_A_TIME = 6 * 4096;

const NONE = new Float32Array(0);

/** What all boxes that are not empty are like, by axis. */
export interface BoxStats {
  /** Boxes that are not empty. */
  count: number;
  low: number[];
  high: number[];
  /** The smallest size, the mean size, and the mean square of the size. */
  least: number[];
  size: number[];
  square: number[];
  axes: SweepAxes;
}

/** Boxes spread most, for their size, along the axis of the sweep; least along that of the columns. */
export interface SweepAxes { sweep: number; slab: number; column: number }

/** @throws Unsupported where there are more boxes, in both sets together, than have a number of their own. */
export function checkCount(count: number): void {
  if (count > 2 ** boxLimits.BOX_BITS) throw new Unsupported(`${count} boxes were given, more than ${2 ** boxLimits.BOX_BITS}`, 'leave empty boxes out, or ask about parts of the boxes, one against another');
}

/** Six floats a box: least x, y, z, then greatest. @throws InvalidBoxes, Unsupported */
export function checkBoxes(name: string, boxes: unknown): asserts boxes is Float32Array {
  if (!(boxes instanceof Float32Array)) throw new InvalidBoxes(`${name} is not a Float32Array`, `pass Float32Array.from(${name})`);
  if (boxes.length % 6 !== 0) throw new InvalidBoxes(`${name} has length ${boxes.length}, not a multiple of 6`, 'give least x, y, z and greatest x, y, z of each box');
  checkCount(boxes.length / 6);
}

/** What is thrown for a value that is not finite. */
export const wildValue = (name: string, index: number, value: number): InvalidBoxes =>
  new InvalidBoxes(`${name}[${index}] is ${value}, not a finite number`, `correct box ${Math.floor(index / 6)}, or leave it out`);

/** One set of boxes, or two, one behind the other. */
export class BoxSet {
  count = 0;
  /** Boxes of the first set. */
  firstCount = 0;
  private readonly backend: Backend;
  private readonly boxes: Buffer;
  private readonly surveys: Buffer;

  constructor(backend: Backend) {
    this.backend = backend;
    this.boxes = new Buffer(backend.arena);
    this.surveys = new Buffer(backend.arena);
  }

  /** Where the boxes lie: the set's own copy, or what `adopt` named. */
  at = 0;

  /** Slices that a pass over `count` boxes is worth. */
  slicesFor(count: number): number { return Math.max(1, Math.min(this.backend.pool.threadCount, Math.floor(count / BOXES_A_SLICE))); }

  /** Copies the boxes in, while the other threads look at what is there. @throws InvalidBoxes naming the first value that is not finite; LostSlice, Capacity */
  take(boxes: Float32Array, against: Float32Array = NONE): BoxStats {
    this.firstCount = boxes.length / 6;
    this.count = this.firstCount + against.length / 6;
    this.at = this.boxes.reserve(this.count * BOX_BYTES + 16);
    return this.survey(against !== NONE, (readyAt) => {
      this.copy(boxes, 0, readyAt);
      this.copy(against, boxes.length, readyAt);
      // Room for them may have moved the memory that they are views of.
      if (boxes.length + against.length !== 6 * this.count) throw new InvalidBoxes('boxes lie in memory that was resized while they were read', 'pass a copy of them');
    });
  }

  /** Uses boxes that lie in engine memory already. @throws LostSlice, Capacity */
  adopt(at: number, count: number, firstCount = count): BoxStats {
    this.at = at;
    this.count = count;
    this.firstCount = firstCount;
    return this.survey(false);
  }

  dispose(): void {
    this.boxes.dispose();
    this.surveys.dispose();
  }

  // Boxes from float `first` on; the word at readyAt tells how many boxes are there.
  private copy(boxes: Float32Array, first: number, readyAt: number): void {
    const { u32, f32 } = this.backend.arena;
    for (let from = 0; from < boxes.length; from += COPIED_AT_A_TIME) {
      const end = Math.min(from + COPIED_AT_A_TIME, boxes.length);
      f32.set(boxes.subarray(from, end), this.at / 4 + first + from);
      Atomics.store(u32, readyAt / 4, (first + end) / 6);
    }
  }

  private survey(isTwo: boolean, fill?: (readyAt: number) => void): BoxStats {
    const { backend: { arena } } = this;
    const sliceCount = this.slicesFor(this.count);
    const jobAt = this.surveys.reserve(64 + sliceCount * BoxSurvey.size);
    setWords(arena.u32, jobAt, SurveyBoxesJob, { boxesAt: this.at, boxCount: this.count, surveysAt: jobAt + 64, ready: fill ? 0 : this.count, cursor: 0 });
    runStep(this.backend, 'surveyBoxes', jobAt, sliceCount, fill && (() => fill(jobAt + SurveyBoxesJob.at.ready)));
    const stats: BoxStats = { count: 0, low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], least: [Infinity, Infinity, Infinity], size: [0, 0, 0], square: [0, 0, 0], axes: { sweep: 0, slab: 1, column: 2 } };
    let wild: number = limits.NOTHING;
    for (let slice = 0; slice < sliceCount; slice++) wild = Math.min(wild, this.add(stats, jobAt + 64 + slice * BoxSurvey.size));
    if (wild !== limits.NOTHING) throw this.wildAt(wild, isTwo);
    for (let axis = 0; axis < 3; axis++) {
      stats.size[axis]! /= Math.max(1, stats.count);
      stats.square[axis]! /= Math.max(1, stats.count);
    }
    stats.axes = axesOf(stats);
    return stats;
  }

  private wildAt(wild: number, isTwo: boolean): InvalidBoxes {
    const isFirst = wild < this.firstCount * 6;
    return wildValue(isFirst || !isTwo ? 'boxes' : 'against', isFirst ? wild : wild - this.firstCount * 6, this.backend.arena.f32[this.at / 4 + wild]!);
  }

  // @returns the first value that is not finite, or NOTHING.
  private add(stats: BoxStats, at: number): number {
    const { u32, f32, f64 } = this.backend.arena;
    stats.count += u32[(at + BoxSurvey.at.count) / 4]!;
    for (let axis = 0; axis < 3; axis++) {
      stats.low[axis] = Math.min(stats.low[axis]!, f32[(at + BoxSurvey.at.low) / 4 + axis]!);
      stats.high[axis] = Math.max(stats.high[axis]!, f32[(at + BoxSurvey.at.high) / 4 + axis]!);
      stats.least[axis] = Math.min(stats.least[axis]!, f32[(at + BoxSurvey.at.least) / 4 + axis]!);
      stats.size[axis]! += f64[(at + BoxSurvey.at.sumX) / 8 + axis]!;
      stats.square[axis]! += f64[(at + BoxSurvey.at.squareX) / 8 + axis]!;
    }
    return u32[(at + BoxSurvey.at.firstWild) / 4]!;
  }
}

function axesOf({ low, high, size }: BoxStats): SweepAxes {
  const spread = (axis: number): number => (high[axis]! - low[axis]!) / Math.max(size[axis]!, 1e-300);
  const x = spread(0), y = spread(1), z = spread(2);
  const sweep = x >= y && x >= z ? 0 : y >= z ? 1 : 2, column = z <= x && z <= y ? 2 : y <= x ? 1 : 0;
  return { sweep, slab: 3 - sweep - column, column };
}
