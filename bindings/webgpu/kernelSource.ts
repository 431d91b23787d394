// A kernel's name -> its WGSL with the records and parts that it needs, and what it binds.
import { shaders } from './shaders.js';

/** A file of gpu/, and its entry point. */
export type KernelName = string;
export type KernelBindings = (typeof shaders)['kernels'][string]['bindings'];

const known = (name: KernelName): (typeof shaders)['kernels'][string] => {
  const kernel = shaders.kernels[name];
  if (!kernel) throw new Error(`there is no kernel ${name}`);
  return kernel;
};

export const kernelNames: readonly KernelName[] = Object.keys(shaders.kernels);

export const bindingsOf = (name: KernelName): KernelBindings => known(name).bindings;

/** workgroup: invocations of a workgroup, which kernels know as WORKGROUP. */
export function sourceOf(name: KernelName, workgroup: number): string {
  const { records, constants, parts, text } = known(name);
  return [
    `const WORKGROUP=${workgroup}u;`,
    ...constants.map((constant) => shaders.constants[constant]),
    ...records.map((record) => shaders.records[record]),
    ...parts.map((part) => shaders.parts[part]),
    text,
  ].join('\n');
}
