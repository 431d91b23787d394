// Defines the kind of task for placed mesh pairs. For each mesh pair, a task lists, detects or counts the
// triangle pairs that intersect or, if a clearance is set, the triangle pairs within this distance.
import type { PlacedPair } from '../../core/queryOptions.js';
import type { QueryStats } from '../../core/stats.js';
import type { AsyncStats } from '../../gpu/asyncRunner.js';
import { ClusterError } from '../errors.js';
import { messageKind, type SentValues } from '../message.js';
import type { TaskContext, TaskKind } from './jobKind.js';

/** What a task finds for each mesh pair: its triangle pairs, whether there are any, or how many there are. */
export const pairDetails = ['pairs', 'any', 'counts'] as const;
export type PairDetail = (typeof pairDetails)[number];
const PLACEMENT_LENGTH = 12;

/**
 * A task: pair i is mesh a[i] at placement placeA[i] and mesh b[i] at placement placeB[i].
 * - a, b: numbers of meshes; mesh m has the hash in words 8 m to 8 m + 7 of hashes;
 * - placeA, placeB: 0 for no placement, otherwise 1 + an index into places, which has three rows of four
 *   numbers per placement;
 * - want: an index into pairDetails;
 * - clearance: the maximum distance of a triangle pair; negative: triangles must intersect.
 */
export const PairTask = messageKind(
  'PairTask',
  110,
  { want: 'u32', clearance: 'f64' },
  { hashes: 'u32', a: 'u32', b: 'u32', placeA: 'u32', placeB: 'u32', places: 'f64' },
  ({ want, hashes, a, b, placeA, placeB, places }) => {
    const count = a.length;
    const meshCount = hashes.length / 8;
    const placeCount = places.length / PLACEMENT_LENGTH;
    if (want >= pairDetails.length) return `want is ${want}, not below ${pairDetails.length}`;
    if (b.length !== count || placeA.length !== count || placeB.length !== count)
      return `its lists have different lengths: ${count}, ${b.length}, ${placeA.length} and ${placeB.length} pairs`;
    if (!Number.isInteger(meshCount) || !Number.isInteger(placeCount))
      return `its ${hashes.length} words of hashes or ${places.length} numbers of placements are incomplete`;
    for (let i = 0; i < count; i++)
      if (a[i] >= meshCount || b[i] >= meshCount || placeA[i] > placeCount || placeB[i] > placeCount)
        return `pair ${i} refers to a mesh or placement that does not exist`;
    return undefined;
  },
);

/**
 * The result. The triangle pairs of mesh pair i are the entries k of a and b with at[i] <= k < at[i + 1]. If a
 * clearance was set, entry k of distances is the distance of pair k. For 'any' and 'counts', a, b and distances
 * are empty. For 'counts', at[i + 1] - at[i] is the number of triangle pairs; for 'any', it is 1 if there is a
 * triangle pair, and 0 otherwise.
 */
export const PairReport = messageKind(
  'PairReport',
  111,
  {},
  { at: 'u32', a: 'u32', b: 'u32', distances: 'f64' },
  ({ at, a, b, distances }) => {
    if (at.length === 0 || at[0] !== 0 || at.some((value, i) => i > 0 && value < at[i - 1]))
      return 'its offsets are not ascending from 0';
    return b.length === a.length && (distances.length === 0 || distances.length === a.length)
      ? undefined
      : `its lists have different lengths: ${a.length} and ${b.length} triangles, and ${distances.length} distances`;
  },
);
export type PairTaskValues = SentValues<typeof PairTask>;
export type PairReportValues = SentValues<typeof PairReport>;

export const pairTasks: TaskKind<PairTaskValues, PairReportValues> = {
  name: 'pairs of meshes',
  code: 1,
  task: PairTask,
  report: PairReport,
  needs: ({ hashes }) => hashes,
  async run(task, context) {
    const { gpu } = context;
    const pairs = placedPairs(task, context);
    const want = pairDetails[task.want];
    if (task.clearance >= 0) return findNear(pairs, want, task.clearance, context);
    const none = { a: new Uint32Array(0), b: new Uint32Array(0), distances: new Float64Array(0) };
    if (want === 'any')
      return {
        at: entryOffsets(
          gpu ? await gpu.queryMany({ pairs, want }) : context.engine.queryMany({ pairs, want }),
        ),
        ...none,
      };
    const result = gpu ? await gpu.queryMany({ pairs }) : context.engine.queryMany({ pairs });
    count(context, result.stats);
    return want === 'counts'
      ? { at: result.pairsAt.slice(), ...none }
      : { at: result.pairsAt.slice(), a: result.a.slice(), b: result.b.slice(), distances: none.distances };
  },
};

