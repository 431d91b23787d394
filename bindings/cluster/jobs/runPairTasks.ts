// Splits a list of placed mesh pairs into tasks of about equal cost, runs them on the nodes, checks a sample
// of the results, and joins the results.
import { Capacity } from '../../core/errors.js';
import { lowerBound } from '../lowerBound.js';
import type { NodePool } from './jobKind.js';
import type { MeshFacts } from './meshContent.js';
import {
  checkPairReport,
  entryOffsets,
  type PairDetail,
  type PairReportValues,
  type PairTaskValues,
  pairDetails,
  pairTasks,
} from './pairTasks.js';
import { type PairList, type PlacementSet, placedBox } from './placedPairs.js';
import { entriesOf, findFalsePairs, MAX_PROVED_PAIRS, type PairToProve, randomSample } from './provePairs.js';
import { runUntrusted } from './untrustedTasks.js';

/**
 * The cost of a mesh pair is estimated as MIN_PAIR_COST plus the number of triangles in the overlap of the
 * two boxes (see costOf). A task gets pairs with a total cost of about 1 / TASKS of the job's cost, limited
 * to the range from MIN_TASK_COST to MAX_TASK_COST.
 */
const MIN_PAIR_COST = 100;
const MIN_TASK_COST = 20_000;
const MAX_TASK_COST = 500_000;
const TASKS = 128;
/** The default of the maximum number of mesh pairs per task. */
export const MAX_PAIRS_PER_TASK = 1024;

/**
 * The results of all tasks, joined (see PairReport). at: prefix sums in doubles, because the sum may exceed
 * 2^32 if `want` is 'counts'.
 */
export type MergedPairs = Omit<PairReportValues, 'at'> & { at: Float64Array };

export async function runPairTasks(
  pool: NodePool,
  meshes: readonly MeshFacts[],
  places: PlacementSet,
  pairs: PairList,
  want: PairDetail,
  clearance = -1,
  maxPairs = MAX_PAIRS_PER_TASK,
): Promise<MergedPairs> {
  const shared = await Promise.all(meshes.map(({ bytes }) => pool.share(bytes)));
  const ends = splitPairs(meshes, places, pairs, clearance, maxPairs);
  const begin = (i: number): number => (i === 0 ? 0 : ends[i - 1]);
  const make = (from: number, to: number): PairTaskValues =>
    makeTask(shared, places, pairs, from, to, pairDetails.indexOf(want), clearance);
  const reports = await runUntrusted(
    pool,
    pairTasks,
    ends.length,
    i => make(begin(i), ends[i]),
    (report, i) =>
      checkPairReport(report, ends[i] - begin(i), want, clearance >= 0 && want === 'pairs', k => [
        meshes[pairs.a[begin(i) + k]].triangleCount,
        meshes[pairs.b[begin(i) + k]].triangleCount,
      ]),
    async (found, tasks) => {
      const firsts = entryOffsets(tasks.map(task => ends[task] - begin(task)));
      const sample = randomSample(firsts[tasks.length], MAX_PROVED_PAIRS).map(i => {
        const at = lowerBound(firsts, i + 1) - 1;
        return { task: tasks[at], k: i - firsts[at] };
      });
      const toProve = sample.map(({ task, k }): PairToProve => {
        const pair = begin(task) + k;
        return {
          name: `mesh pair ${pair}`,
          meshA: meshes[pairs.a[pair]],
          meshB: meshes[pairs.b[pair]],
          task: () => make(pair, pair + 1),
          entries: entriesOf(found[task], k),
        };
      });
      const wrong = await findFalsePairs(toProve, (task, contents) =>
        pool.recompute!(pairTasks, task, contents),
      );
      return wrong.map(({ index, what }) => ({ task: sample[index].task, what }));
    },
  );
  return mergeReports(reports, pairs.a.length);
}

// Splits the list of pairs into tasks. Returns the index of the first pair after each task.
function splitPairs(
  meshes: readonly MeshFacts[],
  places: PlacementSet,
  pairs: PairList,
  clearance: number,
  maxPairs: number,
): number[] {
  const count = pairs.a.length;
  const costs = Float64Array.from({ length: count }, (_, i) => costOf(meshes, places, pairs, i, clearance));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const target = Math.max(MIN_TASK_COST, Math.min(MAX_TASK_COST, total / TASKS));
  const ends: number[] = [];
  let cost = 0;
  let begin = 0;
  for (let i = 0; i < count; i++) {
    cost += costs[i];
    if (i + 1 < count && i + 1 - begin < maxPairs && cost + costs[i + 1] / 2 < target) continue;
    ends.push((begin = i + 1));
    cost = 0;
  }
  return ends;
}

