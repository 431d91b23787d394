// Layouts of the records of continuous collision detection on the GPU: byte offsets for TypeScript, structs
// for WGSL. Records whose names end in Params are uniforms.
import { record } from './record.js';

/**
 * Uniforms of `filterFeatureQueries`: the number of pairs, and the inputs of the WGSL parts farApart and
 * neverCoplanar.
 */
export const FeatureQueryParams = /* @__PURE__ */ record({
  count: 'u32',
  /** 1: two edges; 0: a vertex and a face. */
  isEdge: 'u32',
  /** 1: there is a minimum separation. `separation` is its value as a float, as in the CPU's filter. */
  isSeparated: 'u32',
  separation: 'f32',
  /** Error bound of a difference, in addition to one rounding: at least 2^-125. */
  pointError: 'f32',
});

/**
 * Uniforms of `writePairDispatch` and `filterFeaturePairs`. There are counts[slot] pairs; none is processed
 * if that is more than `maxCount`. groups: maximum number of workgroups. capacity: capacity of the list of
 * remaining pairs.
 */
export const FeaturePairParams = /* @__PURE__ */ record({
  slot: 'u32',
  maxCount: 'u32',
  groups: 'u32',
  capacity: 'u32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
  /** Value of 1 in the integer coordinates of points, a power of two. */
  unit: 'f32',
  /** isSelf: 1: both features belong to one mesh. isSwapped: 1: the vertex belongs to B, the face to A. */
  isSelf: 'u32',
  isSwapped: 'u32',
  /** Where A's edges or faces begin among the corners, or the number of its first vertex; likewise B's. */
  firstA: 'u32',
  firstB: 'u32',
});

/**
 * A body with linear motion. from0 .. to2: rows of its linear part at the start and at the end (the fourth
 * value of each is 0). fromAt, toAt, low, high: its origin at both ends, and its box over the whole motion,
 * as integers in units from a common center. firstVertex, firstFace: where its mesh begins among vertices and
 * faces.
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
  low: ['i32', 4],
  high: ['i32', 4],
  firstVertex: 'u32',
  firstFace: 'u32',
  faceCount: 'u32',
  spare: 'u32',
});

/**
 * Uniforms of `filterBodyPairs`. pairCount: number of pairs of bodies. margin: length by which the boxes of
 * faces and bodies are enlarged on all sides. isEdge: 1: two edges; 0: a vertex and a face. The other fields
 * are the inputs of the WGSL parts farApart and neverCoplanar.
 */
export const BodyPairParams = /* @__PURE__ */ record({
  pairCount: 'u32',
  margin: 'f32',
  unit: 'f32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
});

/** Constants that are shared by TypeScript and WGSL. */
export const gpuContinuousLimits = {
  /** As sweptLimits.OWN_BIT: this face is the first one with the vertex or edge. */
  OWN_BIT: 0x80000000,
} as const;
