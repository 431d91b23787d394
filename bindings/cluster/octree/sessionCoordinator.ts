// Coordinates a box-pair session, in which boxes move from frame to frame: distributes the boxes over nodes
// by ranges of octant codes, sends each node its boxes that have moved, and merges the pairs of all ranges.

import { FEW_TESTS, MAX_TEST_GROWTH } from '../../broadphase/incremental/incrementalOctree.js';
import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import type { PairsCopy } from '../../core/results.js';
import type { NodePool } from '../jobs/jobKind.js';
import type { TaskPlacement } from '../jobs/storedResults.js';
import { type BoxAssignment, distribute } from './boxAssignment.js';
import { type BoxesWithIds, encodeBoxesWithIds } from './boxBytes.js';
import { findPairsInCells } from './cellPairs.js';
import { DEFAULT_SILENCE, MAX_SUBSETS } from './coordinateBoxPairs.js';
import { recomputeIfFalse, rejectFalsePairs } from './falsePairs.js';
import type { BoxPairsFrame, BoxPairsSessionOptions } from './job.js';
import { listEncodings } from './listEncoding.js';
import { changeOf, decodePairs } from './pairChange.js';
import { maxOf, RoundLog, sumOf } from './roundLog.js';
import {
  NO_TASK,
  type SessionReportValues,
  sessionResultFields,
  sessionTaskKinds,
  sharedBoxes,
} from './sessionMessages.js';
import { sessionTasks } from './sessionTasks.js';

/**
 * The boxes are distributed again if the number of copies, or the number of octants of the largest range, has
 * grown by more than these factors since the last distribution. (The number of tests has a similar limit,
 * MAX_TEST_GROWTH.)
 */
const MAX_COPY_GROWTH = 2;
const MAX_OCTANT_GROWTH = 1.5;
/** Growth beyond these factors is tolerated up to this fraction of the number of boxes. */
const TOLERATED = 0.25;
/** The maximum number of box tests that are spent on checking a frame for missing pairs. */
const MAX_FRAME_TESTS = 2 ** 19;

/** What a frame costs with the current distribution of the boxes. */
interface Load {
  tests: number;
  copies: number;
  maxOctants: number;
}

/** The pairs of a frame, the results of its tasks, and the number of bytes that the caller has fetched. */
interface FoundPairs {
  pairs: SortedPairs;
  lists: readonly SessionReportValues[];
  scans: readonly SessionReportValues[];
  toCaller: number;
}
const noTasks = { lists: [], scans: [], toCaller: 0 };

export class SessionCoordinator {
  private readonly pool: NodePool;
  private readonly options: BoxPairsSessionOptions;
  private readonly boxes: Float32Array;
  private readonly count: number;
  private subsetCount = 0;
  private frame = 0;
  /** The ranges and their boxes; undefined if the next frame must distribute the boxes again. */
  private assignment: BoxAssignment | undefined;
  /** The load in the first frame with this assignment. */
  private firstLoad: Load | undefined;
  /** The last frame's first task, and for each range, the task that scanned the range in that frame. */
  private firstTask = 0;
  private scans: readonly number[] = [];
  /** The pairs of each range in the last frame. */
  private rangePairs: SortedPairs[] = [];
  private last: SortedPairs = { a: new Uint32Array(0), b: new Uint32Array(0) };
  private readonly isMoved: Uint8Array;
  private reassigned = 0;
  private messages = 0;

  /** boxes: not copied. Each frame writes the moves into this array, so the caller must not change it. */
  constructor(pool: NodePool, boxes: Float32Array, options: BoxPairsSessionOptions) {
    this.pool = pool;
    this.boxes = boxes;
    this.options = options;
    this.count = boxes.length / 6;
    this.isMoved = new Uint8Array(this.count);
  }

  /**
   * Runs a frame: applies moves, and finds the pairs. It must not be called again before the frame has ended.
   */
  async pairs(moves: readonly BoxesWithIds[]): Promise<BoxPairsFrame> {
    const startedAt = performance.now();
    const moved = this.apply(moves);
    const log = new RoundLog();
    if (this.count === 0) return this.answerOf({ ...noTasks, pairs: this.last }, log, startedAt, 0);
    const { pool } = this;
    this.subsetCount ||= this.options.subsets ?? Math.min(await pool.gather(this.options.nodes), MAX_SUBSETS);
    const find = (): Promise<FoundPairs> => this.find(moved, log, startedAt);
    const findInCells = (): Promise<FoundPairs> => this.findInCells(log);
    const found = pool.isTwofold ? await findInCells() : await recomputeIfFalse(pool, find, findInCells);
    return this.answerOf(found, log, startedAt, moved.length);
  }

