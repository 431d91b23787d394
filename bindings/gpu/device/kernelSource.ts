// Assembles the WGSL source of a kernel from the kernel's own text, the included files (shared functions) that
// it uses, and the records and constants that these texts use. Also lists the kernel's bindings.
import { shaders } from './shaders.js';

/** The name of a kernel. Its WGSL file in gpu/ and the entry point in that file have the same name. */
export type KernelName = string;
export type KernelBindings = readonly { readonly name: string; readonly type: GPUBufferBindingType }[];

const kernelOf = (name: KernelName): (typeof shaders)['kernels'][string] => {
  const kernel = shaders.kernels[name];
  if (!kernel) throw new Error(`no kernel is named ${name}`);
  return kernel;
};

export const kernelNames: readonly KernelName[] = Object.keys(shaders.kernels);

const types: Readonly<Record<string, GPUBufferBindingType>> = {
  uniform: 'uniform',
  'storage,read': 'read-only-storage',
  'storage,read_write': 'storage',
};

export const bindingsOf = (name: KernelName): KernelBindings =>
  [...kernelOf(name).text.matchAll(/var<(uniform|storage,\w+)>(\w+)/g)].map(([, kind, variable]) => ({
    name: variable!,
    type: types[kind!],
  }));

/** Returns the WGSL of a kernel. workgroupSize: value of the constant WORKGROUP. */
export function sourceOf(name: KernelName, workgroupSize: number): string {
  const { uses, text } = kernelOf(name);
  const own = [...uses.map(include => shaders.includes[include]), text].join('\n');
  // If one of the texts declares a constant itself, the shared constant of the same name is left out.
  const shared = Object.entries(shaders.shared).filter(
    ([word]) => new RegExp(`\\b${word}\\b`).test(own) && !own.includes(`const ${word}=`),
  );
  return [`const WORKGROUP=${workgroupSize}u;`, ...shared.map(([, declared]) => declared), own].join('\n');
}
