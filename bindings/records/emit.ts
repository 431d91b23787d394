// Generates code from the record layouts in this folder, so that each offset is written only once: the text
// of assembly/records.ts for the AssemblyScript kernels, and structs for the WGSL shaders.
import * as boxes from './boxLayout.js';
import { boxLimits } from './boxLimits.js';
import * as statistics from './boxStatisticsLayout.js';
import * as castTargets from './castTargetLayout.js';
import * as continuous from './continuousLayout.js';
import * as deforming from './deformingLayout.js';
import * as distances from './distanceLayout.js';
import * as gpuBoxes from './gpuBoxLayout.js';
import * as gpuContinuous from './gpuContinuousLayout.js';
import * as gpu from './gpuLayout.js';
import * as gpuTrees from './gpuTreeLayout.js';
import * as incremental from './incrementalLayout.js';
import * as kernelRecords from './kernelLayout.js';
import * as queries from './layout.js';
import * as manifolds from './manifoldLayout.js';
import * as octrees from './octreeLayout.js';
import * as placedMeshes from './placedMeshLayout.js';
import * as points from './pointsLayout.js';
import * as poses from './posesLayout.js';
import * as rays from './raysLayout.js';
import * as scenes from './sceneLayout.js';
import * as segments from './segmentLayout.js';
import * as shapes from './shapeCastLayout.js';
import * as spheres from './spheresLayout.js';
import * as swept from './sweptLayout.js';

// The tables that the AssemblyScript kernels use, and those that the shaders use. A table is an object with
// named record layouts or named constants.
const kernelTables = [
  Object.fromEntries(Object.entries({ ...queries, ...placedMeshes }).sort(([a], [b]) => (a < b ? -1 : 1))),
  kernelRecords,
  boxes,
  octrees,
  incremental,
  statistics,
  { boxLimits },
  scenes,
  continuous,
  swept,
  deforming,
  distances,
  segments,
  manifolds,
  points,
  poses,
  castTargets,
  rays,
  shapes,
  spheres,
];
const shaderTables = [queries, gpu, gpuBoxes, gpuTrees, gpuContinuous];

interface Layout {
  at: Record<string, number>;
  size: number;
  fields: Record<string, string | readonly [string, number]>;
}

// Merges tables into records and constants. All tables share one namespace, so a name that occurs in two
// tables is an error. A property whose name ends in "limits" is an object of constants; all other properties
// are records.
function mergeTables(tables: readonly object[]): {
  records: Record<string, Layout>;
  constants: Record<string, number>;
} {
  const records: Record<string, Layout> = {};
  const constants: Record<string, number> = {};
  const add = <Value>(to: Record<string, Value>, table: object): void => {
    for (const [name, value] of Object.entries(table)) {
      if (name in to) throw new Error(`two record tables define ${name}: rename one of them`);
      to[name] = value as Value;
    }
  };
  for (const [name, value] of tables.flatMap(table => Object.entries(table))) {
    if (/limits$/i.test(name)) add(constants, value as object);
    else add(records, { [name]: value as unknown });
  }
  return { records, constants };
}

/**
 * Returns AssemblyScript source. It has a namespace for each record, with the byte offset of each field and
 * the size of the record. The constants follow.
 */
export function assemblyLayout(): string {
  const lines = [
    '// Generated from the tables of records in bindings by `npm run build`: byte offsets of every record. Do not edit.',
    '',
  ];
  const { records, constants } = mergeTables(kernelTables);
  for (const [name, layout] of Object.entries(records)) {
    lines.push(`export namespace ${name} {`);
    for (const [field, offset] of Object.entries(layout.at))
      lines.push(`  export const ${field}: usize = ${offset};`);
    lines.push(`  export const SIZE: usize = ${layout.size};`, '}', '');
  }
  for (const [name, value] of Object.entries(constants)) lines.push(`export const ${name}: u32 = ${value};`);
  return `${lines.join('\n')}\n`;
}

const words: Record<string, string> = { u32: 'u32', i32: 'i32', f32: 'f32' };

// Returns the WGSL struct of a record, or undefined for records with doubles, which WGSL does not have. A
// field of four values whose offset is a multiple of 16 becomes a vector.
function structOf(name: string, { at, size, fields }: Layout): string | undefined {
  const lines: string[] = [];
  let offset = 0;
  for (const [field, type] of Object.entries(fields)) {
    const [scalar, count] = typeof type === 'string' ? ([type, 1] as const) : type;
    const word = words[scalar];
    if (!word) return undefined;
    const isVector = count === 4 && at[field] % 16 === 0;
    // WGSL does not allow arrays of single words in uniforms.
    if (count > 1 && !isVector && name.endsWith('Params'))
      throw new Error(`${name}.${field}: a uniform field must be one word or four aligned words`);
    lines.push(`${field}:${count === 1 ? word : isVector ? `vec4<${word}>` : `array<${word},${count}>`}`);
    offset = at[field] + 4 * count;
  }
  for (let spare = 0; offset < size; offset += 4) lines.push(`unused${spare++}:u32`);
  return `struct ${name}{${lines.join(',')}}`;
}

/** Returns the WGSL structs of all records without doubles, and the WGSL constants, both by name. */
export function shaderLayout(): { records: Record<string, string>; constants: Record<string, string> } {
  const { records, constants } = mergeTables(shaderTables);
  const structs = Object.entries(records).map(([name, layout]) => [name, structOf(name, layout)] as const);
  return {
    records: Object.fromEntries(structs.filter(([, text]) => text !== undefined)) as Record<string, string>,
    constants: Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [name, `const ${name}=${value}u;`]),
    ),
  };
}
