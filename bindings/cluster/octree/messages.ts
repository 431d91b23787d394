// Tasks of box pairs by octrees and what comes of them, as they travel: kinds 202 and 203.
import { messageKind, type Saying } from '../message.js';

/** What a task does. */
export const tasks = { SURVEY: 0, LIST: 1, MERGE: 2, ROOT: 3, SCAN: 4 } as const;
/** What of a kept result is fetched: the first word of a selector. */
export const parts = { BOXES: 0, LIST: 1, SLICE: 2, PAIRS: 3 } as const;
/** Levels of detail in which pairs are counted by a. */
export const HISTOGRAM_BUCKETS = 4096;

/**
 * Words of a range: key and box of its first octant, and of the first behind it. Numbers of a grid: low, and
 * high.
 */
const RANGE = 4;
const GRID = 6;

/**
 * count: boxes in all; part: of how many parts; wire: how lists travel; silence: milliseconds after which who
 * has a need has it no more; sample: octants of a list that are told of, at most. grid: of those who need it;
 * range: of octants, of SCAN. needs: tasks whose results it takes, and the node that has each.
 */
export const OctreeTask = messageKind(
  'OctreeTask',
  202,
  { kind: 'u32', count: 'u32', part: 'u32', partCount: 'u32', wire: 'u32', silence: 'u32', sample: 'u32' },
  { grid: 'f64', range: 'u32', needs: 'u32', holders: 'u32' },
  ({ kind, count, part, partCount, wire, grid, range, needs, holders }) => {
    if (kind > tasks.SCAN) return `a task of kind ${kind}`;
    if (wire > 2) return `a wire of ${wire}`;
    if (count > 2 ** 27) return `${count} boxes`;
    if (part >= partCount) return `part ${part} of ${partCount}`;
    if (needs.length !== holders.length) return `${needs.length} needs, and ${holders.length} who have them`;
    if (needs.length !== [0, 1, 2, 1 + partCount, partCount][kind])
      return `${needs.length} needs of a task of kind ${kind}`;
    if (grid.length !== (kind === tasks.SURVEY || kind === tasks.MERGE ? 0 : GRID))
      return `a grid of ${grid.length} numbers`;
    return range.length === (kind === tasks.SCAN ? RANGE : 0)
      ? undefined
      : `a range of ${range.length} words`;
  },
);

/**
 * A task is done, and its result is kept. wild: a box was not finite. filled: boxes that are not empty;
 * items: octants, or pairs. cpu: of the node since it heard of the run; computed: within kernels:
 * milliseconds. Bytes that it took for this task, from the coordinator, from other nodes, and from what it
 * has itself. bounds: low and high, of SURVEY; sample: keys and boxes; histogram: pairs by a, about.
 */
export const OctreePart = messageKind(
  'OctreePart',
  203,
  {
    wild: 'u32',
    filled: 'u32',
    items: 'f64',
    tests: 'f64',
    cpu: 'f64',
    computed: 'f64',
    fromCaller: 'f64',
    fromNodes: 'f64',
    fromSelf: 'f64',
  },
  { bounds: 'f64', sampleKeys: 'u32', sampleIds: 'u32', histogram: 'f32' },
  ({ bounds, sampleKeys, sampleIds, histogram }) => {
    if (bounds.length !== 0 && bounds.length !== GRID) return `bounds of ${bounds.length} numbers`;
    if (sampleKeys.length !== sampleIds.length)
      return `${sampleKeys.length} keys of a sample, and ${sampleIds.length} boxes`;
    return histogram.length > HISTOGRAM_BUCKETS ? `${histogram.length} buckets` : undefined;
  },
);
export type OctreeTaskValues = Saying<typeof OctreeTask>;
export type OctreePartValues = Saying<typeof OctreePart>;
