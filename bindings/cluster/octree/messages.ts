// Defines the messages that carry box-pair tasks and their results. Their codes are 202 and 203.
import { messageKind, type SentValues } from '../message.js';

/**
 * The kinds of tasks. STATISTICS: the bounds of a subset's boxes. LIST: the sorted octants of a subset. MERGE:
 * one list from two. ROOT: all pairs, from the list of all octants. SCAN: the pairs of a range of octants.
 */
export const octreeTaskKinds = { STATISTICS: 0, LIST: 1, MERGE: 2, ROOT: 3, SCAN: 4 } as const;
/** The fields of a kept result that can be fetched. The first word of a fetch's selector names the field. */
export const octreeResultFields = { BOXES: 0, LIST: 1, SLICE: 2, PAIRS: 3 } as const;
/**
 * The maximum number of histogram buckets. Each bucket counts the pairs whose first box `a` is in a range of
 * boxes.
 */
export const HISTOGRAM_BUCKETS = 4096;
/** The maximum number of octants that are sampled per subset. Ranges are chosen from these samples. */
export const MAX_SAMPLE = 2048;

/**
 * RANGE: the number of words of a range. The words are the key and the box of its first octant, then the key
 * and the box of the first octant after the range. GRID: the number of values of a grid. The values are min x,
 * y, z, then max x, y, z.
 */
const RANGE = 4;
export const GRID = 6;

/**
 * The costs that each result reports.
 * - cpu: CPU milliseconds of the node's process since it first heard of the run;
 * - computed: CPU milliseconds of the task's computation;
 * - codes, sort, merge, scan: milliseconds of each stage of the computation;
 * - fromCaller, fromNodes, fromSelf: bytes that the task read from the coordinator, from other nodes, and
 *   from its own node.
 */
export const taskCosts = {
  cpu: 'f64',
  computed: 'f64',
  codes: 'f64',
  sort: 'f64',
  merge: 'f64',
  scan: 'f64',
  fromCaller: 'f64',
  fromNodes: 'f64',
  fromSelf: 'f64',
} as const;

/** The numeric fields that all box-pair tasks have. */
export const taskFields = {
  kind: 'u32',
  count: 'u32',
  subset: 'u32',
  subsetCount: 'u32',
  encoding: 'u32',
  silence: 'u32',
} as const;

/** The common fields of a task that `taskProblem` checks. */
type AnyTask = Record<Exclude<keyof typeof taskFields, 'kind' | 'silence'>, number> &
  Record<'needs' | 'holders', Uint32Array>;

/** Returns what is wrong with the common fields of a task, if anything. */
export function taskProblem({
  encoding,
  count,
  subset,
  subsetCount,
  needs,
  holders,
}: AnyTask): string | undefined {
  if (encoding > 2) return `encoding is ${encoding}, not 0 to 2`;
  if (count > 2 ** 27) return `it has ${count} boxes, more than 2^27`;
  if (subset >= subsetCount) return `subset is ${subset}, not below ${subsetCount}`;
  return needs.length === holders.length
    ? undefined
    : `it has ${needs.length} needs, but ${holders.length} holders`;
}

/**
 * A task, sent to a node.
 * - count: the number of all boxes;
 * - subset: the index of the task's subset of the boxes, or of its range for SCAN; subsetCount: the number of
 *   subsets or ranges;
 * - encoding: the encoding of lists;
 * - silence: milliseconds after which a silent node that holds a needed result counts as lost;
 * - sample: the maximum number of sampled octants to return;
 * - grid: empty for STATISTICS and MERGE; range: the range of octants for SCAN, otherwise empty;
 * - needs: the tasks whose results are inputs of this one; holders: the node that has each of these results.
 */
export const OctreeTask = messageKind(
  'OctreeTask',
  202,
  { ...taskFields, sample: 'u32' },
  { grid: 'f64', range: 'u32', needs: 'u32', holders: 'u32' },
  task => {
    const { kind, subsetCount, grid, range, needs } = task;
    if (kind > octreeTaskKinds.SCAN) return `its task has the unknown kind ${kind}`;
    const problem = taskProblem(task);
    if (problem) return problem;
    if (needs.length !== [0, 1, 2, 1 + subsetCount, subsetCount][kind])
      return `a task of kind ${kind} cannot have ${needs.length} needs`;
    if (grid.length !== (kind === octreeTaskKinds.STATISTICS || kind === octreeTaskKinds.MERGE ? 0 : GRID))
      return `its grid has ${grid.length} numbers`;
    return range.length === (kind === octreeTaskKinds.SCAN ? RANGE : 0)
      ? undefined
      : `its range has ${range.length} words`;
  },
);

/**
 * Reports that a task is done and that the node keeps its result.
 * - hasNonFinite: 1 if a box was not finite;
 * - items: the number of octants or pairs in the result;
 * - bounds: min x, y, z, then max x, y, z, for STATISTICS;
 * - sampleKeys, sampleIds: the keys and boxes of the sampled octants;
 * - histogram: the number of pairs whose first box is in each range of boxes, rounded to float32.
 */
export const OctreeReport = messageKind(
  'OctreeReport',
  203,
  {
    hasNonFinite: 'u32',
    items: 'f64',
    tests: 'f64',
    ...taskCosts,
  },
  { bounds: 'f64', sampleKeys: 'u32', sampleIds: 'u32', histogram: 'f32' },
  ({ items, bounds, sampleKeys, sampleIds, histogram }) => {
    if (!Number.isInteger(items) || items < 0) return `it has ${items} items`;
    if (bounds.length !== 0 && bounds.length !== GRID) return `its bounds have ${bounds.length} numbers`;
    if (sampleKeys.length > MAX_SAMPLE) return `its sample has ${sampleKeys.length} keys`;
    if (sampleKeys.length !== sampleIds.length)
      return `its sample has ${sampleKeys.length} keys, but ${sampleIds.length} boxes`;
    if (histogram.length > HISTOGRAM_BUCKETS) return `its histogram has ${histogram.length} buckets`;
    const bad = histogram.find(value => !(value >= 0 && value < Infinity));
    return bad === undefined ? undefined : `its histogram has the value ${bad}`;
  },
);
export type OctreeTaskValues = SentValues<typeof OctreeTask>;
export type OctreeReportValues = SentValues<typeof OctreeReport>;
