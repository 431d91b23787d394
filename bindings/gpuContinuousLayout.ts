// Records of the GPU's kernels for moving features, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.
import { record } from './record.js';

/** Of `dropFarQueries` and `dropFarPairs`: what the parts farApart and neverCoplanar ask for, and how many pairs there are. */
export const DropFarParams = record({
  count: 'u32',
  /** 1: two edges; 0: a vertex and a face. */
  isEdge: 'u32',
  /** 1: there is a separation, this float, as the CPU's filter has it. */
  isSeparated: 'u32', separation: 'f32',
  /** What a difference may be off by, beside one rounding: at least 2^-125. */
  pointError: 'f32',
});

/** Numbers that TypeScript and WGSL agree on. */
export const gpuContinuousLimits = {} as const;
