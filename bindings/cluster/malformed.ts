// A message that breaks a rule.
import { CollisionError } from '../core/errors.js';

/** A message that is refused: what it was, and the rule that it breaks. */
export class Malformed extends CollisionError {
  /** @internal */
  constructor(message: string, rule: string) {
    super('Cluster', message, rule);
  }
}
