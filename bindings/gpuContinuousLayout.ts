// Records of the GPU's kernels for moving features, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.

/** Numbers that TypeScript and WGSL agree on. */
export const gpuContinuousLimits = {} as const;
