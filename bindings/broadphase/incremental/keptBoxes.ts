// A user's boxes -> kept in engine memory from frame to frame, checked, with a mark on each that has moved.

import { InvalidBoxes } from '../../core/errors.js';
import { MoveBoxesJob } from '../../records/incrementalLayout.js';
import { limits } from '../../records/layout.js';
import { setWords } from '../../records/record.js';
import { BoxSurvey, SurveyBoxesJob } from '../../records/surveyLayout.js';
import type { Backend } from '../../runtime/backend.js';
import { Buffer } from '../../runtime/memory.js';
import { refuseInverted, wildValue } from '../boxSet.js';
import type { KeeperHost } from './pairKeeper.js';

const SPARE = 64;

export class KeptBoxes {
  count = 0;
  /** Moves since the last `settle`: of a box that moved twice, two. */
  movedCount = 0;
  readonly #backend: Backend;
  readonly #inverted: KeeperHost['inverted'];
  readonly #boxes: Buffer;
  readonly #moved: Buffer;
  readonly #places: Buffer;
  readonly #job: Buffer;

  constructor({ backend, inverted }: Pick<KeeperHost, 'backend' | 'inverted'>) {
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

  /**
   * Replaces all boxes. @returns address of their BoxSurvey. @throws InvalidBoxes, Capacity, with nothing
   * changed
   */
  set(boxes: Float32Array): number {
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
    return surveyAt;
  }

  /**
   * Moves boxes ids[k]. @returns address of the BoxSurvey of their new places. @throws InvalidBoxes, with
   * nothing changed
   */
  move(ids: Uint32Array, boxes: Float32Array): number {
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
    this.movedCount += count;
    return surveyAt;
  }

  /** From here on no box has moved. */
  settle(): void {
    if (this.movedCount > 0) this.#backend.arena.u8.fill(0, this.#moved.at, this.#moved.at + this.count);
    this.movedCount = 0;
  }

  dispose(): void {
    for (const buffer of [this.#boxes, this.#moved, this.#places, this.#job]) buffer.dispose();
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
