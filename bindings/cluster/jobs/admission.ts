// Decides from which nodes a run (the execution of one job) accepts reports. Each node must return a secret
// that was sent to the node's own subject (message address), so that a report in the name of another node is
// rejected.
import { randomToken } from '../randomToken.js';

/**
 * A node is invited as soon as a secret is made for it, and admitted as soon as it returns the secret. At most
 * this many invited nodes and this many admitted nodes are remembered. If there are more, the oldest is
 * forgotten.
 */
const MAX_NODES = 4096;

export class Admission {
  private readonly invited = new Map<number, number>();
  private readonly admitted = new Map<number, number>();

  /** Returns the secret of a node. The first call for a node makes the secret. */
  secretOf(node: number): number {
    const known = this.admitted.get(node) ?? this.invited.get(node);
    if (known !== undefined) return known;
    const secret = randomToken();
    remember(this.invited, node, secret);
    return secret;
  }

  /** Returns whether a message that names this node and has this secret comes from the node. */
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