  // Finds the pairs without using results of earlier frames. The next frame distributes the boxes again.
  private async findInCells(log: RoundLog): Promise<FoundPairs> {
    const { pool } = this;
    this.assignment = undefined;
    const pairs = await findPairsInCells(pool, this.boxes, this.subsetCount, log);
    pool.forgetBefore(pool.stats.tasks);
    return { ...noTasks, pairs, toCaller: 8 * pairs.a.length };
  }

  private async find(moved: Uint32Array, log: RoundLog, startedAt: number): Promise<FoundPairs> {
    const { pool, subsetCount } = this;
    const isFirst = this.assignment === undefined;
    const assignment = (this.assignment ??= distribute(this.boxes, subsetCount));
    const first = pool.stats.tasks;
    const previous = isFirst ? [] : this.scans;
    const oldest = isFirst ? first : this.firstTask;
    if (isFirst) this.rangePairs = [];
    log.add('distribute', 1, startedAt);
    this.frame++;
    const movedOf = isFirst ? [] : this.movedBoxesOf(assignment, moved);
    for (let subset = 0; subset < subsetCount; subset++) {
      pool.shareAs(this.nameOf(subset, sharedBoxes.OWNED), () => this.ownedBoxes(assignment.boxesOf[subset]));
      if (!isFirst) pool.shareAs(this.nameOf(subset, sharedBoxes.MOVED), encodeBoxesWithIds(movedOf[subset]));
    }
    try {
      const lists = await this.round(
        log,
        'list',
        sessionTaskKinds.LIST,
        assignment,
        oldest,
        previous,
        subset =>
          previous.length > 0 ? { needs: [], prefer: previous[subset], isBound: true } : { needs: [] },
      );
      const scans = await this.round(
        log,
        'scan',
        sessionTaskKinds.SCAN,
        assignment,
        oldest,
        previous,
        subset => ({
          needs: lists.ids,
          prefer: lists.ids[subset],
          isBound: true,
        }),
      );
      const toCaller = await this.collect(log, scans.ids, scans.results);
      pool.forgetBefore(first);
      [this.scans, this.firstTask] = [scans.ids, first];
      const pairs = mergePairs(this.rangePairs);
      rejectFalsePairs(pool, this.boxes, pairs, [0, this.count], MAX_FRAME_TESTS);
      return { pairs, lists: lists.results, scans: scans.results, toCaller };
    } finally {
      for (let subset = 0; subset < subsetCount; subset++)
        for (const what of Object.values(sharedBoxes)) pool.unshare(this.nameOf(subset, what));
    }
  }

  private async round(
    log: RoundLog,
    name: string,
    kind: number,
    { grid, borders }: BoxAssignment,
    oldest: number,
    previous: readonly number[],
    placementOf: (subset: number) => TaskPlacement,
  ): Promise<{ ids: number[]; results: SessionReportValues[] }> {
    const {
      pool,
      subsetCount,
      count,
      frame,
      options: { silence = DEFAULT_SILENCE },
    } = this;
    const first = pool.stats.tasks;
    const ids = Array.from({ length: subsetCount }, (_, i) => first + i);
    const results = await log.measure<SessionReportValues>(name, subsetCount, note =>
      pool.run(
        sessionTasks,
        subsetCount,
        (subset, holderOf) => {
          const { needs } = placementOf(subset);
          return {
            kind,
            count,
            subset,
            subsetCount,
            encoding: this.encoding,
            silence,
            frame,
            previous: previous[subset] ?? NO_TASK,
            oldest,
            grid: Float64Array.of(...grid.low, ...grid.high),
            borders,
            needs: Uint32Array.from(needs),
            holders: Uint32Array.from(needs, holderOf),
          };
        },
        note,
        placementOf,
      ),
    );
    return { ids, results };
  }

