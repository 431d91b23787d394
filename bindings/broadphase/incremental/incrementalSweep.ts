// Incremental sweep and prune: keeps the last frame's pairs of unmoved boxes, and searches only for pairs
// that contain a moved box.

import { addStage, StageClock } from '../../core/stageClock.js';
import type { BoxPairsStats } from '../../core/stats.js';
import { boxLimits } from '../../records/boxLimits.js';
import { MapPairIdsJob, NearMovedJob } from '../../records/incrementalLayout.js';
import { setWords } from '../../records/record.js';
import { GrowableBlock } from '../../runtime/memory.js';
import type { BoxPairsOptions } from '../boxPairs.js';
import { BOX_BYTES } from '../boxSet.js';
import { NO_PAIRS, type PairList } from '../pairSort.js';
import type { IncrementalBroadPhase, IncrementalState } from './incrementalBroadPhase.js';
import { type MovedBoxPairs, MovedBoxSearch } from './movedBoxSearch.js';
import { PairBuffer } from './pairBuffer.js';

/** If more than this fraction of all boxes has moved, finding all pairs from scratch is faster. */
const MAX_MOVED = 0.08;
const FEW_BOXES = 2048;
const CELLS = boxLimits.NEAR_CELLS;
const GRID_BYTES = CELLS * CELLS * 8;
const SPARE = 64;

export class IncrementalSweep implements IncrementalBroadPhase {
  readonly #state: IncrementalState;
  readonly #method: BoxPairsOptions['method'];
  readonly #job: GrowableBlock;
  readonly #near: GrowableBlock;
  readonly #search: MovedBoxSearch;
  /** Pairs found by the sweep. */
  readonly #found: PairBuffer;
  readonly #clock = new StageClock();
  /**
   * Whether the pairs of the last frame are known. This is false after a reset, and after an update that
   * failed.
   */
  #hasLastPairs = false;

  constructor(state: IncrementalState, method: BoxPairsOptions['method']) {
    const { context } = state.host;
    this.#state = state;
    this.#method = method;
    this.#job = new GrowableBlock(context.arena);
    this.#near = new GrowableBlock(context.arena);
    this.#search = new MovedBoxSearch(context);
    this.#found = new PairBuffer(context);
  }

  /** Whether the next frame's pairs will be found from scratch. */
  get needsFullSearch(): boolean {
    const { count, movedCount } = this.#state.boxes;
    return !(this.#hasLastPairs && count >= FEW_BOXES && movedCount <= MAX_MOVED * count);
  }

  reset(): void {
    this.#hasLastPairs = false;
  }

  // If few boxes have moved, searches only for their pairs; otherwise finds all pairs from scratch.
  update(order: 'sorted' | 'any'): BoxPairsStats {
    const isIncremental = !this.needsFullSearch;
    // If this update throws, the next frame finds all pairs from scratch.
    this.#hasLastPairs = false;
    const stats = isIncremental ? this.#updateIncrementally(order) : this.#findAll(order);
    this.#state.boxes.endFrame();
    this.#hasLastPairs = true;
    return stats;
  }

  dispose(): void {
    for (const resource of [this.#job, this.#near, this.#search, this.#found]) resource.dispose();
  }

  #findAll(order: 'sorted' | 'any'): BoxPairsStats {
    const { host, boxes, history } = this.#state;
    const clock = this.#clock;
    this.#search.forget();
    const { list, stats } = host.finder.findAt(boxes.at, boxes.count, { method: this.#method, order });
    clock.start();
    history.replaceAll(list, order);
    clock.end('join');
    addStage(stats, 'join', clock.stages.join!);
    return stats;
  }

  // Derives this frame's pairs from the last frame's pairs.
  #updateIncrementally(order: 'sorted' | 'any'): BoxPairsStats {
    const { host, boxes, history } = this.#state;
    const clock = this.#clock;
    const keptOrder = history.isSorted ? order : 'any';
    clock.start();
    if (boxes.movedCount === 0) {
      history.apply(NO_PAIRS);
      return { method: 'sap', reason: 'no box moved', tests: 0, places: 0, milliseconds: 0, stages: {} };
    }
    const near = this.#search.run(boxes, clock) ?? this.#findNear();
    clock.end('keep');
    const { list, stats } = host.finder.findAt(near.boxesAt, near.count, {
      method: 'sap',
      order: 'any',
      passiveFrom: near.movedCount,
    });
    clock.skip();
    const found = [...near.lists, this.#toIds(list, near.idsAt)];
    const added = keptOrder === 'sorted' ? [host.finder.sort(found, boxes.count)] : found;
    clock.end('join');
    history.replace(boxes.movedAt, added, keptOrder, clock);
    for (const stage of ['search', 'join', 'keep'] as const) addStage(stats, stage, clock.stages[stage] ?? 0);
    return Object.assign(stats, {
      tests: stats.tests + near.tests,
      places: stats.places + near.places,
      reason: 'few boxes moved: pairs of unmoved boxes were kept',
    });
  }

  // Lists the moved boxes, followed by the boxes near them. Unlike MovedBoxSearch, this method works for any
  // sizes and densities of the moved boxes, but it does not find their pairs.
  #findNear(): MovedBoxPairs {
    const { host, boxes } = this.#state;
    const { bounds } = boxes;
    const { arena, pool } = host.context;
    const nearAt = this.#near.reserve(GRID_BYTES + (boxes.count + 1) * (BOX_BYTES + 4) + SPARE);
    const boxesAt = nearAt + GRID_BYTES;
    const idsAt = boxesAt + (boxes.count + 1) * BOX_BYTES;
    const jobAt = this.#job.reserve(NearMovedJob.size);
    setWords(arena.u32, jobAt, NearMovedJob, {
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
      arena.f32[(jobAt + NearMovedJob.at.origin) / 4 + axis] = low;
      arena.f32[(jobAt + NearMovedJob.at.scale) / 4 + axis] =
        half > 0 ? Math.min((cells - 1) / half, 1e38) : 0;
      arena.f32[(jobAt + NearMovedJob.at.low) / 4 + axis] = bounds.low[axis];
      arena.f32[(jobAt + NearMovedJob.at.reach) / 4 + axis] = bounds.commonSize[axis];
    }
    pool.kernels.findNear(jobAt, 0, 1);
    return {
      boxesAt,
      idsAt,
      movedCount: arena.u32[(jobAt + NearMovedJob.at.movedCount) / 4],
      count: arena.u32[(jobAt + NearMovedJob.at.count) / 4],
      lists: [],
      tests: 0,
      places: 0,
    };
  }

  // The given pairs contain indices into the list of moved and near boxes. Replaces these by the boxes' ids.
  #toIds({ aAt, bAt, count }: PairList, idsAt: number): PairList {
    const found = this.#found;
    const { arena, pool } = this.#state.host.context;
    found.reserve(count, 0);
    found.count = count;
    const jobAt = this.#job.reserve(Math.max(NearMovedJob.size, MapPairIdsJob.size));
    setWords(arena.u32, jobAt, MapPairIdsJob, {
      aAt,
      bAt,
      count,
      idsAt,
      toAAt: found.aAt,
      toBAt: found.bAt,
    });
    pool.kernels.mapPairIds(jobAt, 0, 1);
    return found.pairs;
  }
}