const boxes = new Float32Array(12);

// Estimates the cost of a pair: the minimum cost, plus the number of triangles in the intersection of the two
// boxes. Assumes that triangles are spread evenly over the box of their mesh. The clearance is added to the
// size of the intersection on each axis.
function costOf(
  meshes: readonly MeshFacts[],
  places: PlacementSet,
  { a, b, placeA, placeB }: PairList,
  i: number,
  clearance: number,
): number {
  const meshA = meshes[a[i]];
  const meshB = meshes[b[i]];
  const margin = Math.max(0, clearance);
  placedBox(meshA.bounds, placeA[i] ? places.row(placeA[i]) : undefined, boxes, 0);
  placedBox(meshB.bounds, placeB[i] ? places.row(placeB[i]) : undefined, boxes, 6);
  let shareA = 1;
  let shareB = 1;
  for (let axis = 0; axis < 3; axis++) {
    const common =
      Math.min(boxes[axis + 3], boxes[axis + 9]) - Math.max(boxes[axis], boxes[axis + 6]) + margin;
    if (common < 0) return MIN_PAIR_COST;
    shareA *= Math.min(1, common / (boxes[axis + 3] - boxes[axis]) || 1);
    shareB *= Math.min(1, common / (boxes[axis + 9] - boxes[axis + 6]) || 1);
  }
  return MIN_PAIR_COST + meshA.triangleCount * shareA + meshB.triangleCount * shareB;
}

// Makes the task for the pairs from index `begin` up to, but not including, index `end`. Renumbers meshes and
// placements, so that the task contains only the ones that it needs.
function makeTask(
  shared: readonly Uint32Array[],
  places: PlacementSet,
  pairs: PairList,
  begin: number,
  end: number,
  want: number,
  clearance: number,
): PairTaskValues {
  const meshes = new Renumbering();
  const rows = new Renumbering();
  const renumber = (numbers: Uint32Array, by: (number: number) => number): Uint32Array =>
    numbers.slice(begin, end).map(by);
  const mesh = (number: number): number => meshes.indexOf(number);
  const row = (number: number): number => (number === 0 ? 0 : rows.indexOf(number) + 1);
  const task = {
    a: renumber(pairs.a, mesh),
    b: renumber(pairs.b, mesh),
    placeA: renumber(pairs.placeA, row),
    placeB: renumber(pairs.placeB, row),
  };
  const hashes = new Uint32Array(8 * meshes.all.length);
  const numbers = new Float64Array(12 * rows.all.length);
  meshes.all.forEach((number, i) => hashes.set(shared[number], 8 * i));
  rows.all.forEach((number, i) => numbers.set(places.row(number), 12 * i));
  return { want, clearance, hashes, ...task, places: numbers };
}

// Maps numbers to new numbers, which count from 0 in the order of first use.
class Renumbering {
  readonly all: number[] = [];
  private readonly indices = new Map<number, number>();
  indexOf(number: number): number {
    let index = this.indices.get(number);
    if (index === undefined) this.indices.set(number, (index = this.all.push(number) - 1));
    return index;
  }
}

function mergeReports(reports: readonly PairReportValues[], pairCount: number): MergedPairs {
  const sum = (name: 'a' | 'distances'): number =>
    reports.reduce((total, report) => total + report[name].length, 0);
  const entries = sum('a');
  if (entries > 2 ** 32 - 1)
    throw new Capacity(
      `the answer has ${entries} triangle pairs, more than ${2 ** 32 - 1}`,
      "submit fewer mesh pairs, or do not request triangle pairs (want: 'any', or narrow: 'counts')",
      8 * entries,
    );
  const all = {
    at: new Float64Array(pairCount + 1),
    a: new Uint32Array(entries),
    b: new Uint32Array(entries),
    distances: new Float64Array(sum('distances')),
  };
  let pair = 0;
  let entry = 0;
  for (const { at, a, b, distances } of reports) {
    const base = all.at[pair];
    for (let i = 1; i < at.length; i++) all.at[pair + i] = base + at[i];
    all.a.set(a, entry);
    all.b.set(b, entry);
    if (distances.length > 0) all.distances.set(distances, entry);
    pair += at.length - 1;
    entry += a.length;
  }
  return all;
}
