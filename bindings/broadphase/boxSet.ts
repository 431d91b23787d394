// A user's boxes -> copied into engine memory, looked at once: how many, where, how large.

import { describe, InvalidBoxes, Unsupported } from '../core/errors.js';
import { checkAttached } from '../core/optionTable.js';
import { boxLimits } from '../records/boxLimits.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BoxPlan, BoxSurvey, SurveyBoxesJob } from '../records/surveyLayout.js';
import type { Backend } from '../runtime/backend.js';
import { type Arena, Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';

export const BOX_BYTES = 24;
/** Fewer boxes than this a thread are not worth a hand-off. */
const BOXES_A_SLICE = 4096;
/** Floats that are copied before the other threads are told. */
const COPIED_AT_A_TIME = 6 * 4096;

const COUNT = BoxPlan.at.count / 4;
const IS_ALIKE = BoxPlan.at.isAlike / 4;
const NONE = new Float32Array(0);
const MOST_BOXES = 2 ** boxLimits.BOX_BITS;

/** What all boxes that are not empty are like. */
export interface BoxBounds {
  count: number;
  low: number[];
  high: number[];
}

/** A BoxPlan, read where it lies, until its set's next survey. */
export class BoxStats implements BoxBounds {
  readonly at: number;
  readonly #arena: Arena;

  constructor(arena: Arena, at: number) {
    this.#arena = arena;
    this.at = at;
  }

  /** Boxes that are not empty. */
  get count(): number {
    return this.#arena.u32[this.at / 4 + COUNT];
  }
  get low(): number[] {
    return this.#axes('low');
  }
  get high(): number[] {
    return this.#axes('high');
  }
  get sweepAxis(): number {
    return this.#word('sweepAxis');
  }
  get slabAxis(): number {
    return this.#word('slabAxis');
  }
  get columnAxis(): number {
    return this.#word('columnAxis');
  }
  get isAlike(): boolean {
    return this.#arena.u32[this.at / 4 + IS_ALIKE] === 1;
  }
  /** Pairs, if boxes were of the mean size and lay evenly. */
  get expected(): number {
    return this.#arena.f64[(this.at + BoxPlan.at.expected) / 8];
  }

  #word(field: 'sweepAxis' | 'slabAxis' | 'columnAxis'): number {
    return this.#arena.u32[(this.at + BoxPlan.at[field]) / 4];
  }
  #axes(field: 'low' | 'high'): number[] {
    const first = (this.at + BoxPlan.at[field]) / 8;
    return [...this.#arena.f64.subarray(first, first + 3)];
  }
}

/** @throws Unsupported where there are more boxes, in both sets together, than have a number of their own. */
export function checkCount(count: number): void {
  if (count > MOST_BOXES)
    throw new Unsupported(
      `${count} boxes were given, more than ${MOST_BOXES}`,
      'leave empty boxes out, or ask about parts of the boxes, one against another',
    );
}

/** Six floats a box: least x, y, z, then greatest. @throws InvalidBoxes, Unsupported */
export function checkBoxes(name: string, boxes: unknown): asserts boxes is Float32Array {
  if (!(boxes instanceof Float32Array))
    throw new InvalidBoxes(
      `${name} is ${describe(boxes)}, not a Float32Array`,
      `pass Float32Array.from(${name})`,
    );
  checkAttached(name, boxes, InvalidBoxes);
  if (boxes.length % 6 !== 0)
    throw new InvalidBoxes(
      `${name} has length ${boxes.length}, not a multiple of 6`,
      'give least x, y, z and greatest x, y, z of each box',
    );
  checkCount(boxes.length / 6);
}

/**
 * Refuses the first box whose min is above its max; for boxes of which a survey has counted fewer than there
 * are. @throws InvalidBoxes
 */
export function refuseInverted(name: string, boxes: Float32Array): void {
  for (let i = 0; i < boxes.length; i++) {
    if (i % 6 === 3) i += 3;
    if (boxes[i] > boxes[i + 3])
      throw new InvalidBoxes(
        `${name}[${i}] is ${boxes[i]}, above ${name}[${i + 3}], which is ${boxes[i + 3]}: box ${Math.floor(i / 6)} is inverted`,
        'give min x, y, z, then max x, y, z of each box, and leave out empty boxes',
      );
  }
}

