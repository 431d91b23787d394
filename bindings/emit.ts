// The record tables -> the text of assembly/layout.ts and the structs of WGSL, so that no offset is ever written twice.
import * as boxes from './boxLayout.js';
import { boxLimits } from './boxLimits.js';
import * as continuous from './continuousLayout.js';
import * as deforming from './deformingLayout.js';
import * as gpuBoxes from './gpuBoxLayout.js';
import * as gpuContinuous from './gpuContinuousLayout.js';
import * as gpu from './gpuLayout.js';
import * as gpuTrees from './gpuTreeLayout.js';
import * as kernelRecords from './kernelLayout.js';
import * as queries from './layout.js';
import * as scenes from './sceneLayout.js';
import * as spheres from './spheresLayout.js';
import * as swept from './sweptLayout.js';

const { limits, ...queryRecords } = queries;
const { continuousLimits, ...featureRecords } = continuous;
const { deformingLimits, ...selfRecords } = deforming;
const { sweptLimits, ...sweptRecords } = swept;

interface Layout { at: Record<string, number>; size: number; fields: Record<string, string | readonly [string, number]> }

// Tables have one namespace: a name that two of them use would mean one thing here and another there.
function joined<Value>(...tables: Readonly<Record<string, Value>>[]): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (name in all) throw new Error(`two tables of records have a ${name}: rename one of them`);
    all[name] = value;
  }
  return all;
}

/** AssemblyScript source with one namespace of byte offsets per record. */
export function assemblyLayout(): string {
  const lines = ['// Generated from the tables of records in bindings by `npm run build`: byte offsets of every record. Do not edit.', ''];
  for (const [name, layout] of Object.entries(joined<Layout>(queryRecords, kernelRecords, boxes, scenes, featureRecords, sweptRecords, selfRecords, spheres))) {
    lines.push(`export namespace ${name} {`);
    for (const [field, offset] of Object.entries(layout.at)) lines.push(`  export const ${field}: usize = ${offset};`);
    lines.push(`  export const SIZE: usize = ${layout.size};`, '}', '');
  }
  for (const [name, value] of Object.entries(joined<number>(limits, boxLimits, continuousLimits, sweptLimits, deformingLimits))) lines.push(`export const ${name}: u32 = ${value};`);
  return lines.join('\n') + '\n';
}

const words: Record<string, string> = { u32: 'u32', i32: 'i32', f32: 'f32' };

// Four of a kind are a vector where they are aligned like one. @returns nothing for records with doubles: a GPU has none.
function structOf(name: string, { at, size, fields }: Layout): string | undefined {
  const lines: string[] = [];
  let offset = 0;
  for (const [field, type] of Object.entries(fields)) {
    const [scalar, count] = typeof type === 'string' ? [type, 1] as const : type, word = words[scalar];
    if (!word) return undefined;
    const isVector = count === 4 && at[field]! % 16 === 0;
    // Uniforms have no arrays of single words.
    if (count > 1 && !isVector && name.endsWith('Params')) throw new Error(`${name}.${field}: uniforms take words and aligned fours`);
    lines.push(`${field}:${count === 1 ? word : isVector ? `vec4<${word}>` : `array<${word},${count}>`}`);
    offset = at[field]! + 4 * count;
  }
  for (let spare = 0; offset < size; offset += 4) lines.push(`unused${spare++}:u32`);
  return `struct ${name}{${lines.join(',')}}`;
}

/** WGSL structs of all records without doubles, and constants, by name. */
export function shaderLayout(): { records: Record<string, string>; constants: Record<string, string> } {
  const { gpuLimits, ...gpuRecords } = gpu, { gpuBoxLimits, ...boxRecords } = gpuBoxes, { gpuTreeLimits, ...treeRecords } = gpuTrees, { gpuContinuousLimits, ...movingRecords } = gpuContinuous;
  const structs = Object.entries(joined<Layout>(queryRecords, gpuRecords, boxRecords, treeRecords, movingRecords)).map(([name, layout]) => [name, structOf(name, layout)] as const);
  const constants = Object.entries(joined<number>(limits, gpuLimits, gpuBoxLimits, gpuTreeLimits, gpuContinuousLimits)).map(([name, value]) => [name, `const ${name}=${value}u;`] as const);
  return { records: Object.fromEntries(structs.filter(([, text]) => text !== undefined)) as Record<string, string>, constants: Object.fromEntries(constants) };
}
