// Assembles the WGSL of a kernel from its text and the records and parts that it needs, and lists its
// bindings.
import { shaders } from './shaders.js';

/** The name of a file of gpu/ and of its entry point. */
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

/**
 * Returns the WGSL of a kernel. workgroupSize: workgroup size, the constant WORKGROUP of kernels.
 * hasSubgroups: whether to use the variants of parts that need subgroups.
 */
export function sourceOf(name: KernelName, workgroupSize: number, hasSubgroups = false): string {
  const { parts, text } = kernelOf(name);
  const chosen = parts.map(part =>
    hasSubgroups && shaders.parts[`${part}.subgroups`] ? `${part}.subgroups` : part,
  );
  const own = [...chosen.map(part => shaders.parts[part]), text].join('\n');
  const enableDirectives = chosen.some((part, i) => part !== parts[i]) ? ['enable subgroups;'] : [];
  // A constant that a text declares itself hides the shared one.
  const shared = Object.entries(shaders.shared).filter(
    ([word]) => new RegExp(`\\b${word}\\b`).test(own) && !own.includes(`const ${word}=`),
  );
  return [
    ...enableDirectives,
    `const WORKGROUP=${workgroupSize}u;`,
    ...shared.map(([, declared]) => declared),
    own,
  ].join('\n');
}
