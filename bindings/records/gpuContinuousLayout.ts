// Layouts of the records of continuous collision detection on the GPU: byte offsets for TypeScript, structs
// for WGSL. Records whose names end in Params are uniforms.
import { record } from './record.js';

/**
 * Uniforms of `filterFeatureQueries`. count: number of pairs. The other fields are the parameters of
 * farApart.wgsl and neverCoplanar.wgsl, which the kernel includes.
 */
export const FeatureQueryParams = /* @__PURE__ */ record({
  count: 'u32',
  /** 1: two edges; 0: a vertex and a face. */
  isEdge: 'u32',
  /** 1: there is a minimum separation. `separation` is its value as a float, as in the CPU's filter. */
  isSeparated: 'u32',
  separation: 'f32',
  /**
   * Error bound, on each axis, of the difference of two points, not counting the rounding of the difference
   * itself. It is at least 2^-125.
   */
  pointError: 'f32',
});

/**
 * Uniforms of `filterFeaturePairs`. The number of pairs is `found[slot]`, a count that the search wrote. If it
 * exceeds `maxCount`, no pair is processed. capacity: capacity of the list of remaining pairs. isEdge to
 * pointError: as in FeatureQueryParams.
 */
export const FeaturePairParams = /* @__PURE__ */ record({
  slot: 'u32',
  maxCount: 'u32',
  capacity: 'u32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
  /** Points have integer coordinates, in multiples of `unit`, which is a power of two. */
  unit: 'f32',
  /**
   * isSelf: 1 if both features belong to one mesh. isSwapped: 1 if the vertex belongs to B and the face to A.
   */
  isSelf: 'u32',
  isSwapped: 'u32',
  /**
   * firstA: if A's features are vertices, the number of the first vertex. If they are edges or faces, the
   * index in `corners` at which their vertex numbers begin. firstB: the same for B.
   */
  firstA: 'u32',
  firstB: 'u32',
});

/**
 * A body with linear motion. `from0`, `from1`, `from2`: the rows of the linear part of its placement at the
 * start; `to0`, `to1`, `to2`: the same at the end (the fourth value of each row is 0). fromAt, toAt: its origin
 * at the start and at the end, as integer multiples of `unit` relative to a common center. frame: the center of
 * its mesh's stored coordinates, then the inverse of their scale, so that a coordinate of the mesh equals
 * (stored coordinate) * inverse + center. firstVertex, firstFace, firstNode, firstLeaf: where its mesh begins
 * in the lists of vertices, faces, nodes and leaves.
 */
export const GpuMovingBody = /* @__PURE__ */ record({
  from0: ['f32', 4],
  from1: ['f32', 4],
  from2: ['f32', 4],
  to0: ['f32', 4],
  to1: ['f32', 4],
  to2: ['f32', 4],
  fromAt: ['i32', 4],
  toAt: ['i32', 4],
  frame: ['f32', 4],
  firstVertex: 'u32',
  firstFace: 'u32',
  firstNode: 'u32',
  firstLeaf: 'u32',
});

/**
 * Uniforms of `traverseMoving`. level: number of the pass. listCapacity: capacity of the next pass's list.
 * leafCapacity: capacity of the list of leaf pairs. margin, unit: as in BodyPairParams.
 */
export const TraverseMovingParams = /* @__PURE__ */ record({
  level: 'u32',
  listCapacity: 'u32',
  leafCapacity: 'u32',
  margin: 'f32',
  unit: 'f32',
});

/**
 * Uniforms of `filterBodyPairs`. margin: length by which the boxes of faces are enlarged on all sides. unit:
 * unit of the integers in GpuMovingBody. isEdge to pointError: as in FeatureQueryParams.
 */
export const BodyPairParams = /* @__PURE__ */ record({
  margin: 'f32',
  unit: 'f32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
});

/** Constants that are shared by TypeScript and WGSL. */
export const gpuContinuousLimits = {
  /**
   * Set in a face's vertex or edge number if this face is the first one that has this vertex or edge. Equals
   * sweptLimits.OWN_BIT.
   */
  OWN_BIT: 0x80000000,
  /**
   * States of a pair of moving bodies. CUT: a list was too short for the pair's boxes or leaves. NEAR: features
   * of the two bodies may touch. 0: neither.
   */
  CUT: 1,
  NEAR: 2,
} as const;
