// Records of the GPU's kernels for trees, described once -> offsets for TypeScript, structs for WGSL. Those ending in Params are uniforms.

/** Numbers that TypeScript and WGSL agree on. */
export const gpuTreeLimits = {} as const;
