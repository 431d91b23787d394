// Makes and checks the secret tokens of leases. A lease assigns a task of a run to a node. The node must return
// the token of the lease with its result. This proves that the node was given this task in this run.
import { randomToken } from '../randomToken.js';

export class LeaseTokens {
  private readonly byTask = new Map<number, Map<number, number>>();

  /**
   * Returns the token with which a task is assigned to a node. The token stays the same until the task is
   * finished, because a node may finish a task after the lease has expired.
   */
  tokenFor(task: number, node: number): number {
    let tokens = this.byTask.get(task);
    if (!tokens) this.byTask.set(task, (tokens = new Map()));
    let token = tokens.get(node);
    if (token === undefined) tokens.set(node, (token = randomToken()));
    return token;
  }

  /** Returns whether a task was assigned to a node and is not finished. */
  has(task: number, node: number): boolean {
    return this.byTask.get(task)?.has(node) === true;
  }

  /** Returns whether this is the token with which the task was assigned to the node. */
  matches(task: number, node: number, token: number): boolean {
    return this.byTask.get(task)?.get(node) === token;
  }

  /** Forgets the tokens of a task; if the task is assigned again, it gets new ones. */
  delete(task: number): void {
    this.byTask.delete(task);
  }

  clear(): void {
    this.byTask.clear();
  }
}
