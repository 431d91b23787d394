// The tasks of kept box pairs as a node runs them. LIST moves the home boxes of a range and updates its sorted
// octants; SCAN adds the boxes that reach into the range from others, and finds its pairs. The state of the
// range goes from each task to the next on the same node.

import type { SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { explainTrap } from '../../runtime/retry.js';
import { cpuMilliseconds } from '../cpuTime.js';
import { MissingResult } from '../jobs/failure.js';
import type { KeptResult, ResultStore, TaskKind } from '../jobs/jobKind.js';
import {
  type Crossing,
  type CrossingChange,
  checkFinite,
  decodeCrossing,
  encodeCrossing,
} from './crossing.js';
import {
  KeptPart,
  type KeptPartValues,
  KeptTask,
  type KeptTaskValues,
  keptParts,
  keptTaskKinds,
  NO_TASK,
  sharedParts,
} from './keptMessages.js';
import type { KeptRange } from './keptRange.js';
import { makeComputation, type OctreeComputation } from './octreeComputation.js';
import { changeOf, encodePairs, type PairChange } from './pairChange.js';
import { decodeNamedBoxes, type NamedBoxes } from './partBytes.js';
import { stagesOf } from './roundLog.js';

type Task = KeptTaskValues;
/** What a task has fetched, and the result of an earlier task that has its range. */
type Fetched = { store: ResultStore } & (
  | { home: NamedBoxes }
  | { from: Result; moved: NamedBoxes }
  | { from: Result; crossings: CrossingChange[] }
);

/** A result that has the state of a range until the next task takes it. */
class Result implements KeptResult {
  private range: KeptRange | undefined;
  private readonly crossings: readonly Crossing[];
  readonly pairs: SortedPairs | undefined;
  private readonly change: PairChange | undefined;

  constructor(
    range: KeptRange,
    { crossings = [], pairs, change }: { crossings?: Crossing[]; pairs?: SortedPairs; change?: PairChange },
  ) {
    this.range = range;
    this.crossings = crossings;
    this.pairs = pairs;
    this.change = change;
  }

  get hasRange(): boolean {
    return this.range !== undefined;
  }
  get hasCopies(): boolean {
    return this.range?.hasCopies === true;
  }

  /** Returns the state, which this result then no longer has. */
  takeRange(): KeptRange | undefined {
    const { range } = this;
    this.range = undefined;
    return range;
  }

  bytes([what, second = 0, third = 0]: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const { pairs, change } = this;
    const crossing = what === keptParts.CROSSING ? this.crossings[second] : undefined;
    if (crossing) return encodeCrossing(crossing, third !== 0);
    return what === keptParts.PAIRS && pairs ? encodePairs(pairs, change, Math.min(2, second)) : undefined;
  }

  dispose(): void {
    this.takeRange()?.dispose();
  }
}

export const keptTasks: TaskKind<Task, KeptPartValues, Fetched> = {
  name: 'kept box pairs',
  code: 4,
  task: KeptTask,
  part: KeptPart,
  keeps: true,
  needs: () => new Uint32Array(0),
  fetch: (task, store) => (task.kind === keptTaskKinds.LIST ? fetchHome : fetchCrossings)(task, store),
  run(task, { keep, dropBefore, countTests, sharedTool }, fetched) {
    dropBefore(task.oldest);
    const before = cpuMilliseconds();
    const range = rangeOf(task, sharedTool(makeComputation), fetched);
    try {
      const { report, result } = step(range, fetched);
      const computed = cpuMilliseconds() - before;
      keep(result);
      const { changed, isSorted, tests } = range.costs;
      countTests(tests);
      const { codes, sort, scan } = stagesOf(range.clock.stages);
      const isList = task.kind === keptTaskKinds.LIST;
      const { caller, nodes, self } = fetched.store.taken;
      return {
        isFresh: 'home' in fetched ? 1 : 0,
        isSorted: isSorted ? 1 : 0,
        octants: range.octantCount,
        copies: range.copyCount,
        changed,
        items: 0,
        differing: 0,
        tests,
        cpu: fetched.store.cpuMilliseconds(),
        computed,
        // The octants of a SCAN are those of other ranges.
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

async function fetchHome(task: Task, store: ResultStore): Promise<Fetched> {
  const { frame, part, count } = task;
  const from = task.previous === NO_TASK ? undefined : (store.own(task.previous) as Result | undefined);
  const isKept = from?.hasRange === true;
  const bytes = await store.fetchShared([frame, part, isKept ? sharedParts.MOVED : sharedParts.HOME]);
  const boxes = decodeNamedBoxes(bytes, count);
  checkFinite(boxes.boxes);
  return isKept ? { store, from, moved: boxes } : { store, home: boxes };
}

async function fetchCrossings(task: Task, store: ResultStore): Promise<Fetched> {
  const { part, count, needs, holders, silence } = task;
  const from = store.own(needs[part]) as Result | undefined;
  if (!from?.hasRange) throw new MissingResult(needs[part]);
  const isWhole = from.hasCopies ? 0 : 1;
  const crossings = await Promise.all(
    Array.from(needs, async (need, range) =>
      range === part
        ? none
        : decodeCrossing(
            await store.fetch(holders[range], need, [keptParts.CROSSING, part, isWhole], silence),
            count,
          ),
    ),
  );
  return { store, from, crossings };
}

const none: CrossingChange = {
  isWhole: false,
  removed: new Uint32Array(0),
  changed: { names: new Uint32Array(0), boxes: new Float32Array(0) },
};

// Returns the state of the range of a task: a new one, or that of the task before.
function rangeOf(task: Task, computation: OctreeComputation, fetched: Fetched): KeptRange {
  if ('home' in fetched)
    return computation.keepRange({
      part: task.part,
      borders: task.borders,
      grid: { low: Array.from(task.grid.subarray(0, 3)), high: Array.from(task.grid.subarray(3)) },
      nameLimit: task.count,
    });
  const range = fetched.from.takeRange();
  if (!range) throw new MissingResult(task.needs[task.part] ?? task.previous);
  return range;
}

function step(range: KeptRange, fetched: Fetched): { report: Partial<KeptPartValues>; result: Result } {
  if ('crossings' in fetched) {
    range.setCopies(fetched.crossings);
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
  if ('home' in fetched) range.load(fetched.home);
  else range.moveHome((moved = fetched.moved.names), fetched.moved.boxes);
  return { report: {}, result: new Result(range, { crossings: range.crossings(moved) }) };
}
