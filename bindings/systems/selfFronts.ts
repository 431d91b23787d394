// A mesh -> the starting front of its pair tests with itself: each two boxes once.
import type { Arena } from '../memory.js';
import { makeNodes, StartingFront, type StartingNodes, type Tree } from './startingFront.js';

/** Nodes before those that are there twice are left out. */
const STARTING_NODES = 256;

export class SelfFronts {
  private readonly fronts = new WeakMap<Tree, StartingFront>();

  /** The mesh's own, with the costs of its last run; made anew where its tree was. */
  of(arena: Arena, tree: Tree): StartingFront {
    let front = this.fronts.get(tree);
    if (!front?.isCurrent) this.fronts.set(tree, front = new StartingFront(eachOnce(makeNodes(arena, tree, tree, STARTING_NODES)), tree, tree));
    return front;
  }
}

function eachOnce({ slots, ...versions }: StartingNodes): StartingNodes {
  return { slots: slots.filter((_, i) => slots[i & ~1]! <= slots[i | 1]!), ...versions };
}
