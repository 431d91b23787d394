// Layouts of records for building and refitting trees. Only kernels access their fields by name. TypeScript
// writes the jobs as words in this order; only kernels write BinaryNodes.
import { record } from './record.js';

/**
 * The job of `boundTriangles`, which writes one BuildRecord per triangle (at recordsAt) and one SliceBox per
 * slice (at boxesAt).
 */
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
 * The job of `fillTree`: writes the final nodes and leaves, with their boxes, from the shapes of the subtrees
 * (see Subtree in buildLayout.ts). orderAt, listsAt: the subtrees of each slice, as in GrowJob.
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
 * The job of `refitTree`. orderAt: the numbers of the ranges to refit, slice by slice. listsAt: slice s refits
 * the ranges order[i] with lists[s] <= i < lists[s + 1].
 */
export const RefitJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  rangesAt: 'u32',
  orderAt: 'u32',
  listsAt: 'u32',
  /**
   * CORNERS_BYTES per leaf: byte offsets of the vertices of its triangles (the first vertices of all four
   * lanes, then the second vertices, then the third vertices), then the leaf's slot: 4 * parent node + lane.
   */
  cornersAt: 'u32',
});
