// Runs the tasks of a box-pair job on a node: fetches their inputs from other nodes, computes their results
// with an octree, and keeps the results so that other nodes can fetch fields of them.

import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { InvalidBoxes } from '../../core/errors.js';
import { bytesOf } from '../bytes.js';
import { cpuMilliseconds } from '../cpuTime.js';
import type { ResultStore, StoredResult, TaskKind } from '../jobs/jobKind.js';
import { lowerBound } from '../lowerBound.js';
import { boxesOfSubset, decodeBoxesWithIds, encodeBoxesWithIds, firstBoxOfSubset } from './boxBytes.js';
import { decodeList, encodeList, type KeyedList } from './listEncoding.js';
import {
  HISTOGRAM_BUCKETS,
  OctreeReport,
  type OctreeReportValues,
  OctreeTask,
  type OctreeTaskValues,
  octreeResultFields,
  octreeTaskKinds,
} from './messages.js';
import {
  boxesOfRange,
  makeComputation,
  type OctreeComputation,
  type RangePairs,
} from './octreeComputation.js';
import type { Grid } from './pairScan.js';
import { type OctantRange, sampleList } from './ranges.js';
import { stagesOf } from './roundLog.js';

type Task = OctreeTaskValues;
/** Runs a computation, and adds its CPU time to the computing time of the task. */
type Timed = <Value>(compute: () => Value) => Value;
/** The computation of a task, once its inputs have arrived. */
type Compute = (
  computation: OctreeComputation,
  timed: Timed,
) => { report: Partial<OctreeReportValues>; result: Result };

/** The result that a task leaves on its node: boxes of its subset, octants, or pairs. */
class Result implements StoredResult {
  private readonly task: Task;
  readonly boxes: Float32Array | undefined;
  readonly list: KeyedList | undefined;
  private readonly pairs: readonly SortedPairs[] | undefined;

  constructor(
    task: Task,
    { boxes, list, pairs }: { boxes?: Float32Array; list?: KeyedList; pairs?: readonly SortedPairs[] },
  ) {
    [this.task, this.boxes, this.list, this.pairs] = [task, boxes, list, pairs];
  }

