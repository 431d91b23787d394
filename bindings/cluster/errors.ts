// Errors of clusters: code 'Cluster', with a fix.
import { CollisionError } from '../core/errors.js';

/** A failure between nodes, broker and caller. */
export class ClusterError extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Cluster', message, fix);
  }
}

/** The fix of errors that occur only between different versions. */
export const SAME_VERSION = 'run the same version of pfront everywhere';

/** A message, or a part of one, is invalid. It is rejected, and the receiver continues. */
export class Malformed extends ClusterError {}