/** Room for boxes may have moved the memory that they are views of. @throws InvalidBoxes */
export function checkUnmoved(boxes: Float32Array, against: Float32Array = NONE, count: number): void {
  if (boxes.length + against.length !== 6 * count)
    throw new InvalidBoxes(
      'boxes lie in memory that was resized while they were read',
      'pass a copy of them',
    );
}

/** What is thrown for a value that is not finite. */
export const wildValue = (name: string, index: number, value: number): InvalidBoxes =>
  new InvalidBoxes(
    `${name}[${index}] is ${value}, not a finite number`,
    `correct box ${Math.floor(index / 6)}, or leave it out`,
  );

/** One set of boxes, or two, one behind the other. */
export class BoxSet {
  count = 0;
  /** Boxes of the first set. */
  firstCount = 0;
  readonly #backend: Backend;
  readonly #boxes: Buffer;
  readonly #surveys: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#boxes = new Buffer(backend.arena);
    this.#surveys = new Buffer(backend.arena);
  }

  /** Where the boxes lie: the set's own copy, or what `adopt` named. */
  at = 0;

  /** Slices that a pass over `count` boxes is worth. */
  slicesFor(count: number): number {
    return Math.max(1, Math.min(this.#backend.pool.threadCount, Math.floor(count / BOXES_A_SLICE)));
  }

  /**
   * Copies the boxes in, while the other threads look at what is there. @throws InvalidBoxes naming the first
   * value that is not finite; WorkerLost, Capacity
   */
  take(boxes: Float32Array, against: Float32Array = NONE): BoxStats {
    this.firstCount = boxes.length / 6;
    this.count = this.firstCount + against.length / 6;
    this.at = this.#boxes.reserve(this.count * BOX_BYTES + 16);
    return this.#survey(against !== NONE, readyAt => {
      checkUnmoved(boxes, against, this.count);
      this.#copy(boxes, 0, readyAt);
      this.#copy(against, boxes.length, readyAt);
    });
  }

  /** Uses boxes that lie in engine memory already. @throws WorkerLost, Capacity */
  adopt(at: number, count: number, firstCount = count): BoxStats {
    this.use({ at, count, firstCount });
    return this.#survey(false);
  }

  /** Boxes that lie in engine memory already, and of which it is known what they are like. */
  use({ at, count, firstCount }: Pick<BoxSet, 'at' | 'count' | 'firstCount'>): void {
    [this.at, this.count, this.firstCount] = [at, count, firstCount];
  }

  dispose(): void {
    this.#boxes.dispose();
    this.#surveys.dispose();
  }

  // Boxes from float `first` on; the word at readyAt tells how many boxes are there.
  #copy(boxes: Float32Array, first: number, readyAt: number): void {
    const { u32, f32 } = this.#backend.arena;
    for (let from = 0; from < boxes.length; from += COPIED_AT_A_TIME) {
      const end = Math.min(from + COPIED_AT_A_TIME, boxes.length);
      f32.set(boxes.subarray(from, end), this.at / 4 + first + from);
      Atomics.store(u32, readyAt / 4, (first + end) / 6);
    }
  }

  #survey(isTwo: boolean, fill?: (readyAt: number) => void): BoxStats {
    const backend = this.#backend;
    const { arena, pool } = this.#backend;
    const sliceCount = this.slicesFor(this.count);
    const jobAt = this.#surveys.reserve(SurveyBoxesJob.size + BoxPlan.size + sliceCount * BoxSurvey.size);
    const planAt = jobAt + SurveyBoxesJob.size;
    setWords(arena.u32, jobAt, SurveyBoxesJob, {
      boxesAt: this.at,
      boxCount: this.count,
      surveysAt: planAt + BoxPlan.size,
      ready: fill ? 0 : this.count,
      cursor: 0,
      sliceCount,
      planAt,
    });
    runStep(backend, 'surveyBoxes', jobAt, sliceCount, fill && (() => fill(jobAt + SurveyBoxesJob.at.ready)));
    pool.kernels.planBoxes(jobAt, 0, 1);
    const wild = arena.u32[(planAt + BoxPlan.at.firstWild) / 4];
    if (wild !== limits.NOTHING) throw this.#wildAt(wild, isTwo);
    return new BoxStats(arena, planAt);
  }

  #wildAt(wild: number, isTwo: boolean): InvalidBoxes {
    const isFirst = wild < this.firstCount * 6;
    return wildValue(
      isFirst || !isTwo ? 'boxes' : 'against',
      isFirst ? wild : wild - this.firstCount * 6,
      this.#backend.arena.f32[this.at / 4 + wild],
    );
  }
}
