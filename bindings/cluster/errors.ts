// Errors of clusters: of code 'Cluster', with what to do.
import { CollisionError } from '../core/errors.js';

/** What does not work between nodes, brokers and callers. */
export class ClusterError extends CollisionError {
  /** @internal */
  constructor(message: string, fix: string) {
    super('Cluster', message, fix);
  }
}

/** A message that is refused: what it was, and the rule that it breaks. */
export class Malformed extends ClusterError {}
