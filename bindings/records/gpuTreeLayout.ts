// Records of the GPU's kernels for trees, described once -> offsets for TypeScript, structs for WGSL. Those
// ending in Params are uniforms.
import { record } from './record.js';

/** Of `storeVertices`: stored = (x - center) * 2^scaleExponent; the center by its bits. */
export const StoreParams = /* @__PURE__ */ record({
  firstVertex: 'u32',
  vertexCount: 'u32',
  scaleExponent: 'i32',
  centerX: 'u32',
  centerY: 'u32',
  centerZ: 'u32',
});

/** Of `codeTriangles`: cell = (least + greatest coordinate - offset) * factor. */
export const CodeParams = /* @__PURE__ */ record({
  firstTriangle: 'u32',
  triangleCount: 'u32',
  offsetX: 'f32',
  offsetY: 'f32',
  offsetZ: 'f32',
  factor: 'f32',
});

/** Nodes of a level: first <= i < first + count; the first leaf below them. */
export const GpuLevel = /* @__PURE__ */ record({
  first: 'u32',
  count: 'u32',
  firstLeaf: 'u32',
  spare: 'u32',
});

/** Triangles of a node in sorted order, begin <= i < end, and its parent's slot. */
export const GpuRange = /* @__PURE__ */ record({ begin: 'u32', end: 'u32', parent: 'u32', spare: 'u32' });

/** Triangles of a leaf in sorted order, from `begin` on, and its slot. */
export const GpuSpan = /* @__PURE__ */ record({ begin: 'u32', count: 'u32', slot: 'u32', spare: 'u32' });

/** Of `splitRanges` and `placeRanges`; groups: workgroups of the next level's dispatches at most. */
export const LevelParams = /* @__PURE__ */ record({ level: 'u32', groups: 'u32' });

/** Of `linkTree`. Words of the shape: orderAt, slotsAt. */
export const LinkParams = /* @__PURE__ */ record({
  nodeCount: 'u32',
  leafCount: 'u32',
  firstNode: 'u32',
  firstLeaf: 'u32',
  orderAt: 'u32',
  slotsAt: 'u32',
});

/** Of `fillLeaves`. */
export const FillParams = /* @__PURE__ */ record({
  leafCount: 'u32',
  firstNode: 'u32',
  firstLeaf: 'u32',
  firstTriangle: 'u32',
  slotsAt: 'u32',
});

/** Of `joinNodes`: levels deepest >= i >= highest. */
export const JoinParams = /* @__PURE__ */ record({
  deepest: 'u32',
  highest: 'u32',
  firstNode: 'u32',
  orderAt: 'u32',
});

/** Numbers that TypeScript and WGSL agree on. */
export const gpuTreeLimits = {
  /**
   * Words of a tree's shape: middle and half extents of the whole, then of each level where it begins in the
   * order of nodes, and its count.
   */
  LEVELS_AT: 8,
} as const;
