// Errors of clusters: code 'Cluster', with a fix.
import { CollisionError } from '../core/errors.js';

/** A failure between nodes, broker and caller. */
export class ClusterError extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Cluster', message, fix);
  }
}

/** A refused message: the error names the message and the rule that it breaks. */
export class Malformed extends ClusterError {}
