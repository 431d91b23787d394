// Declares the module that the build generates from the WGSL files in gpu/.

export interface ShaderText {
  /** The names of the included texts that the kernel uses, in order. */
  uses: readonly string[];
  text: string;
}

export const shaders: {
  /** WGSL of records and constants, by name. */
  shared: Readonly<Record<string, string>>;
  /** WGSL that kernels include, by name. */
  includes: Readonly<Record<string, string>>;
  kernels: Readonly<Record<string, ShaderText>>;
};
