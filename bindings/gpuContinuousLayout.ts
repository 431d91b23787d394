// Records of the GPU's kernels for moving features, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.
import { record } from './record.js';

/** Of `dropFarQueries`: how many pairs there are, and what the parts farApart and neverCoplanar ask for. */
export const DropFarParams = /* @__PURE__ */ record({
  count: 'u32',
  /** 1: two edges; 0: a vertex and a face. */
  isEdge: 'u32',
  /** 1: there is a separation, this float, as the CPU's filter has it. */
  isSeparated: 'u32', separation: 'f32',
  /** What a difference may be off by, beside one rounding: at least 2^-125. */
  pointError: 'f32',
});

/** Of `sizePairs` and `dropFarPairs`: counts[slot] pairs, none where that is more than `most`; in at most `groups` workgroups. Room for pairs that are left. */
export const DropPairsParams = /* @__PURE__ */ record({
  slot: 'u32', most: 'u32', groups: 'u32', capacity: 'u32', isEdge: 'u32', isSeparated: 'u32', separation: 'f32', pointError: 'f32',
  /** What 1 of a point's whole numbers stands for, a power of two. */
  unit: 'f32',
  /** 1: both are of one mesh. 1: the vertex is of B, the face of A. */
  isSelf: 'u32', isSwapped: 'u32',
  /** Where A's edges or faces begin among the corners, or the number of its first vertex; and B's. */
  firstA: 'u32', firstB: 'u32',
});

/** Numbers that TypeScript and WGSL agree on. */
export const gpuContinuousLimits = {} as const;
