// Constants for reading the nodes of trees, and for searching two trees together.

export const treeLimits = {
  /** Means no child, no triangle or no parent. */
  NOTHING: 0xffffffff,
  /** Set in a child's handle if the child is a leaf. */
  LEAF_BIT: 0x80000000,
  /** Max number of children of a node, and max number of triangles of a leaf. */
  WIDTH: 4,
  /** Bytes of an entry on a stack of pairs: see assembly/bvh/pairStack.ts. */
  PAIR_ENTRY_BYTES: 12,
} as const;

/**
 * Returns the bytes of a stack of pairs for a search of two trees. A step pops one pair and pushes up to 16.
 * @param depth sum of the depths of both trees
 */
export const pairStackBytes = (depth: number): number => treeLimits.PAIR_ENTRY_BYTES * (15 * depth + 32);
