// Defines the errors of clusters. They have the code 'Cluster' and a suggested fix.
import { CollisionError } from '../core/errors.js';

/** An error of a cluster, for example in the communication between nodes, broker and caller. */
export class ClusterError extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Cluster', message, fix);
  }
}

/** The suggested fix for errors that occur only if processes run different versions of pfront. */
export const SAME_VERSION = 'run the same version of pfront everywhere';

/**
 * Thrown for received data that is invalid or exceeds a limit: packets, messages, and blocks that were
 * fetched. A channel counts such packets and messages, and continues.
 */
export class Malformed extends ClusterError {}
