// Layouts of tree-building records whose fields only kernels access by name. TypeScript writes these records
// as words in this order.
import { record } from './record.js';

/** The job of `boundTriangles`: one BuildRecord per triangle, one SliceBox per slice. */
export const BoundTrianglesJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  recordsAt: 'u32',
  boxesAt: 'u32',
  sliceCount: 'u32',
});

/**
 * A node of the binary tree before it is collapsed. Its left child follows it. costK (K from 1 to 4): the
 * minimum cost of collapsing its subtree to a forest of at most K roots.
 */
export const BinaryNode = /* @__PURE__ */ record({
  /** Index of the right child, 0 for a leaf. */
  right: 'u32',
  first: 'u32',
  count: 'u32',
  spare: 'u32',
  cost1: 'f32',
  cost2: 'f32',
  cost3: 'f32',
  cost4: 'f32',
});

/**
 * The job of `fillTree`: writes final nodes and leaves from the shapes of subtrees. orderAt, listsAt: the
 * subtrees of each slice, as in GrowJob (buildLayout.ts).
 */
export const FillJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  subtreesAt: 'u32',
  orderAt: 'u32',
  listsAt: 'u32',
  rangesAt: 'u32',
  cornersAt: 'u32',
});

/**
 * The job of `refitTree`: slice s refits the ranges with the numbers orderAt[i], for
 * listsAt[s] <= i < listsAt[s + 1].
 */
export const RefitJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  rangesAt: 'u32',
  orderAt: 'u32',
  listsAt: 'u32',
  /**
   * CORNERS_BYTES per leaf: byte offsets of the vertices of its triangles (the first vertices of all four
   * lanes, then the second vertices, then the third vertices), then the leaf's slot.
   */
  cornersAt: 'u32',
});
