// Defines the kind of task that finds all overlapping pairs in a set of boxes.
import { ClusterError } from '../errors.js';
import { messageKind, type SentValues } from '../message.js';
import type { TaskKind } from './jobKind.js';

/**
 * The task: `count` boxes, six floats each. hash: the hash by which the node fetches the bytes of the boxes.
 */
export const BoxTask = messageKind('BoxTask', 112, { count: 'u32' }, { hash: 'u32' }, ({ hash }) =>
  hash.length === 8 ? undefined : `its hash has ${hash.length} words, not 8`,
);
/** The result: for each i, boxes a[i] and b[i] overlap, and a[i] < b[i]. Sorted by a, then b. */
export const BoxReport = messageKind('BoxReport', 113, {}, { a: 'u32', b: 'u32' }, ({ a, b }) =>
  a.length === b.length ? undefined : `its lists have ${a.length} and ${b.length} boxes`,
);

type BoxReportValues = SentValues<typeof BoxReport>;

export const boxTasks: TaskKind<SentValues<typeof BoxTask>, BoxReportValues> = {
  name: 'box pairs',
  code: 2,
  task: BoxTask,
  report: BoxReport,
  needs: ({ hash }) => hash,
  async run({ count, hash }, { engine, gpu, bytes, countTests }) {
    const content = bytes(hash);
    if (content.length !== 24 * count)
      throw new RangeError(`${count} boxes have ${content.length} bytes, not ${24 * count}`);
    const boxes = new Float32Array(content.slice().buffer);
    if (gpu) {
      const { a, b } = await gpu.boxPairs(boxes);
      return { a, b };
    }
    const { a, b, stats } = engine.boxPairs(boxes);
    countTests(stats.tests);
    return { a: a.slice(), b: b.slice() };
  },
};

/** Checks that a result fits a task with `count` boxes. @throws CollisionError 'Cluster' */
export function checkBoxReport({ a, b }: BoxReportValues, count: number): void {
  const wrong = a.findIndex(
    (first, i) =>
      first >= b[i] ||
      b[i] >= count ||
      (i > 0 && (first < a[i - 1] || (first === a[i - 1] && b[i] <= b[i - 1]))),
  );
  if (wrong >= 0)
    throw new ClusterError(
      `pair ${wrong} (boxes ${a[wrong]} and ${b[wrong]}) is out of order or names a box that does not exist`,
      'run the same version of pfront everywhere; the task runs again',
    );
}
