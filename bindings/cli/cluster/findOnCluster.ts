// Finds the clashing pairs of parts on the nodes of a cluster. The clashes are the same as those that
// `findClashes` finds in this process.

import { openJobs } from '../../cluster/jobs/jobServer.js';
import type { Submitted } from '../../cluster/jobs/submitted.js';
import type { Link } from '../../cluster/link.js';
import { deduplicateMeshes } from '../../report/deduplicateMeshes.js';
import { type ClashResult, createMeshes, type FindClashes, groupOf } from '../findClashes.js';
import { beginShare, type Progress } from '../progress.js';
import { printable } from '../terminal.js';

/** Interval at which the progress of the job is read, in milliseconds. */
const PROGRESS_INTERVAL = 100;

/**
 * Returns a function that searches on the cluster. patience: the search fails if no node sends a message for
 * this many milliseconds. verify: whether every task is given to two nodes. The returned function throws
 * CollisionError 'Cluster' and the errors of nodes.
 */
export function findOnCluster(
  link: Link,
  cluster: string,
  { patience, verify }: { patience: number | undefined; verify: boolean },
): FindClashes {
  return async (engine, parts, progress, filter) => {
    const { meshes: shared, meshOfPart } = deduplicateMeshes(parts);
    const jobs = await openJobs({
      where: 'cluster',
      link,
      cluster,
      verify,
      ...(patience === undefined ? {} : { patience }),
    });
    try {
      const job = jobs.submit({
        kind: 'clash',
        narrow: 'counts',
        bodies: parts.map(({ transform }, i) => ({
          mesh: shared[meshOfPart[i]],
          transform: Float64Array.from(transform),
          ...groupOf(filter, i),
        })),
      });
      // The meshes are also needed in this process, to classify the clashes.
      const meshes = createMeshes(engine, parts, progress);
      const answer = await follow(job, progress);
      const { count, a, b, counts, boxPairs } = answer;
      const clashes = Array.from({ length: count }, (_, i) => ({
        a: a[i],
        b: b[i],
        trianglePairs: counts[i],
      }));
      const { nodes, tasks, reassigned, sentBytes, receivedBytes, contentBytes, excluded } = job.stats;
      for (const { node, what } of excluded)
        console.error(printable(`pfront: node ${node} was excluded for a false result: ${what}`));
      const result: ClashResult = {
        clashes,
        boxPairs,
        trianglePairs: clashes.reduce((sum, clash) => sum + clash.trianglePairs, 0),
        meshes,
        stats: [],
        cluster: { nodes, tasks, reassigned, sentBytes, receivedBytes, contentBytes },
      };
      return result;
    } finally {
      await jobs.close();
    }
  };
}

async function follow<Answer>(job: Submitted<Answer>, progress: Progress): Promise<Answer> {
  const showShare = beginShare(progress, 'Searching pairs on the cluster');
  const timer = setInterval(() => {
    const { done, total } = job.progress;
    showShare(done, Math.max(1, total));
  }, PROGRESS_INTERVAL);
  try {
    return await job.wait();
  } finally {
    clearInterval(timer);
  }
}
