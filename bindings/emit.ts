// The record tables -> the text of assembly/layout.ts, so that no offset is ever written twice.
import { limits, records } from './layout.js';

/** AssemblyScript source with one namespace of byte offsets per record. */
export function assemblyLayout(): string {
  const lines = ['// Generated from bindings/layout.ts by `npm run build`: byte offsets of every record. Do not edit.', ''];
  for (const [name, layout] of Object.entries(records)) {
    lines.push(`export namespace ${name} {`);
    for (const [field, offset] of Object.entries(layout.at)) lines.push(`  export const ${field}: usize = ${offset};`);
    lines.push(`  export const SIZE: usize = ${layout.size};`, '}', '');
  }
  for (const [name, value] of Object.entries(limits)) lines.push(`export const ${name}: u32 = ${value};`);
  return lines.join('\n') + '\n';
}
