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

interface Layout { at: Record<string, number>; size: number }

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
  for (const [name, layout] of Object.entries(joined<Layout>(queryRecords, kernelRecords, boxes, scenes, featureRecords, sweptRecords, selfRecords))) {
    lines.push(`export namespace ${name} {`);
    for (const [field, offset] of Object.entries(layout.at)) lines.push(`  export const ${field}: usize = ${offset};`);
    lines.push(`  export const SIZE: usize = ${layout.size};`, '}', '');
  }
  for (const [name, value] of Object.entries(joined<number>(limits, boxLimits, continuousLimits, sweptLimits, deformingLimits))) lines.push(`export const ${name}: u32 = ${value};`);
  return lines.join('\n') + '\n';
}
