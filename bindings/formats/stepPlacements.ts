// Counts the solids of a STEP file. A solid counts once for each time that the assemblies place it. If the
// library that reads the file (occt-import-js) returns fewer solids, it has left some out.
import { append } from './listsByKey.js';
import type { StepFile } from './stepFile.js';
import { OPEN, REFERENCE } from './stepTokens.js';

/**
 * The references between the records of a file that determine how often a solid is placed. Records are
 * identified by their numbers.
 */
interface Structure {
  /** The items of each representation. */
  items: Map<number, number[]>;
  /** For each representation: the other representations that describe the same shape. */
  equals: Map<number, number[]>;
  /** The representation that a mapped item places. */
  mapped: Map<number, number>;
  /** For each product: the products that contain it, once per use. */
  parents: Map<number, number[]>;
  /** The representations of each product. */
  shapes: Map<number, number[]>;
}

/**
 * Returns the number of solids of a model: a solid counts once for each place in the assemblies, and at least
 * once. Placements by other means than assemblies and mapped items are not counted.
 * @param solids the record numbers of the solids
 */
export function countPlacedSolids(file: StepFile, solids: ReadonlySet<number>): number {
  const structure = readStructure(file);
  const known = new Map<number, number>();
  const places = new Map<number, number>();
  for (const [product, representations] of structure.shapes) {
    const uses = countUses(product, structure.parents, known);
    for (const [solid, count] of solidsIn(representations, structure, solids))
      places.set(solid, (places.get(solid) ?? 0) + uses * count);
  }
  return [...solids].reduce((sum, solid) => sum + Math.max(1, places.get(solid) ?? 0), 0);
}

function readStructure(file: StepFile): Structure {
  const structure: Structure = {
    items: new Map(),
    equals: new Map(),
    mapped: new Map(),
    parents: new Map(),
    shapes: new Map(),
  };
  const definitionOf = new Map<number, number>();
  const shapeOf: [definition: number, representation: number][] = [];
  const mapOf = new Map<number, number>();
  const sources: [item: number, map: number][] = [];
  for (let record = 0; record < file.count; record++) {
    const entity = file.names[file.entities[record]];
    const number = file.numbers[record];
    if (entity.endsWith('REPRESENTATION') && file.load(record).kinds[1] === OPEN)
      structure.items.set(number, referencesOf(file));
    else if (relevant.has(entity)) {
      file.load(record);
      const [first, second] = referencesOf(file);
      if (first === undefined) continue;
      if (entity === 'PRODUCT_DEFINITION_SHAPE') definitionOf.set(number, first);
      else if (entity === 'MAPPED_ITEM') sources.push([number, first]);
      else if (second === undefined) continue;
      else if (entity === 'SHAPE_DEFINITION_REPRESENTATION') shapeOf.push([first, second]);
      else if (entity === 'REPRESENTATION_MAP') mapOf.set(number, second);
      else if (entity === 'NEXT_ASSEMBLY_USAGE_OCCURRENCE') append(structure.parents, second, first);
      else {
        append(structure.equals, first, second);
        append(structure.equals, second, first);
      }
    }
  }
  for (const [definition, representation] of shapeOf) {
    const product = definitionOf.get(definition);
    if (product !== undefined) append(structure.shapes, product, representation);
  }
  for (const [item, map] of sources) {
    const representation = mapOf.get(map);
    if (representation !== undefined) structure.mapped.set(item, representation);
  }
  return structure;
}

/** The entities that are read in addition to representations. Only their first two references are used. */
const relevant = new Set([
  'PRODUCT_DEFINITION_SHAPE',
  'SHAPE_DEFINITION_REPRESENTATION',
  'SHAPE_REPRESENTATION_RELATIONSHIP',
  'NEXT_ASSEMBLY_USAGE_OCCURRENCE',
  'MAPPED_ITEM',
  'REPRESENTATION_MAP',
]);

// Returns the records to which the loaded record refers. If the loaded record is a representation, the last of
// the returned records is its context.
function referencesOf({ tokens: { kinds, values, count } }: StepFile): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (kinds[i] === REFERENCE) found.push(values[i]);
  return found;
}

// Returns how often a product is used: the number of paths to it from products that no product contains. Uses
// of a product in itself are not counted. known: the results for the products that have already been counted.
function countUses(product: number, parents: Structure['parents'], known: Map<number, number>): number {
  const before = known.get(product);
  if (before !== undefined) return before;
  known.set(product, 0);
  const uses = parents.get(product)?.reduce((sum, parent) => sum + countUses(parent, parents, known), 0) ?? 1;
  known.set(product, uses);
  return uses;
}

// Returns how often each solid occurs in the given representations, or in others that describe the same shape.
function solidsIn(
  representations: readonly number[],
  structure: Structure,
  solids: ReadonlySet<number>,
  above = new Set<number>(),
): Map<number, number> {
  const found = new Map<number, number>();
  const add = (solid: number, count: number): void => {
    found.set(solid, (found.get(solid) ?? 0) + count);
  };
  const all = new Set(representations);
  for (const representation of all)
    for (const equal of structure.equals.get(representation) ?? []) all.add(equal);
  for (const representation of all) {
    if (above.has(representation)) continue;
    for (const item of structure.items.get(representation) ?? []) {
      const mapped = structure.mapped.get(item);
      if (solids.has(item)) add(item, 1);
      else if (mapped !== undefined)
        for (const [solid, count] of solidsIn([mapped], structure, solids, new Set([...above, ...all])))
          add(solid, count);
    }
  }
  return found;
}
