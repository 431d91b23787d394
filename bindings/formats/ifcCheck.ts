// Checks every record of an IFC file for unknown entities, wrong attributes, references to missing records, and
// cycles.
import { AttributeCheck, countAttributes } from './attributeCheck.js';
import { IndexCheck } from './ifcIndices.js';
import { entityRules, productRules } from './ifcRules.js';
import type { IfcSchema } from './ifcSchema.js';
import type { StepFile } from './stepFile.js';
import { INTEGER, REAL, REFERENCE } from './stepTokens.js';

/** A parsed file whose records were checked. Records are identified by their index in the file. */
export interface CheckedFile {
  file: StepFile;
  /** For each record with an error, what is wrong. */
  faults: Map<number, string>;
  /** The records to which record i refers: links[linksAt[i]] to links[linksAt[i + 1] - 1]. */
  links: Uint32Array;
  linksAt: Uint32Array;
  /**
   * Returns whether a record's entity is `base` or inherits from it.
   * @param base Name of an entity, such as IFCPRODUCT.
   */
  isA(record: number, base: string): boolean;
}

/** Reads and checks every record once. */
export function checkIfc(file: StepFile, schema: IfcSchema): CheckedFile {
  const isA = cachedIsA(file, schema);
  const faults = new Map<number, string>();
  const linksAt = new Uint32Array(file.count + 1);
  const attributes = new AttributeCheck(file, (number, base) => {
    const record = file.recordOf(number);
    return record >= 0 && isA(record, base);
  });
  const indices = new IndexCheck(file);
  let links = new Uint32Array(4 * file.count);
  let linkCount = 0;
  for (let record = 0; record < file.count; record++) {
    const tokens = file.load(record);
    indices.addRecord(record, file.names[file.entities[record]], tokens);
    let fault = faultOf(file, schema, attributes, record, isA);
    for (let i = 0; i < tokens.count; i++) {
      if (tokens.kinds[i] !== REFERENCE) continue;
      const target = file.recordOf(tokens.values[i]);
      if (target < 0) {
        fault ??= `refers to #${tokens.values[i]}, which is not in the file`;
        continue;
      }
      if (linkCount === links.length) links = doubled(links);
      links[linkCount++] = target;
    }
    linksAt[record + 1] = linkCount;
    if (fault !== undefined) faults.set(record, fault);
  }
  const checked: CheckedFile = { file, faults, links, linksAt, isA };
  indices.addFaults(faults, record => links.subarray(linksAt[record], linksAt[record + 1]));
  findCycles(checked);
  findUnusedShapes(checked);
  return checked;
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(64, 2 * values.length));
  larger.set(values);
  return larger;
}

// Returns the function `isA`. It keeps a table for each base, which tells for each entity name of the file
// whether the entity inherits from the base. This is fast because a file has few entity names and many records.
function cachedIsA(file: StepFile, schema: IfcSchema): CheckedFile['isA'] {
  const tables = new Map<string, boolean[]>();
  return (record, base) => {
    let table = tables.get(base);
    if (!table) tables.set(base, (table = file.names.map(name => schema.isA(name, base))));
    return table[file.entities[record]];
  };
}

function faultOf(
  file: StepFile,
  schema: IfcSchema,
  attributes: AttributeCheck,
  record: number,
  isA: CheckedFile['isA'],
): string | undefined {
  const name = file.names[file.entities[record]];
  const counts = schema.attributeCounts(name);
  const rule = entityRules.get(name);
  if (!counts) return `${name} is not an IFC entity`;
  const { all, derived } = countAttributes(file);
  const isCountRight = rule
    ? all >= rule.required && all <= rule.attributes.length
    : counts.has(all - derived);
  if (!isCountRight)
    return `has ${all} attributes, but must have ${rule ? rangeText(rule.required, rule.attributes.length) : [...counts].map(count => count + derived).join(' or ')}`;
  if (rule) return attributes.describeFault(rule.attributes) ?? valueFault(file, name);
  return isA(record, 'IFCPRODUCT')
    ? (attributes.describeFault(productRules) ?? placeFault(file, record, isA))
    : undefined;
}

const rangeText = (min: number, max: number): string => (min === max ? String(min) : `${min} to ${max}`);

function valueFault({ tokens: { kinds, values, count } }: StepFile, name: string): string | undefined {
  if (name !== 'IFCDIRECTION') return undefined;
  for (let i = 0; i < count; i++)
    if ((kinds[i] === REAL || kinds[i] === INTEGER) && values[i] !== 0) return undefined;
  return 'is a direction of length 0';
}

// Returns a fault if an element has a shape (the seventh attribute, Representation) but no placement (the
// sixth attribute, ObjectPlacement). Each attribute before these is a single token, so kinds[5] is the sixth
// attribute and kinds[6] the seventh.
function placeFault(
  { tokens: { kinds } }: StepFile,
  record: number,
  isA: CheckedFile['isA'],
): string | undefined {
  return kinds[6] === REFERENCE && kinds[5] !== REFERENCE && isA(record, 'IFCELEMENT')
    ? 'has a shape but no placement'
    : undefined;
}

// Finds cycles: records of shapes and placements that refer to themselves, directly or through other records.
// web-ifc would follow such a cycle forever.
function findCycles({ file, faults, links, linksAt }: CheckedFile): void {
  const isShape = file.names.map(name => entityRules.has(name));
  // 0: not seen, 1: on the path, 2: done.
  const states = new Uint8Array(file.count);
  const next = linksAt.slice(0, file.count);
  const path: number[] = [];
  for (let root = 0; root < file.count; root++) {
    if (states[root] !== 0 || !isShape[file.entities[root]]) continue;
    path.push(root);
    states[root] = 1;
    while (path.length > 0) {
      const record = path[path.length - 1];
      if (next[record] === linksAt[record + 1]) {
        states[record] = 2;
        path.pop();
        continue;
      }
      const target = links[next[record]++];
      if (states[target] === 1 && !faults.has(record))
        faults.set(record, `refers to #${file.numbers[target]}, which refers back to it`);
      if (states[target] !== 0 || !isShape[file.entities[target]]) continue;
      states[target] = 1;
      path.push(target);
    }
  }
}

// Finds shapes that belong to no product. Such a shape indicates that an element was lost.
function findUnusedShapes({ file, faults, links, linksAt, isA }: CheckedFile): void {
  const isUsed = new Uint8Array(file.count);
  for (let record = 0; record < file.count; record++) {
    if (!isA(record, 'IFCPRODUCT')) continue;
    for (let i = linksAt[record]; i < linksAt[record + 1]; i++) isUsed[links[i]] = 1;
  }
  for (let record = 0; record < file.count; record++) {
    if (isA(record, 'IFCPRODUCTDEFINITIONSHAPE') && !isUsed[record] && !faults.has(record))
      faults.set(record, 'is a shape that no element uses');
  }
}