  bytes([what, ...rest]: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined {
    const { boxes, list, pairs } = this;
    if (what === octreeResultFields.LIST && list) return encodeList(list, Math.min(2, rest[0] ?? 0));
    if (what === octreeResultFields.BOXES && boxes) return bytesOf(boxes);
    if (what === octreeResultFields.SLICE && list && boxes && rest.length === 4)
      return encodeBoxesWithIds(
        boxesOfRange(list, boxes, firstIdOf(this.task), rangeOf(rest), new Uint8Array(boxes.length / 6)),
      );
    if (what === octreeResultFields.PAIRS && pairs && rest.length >= 2)
      return encodeList(chunkOf(pairs, rest[0], rest[1]), Math.min(2, rest[2] ?? 0));
    return undefined;
  }
}

export const octreeTasks: TaskKind<Task, OctreeReportValues, { store: ResultStore; compute: Compute }> = {
  name: 'box pairs by octrees',
  code: 3,
  task: OctreeTask,
  report: OctreeReport,
  keeps: true,
  needs: () => new Uint32Array(0),
  async fetch(task, store) {
    return { store, compute: await preparations[task.kind](task, store) };
  },
  run(_, { keep, countTests, sharedTool }, { store, compute }) {
    let computed = 0;
    const computation = sharedTool(makeComputation);
    const { report, result } = compute(computation, run => {
      const before = cpuMilliseconds();
      try {
        return run();
      } finally {
        computed += cpuMilliseconds() - before;
      }
    });
    keep(result);
    countTests(report.tests ?? 0);
    const {
      bytesRead: { caller, nodes, self },
    } = store;
    return {
      ...emptyReport,
      ...report,
      computed,
      ...stagesOf(computation.clock.stages),
      cpu: store.cpuMilliseconds(),
      fromCaller: caller,
      fromNodes: nodes,
      fromSelf: self,
    };
  },
};

const none = new Uint32Array(0);
const emptyReport: OctreeReportValues = {
  hasNonFinite: 0,
  items: 0,
  tests: 0,
  cpu: 0,
  computed: 0,
  codes: 0,
  sort: 0,
  merge: 0,
  scan: 0,
  fromCaller: 0,
  fromNodes: 0,
  fromSelf: 0,
  bounds: new Float64Array(0),
  sampleKeys: none,
  sampleIds: none,
  histogram: new Float32Array(0),
};

const firstIdOf = ({ subset, subsetCount, count }: Task): number =>
  firstBoxOfSubset(subset, subsetCount, count);
const gridOf = ({ grid }: Task): Grid => ({
  low: Array.from(grid.subarray(0, 3)),
  high: Array.from(grid.subarray(3)),
});
const rangeOf = ([fromKey, fromId, toKey, toId]: ArrayLike<number> & Iterable<number>): OctantRange => ({
  from: { key: fromKey!, id: fromId! },
  to: { key: toKey!, id: toId! },
});

/** Fetches the selected field of the result of task needs[i] from the node that holds this result. */
const fetchNeed = (
  { needs, holders, silence }: Task,
  i: number,
  store: ResultStore,
  selector: readonly number[],
): Promise<Uint8Array> => store.fetch(holders[i], needs[i], selector, silence);
const ownResult = ({ needs }: Task, i: number, store: ResultStore): Result | undefined =>
  store.own(needs[i]) as Result | undefined;

// listOf and boxesOf: if this node has the result of task needs[i], they return the list or boxes of the result
// without copying them. Otherwise they fetch the list or boxes from the node that has the result.
const listOf = async (task: Task, i: number, store: ResultStore): Promise<KeyedList> =>
  ownResult(task, i, store)?.list ??
  decodeList(
    await fetchNeed(task, i, store, [octreeResultFields.LIST, task.encoding]),
    task.count,
    task.encoding,
  );
const boxesOf = async (task: Task, i: number, store: ResultStore, subset: number): Promise<Float32Array> =>
  ownResult(task, i, store)?.boxes ??
  boxesOfSubset(
    await fetchNeed(task, i, store, [octreeResultFields.BOXES]),
    subset,
    task.subsetCount,
    task.count,
  );

const found = (task: Task, { lists, tests }: RangePairs): ReturnType<Compute> => ({
  report: {
    tests,
    items: lists.reduce((sum, { a }) => sum + a.length, 0),
    histogram: histogramOf(lists, task.count),
  },
  result: new Result(task, { pairs: lists }),
});

/** For each kind of task: fetches its inputs, and returns its computation. */
const preparations: Readonly<Record<number, (task: Task, store: ResultStore) => Promise<Compute>>> = {
  async [octreeTaskKinds.STATISTICS](task, store) {
    const boxes = boxesOfSubset(
      await store.fetchShared([task.subset]),
      task.subset,
      task.subsetCount,
      task.count,
    );
    const result = new Result(task, { boxes });
    return (computation, timed) => {
      try {
        const { low, high } = timed(() => computation.statistics(boxes));
        return { report: { bounds: Float64Array.of(...low, ...high) }, result };
      } catch (error) {
        if (!(error instanceof InvalidBoxes)) throw error;
        return { report: { hasNonFinite: 1 }, result };
      }
    };
  },
  async [octreeTaskKinds.LIST](task, store) {
    const boxes = await boxesOf(task, 0, store, task.subset);
    return (computation, timed) => {
      const list = timed(() => computation.listOctants(boxes, gridOf(task), firstIdOf(task)));
      const { keys, ids } = sampleList(list, task.sample);
      return {
        report: { items: list.keys.length, sampleKeys: keys, sampleIds: ids },
        result: new Result(task, { boxes, list }),
      };
    };
  },
  async [octreeTaskKinds.MERGE](task, store) {
    const lists = await Promise.all([listOf(task, 0, store), listOf(task, 1, store)]);
    return (computation, timed) => {
      const list = timed(() => computation.merge(lists));
      return { report: { items: list.keys.length }, result: new Result(task, { list }) };
    };
  },
  // The result of task needs[0] is the list of all octants. The results of the other needs are the lists of the
  // subsets, together with the boxes of the subsets.
  async [octreeTaskKinds.ROOT](task, store) {
    const [list, ...boxes] = await Promise.all([
      listOf(task, 0, store),
      ...Array.from({ length: task.subsetCount }, (_, subset) => boxesOf(task, 1 + subset, store, subset)),
    ]);
    return (computation, timed) =>
      found(
        task,
        timed(() => computation.findAllPairs(boxes, [list], gridOf(task))),
      );
  },
  async [octreeTaskKinds.SCAN](task, store) {
    const given = await Promise.all(
      Array.from(task.needs, async (_, i) =>
        decodeBoxesWithIds(
          await fetchNeed(task, i, store, [octreeResultFields.SLICE, ...task.range]),
          task.count,
        ),
      ),
    );
    return (computation, timed) =>
      found(
        task,
        timed(() => computation.findRangePairs(given, rangeOf(task.range), gridOf(task), task.count)),
      );
  },
};

// Returns one sorted list of the pairs in `lists` for which from <= a < to. No pair is in two of the lists.
function chunkOf(lists: readonly SortedPairs[], from: number, to: number): KeyedList {
  const { a, b } = mergePairs(
    lists.map(({ a, b }) => {
      const [first, end] = [from, to].map(value => lowerBound(a, value));
      return { a: a.subarray(first, end), b: b.subarray(first, end) };
    }),
  );
  return { keys: a, ids: b };
}

function histogramOf(lists: readonly SortedPairs[], count: number): Float32Array {
  const buckets = Math.max(1, Math.min(HISTOGRAM_BUCKETS, count));
  const histogram = new Float64Array(buckets);
  const bucketsPerBox = buckets / Math.max(1, count);
  for (const { a } of lists) for (const box of a) histogram[Math.floor(box * bucketsPerBox)]++;
  return Float32Array.from(histogram);
}
