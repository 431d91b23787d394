// Layouts of the records with which the GPU builds trees: byte offsets for TypeScript, structs for WGSL.
// Records whose names end in Params are uniforms.
import { record } from './record.js';

/**
 * Uniforms of `storeVertices`: stored = (x - center) * 2^scaleExponent. The center is given as the bits of
 * its floats.
 */
export const StoreParams = /* @__PURE__ */ record({
  firstVertex: 'u32',
  vertexCount: 'u32',
  scaleExponent: 'i32',
  centerX: 'u32',
  centerY: 'u32',
  centerZ: 'u32',
});

/**
 * Uniforms of `computeTriangleCodes`. On each axis, the cell of a triangle is (min + max - offset) * factor,
 * where min and max are the triangle's minimum and maximum coordinate.
 */
export const TriangleCodesParams = /* @__PURE__ */ record({
  firstTriangle: 'u32',
  triangleCount: 'u32',
  offsetX: 'f32',
  offsetY: 'f32',
  offsetZ: 'f32',
  factor: 'f32',
});

/**
 * A level of the tree. It has `count` nodes, which are numbered from `first` on. The leaves that are children
 * of these nodes are numbered from firstLeaf on.
 */
export const GpuLevel = /* @__PURE__ */ record({
  first: 'u32',
  count: 'u32',
  firstLeaf: 'u32',
  spare: 'u32',
});

/**
 * The triangles of a node: entries `begin` to `end - 1` of the sorted list of triangles. parent: the node's
 * slot in its parent, 4 * parent node + lane.
 */
export const GpuRange = /* @__PURE__ */ record({ begin: 'u32', end: 'u32', parent: 'u32', spare: 'u32' });

/**
 * The triangles of a leaf: `count` triangles in sorted order, from `begin` on. slot: the leaf's slot in its
 * parent, 4 * parent node + lane.
 */
export const GpuSpan = /* @__PURE__ */ record({ begin: 'u32', count: 'u32', slot: 'u32', spare: 'u32' });

/** Uniforms of `splitRanges` and `placeRanges`. */
export const LevelParams = /* @__PURE__ */ record({ level: 'u32' });

/**
 * Uniforms of `linkTree`. orderAt, slotsAt: the word offsets in the tree's buffer `shape` at which the order
 * of the nodes and the slots of the leaves begin.
 */
export const LinkParams = /* @__PURE__ */ record({
  nodeCount: 'u32',
  leafCount: 'u32',
  firstNode: 'u32',
  firstLeaf: 'u32',
  orderAt: 'u32',
  slotsAt: 'u32',
});

/** Uniforms of `fillLeaves`. */
export const FillParams = /* @__PURE__ */ record({
  leafCount: 'u32',
  firstNode: 'u32',
  firstLeaf: 'u32',
  firstTriangle: 'u32',
  slotsAt: 'u32',
});

/** Uniforms of `refitNodes`, which processes the levels from `deepest` to `highest`, in this order. */
export const RefitNodesParams = /* @__PURE__ */ record({
  deepest: 'u32',
  highest: 'u32',
  firstNode: 'u32',
  orderAt: 'u32',
});

/** Constants that are shared by TypeScript and WGSL. */
export const gpuTreeLimits = {
  /**
   * Word offset of the levels in a tree's buffer `shape`. The center and half extents of the whole tree come
   * before the levels. Each level has two words: the position of its first node in the order of the nodes,
   * and its number of nodes.
   */
  LEVELS_AT: 8,
} as const;
