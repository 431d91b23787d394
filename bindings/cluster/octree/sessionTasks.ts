// Runs the tasks of a box-pair session on a node. LIST moves the boxes that a range owns, and updates the
// sorted octants of the range. SCAN adds the boxes of other ranges that reach into the range, and finds the
// pairs of the range. Each task passes the state of the range to the next task on the same node.

import type { SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { explainTrap } from '../../runtime/retry.js';
import { cpuMilliseconds } from '../cpuTime.js';
import { MissingResult } from '../jobs/failure.js';
import type { ResultStore, StoredResult, TaskKind } from '../jobs/jobKind.js';
import { type BoxesWithIds, decodeBoxesWithIds } from './boxBytes.js';
import { checkFinite, decodeHalo, encodeHalo, type Halo, type HaloChange } from './halo.js';
import { makeComputation, type OctreeComputation } from './octreeComputation.js';
import { changeOf, encodePairs, type PairChange } from './pairChange.js';
import type { RangeState } from './rangeState.js';
import { stagesOf } from './roundLog.js';
import {
  NO_TASK,
  SessionReport,
  type SessionReportValues,
  SessionTask,
  type SessionTaskValues,
  sessionResultFields,
  sessionTaskKinds,
  sharedBoxes,
} from './sessionMessages.js';

type Task = SessionTaskValues;
/**
 * The inputs of a task. owned: all boxes of the range, for a LIST from scratch. moved: boxes that have moved,
 * for any other LIST. halos: boxes of other ranges, for a SCAN. from: the result of the earlier task that has
 * the state of the range.
 */
type Fetched = { store: ResultStore } & (
  | { owned: BoxesWithIds }
  | { from: Result; moved: BoxesWithIds }
  | { from: Result; halos: HaloChange[] }
);

/** A result that has the state of a range until the next task takes it. */
class Result implements StoredResult {
  private range: RangeState | undefined;
  private readonly halos: readonly Halo[];
  readonly pairs: SortedPairs | undefined;
  private readonly change: PairChange | undefined;

  constructor(
    range: RangeState,
    { halos = [], pairs, change }: { halos?: Halo[]; pairs?: SortedPairs; change?: PairChange },
  ) {
    this.range = range;
    this.halos = halos;
    this.pairs = pairs;
    this.change = change;
  }

  get hasRange(): boolean {
    return this.range !== undefined;
  }
  get hasCopies(): boolean {
    return this.range?.hasCopies === true;
  }

  /** Removes the state of the range from this result and returns it; undefined if it was already taken. */
  takeRange(): RangeState | undefined {
    const { range } = this;
    this.range = undefined;
    return range;
  }

  bytes([what, second = 0, third = 0]: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const { pairs, change } = this;
    const halo = what === sessionResultFields.HALO ? this.halos[second] : undefined;
    if (halo) return encodeHalo(halo, third !== 0);
    return what === sessionResultFields.PAIRS && pairs
      ? encodePairs(pairs, change, Math.min(2, second))
      : undefined;
  }

  dispose(): void {
    this.takeRange()?.dispose();
  }
}

export const sessionTasks: TaskKind<Task, SessionReportValues, Fetched> = {
  name: 'box pairs of a session',
  code: 4,
  task: SessionTask,
  report: SessionReport,
  keeps: true,
  needs: () => new Uint32Array(0),
  fetch: (task, store) => (task.kind === sessionTaskKinds.LIST ? fetchOwned : fetchHalos)(task, store),
  run(task, { keep, dropBefore, countTests, sharedTool }, fetched) {
    dropBefore(task.oldest);
    const before = cpuMilliseconds();
    const range = obtainRangeState(task, sharedTool(makeComputation), fetched);
    try {
      const { report, result } = step(range, fetched);
      const computed = cpuMilliseconds() - before;
      keep(result);
      const { changed, isSorted, tests } = range.costs;
      countTests(tests);
      const { codes, sort, scan } = stagesOf(range.clock.stages);
      const isList = task.kind === sessionTaskKinds.LIST;
      const { caller, nodes, self } = fetched.store.bytesRead;
      return {
        isFresh: 'owned' in fetched ? 1 : 0,
        isSorted: isSorted ? 1 : 0,
        octants: range.octantCount,
        copies: range.copyCount,
        changed,
        items: 0,
        differing: 0,
        tests,
        cpu: fetched.store.cpuMilliseconds(),
        computed,
        // In a SCAN, the time for computing and sorting the octants of other ranges' boxes counts as `merge`.
        codes: isList ? codes : 0,
        sort: isList ? sort : 0,
        merge: isList ? 0 : codes + sort,
        scan,
        fromCaller: caller,
        fromNodes: nodes,
        fromSelf: self,
        ...report,
      };
    } catch (error) {
      range.dispose();
      throw explainTrap(error);
    }
  },
};

async function fetchOwned(task: Task, store: ResultStore): Promise<Fetched> {
  const { frame, subset, count } = task;
  const from = task.previous === NO_TASK ? undefined : (store.own(task.previous) as Result | undefined);
  const isKept = from?.hasRange === true;
  const bytes = await store.fetchShared([frame, subset, isKept ? sharedBoxes.MOVED : sharedBoxes.OWNED]);
  const boxes = decodeBoxesWithIds(bytes, count);
  checkFinite(boxes.boxes);
  return isKept ? { store, from, moved: boxes } : { store, owned: boxes };
}

async function fetchHalos(task: Task, store: ResultStore): Promise<Fetched> {
  const { subset, count, needs, holders, silence } = task;
  const from = store.own(needs[subset]) as Result | undefined;
  if (!from?.hasRange) throw new MissingResult(needs[subset]);
  const isWhole = from.hasCopies ? 0 : 1;
  const halos = await Promise.all(
    Array.from(needs, async (need, range) =>
      range === subset
        ? none
        : decodeHalo(
            await store.fetch(holders[range], need, [sessionResultFields.HALO, subset, isWhole], silence),
            count,
          ),
    ),
  );
  return { store, from, halos };
}

const none: HaloChange = {
  isWhole: false,
  removed: new Uint32Array(0),
  changed: { ids: new Uint32Array(0), boxes: new Float32Array(0) },
};

// Returns the state of a task's range. For a LIST from scratch, the state is new; otherwise, it is taken from
// the result of the previous task.
function obtainRangeState(task: Task, computation: OctreeComputation, fetched: Fetched): RangeState {
  if ('owned' in fetched)
    return computation.makeRangeState({
      subset: task.subset,
      borders: task.borders,
      grid: { low: Array.from(task.grid.subarray(0, 3)), high: Array.from(task.grid.subarray(3)) },
      idLimit: task.count,
    });
  const range = fetched.from.takeRange();
  if (!range) throw new MissingResult(task.needs[task.subset] ?? task.previous);
  return range;
}

function step(range: RangeState, fetched: Fetched): { report: Partial<SessionReportValues>; result: Result } {
  if ('halos' in fetched) {
    range.setCopies(fetched.halos);
    const before = range.lastPairs;
    const pairs = range.findPairs();
    const change = before && changeOf(before, pairs);
    return {
      report: {
        items: pairs.a.length,
        isFresh: change ? 0 : 1,
        differing: change ? change.began.a.length + change.ended.a.length : pairs.a.length,
      },
      result: new Result(range, change ? { pairs, change } : { pairs }),
    };
  }
  let moved: Uint32Array | undefined;
  if ('owned' in fetched) range.load(fetched.owned);
  else range.moveOwned((moved = fetched.moved.ids), fetched.moved.boxes);
  return { report: {}, result: new Result(range, { halos: range.halos(moved) }) };
}
