// Checks box pairs that nodes have found, before the pairs are passed to the caller.
import { ClusterError } from '../errors.js';
import type { NodePool } from '../jobs/jobKind.js';
import { findFalseBoxPairs } from '../jobs/proveBoxPairs.js';

/**
 * Checks pairs, unless the nodes belong to this process. nodes: the nodes that computed the pairs. pairs: the
 * arguments of findFalseBoxPairs.
 * @throws CollisionError 'Cluster' if pairs are false or missing; its message names the nodes
 */
export function rejectFalsePairs(
  pool: NodePool,
  nodes: Iterable<number>,
  ...pairs: Parameters<typeof findFalseBoxPairs>
): void {
  const what = pool.recompute && findFalseBoxPairs(...pairs);
  if (what === undefined) return;
  throw new ClusterError(
    `a node returned a false result: ${what}; the pairs were found by ${Array.from(nodes, node => `node ${pool.nameOf(node)}`).join(', ')}`,
    'end the nodes that you do not trust, and submit the boxes again',
  );
}
