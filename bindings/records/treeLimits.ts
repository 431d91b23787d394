// Constants for reading the nodes of a tree.

export const treeLimits = {
  /** Means no child, no triangle or no parent. */
  NOTHING: 0xffffffff,
  /** Set in a child's handle if the child is a leaf. */
  LEAF_BIT: 0x80000000,
  /** Number of children of a node, and of triangles of a leaf. */
  WIDTH: 4,
} as const;
