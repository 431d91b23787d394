// Numbers that the nodes of a tree are read with.

export const treeLimits = {
  /** No child, no triangle, no parent. */
  NOTHING: 0xffffffff,
  /** Set in a child handle that names a leaf. */
  LEAF_BIT: 0x80000000,
  /** Children of a node, triangles of a leaf. */
  WIDTH: 4,
} as const;
