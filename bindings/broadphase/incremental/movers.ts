// The last frame's pairs and the boxes that have moved since -> this frame's pairs: those of still boxes are
// kept, only movers are looked at anew, against whoever is near one.

import { addStage, StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { boxLimits } from '../../records/boxLimits.js';
import { FindNearJob, RenamePairsJob } from '../../records/incrementalLayout.js';
import { setWords } from '../../records/record.js';
import { Buffer } from '../../runtime/memory.js';
import type { BoxPairsOptions } from '../boxPairs.js';
import { BOX_BYTES } from '../boxSet.js';
import { NO_PAIRS, type PairList } from '../pairSort.js';
import { type Met, MoverSearch } from './moverSearch.js';
import { PairBuffer } from './pairBuffer.js';
import type { KeptFrame, PairKeeper } from './pairKeeper.js';

/** Of all boxes: with more movers than this it is quicker to find all pairs anew. */
const MOST_MOVERS = 0.08;
const FEW_BOXES = 2048;
const CELLS = boxLimits.NEAR_CELLS;
const GRID_BYTES = CELLS * CELLS * 8;
const SPARE = 64;

export class Movers implements PairKeeper {
  readonly #frame: KeptFrame;
  readonly #method: BoxPairsOptions['method'];
  readonly #job: Buffer;
  readonly #near: Buffer;
  readonly #search: MoverSearch;
  /** Pairs of movers. */
  readonly #found: PairBuffer;
  readonly #clock = new StageClock();
  /** Whether the history has this set's pairs. */
  #isKnown = false;

  constructor(frame: KeptFrame, method: BoxPairsOptions['method']) {
    const { backend } = frame.host;
    this.#frame = frame;
    this.#method = method;
    this.#job = new Buffer(backend.arena);
    this.#near = new Buffer(backend.arena);
    this.#search = new MoverSearch(backend);
    this.#found = new PairBuffer(backend);
  }

  /** Whether the next frame's pairs will be found anew. */
  get startsAnew(): boolean {
    const { count, movedCount } = this.#frame.boxes;
    return !(this.#isKnown && count >= FEW_BOXES && movedCount <= MOST_MOVERS * count);
  }

  reset(): void {
    this.#isKnown = false;
  }

  // Few movers: only they are looked at. Else all pairs anew.
  update(order: 'sorted' | 'any'): BoxPairsStats {
    const isKept = !this.startsAnew;
    // Half done is not known: the next frame finds all anew.
    this.#isKnown = false;
    const stats = isKept ? this.#follow(order) : this.#findAnew(order);
    this.#frame.boxes.settle();
    this.#isKnown = true;
    return stats;
  }

  dispose(): void {
    for (const part of [this.#job, this.#near, this.#search, this.#found]) part.dispose();
  }

  #findAnew(order: 'sorted' | 'any'): BoxPairsStats {
    const { host, boxes, history } = this.#frame;
    const clock = this.#clock;
    const { list, stats } = host.finder.findAt(boxes.at, boxes.count, { method: this.#method, order });
    clock.start();
    history.begin(list, order);
    clock.end('join');
    addStage(stats, 'join', clock.stages.join!);
    return stats;
  }

  // This frame's pairs from the last frame's.
  #follow(order: 'sorted' | 'any'): BoxPairsStats {
    const { host, boxes, history } = this.#frame;
    const clock = this.#clock;
    const kept = history.isSorted ? order : 'any';
    clock.start();
    if (boxes.movedCount === 0) {
      history.apply(NO_PAIRS);
      return { method: 'sap', reason: 'no box moved', tests: 0, places: 0, milliseconds: 0, stages: {} };
    }
    const met = this.#search.run(boxes, clock) ?? this.#findNear();
    clock.end('keep');
    const { list, stats } = host.finder.findAt(met.boxesAt, met.count, {
      method: 'sap',
      order: 'any',
      bystandersFrom: met.moverCount,
    });
    clock.skip();
    const found = [...met.lists, this.#rename(list, met.idsAt)];
    const added = kept === 'sorted' ? [host.finder.sort(found, boxes.count)] : found;
    clock.end('join');
    history.replace(boxes.movedAt, added, kept, clock);
    for (const stage of ['search', 'join', 'keep'] as const) addStage(stats, stage, clock.stages[stage] ?? 0);
    return {
      ...stats,
      tests: stats.tests + met.tests,
      places: stats.places + met.places,
      reason: "few boxes moved: the others' pairs were kept",
    };
  }

  // Movers, whatever their sizes and however they crowd, and behind them who is near one.
  #findNear(): Met {
    const { host, boxes } = this.#frame;
    const { bounds } = boxes;
    const { arena, pool } = host.backend;
    const nearAt = this.#near.reserve(GRID_BYTES + (boxes.count + 1) * (BOX_BYTES + 4) + SPARE);
    const boxesAt = nearAt + GRID_BYTES;
    const idsAt = boxesAt + (boxes.count + 1) * BOX_BYTES;
    const jobAt = this.#job.reserve(FindNearJob.size);
    setWords(arena.u32, jobAt, FindNearJob, {
      boxesAt: boxes.at,
      boxCount: boxes.count,
      movedAt: boxes.movedAt,
      gridAt: nearAt,
      toBoxesAt: boxesAt,
      toIdsAt: idsAt,
    });
    for (let axis = 0; axis < 3; axis++) {
      const low = bounds.low[axis] / 2;
      const half = bounds.high[axis] / 2 - low;
      const cells = axis < 2 ? CELLS : 64;
      arena.f32[(jobAt + FindNearJob.at.origin) / 4 + axis] = low;
      arena.f32[(jobAt + FindNearJob.at.scale) / 4 + axis] =
        half > 0 ? Math.min((cells - 1) / half, 1e38) : 0;
      arena.f32[(jobAt + FindNearJob.at.low) / 4 + axis] = bounds.low[axis];
      arena.f32[(jobAt + FindNearJob.at.reach) / 4 + axis] = bounds.common[axis];
    }
    pool.kernels.findNear(jobAt, 0, 1);
    return {
      boxesAt,
      idsAt,
      moverCount: arena.u32[(jobAt + FindNearJob.at.moverCount) / 4],
      count: arena.u32[(jobAt + FindNearJob.at.count) / 4],
      lists: [],
      tests: 0,
      places: 0,
    };
  }

  // Pairs of places among those that are near -> pairs of boxes.
  #rename({ aAt, bAt, count }: PairList, idsAt: number): PairList {
    const found = this.#found;
    const { arena, pool } = this.#frame.host.backend;
    found.makeRoom(count, 0);
    found.count = count;
    const jobAt = this.#job.reserve(Math.max(FindNearJob.size, RenamePairsJob.size));
    setWords(arena.u32, jobAt, RenamePairsJob, {
      aAt,
      bAt,
      count,
      idsAt,
      toAAt: found.aAt,
      toBAt: found.bAt,
    });
    pool.kernels.renamePairs(jobAt, 0, 1);
    return found.place;
  }
}
