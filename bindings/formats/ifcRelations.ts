// Finds where each element of an IFC file belongs: its storey, its presentation layers and its type object.
import type { CheckedFile } from './ifcCheck.js';
import { AFTER_ROOT, pickReferences } from './ifcElements.js';
import { append } from './listsByKey.js';

/** Where an element belongs. A field is missing if the file does not define it. */
export interface ElementRelations {
  /**
   * The name of the building storey, or of the part of a bridge, road or other facility (IFC 4.3), that
   * contains the element, directly or through a room or an assembly. If the element is in several, the
   * innermost counts.
   */
  storey?: string;
  /** The names of the presentation layers of the element's shape, sorted and separated by commas. */
  layer?: string;
  /**
   * The name of the type object, such as `Basic Wall:Interior - 92mm`. If there is no type
   * object, or it has no name, this is the attribute ObjectType of the element.
   */
  objectType?: string;
}

// Shape records that lead from an element to the records to which layers are assigned.
const SHAPES = [
  'IFCPRODUCTREPRESENTATION',
  'IFCREPRESENTATION',
  'IFCREPRESENTATIONMAP',
  'IFCREPRESENTATIONITEM',
];

// IfcBridgePart, IfcRoadPart, IfcRailwayPart, IfcMarinePart and IfcFacilityPartCommon inherit from
// IfcFacilityPart.
const STOREYS = ['IFCBUILDINGSTOREY', 'IFCFACILITYPART'];

/**
 * Reads the relations of a file once. Faulty records are skipped.
 *
 * @param textOf - Returns a text attribute of a record.
 * @returns A function that takes the record number of an element and returns the element's relations.
 */
export function readRelations(
  checked: CheckedFile,
  textOf: (record: number, attribute: 'Name' | 'ObjectType') => string | undefined,
): (element: number) => ElementRelations {
  const { containers, typeOf, layersOf } = collect(checked);
  const names = new Map<number, string | undefined>();
  const cachedName = (record: number | undefined): string | undefined => {
    if (record === undefined) return undefined;
    if (!names.has(record)) names.set(record, textOf(record, 'Name'));
    return names.get(record);
  };
  return element => {
    const storey = cachedName(storeyOf(checked, containers, element));
    const objectType = cachedName(typeOf.get(element)) || textOf(element, 'ObjectType');
    const layers = layersOf.size === 0 ? [] : layersOfShape(checked, layersOf, element).map(cachedName);
    const layer = [...new Set(layers.filter(name => name))].sort().join(', ');
    return {
      ...(storey ? { storey } : {}),
      ...(layer ? { layer } : {}),
      ...(objectType ? { objectType } : {}),
    };
  };
}

// Returns the spatial structure or the assembly that contains each record, the type object of each element, and
// the layers of each shape record.
function collect(checked: CheckedFile): {
  containers: Map<number, number>;
  typeOf: Map<number, number>;
  layersOf: Map<number, number[]>;
} {
  const { file, faults, isA } = checked;
  const containers = new Map<number, number>();
  const typeOf = new Map<number, number>();
  const layersOf = new Map<number, number[]>();
  for (let record = 0; record < file.count; record++) {
    const isContainment = isA(record, 'IFCRELCONTAINEDINSPATIALSTRUCTURE');
    const isWhole = isA(record, 'IFCRELAGGREGATES') || isA(record, 'IFCRELNESTS');
    const isType = isA(record, 'IFCRELDEFINESBYTYPE');
    const isLayer = isA(record, 'IFCPRESENTATIONLAYERASSIGNMENT');
    if (!(isContainment || isWhole || isType || isLayer) || faults.has(record)) continue;
    const { count } = file.load(record);
    if (isLayer) {
      for (const shape of pickReferences(file, 0, count)) append(layersOf, shape, record);
      continue;
    }
    const references = pickReferences(file, AFTER_ROOT, count);
    // The whole is the first reference of IfcRelAggregates and IfcRelNests. The structure is the last reference
    // of IfcRelContainedInSpatialStructure, and the type is the last reference of IfcRelDefinesByType.
    const one = isWhole ? references.shift() : references.pop();
    if (one === undefined) continue;
    const target = isType ? typeOf : containers;
    // An element may be in a spatial structure and also be a piece of an assembly that is in another storey.
    // Then the spatial structure of the element is used, because it is more specific.
    for (const reference of references)
      if (isContainment || !target.has(reference)) target.set(reference, one);
  }
  return { containers, typeOf, layersOf };
}

function storeyOf(
  { isA }: CheckedFile,
  containers: ReadonlyMap<number, number>,
  element: number,
): number | undefined {
  const visited = new Set<number>();
  for (
    let record: number | undefined = element;
    record !== undefined && !visited.has(record);
    record = containers.get(record)
  ) {
    if (STOREYS.some(base => isA(record!, base))) return record;
    visited.add(record);
  }
  return undefined;
}

function layersOfShape(
  { links, linksAt, isA }: CheckedFile,
  layersOf: ReadonlyMap<number, number[]>,
  element: number,
): number[] {
  const layers = new Set<number>();
  const visited = new Set([element]);
  const stack = [element];
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
    for (const layer of layersOf.get(record) ?? []) layers.add(layer);
    for (let i = linksAt[record]; i < linksAt[record + 1]; i++) {
      const target = links[i];
      if (visited.has(target) || !SHAPES.some(base => isA(target, base))) continue;
      visited.add(target);
      stack.push(target);
    }
  }
  return [...layers];
}
