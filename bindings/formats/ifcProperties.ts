// Finds the properties and quantities of the elements of an IFC file, in the property sets of each element and
// in the property sets of its type object.
import type { CheckedFile } from './ifcCheck.js';
import { AFTER_ROOT, pickReferences } from './ifcElements.js';
import { append } from './listsByKey.js';

/** The values of properties as texts; the keys are `SET.PROPERTY`, such as `Pset_WallCommon.LoadBearing`. */
export type Properties = Record<string, string>;

/** The entities of properties with a single value, each with the attribute that has the value. */
const VALUES: [entity: string, attribute: string][] = [
  ['IFCPROPERTYSINGLEVALUE', 'NominalValue'],
  ...['Length', 'Area', 'Volume', 'Count', 'Weight', 'Time'].map((kind): [string, string] => [
    `IFCQUANTITY${kind.toUpperCase()}`,
    `${kind}Value`,
  ]),
];

/**
 * Reads the property sets of a file once. Faulty records are skipped.
 *
 * @param textOf - Returns an attribute of a record as text.
 * @returns A function that returns the properties of an element, given as a record. A property of the element
 *   replaces the same property of its type object.
 */
export function readProperties(
  checked: CheckedFile,
  textOf: (record: number, attribute: string) => string | undefined,
): (element: number) => Properties {
  const { file, faults, isA } = checked;
  const { setsOf, typeOf } = collect(checked);
  const known = new Map<number, Properties>();
  const propertiesOf = (set: number): Properties => {
    let found = known.get(set);
    if (found) return found;
    found = {};
    const name = textOf(set, 'Name') ?? '';
    for (const record of pickReferences(file, AFTER_ROOT, file.load(set).count)) {
      const attribute = VALUES.find(([entity]) => isA(record, entity))?.[1];
      if (attribute === undefined || faults.has(record)) continue;
      const value = textOf(record, attribute);
      if (value !== undefined) found[`${name}.${textOf(record, 'Name') ?? ''}`] = value;
    }
    known.set(set, found);
    return found;
  };
  return element => {
    const type = typeOf.get(element);
    const ofType =
      type === undefined ? [] : setsIn(checked, pickReferences(file, AFTER_ROOT, file.load(type).count));
    return Object.assign({}, ...[...ofType, ...(setsOf.get(element) ?? [])].map(propertiesOf));
  };
}

function collect(checked: CheckedFile): { setsOf: Map<number, number[]>; typeOf: Map<number, number> } {
  const { file, faults, isA } = checked;
  const setsOf = new Map<number, number[]>();
  const typeOf = new Map<number, number>();
  for (let record = 0; record < file.count; record++) {
    const isType = isA(record, 'IFCRELDEFINESBYTYPE');
    if (!(isType || isA(record, 'IFCRELDEFINESBYPROPERTIES')) || faults.has(record)) continue;
    const references = pickReferences(file, AFTER_ROOT, file.load(record).count);
    if (isType) {
      const type = references.pop();
      if (type !== undefined) for (const element of references) typeOf.set(element, type);
      continue;
    }
    const sets = setsIn(checked, references);
    for (const element of references)
      if (!sets.includes(element)) for (const set of sets) append(setsOf, element, set);
  }
  return { setsOf, typeOf };
}

function setsIn({ faults, isA }: CheckedFile, records: number[]): number[] {
  return records.filter(record => isA(record, 'IFCPROPERTYSETDEFINITION') && !faults.has(record));
}
