// What the build makes of gpu/*.wgsl.

export interface ShaderText {
  parts: readonly string[];
  text: string;
}

export const shaders: {
  /** Records and constants by their names. */
  shared: Readonly<Record<string, string>>;
  parts: Readonly<Record<string, string>>;
  kernels: Readonly<Record<string, ShaderText>>;
};
