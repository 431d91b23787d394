// Decides whose reports a run accepts. A node must return the secret that was sent to its own subject, so that
// no other node can report in its name.
import { randomToken } from '../randomToken.js';

/** The maximum number of nodes of each state; the oldest is forgotten first, and asked again. */
const MAX_NODES = 4096;

export class Admission {
  private readonly invited = new Map<number, number>();
  private readonly admitted = new Map<number, number>();

  /** Returns the secret of a node, which is made at the first call. */
  secretOf(node: number): number {
    const known = this.admitted.get(node) ?? this.invited.get(node);
    if (known !== undefined) return known;
    const secret = randomToken();
    remember(this.invited, node, secret);
    return secret;
  }

  /** Returns whether a message with this secret is from the node that it names. */
  admits(node: number, secret: number): boolean {
    if (this.admitted.get(node) === secret) return true;
    if (this.invited.get(node) !== secret) return false;
    this.invited.delete(node);
    remember(this.admitted, node, secret);
    return true;
  }
}

function remember(map: Map<number, number>, node: number, secret: number): void {
  if (map.size >= MAX_NODES) map.delete(map.keys().next().value!);
  map.set(node, secret);
}
