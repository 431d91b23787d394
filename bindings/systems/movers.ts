// The last frame's pairs and the boxes that have moved since -> this frame's pairs: those of still boxes are kept, only movers
// are looked at anew, against whoever is near one.
import type { Backend } from '../backend.js';
import { InvalidBoxes } from '../errors.js';
import { BoxSurvey, FindNearJob, KeepStillJob, limits, MoveBoxesJob, RenamePairsJob, SurveyBoxesJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { BOX_BYTES, wildValue } from './boxSet.js';
import type { PairList } from './pairSort.js';

/** Of all boxes: with more movers than this it is quicker to find all pairs anew. */
const MOST_MOVERS = 0.08;
const FEW_BOXES = 2048;
/** Times the mean square of the sizes over their mean. */
const COMMON = 1.25;
const CELLS = limits.NEAR_CELLS;
const GRID_BYTES = CELLS * CELLS * 8;
const SPARE = 64;

type FindPairs = (boxesAt: number, count: number, bystandersFrom: number) => PairList;

export class Movers {
  private readonly backend: Backend;
  private readonly boxes: Buffer;
  private readonly moved: Buffer;
  private readonly places: Buffer;
  private readonly job: Buffer;
  private readonly near: Buffer;
  // The last frame's pairs, in no order.
  private readonly pairs: { a: Buffer; b: Buffer; count: number; isKnown: boolean };
  private boxCount = 0;
  private movedCount = 0;
  private readonly low = new Float32Array(3);
  private readonly high = new Float32Array(3);
  /** Sizes that few boxes are larger than. */
  private readonly common = new Float32Array(3);

  constructor(backend: Backend) {
    this.backend = backend;
    const { arena } = backend;
    this.boxes = new Buffer(arena);
    this.moved = new Buffer(arena);
    this.places = new Buffer(arena);
    this.job = new Buffer(arena);
    this.near = new Buffer(arena);
    this.pairs = { a: new Buffer(arena), b: new Buffer(arena), count: 0, isKnown: false };
  }

  get count(): number { return this.boxCount; }
  get boxesAt(): number { return this.boxes.at; }
  /** Whether the last frame's pairs are worth keeping. */
  get isWorthKeeping(): boolean { return this.pairs.isKnown && this.boxCount >= FEW_BOXES && this.movedCount <= MOST_MOVERS * this.boxCount; }

  /** Replaces all boxes. @throws InvalidBoxes, with nothing changed */
  set(boxes: Float32Array): void {
    const count = boxes.length / 6;
    const placesAt = this.places.reserve(boxes.byteLength + SPARE), jobAt = this.job.reserve(SurveyBoxesJob.size + BoxSurvey.size), surveyAt = jobAt + SurveyBoxesJob.size;
    const { arena, pool } = this.backend;
    arena.f32.set(boxes, placesAt / 4);
    setWords(arena.u32, jobAt, SurveyBoxesJob, { boxesAt: placesAt, boxCount: count, surveysAt: surveyAt, sliceCount: 1 });
    pool.kernels.surveyBoxes(jobAt, 0, 1);
    this.checkSurvey(surveyAt, boxes);
    const movedAt = this.moved.grow(count + SPARE, this.boxCount), at = this.boxes.grow(boxes.byteLength + SPARE, 0);
    arena.f32.copyWithin(at / 4, placesAt / 4, placesAt / 4 + boxes.length);
    arena.u8.fill(0, movedAt, movedAt + count);
    this.boxCount = count;
    this.movedCount = 0;
    this.pairs.isKnown = false;
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
    this.reach(surveyAt);
    for (let axis = 0; axis < 3; axis++) {
      const sum = arena.f64[(surveyAt + BoxSurvey.at.sumX) / 8 + axis]!, squares = arena.f64[(surveyAt + BoxSurvey.at.squareX) / 8 + axis]!;
      // Sizes that float32 cannot hold: no box is larger than infinity, and movers mark all cells up to theirs.
      this.common[axis] = sum === 0 ? 0 : sum < Infinity && squares < Infinity ? COMMON * squares / sum : Infinity;
    }
  }

  /** @throws InvalidBoxes, with nothing changed */
  move(ids: Uint32Array, boxes: Float32Array): void {
    const count = ids.length;
    const idsAt = this.places.reserve(4 * count + boxes.byteLength + SPARE), placesAt = idsAt + 4 * count;
    const jobAt = this.job.reserve(MoveBoxesJob.size + BoxSurvey.size), surveyAt = jobAt + MoveBoxesJob.size;
    const { arena, pool } = this.backend;
    arena.u32.set(ids, idsAt / 4);
    arena.f32.set(boxes, placesAt / 4);
    setWords(arena.u32, jobAt, MoveBoxesJob, { boxesAt: this.boxes.at, boxCount: this.boxCount, idsAt, placesAt, count, movedAt: this.moved.at, surveyAt });
    pool.kernels.moveBoxes(jobAt, 0, 1);
    const stray = arena.u32[(jobAt + MoveBoxesJob.at.firstStray) / 4]!;
    if (stray !== limits.NOTHING) throw new InvalidBoxes(`ids[${stray}] is ${ids[stray]}, but there are ${this.boxCount} boxes`, 'pass numbers of boxes that set gave');
    this.checkSurvey(surveyAt, boxes);
    this.movedCount += count;
    this.reach(surveyAt);
  }

  /** Keeps a frame's pairs for the next. */
  remember({ aAt, bAt, count }: PairList): void {
    const { pairs, backend: { arena } } = this;
    pairs.isKnown = false;
    const a = pairs.a.reserve(4 * count + SPARE), b = pairs.b.reserve(4 * count + SPARE);
    arena.u32.copyWithin(a / 4, aAt / 4, aAt / 4 + count);
    arena.u32.copyWithin(b / 4, bAt / 4, bAt / 4 + count);
    Object.assign(pairs, { count, isKnown: true });
    this.settle();
  }

  /** This frame's pairs, in no order, from the last frame's. @throws Capacity */
  update(find: FindPairs): PairList {
    const { pairs, backend: { arena, pool } } = this;
    const nearAt = this.near.reserve(GRID_BYTES + (this.boxCount + 1) * (BOX_BYTES + 4) + SPARE), toBoxesAt = nearAt + GRID_BYTES, toIdsAt = toBoxesAt + (this.boxCount + 1) * BOX_BYTES;
    const jobAt = this.job.reserve(FindNearJob.size);
    setWords(arena.u32, jobAt, FindNearJob, { boxesAt: this.boxes.at, boxCount: this.boxCount, movedAt: this.moved.at, gridAt: nearAt, toBoxesAt, toIdsAt });
    for (let axis = 0; axis < 3; axis++) {
      const low = this.low[axis]! / 2, half = this.high[axis]! / 2 - low, cells = axis < 2 ? CELLS : 64;
      arena.f32[(jobAt + FindNearJob.at.origin) / 4 + axis] = low;
      arena.f32[(jobAt + FindNearJob.at.scale) / 4 + axis] = half > 0 ? Math.min((cells - 1) / half, 1e38) : 0;
      arena.f32[(jobAt + FindNearJob.at.low) / 4 + axis] = this.low[axis]!;
      arena.f32[(jobAt + FindNearJob.at.reach) / 4 + axis] = this.common[axis]!;
    }
    pool.kernels.findNear(jobAt, 0, 1);
    const moverCount = arena.u32[(jobAt + FindNearJob.at.moverCount) / 4]!, nearCount = arena.u32[(jobAt + FindNearJob.at.count) / 4]!;
    const found = find(toBoxesAt, nearCount, moverCount);
    // From here on nothing fails but for want of room, and then the last frame is no longer known.
    pairs.isKnown = false;
    const kept = this.keepStill();
    this.makeRoom(kept, kept + found.count);
    const to = { toAAt: pairs.a.at + 4 * kept, toBAt: pairs.b.at + 4 * kept };
    setWords(arena.u32, this.job.at, RenamePairsJob, { aAt: found.aAt, bAt: found.bAt, count: found.count, idsAt: toIdsAt, ...to });
    pool.kernels.renamePairs(this.job.at, 0, 1);
    Object.assign(pairs, { count: kept + found.count, isKnown: true });
    this.settle();
    return { aAt: pairs.a.at, bAt: pairs.b.at, count: pairs.count };
  }

  dispose(): void { for (const buffer of [this.boxes, this.moved, this.places, this.job, this.near, this.pairs.a, this.pairs.b]) buffer.dispose(); }

  private keepStill(): number {
    const { pairs, backend: { arena, pool } } = this;
    const jobAt = this.job.at;
    setWords(arena.u32, jobAt, KeepStillJob, { aAt: pairs.a.at, bAt: pairs.b.at, count: pairs.count, movedAt: this.moved.at });
    pool.kernels.keepStill(jobAt, 0, 1);
    return arena.u32[(jobAt + KeepStillJob.at.kept) / 4]!;
  }

  private makeRoom(kept: number, count: number): void {
    const { pairs, backend: { arena } } = this;
    for (const list of [pairs.a, pairs.b]) {
      const bytes = 4 * count + SPARE;
      if (arena.sizeOf(list.at) < bytes) list.grow(bytes + (bytes >>> 2), 4 * kept);
    }
  }

  private settle(): void {
    if (this.movedCount > 0) this.backend.arena.u8.fill(0, this.moved.at, this.moved.at + this.boxCount);
    this.movedCount = 0;
  }

  private checkSurvey(surveyAt: number, boxes: Float32Array): void {
    const wild = this.backend.arena.u32[(surveyAt + BoxSurvey.at.firstWild) / 4]!;
    if (wild !== limits.NOTHING) throw wildValue('boxes', wild, boxes[wild]!);
  }

  // Bounds of all that is not empty, now or before.
  private reach(surveyAt: number): void {
    const { f32 } = this.backend.arena;
    for (let axis = 0; axis < 3; axis++) {
      this.low[axis] = Math.min(this.low[axis]!, f32[(surveyAt + BoxSurvey.at.low) / 4 + axis]!);
      this.high[axis] = Math.max(this.high[axis]!, f32[(surveyAt + BoxSurvey.at.high) / 4 + axis]!);
    }
  }
}
