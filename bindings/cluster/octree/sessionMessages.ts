// Defines the messages of a box-pair session: a task for a node (code 204), and the report of its result (code
// 205).
import { messageKind, type SentValues } from '../message.js';
import { GRID, taskCosts, taskFields, taskProblem } from './messages.js';

/** The kinds of tasks. LIST: updates the sorted octants of a range. SCAN: finds the pairs of a range. */
export const sessionTaskKinds = { LIST: 0, SCAN: 1 } as const;
/** The fields of a kept result that can be fetched. The first word of a fetch's selector names the field. */
export const sessionResultFields = { HALO: 0, PAIRS: 1 } as const;
/**
 * The boxes of a range that the coordinator shares. OWNED: all boxes of the range. MOVED: only the boxes that
 * have moved. Three numbers name the shared data: the frame, the index of the range, and one of these values.
 */
export const sharedBoxes = { OWNED: 0, MOVED: 1 } as const;
/**
 * The value of `previous` in a SessionTask if no task scanned the range in the last frame. A LIST task then
 * lists all octants of its range from scratch.
 */
export const NO_TASK = 0xffffffff;

/**
 * A task, sent to a node.
 * - count: the number of all boxes;
 * - subset: the index of the task's range; subsetCount: the number of ranges;
 * - encoding: the encoding of lists;
 * - silence: milliseconds after which a silent node that holds a needed result counts as lost;
 * - frame: the number of the frame;
 * - previous: for LIST, the task that scanned the range in the last frame, or NO_TASK;
 * - oldest: the results of tasks with smaller numbers are no longer needed;
 * - grid: min x, y, z, then max x, y, z; borders: the key at which each range begins, except the first;
 * - needs: for SCAN, the LIST tasks of all ranges; holders: for each of these tasks, the node that has its
 *   result.
 */
export const SessionTask = messageKind(
  'SessionTask',
  204,
  { ...taskFields, frame: 'u32', previous: 'u32', oldest: 'u32' },
  { grid: 'f64', borders: 'u32', needs: 'u32', holders: 'u32' },
  task => {
    const { kind, subsetCount, grid, borders, needs } = task;
    if (kind > sessionTaskKinds.SCAN) return `its task has the unknown kind ${kind}`;
    const problem = taskProblem(task);
    if (problem) return problem;
    if (grid.length !== GRID) return `its grid has ${grid.length} numbers`;
    if (borders.length !== subsetCount - 1)
      return `it has ${borders.length} borders for ${subsetCount} ranges`;
    if (borders.some((key, i) => i > 0 && key < borders[i - 1])) return 'its borders do not ascend';
    return needs.length === (kind === sessionTaskKinds.SCAN ? subsetCount : 0)
      ? undefined
      : `a task of kind ${kind} cannot have ${needs.length} needs`;
  },
);

/**
 * Reports that a task is done and that the node keeps its result.
 * - isFresh: for LIST, 1 if the node had no state of the range from the last frame; for SCAN, 1 if the node had
 *   no pairs of the range from the last frame;
 * - isSorted: 1 if all octants were sorted, 0 if at most the changed octants were removed and inserted;
 * - octants: octants in the list; copies: boxes of other ranges;
 * - changed: the number of octants that were removed, plus the number of octants that were inserted;
 * - items: pairs of the range, for SCAN;
 * - differing: pairs that began or ended since the last frame; all pairs if isFresh is 1.
 */
export const SessionReport = messageKind(
  'SessionReport',
  205,
  {
    isFresh: 'u32',
    isSorted: 'u32',
    octants: 'f64',
    copies: 'f64',
    changed: 'f64',
    items: 'f64',
    differing: 'f64',
    tests: 'f64',
    ...taskCosts,
  },
  {},
);
export type SessionTaskValues = SentValues<typeof SessionTask>;
export type SessionReportValues = SentValues<typeof SessionReport>;
