// Records of the GPU's kernels for moving features, described once -> offsets for TypeScript, structs for
// WGSL. Those ending in Params are uniforms.
import { record } from './record.js';

/** Of `dropFarQueries`: how many pairs there are, and what the parts farApart and neverCoplanar ask for. */
export const DropFarParams = /* @__PURE__ */ record({
  count: 'u32',
  /** 1: two edges; 0: a vertex and a face. */
  isEdge: 'u32',
  /** 1: there is a separation, this float, as the CPU's filter has it. */
  isSeparated: 'u32',
  separation: 'f32',
  /** What a difference may be off by, beside one rounding: at least 2^-125. */
  pointError: 'f32',
});

/**
 * Of `sizePairs` and `dropFarPairs`: counts[slot] pairs, none where that is more than `most`; in at most
 * `groups` workgroups. Room for pairs that are left.
 */
export const DropPairsParams = /* @__PURE__ */ record({
  slot: 'u32',
  most: 'u32',
  groups: 'u32',
  capacity: 'u32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
  /** What 1 of a point's whole numbers stands for, a power of two. */
  unit: 'f32',
  /** 1: both are of one mesh. 1: the vertex is of B, the face of A. */
  isSelf: 'u32',
  isSwapped: 'u32',
  /** Where A's edges or faces begin among the corners, or the number of its first vertex; and B's. */
  firstA: 'u32',
  firstB: 'u32',
});

/**
 * A body that moves straight: rows of its linear part at the start and at the end (the fourth of each is 0);
 * its origin at both ends and its box over the whole motion in whole numbers, units from a common middle;
 * where its mesh begins among vertices and faces.
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
 * Of `dropFarBodies`: pairs of bodies; what a box of a face is grown by; whether edges are asked about, or
 * vertices and faces; and what the parts farApart and neverCoplanar ask for.
 */
export const DropBodiesParams = /* @__PURE__ */ record({
  pairCount: 'u32',
  grown: 'f32',
  unit: 'f32',
  isEdge: 'u32',
  isSeparated: 'u32',
  separation: 'f32',
  pointError: 'f32',
});

/** Numbers that TypeScript and WGSL agree on. */
export const gpuContinuousLimits = {
  /** As sweptLimits.OWN_BIT: this face is the first that has the vertex or the edge. */
  OWN_BIT: 0x80000000,
} as const;
