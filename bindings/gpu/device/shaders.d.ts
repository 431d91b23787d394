// Declares the module that the build generates from the WGSL files in gpu/.

export interface ShaderText {
  parts: readonly string[];
  text: string;
}

export const shaders: {
  /** WGSL of records and constants, by name. */
  shared: Readonly<Record<string, string>>;
  parts: Readonly<Record<string, string>>;
  kernels: Readonly<Record<string, ShaderText>>;
};
