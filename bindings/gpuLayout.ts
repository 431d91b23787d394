// Records of the GPU's kernels, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.
import { record } from './record.js';

/** Of `writeDispatch`: how many invocations work on what `counts[slot]` counts, at most `most` of it. */
export const DispatchParams = record({ slot: 'u32', most: 'u32', groups: 'u32' });

/** Numbers that TypeScript and WGSL agree on. */
export const gpuLimits = {
  /** Bytes of a record of three words for an indirect dispatch. */
  DISPATCH_BYTES: 16,
} as const;
