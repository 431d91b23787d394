// The messages of the tasks of a box pairs session and their results: kinds 204 and 205.
import { messageKind, type SentValues } from '../message.js';
import { GRID, taskCosts, taskProblem } from './messages.js';

/** The kinds of tasks. */
export const sessionTaskKinds = { LIST: 0, SCAN: 1 } as const;
/** The parts of a kept result that can be fetched: the first word of a selector. */
export const sessionResultParts = { HALO: 0, PAIRS: 1 } as const;
/** What the coordinator shares about a part: the last word of a name, after frame and part. */
export const sharedParts = { OWNED: 0, MOVED: 1 } as const;
/** No task: the part is listed from scratch. */
export const NO_TASK = 0xffffffff;

/**
 * A task. count: boxes in total; part and partCount: which range of how many; encoding: the encoding of lists;
 * silence: milliseconds after which the node that holds a needed result counts as lost; frame: its number;
 * previous: for LIST, the task that scanned the range in the last frame, or NO_TASK; oldest: results of tasks
 * before this are not needed. grid: minimum and maximum; borders: the key at which each range begins, except
 * the first. needs: for SCAN, the LIST tasks of all parts; holders: the node that has each of them.
 */
export const SessionTask = messageKind(
  'SessionTask',
  204,
  {
    kind: 'u32',
    count: 'u32',
    part: 'u32',
    partCount: 'u32',
    encoding: 'u32',
    silence: 'u32',
    frame: 'u32',
    previous: 'u32',
    oldest: 'u32',
  },
  { grid: 'f64', borders: 'u32', needs: 'u32', holders: 'u32' },
  task => {
    const { kind, partCount, grid, borders, needs } = task;
    if (kind > sessionTaskKinds.SCAN) return `its task has the unknown kind ${kind}`;
    const problem = taskProblem(task);
    if (problem) return problem;
    if (grid.length !== GRID) return `its grid has ${grid.length} numbers`;
    if (borders.length !== partCount - 1) return `it has ${borders.length} borders for ${partCount} ranges`;
    if (borders.some((key, i) => i > 0 && key < borders[i - 1])) return 'its borders do not ascend';
    return needs.length === (kind === sessionTaskKinds.SCAN ? partCount : 0)
      ? undefined
      : `a task of kind ${kind} cannot have ${needs.length} needs`;
  },
);

/**
 * A task is done and its result is kept. isFresh: 1 if the node did not have the state of the last frame.
 * octants: in the list; copies: boxes of other ranges; changed: octants that were removed and inserted;
 * isSorted: 1 if all octants were sorted. items: pairs; differing: pairs that began or ended since the last
 * frame.
 */
export const SessionPart = messageKind(
  'SessionPart',
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
export type SessionPartValues = SentValues<typeof SessionPart>;
