// The record tables -> the text of assembly/layout.ts, so that no offset is ever written twice.
import * as boxes from './boxLayout.js';
import { boxLimits } from './boxLimits.js';
import * as continuous from './continuousLayout.js';
import * as deforming from './deformingLayout.js';
import * as kernelRecords from './kernelLayout.js';
import * as queries from './layout.js';
import * as scenes from './sceneLayout.js';
import * as swept from './sweptLayout.js';

const { limits, ...queryRecords } = queries;
const { continuousLimits, ...featureRecords } = continuous;
const { deformingLimits, ...selfRecords } = deforming;
const { sweptLimits, ...sweptRecords } = swept;

/** AssemblyScript source with one namespace of byte offsets per record. */
export function assemblyLayout(): string {
  const lines = ['// Generated from the tables of records in bindings by `npm run build`: byte offsets of every record. Do not edit.', ''];
  for (const [name, layout] of Object.entries({ ...queryRecords, ...kernelRecords, ...boxes, ...scenes, ...featureRecords, ...sweptRecords, ...selfRecords })) {
    lines.push(`export namespace ${name} {`);
    for (const [field, offset] of Object.entries(layout.at)) lines.push(`  export const ${field}: usize = ${offset};`);
    lines.push(`  export const SIZE: usize = ${layout.size};`, '}', '');
  }
  for (const [name, value] of Object.entries({ ...limits, ...boxLimits, ...continuousLimits, ...sweptLimits, ...deformingLimits })) lines.push(`export const ${name}: u32 = ${value};`);
  return lines.join('\n') + '\n';
}
