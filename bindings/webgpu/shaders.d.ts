// What the build makes of gpu/*.wgsl.

export interface ShaderText {
  records: readonly string[];
  constants: readonly string[];
  parts: readonly string[];
  bindings: readonly { name: string; type: 'uniform' | 'read-only-storage' | 'storage' }[];
  text: string;
}

export const shaders: {
  records: Readonly<Record<string, string>>;
  constants: Readonly<Record<string, string>>;
  parts: Readonly<Record<string, string>>;
  kernels: Readonly<Record<string, ShaderText>>;
};