  // Fetches the pairs of each range whose pairs have changed. @returns the number of bytes fetched
  private async collect(
    log: RoundLog,
    ids: readonly number[],
    results: readonly SessionReportValues[],
  ): Promise<number> {
    const startedAt = performance.now();
    // If a fetch fails, the frame ends, but its other fetches go on. A later frame may replace
    // this.rangePairs. So these fetches write to the array of their own frame, which is kept here.
    const { rangePairs } = this;
    let bytes = 0;
    let isChanged = false;
    await Promise.all(
      ids.map(async (id, subset) => {
        const before = rangePairs[subset];
        if (before && results[subset].isFresh === 0 && results[subset].differing === 0) return;
        const block = await this.pool.fetch(id, [sessionResultFields.PAIRS, this.encoding]);
        bytes += block.length;
        rangePairs[subset] = await decodePairs(block, before, this.count, this.encoding);
        isChanged = true;
      }),
    );
    log.add('pairs', ids.length, startedAt);
    return isChanged ? bytes : 0;
  }

  private answerOf(
    { pairs, lists, scans, toCaller }: FoundPairs,
    log: RoundLog,
    startedAt: number,
    moved: number,
  ): BoxPairsFrame {
    const change = changeOf(this.last, pairs);
    this.last = pairs;
    const load = {
      tests: sumOf(scans, 'tests'),
      copies: sumOf(scans, 'copies'),
      maxOctants: maxOf(scans, 'octants'),
    };
    const fresh = sumOf(lists, 'isFresh');
    this.firstLoad = fresh === this.subsetCount ? load : (this.firstLoad ?? load);
    if (this.isOverloaded(load, this.firstLoad)) this.assignment = undefined;
    const { reassigned, sentMessages, receivedMessages, excluded } = this.pool.stats;
    const messages = sentMessages + receivedMessages;
    const stats = {
      subsets: this.subsetCount,
      moved,
      fresh,
      sorted: lists.filter(({ isSorted }, subset) => isSorted + scans[subset].isSorted > 0).length,
      octants: sumOf(scans, 'octants'),
      changed: sumOf(lists, 'changed') + sumOf(scans, 'changed'),
      copies: load.copies,
      tests: load.tests,
      maxTests: maxOf(scans, 'tests'),
      rounds: log.rounds,
      toCaller,
      reassigned: reassigned - this.reassigned,
      messages: messages - this.messages,
      excluded,
      milliseconds: performance.now() - startedAt,
    };
    [this.reassigned, this.messages] = [reassigned, messages];
    return { ...copyOf(pairs), began: copyOf(change.began), ended: copyOf(change.ended), stats };
  }

  // Returns whether the boxes should be distributed again.
  private isOverloaded({ tests, copies, maxOctants }: Load, first: Load): boolean {
    const tolerated = TOLERATED * this.count;
    return (
      tests > MAX_TEST_GROWTH * first.tests + FEW_TESTS * this.count ||
      copies > MAX_COPY_GROWTH * first.copies + tolerated ||
      maxOctants > MAX_OCTANT_GROWTH * first.maxOctants + tolerated
    );
  }

  // Applies moves, one after another. @returns the boxes that have moved
  private apply(moves: readonly BoxesWithIds[]): Uint32Array {
    const { boxes, isMoved } = this;
    const moved: number[] = [];
    for (const { ids, boxes: newBoxes } of moves) {
      for (const [i, id] of ids.entries()) {
        for (let k = 0; k < 6; k++) boxes[6 * id + k] = newBoxes[6 * i + k];
        if (isMoved[id] === 0) moved.push(id);
        isMoved[id] = 1;
      }
    }
    for (const id of moved) isMoved[id] = 0;
    return Uint32Array.from(moved);
  }

  private movedBoxesOf({ rangeOf, placeOf }: BoxAssignment, moved: Uint32Array): BoxesWithIds[] {
    const idsOf: number[][] = Array.from({ length: this.subsetCount }, () => []);
    for (const id of moved) idsOf[rangeOf[id]].push(id);
    return idsOf.map(ids => ({
      ids: Uint32Array.from(ids, id => placeOf[id]),
      boxes: this.boxesOf(ids),
    }));
  }
  private ownedBoxes(ids: Uint32Array): Uint8Array {
    return encodeBoxesWithIds({ ids, boxes: this.boxesOf(ids) });
  }
  private boxesOf(ids: ArrayLike<number>): Float32Array {
    const boxes = new Float32Array(6 * ids.length);
    for (let i = 0; i < ids.length; i++)
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = this.boxes[6 * ids[i] + k];
    return boxes;
  }

  private nameOf(subset: number, what: number): number[] {
    return [this.frame, subset, what];
  }
  private get encoding(): number {
    return listEncodings.indexOf(this.options.encoding ?? 'raw');
  }
}

const copyOf = ({ a, b }: SortedPairs): PairsCopy => ({ count: a.length, a: a.slice(), b: b.slice() });
