// Checks the box pairs that nodes have found. The caller gets them only after this check.
import { ClusterError, Malformed } from '../errors.js';
import type { NodePool } from '../jobs/jobKind.js';
import { findFalseBoxPairs } from '../jobs/proveBoxPairs.js';

/**
 * Thrown for a false result that cannot be attributed to one node, because nodes compute with data that they
 * get from each other.
 */
export class FalsePairs extends ClusterError {
  constructor(what: string, fix = 'run the same version on all nodes') {
    super(`a node returned a false result: ${what}`, fix);
  }
}

/**
 * Checks pairs, unless the nodes belong to this process. pairs: the arguments of findFalseBoxPairs.
 * @throws FalsePairs if pairs are false or missing
 */
export function rejectFalsePairs(pool: NodePool, ...pairs: Parameters<typeof findFalseBoxPairs>): void {
  const what = pool.recompute && findFalseBoxPairs(...pairs);
  if (what !== undefined) throw new FalsePairs(what);
}

/**
 * Calls `find`. If this call fails because a node returned a false or malformed result, forgets all tasks so
 * far and calls `findAgain`. If the nodes belong to this process, rethrows the error instead.
 */
export async function recomputeIfFalse<Found>(
  pool: NodePool,
  find: () => Promise<Found>,
  findAgain: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (!pool.recompute || !(error instanceof FalsePairs || error instanceof Malformed)) throw error;
    pool.forgetBefore(pool.stats.tasks);
    return findAgain();
  }
}