function placedPairs(
  { hashes, a, b, placeA, placeB, places }: PairTaskValues,
  { mesh }: TaskContext,
): PlacedPair[] {
  const transforms = Array.from({ length: places.length / PLACEMENT_LENGTH }, (_, i) =>
    matrixFromRows(places.subarray(PLACEMENT_LENGTH * i, PLACEMENT_LENGTH * i + PLACEMENT_LENGTH)),
  );
  return Array.from(a, (_, i) => ({
    a: mesh(hashes, 8 * a[i]),
    b: mesh(hashes, 8 * b[i]),
    transformA: transforms[placeA[i] - 1],
    transformB: transforms[placeB[i] - 1],
  }));
}

/** Returns a matrix of 16 numbers, column-major, from three rows of four. */
export function matrixFromRows(rows: ArrayLike<number>): Float64Array {
  const matrix = new Float64Array(16);
  for (let i = 0; i < PLACEMENT_LENGTH; i++) matrix[(i % 4) * 4 + Math.floor(i / 4)] = rows[i];
  matrix[15] = 1;
  return matrix;
}

// Finds the triangle pairs within the clearance. Runs one query for each mesh pair, one after another.
async function findNear(
  pairs: readonly PlacedPair[],
  want: PairDetail,
  clearance: number,
  context: TaskContext,
): Promise<PairReportValues> {
  const { engine, gpu } = context;
  const counts = new Uint32Array(pairs.length);
  const reports: { a: Uint32Array; b: Uint32Array; distances: Float64Array }[] = [];
  for (const [i, { a, b, transformA, transformB }] of pairs.entries()) {
    const placed = { transformA, transformB };
    if (want === 'any') {
      const isNear = gpu
        ? await gpu.query(a, b, { ...placed, clearance, want })
        : engine.query(a, b, { ...placed, clearance, want });
      counts[i] = isNear ? 1 : 0;
      continue;
    }
    const near = gpu
      ? await gpu.query(a, b, { ...placed, clearance })
      : engine.query(a, b, { ...placed, clearance });
    count(context, near.stats);
    counts[i] = near.count;
    if (want === 'pairs')
      reports.push({ a: near.a.slice(), b: near.b.slice(), distances: near.distances.slice() });
  }
  const at = entryOffsets(counts);
  const entries = want === 'pairs' ? at[pairs.length] : 0;
  const all = {
    a: new Uint32Array(entries),
    b: new Uint32Array(entries),
    distances: new Float64Array(entries),
  };
  reports.forEach((report, i) => {
    for (const name of ['a', 'b', 'distances'] as const) all[name].set(report[name], at[i]);
  });
  return { at, ...all };
}

// Adds the tests of a query to the node's counter. On a GPU, only box tests are counted.
function count({ countTests }: TaskContext, stats: QueryStats | AsyncStats): void {
  const testCounts =
    'threads' in stats
      ? stats.threads.map(({ boxTests, triangleTests }) => boxTests + triangleTests)
      : [(stats.gpu as { boxTests?: number } | undefined)?.boxTests ?? 0];
  countTests(testCounts.reduce((sum, tests) => sum + tests, 0));
}

/** Returns the prefix sums of counts: the index at which the entries of each pair begin, then the total. */
export function entryOffsets(counts: ArrayLike<number>): Uint32Array {
  const at = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) at[i + 1] = at[i] + counts[i];
  return at;
}

/**
 * Checks that a result fits its task: the number of mesh pairs and of entries must be right, and triangles
 * must exist and be sorted.
 * @throws CollisionError 'Cluster'
 */
export function checkPairReport(
  { at, a, b, distances }: PairReportValues,
  pairCount: number,
  want: PairDetail,
  hasDistances: boolean,
  triangleCountsOf: (i: number) => readonly [number, number],
): void {
  const entries = want === 'pairs' ? at[pairCount] : 0;
  const refuse = (what: string): never => {
    throw new ClusterError(
      `a result ${what}`,
      'run the same version of pfront everywhere; the task runs again',
    );
  };
  if (at.length !== pairCount + 1) refuse(`has ${at.length - 1} pairs, not ${pairCount}`);
  if (a.length !== entries || distances.length !== (hasDistances ? entries : 0))
    refuse(`has ${a.length} entries and ${distances.length} distances for ${entries} triangle pairs`);
  for (let i = 0; i < pairCount; i++) {
    const [countA, countB] = triangleCountsOf(i);
    if (want === 'any' && at[i + 1] - at[i] > 1)
      refuse('has more than one entry for a mesh pair of an any-hit query');
    for (let k = at[i]; want === 'pairs' && k < at[i + 1]; k++) {
      if (k > at[i] && (a[k] < a[k - 1] || (a[k] === a[k - 1] && b[k] <= b[k - 1])))
        refuse(`has triangles ${a[k]} and ${b[k]} out of order`);
      if (a[k] >= countA || b[k] >= countB)
        refuse(`refers to triangles ${a[k]} and ${b[k]}, but the meshes have ${countA} and ${countB}`);
    }
  }
}
