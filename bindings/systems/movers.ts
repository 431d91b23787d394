// The last frame's pairs and the boxes that have moved since -> this frame's pairs: those of still boxes are kept, only movers
// are looked at anew, against whoever is near one.
import type { Backend } from '../backend.js';
import { BoxSurvey, FindNearJob, limits, RenamePairsJob } from '../layout.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import type { BoxPairsOptions, FoundPairs } from './boxPairs.js';
import { BOX_BYTES } from './boxSet.js';
import { KeptBoxes } from './keptBoxes.js';
import { PairBuffer } from './pairBuffer.js';
import type { KeeperHost, KeptPairs, PairKeeper } from './pairKeeper.js';
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

export class Movers implements PairKeeper {
  private readonly host: KeeperHost;
  private readonly backend: Backend;
  private readonly method: BoxPairsOptions['method'];
  private readonly boxes: KeptBoxes;
  private readonly job: Buffer;
  private readonly near: Buffer;
  // The last frame's pairs, in no order.
  private readonly last: PairBuffer;
  private isKnown = false;
  private readonly low = new Float32Array(3);
  private readonly high = new Float32Array(3);
  /** Sizes that few boxes are larger than. */
  private readonly common = new Float32Array(3);

  constructor(host: KeeperHost, method: BoxPairsOptions['method']) {
    this.host = host;
    this.backend = host.backend;
    this.method = method;
    const { arena } = host.backend;
    this.boxes = new KeptBoxes(host.backend);
    this.job = new Buffer(arena);
    this.near = new Buffer(arena);
    this.last = new PairBuffer(host.backend);
  }

  get count(): number { return this.boxes.count; }
  get boxesAt(): number { return this.boxes.at; }
  /** Whether the next frame's pairs will be found anew. */
  get startsAnew(): boolean { return !(this.isKnown && this.count >= FEW_BOXES && this.boxes.movedCount <= MOST_MOVERS * this.count); }

  set(boxes: Float32Array): void {
    const surveyAt = this.boxes.set(boxes);
    this.isKnown = false;
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
    this.reach(surveyAt);
    const { f64 } = this.backend.arena;
    for (let axis = 0; axis < 3; axis++) {
      const sum = f64[(surveyAt + BoxSurvey.at.sumX) / 8 + axis]!, squares = f64[(surveyAt + BoxSurvey.at.squareX) / 8 + axis]!;
      // Sizes that float32 cannot hold: no box is larger than infinity, and movers mark all cells up to theirs.
      this.common[axis] = sum === 0 ? 0 : sum < Infinity && squares < Infinity ? COMMON * squares / sum : Infinity;
    }
  }

  move(ids: Uint32Array, boxes: Float32Array): void { this.reach(this.boxes.move(ids, boxes)); }

  // Few movers: only they are looked at. Else all pairs anew, and kept for the next frame.
  pairs(order: 'sorted' | 'any'): KeptPairs {
    const { host, method, boxes } = this;
    if (!this.startsAnew) {
      const startedAt = performance.now();
      let part: FoundPairs | undefined;
      const list = this.update((boxesAt, count, bystandersFrom) => (part = host.boxPairs(boxesAt, count, { method: 'sap', order: 'any', bystandersFrom })).list);
      const sorted = order === 'sorted' ? host.sort([list], boxes.count) : list;
      const milliseconds = performance.now() - startedAt;
      const stages = { ...part!.stats.stages, keep: milliseconds - part!.stats.milliseconds };
      return { list: sorted, stats: { ...part!.stats, reason: 'few boxes moved: the others\' pairs were kept', milliseconds, stages } };
    }
    const found = host.boxPairs(boxes.at, boxes.count, { method, order });
    this.remember(found.list);
    return found;
  }

  dispose(): void { for (const part of [this.boxes, this.job, this.near, this.last]) part.dispose(); }

  // Keeps a frame's pairs for the next.
  private remember(list: PairList): void {
    this.isKnown = false;
    this.last.take(list);
    this.isKnown = true;
    this.boxes.settle();
  }

  // This frame's pairs, in no order, from the last frame's.
  private update(find: FindPairs): PairList {
    const { last, boxes, backend: { arena, pool } } = this;
    const nearAt = this.near.reserve(GRID_BYTES + (boxes.count + 1) * (BOX_BYTES + 4) + SPARE), toBoxesAt = nearAt + GRID_BYTES, toIdsAt = toBoxesAt + (boxes.count + 1) * BOX_BYTES;
    const jobAt = this.job.reserve(FindNearJob.size);
    setWords(arena.u32, jobAt, FindNearJob, { boxesAt: boxes.at, boxCount: boxes.count, movedAt: boxes.movedAt, gridAt: nearAt, toBoxesAt, toIdsAt });
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
    this.isKnown = false;
    const kept = last.keepStill(boxes.movedAt);
    last.makeRoom(kept + found.count, kept);
    const to = { toAAt: last.aAt + 4 * kept, toBAt: last.bAt + 4 * kept };
    setWords(arena.u32, this.job.at, RenamePairsJob, { aAt: found.aAt, bAt: found.bAt, count: found.count, idsAt: toIdsAt, ...to });
    pool.kernels.renamePairs(this.job.at, 0, 1);
    last.count = kept + found.count;
    this.isKnown = true;
    boxes.settle();
    return last.place;
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
