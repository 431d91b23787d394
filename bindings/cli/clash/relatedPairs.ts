// Decides which pairs of IFC elements touch by design, because their file relates them: one element fills an
// opening of the other, or both are pieces of one assembly.
import type { NamedPart } from './readModel.js';

/** The IFC relation of two parts. */
export type Relation = 'IfcRelFillsElement' | 'IfcRelAggregates';

/**
 * Returns the relation of two parts, or undefined if they are not related. A door is related to the wall
 * whose opening (IfcRelVoidsElement) it fills, and to the pieces of this wall.
 */
export function relationOf(a: NamedPart, b: NamedPart): Relation | undefined {
  if (!a.links || !b.links || a.file !== b.file || a.links.record === b.links.record) return undefined;
  const isHost = (x: typeof a.links, y: typeof a.links) =>
    x.host !== undefined && (x.host === y.record || x.host === y.assembly);
  if (isHost(a.links, b.links) || isHost(b.links, a.links)) return 'IfcRelFillsElement';
  return a.links.assembly !== undefined && a.links.assembly === b.links.assembly
    ? 'IfcRelAggregates'
    : undefined;
}
