// A user's boxes -> kept in engine memory from frame to frame, checked, with a mark on each that has moved.

import { InvalidBoxes } from '../../core/errors.js';
import { MoveBoxesJob } from '../../records/incrementalLayout.js';
import { limits } from '../../records/layout.js';
import { setWords } from '../../records/record.js';
import { BoxSurvey, SurveyBoxesJob } from '../../records/surveyLayout.js';
import type { Backend } from '../../runtime/backend.js';
import { Buffer } from '../../runtime/memory.js';
import { refuseInverted, wildValue } from '../boxSet.js';

const SPARE = 64;
/**
 * Whether boxes whose min is above their max are a caller's mistake, or empty boxes of bodies that are gone.
 */
export type Inverted = 'refused' | 'empty';
/** Of all boxes: more movers than this are not listed. */
export const MOST_LISTED = 0.25;
/** Times the mean square of the sizes over their mean. */
const COMMON = 1.25;

/** Bounds of all boxes, by axis, and a size that few boxes are larger than. */
export interface Bounds {
  low: Float32Array;
  high: Float32Array;
  common: Float32Array;
}

export class KeptBoxes {
  count = 0;
  /** Of all boxes that are not empty, now or since `set`; sizes are those of `set`. */
  readonly bounds: Bounds = {
    low: new Float32Array(3),
    high: new Float32Array(3),
    common: new Float32Array(3),
  };
  /** Moves since the last `settle`: of a box that moved twice, two. */
  movedCount = 0;
  readonly #backend: Backend;
  readonly #inverted: Inverted;
  readonly #boxes: Buffer;
  readonly #moved: Buffer;
  readonly #places: Buffer;
  readonly #job: Buffer;
  #ids = new Uint32Array(64);

  constructor({ backend, inverted }: { backend: Backend; inverted: Inverted }) {
    this.#backend = backend;
    this.#inverted = inverted;
    const { arena } = backend;
    this.#boxes = new Buffer(arena);
    this.#moved = new Buffer(arena);
    this.#places = new Buffer(arena);
    this.#job = new Buffer(arena);
  }

  get at(): number {
    return this.#boxes.at;
  }
  /** A byte a box: 1 where it has moved. Behind the last there is room for whole vectors. */
  get movedAt(): number {
    return this.#moved.at;
  }

  /** Boxes that moved since the last `settle`, if they are at most MOST_LISTED of all. */
  get movedIds(): Uint32Array {
    return this.#ids.subarray(0, this.movedCount);
  }

  /** Replaces all boxes. @throws InvalidBoxes, Capacity, with nothing changed */
  set(boxes: Float32Array): void {
    const count = boxes.length / 6;
    const placesAt = this.#places.reserve(boxes.byteLength + SPARE);
    const jobAt = this.#job.reserve(SurveyBoxesJob.size + BoxSurvey.size);
    const surveyAt = jobAt + SurveyBoxesJob.size;
    const { arena, pool } = this.#backend;
    arena.f32.set(boxes, placesAt / 4);
    setWords(arena.u32, jobAt, SurveyBoxesJob, {
      boxesAt: placesAt,
      boxCount: count,
      surveysAt: surveyAt,
      ready: count,
      cursor: 0,
    });
    pool.kernels.surveyBoxes(jobAt, 0, 1);
    this.#checkSurvey(surveyAt, boxes);
    const movedAt = this.#moved.grow(count + SPARE, this.count);
    // No box behind the last has moved, also where there is no room for the new ones.
    arena.u8.fill(0, movedAt + this.count, movedAt + this.count + SPARE);
    const at = this.#boxes.grow(boxes.byteLength + SPARE, 0);
    arena.f32.copyWithin(at / 4, placesAt / 4, placesAt / 4 + boxes.length);
    arena.u8.fill(0, movedAt, movedAt + count + SPARE);
    this.count = count;
    this.movedCount = 0;
    this.#bound(surveyAt);
  }

  /** Moves boxes ids[k]. @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    const count = ids.length;
    const idsAt = this.#places.reserve(4 * count + boxes.byteLength + SPARE);
    const placesAt = idsAt + 4 * count;
    const jobAt = this.#job.reserve(MoveBoxesJob.size + BoxSurvey.size);
    const surveyAt = jobAt + MoveBoxesJob.size;
    const { arena, pool } = this.#backend;
    arena.u32.set(ids, idsAt / 4);
    arena.f32.set(boxes, placesAt / 4);
    setWords(arena.u32, jobAt, MoveBoxesJob, {
      boxesAt: this.#boxes.at,
      boxCount: this.count,
      idsAt,
      placesAt,
      count,
      movedAt: this.#moved.at,
      surveyAt,
      minCount: this.#inverted === 'refused' ? count : 0,
    });
    pool.kernels.moveBoxes(jobAt, 0, 1);
    const stray = arena.u32[(jobAt + MoveBoxesJob.at.firstStray) / 4];
    if (stray !== limits.NOTHING)
      throw new InvalidBoxes(
        `ids[${stray}] is ${ids[stray]}, but there are ${this.count} boxes`,
        'pass numbers of boxes that set gave',
      );
    this.#checkSurvey(surveyAt, boxes);
    this.#list(ids);
    this.#reach(surveyAt);
  }

  /** From here on no box has moved. */
  settle(): void {
    if (this.movedCount > 0) this.#backend.arena.u8.fill(0, this.#moved.at, this.#moved.at + this.count);
    this.movedCount = 0;
  }

  dispose(): void {
    for (const buffer of [this.#boxes, this.#moved, this.#places, this.#job]) buffer.dispose();
  }

  #list(ids: Uint32Array): void {
    const from = this.movedCount;
    this.movedCount += ids.length;
    if (this.movedCount > MOST_LISTED * this.count) return;
    if (this.#ids.length < this.movedCount) {
      const grown = new Uint32Array(2 * this.movedCount);
      grown.set(this.#ids.subarray(0, from));
      this.#ids = grown;
    }
    this.#ids.set(ids, from);
  }

  #bound(surveyAt: number): void {
    const { low, high, common } = this.bounds;
    low.fill(Infinity);
    high.fill(-Infinity);
    this.#reach(surveyAt);
    const { f64 } = this.#backend.arena;
    for (let axis = 0; axis < 3; axis++) {
      const sum = f64[(surveyAt + BoxSurvey.at.sumX) / 8 + axis];
      const squares = f64[(surveyAt + BoxSurvey.at.squareX) / 8 + axis];
      // Sizes that float32 cannot hold: no box is larger than infinity, and movers mark all cells up to
      // theirs.
      common[axis] =
        sum === 0 ? 0 : sum < Infinity && squares < Infinity ? (COMMON * squares) / sum : Infinity;
    }
  }

  // Bounds grow: empty boxes have none.
  #reach(surveyAt: number): void {
    const { low, high } = this.bounds;
    const { f32 } = this.#backend.arena;
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], f32[(surveyAt + BoxSurvey.at.low) / 4 + axis]);
      high[axis] = Math.max(high[axis], f32[(surveyAt + BoxSurvey.at.high) / 4 + axis]);
    }
  }

  #checkSurvey(surveyAt: number, boxes: Float32Array): void {
    const wild = this.#backend.arena.u32[(surveyAt + BoxSurvey.at.firstWild) / 4];
    if (wild !== limits.NOTHING) throw wildValue('boxes', wild, boxes[wild]);
    if (
      this.#inverted === 'refused' &&
      this.#backend.arena.u32[(surveyAt + BoxSurvey.at.count) / 4] < boxes.length / 6
    )
      refuseInverted('boxes', boxes);
  }
}
