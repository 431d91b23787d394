// Wrong records of an IFC file -> the elements that cannot be read because of them.
import type { CheckedFile } from './ifcCheck.js';
import type { StepFile } from './step.js';
import { REFERENCE } from './stepTokens.js';

// Products that have a shape but cannot clash: holes, rooms, borders.
const NO_THINGS = [
  'IFCFEATUREELEMENTSUBTRACTION',
  'IFCSPACE',
  'IFCVIRTUALELEMENT',
  'IFCSPATIALZONE',
  'IFCEXTERNALSPATIALSTRUCTUREELEMENT',
];
// What these refer to bears on no shape.
const APART = ['IFCOWNERHISTORY', 'IFCREPRESENTATIONCONTEXT', 'IFCROOT'];
// Items that web-ifc makes triangles of; curves, points and texts have none.
const BODIES = [
  'IFCSOLIDMODEL',
  'IFCCSGPRIMITIVE3D',
  'IFCBOOLEANRESULT',
  'IFCFACEBASEDSURFACEMODEL',
  'IFCSHELLBASEDSURFACEMODEL',
  'IFCTESSELLATEDFACESET',
  'IFCSECTIONEDSPINE',
];

/** Whether a record is an element that can clash. */
export function isThing({ isA }: CheckedFile, record: number): boolean {
  return isA(record, 'IFCPRODUCT') && !NO_THINGS.some(base => isA(record, base));
}

/** What is wrong with each element, and with each record that belongs to none: by record, in file order. */
export function blame(checked: CheckedFile): Map<number, string> {
  const { file, faults } = checked;
  if (faults.size === 0) return new Map();
  const sources = sourcesOf(checked);
  const blamed = new Map<number, string>();
  for (const [fault, reason] of faults) {
    const reached = reach(checked, sources, fault);
    const things = reached.filter(record => isThing(checked, record));
    // A fault in the shape of a room alone bears on no clash.
    if (things.length === 0 && (reached.length === 0 || reached.includes(fault))) things.push(fault);
    for (const record of things) {
      if (!blamed.has(record))
        blamed.set(
          record,
          record === fault
            ? reason
            : `its ${file.names[file.entities[fault]]} #${file.numbers[fault]} ${reason}`,
        );
    }
  }
  return new Map([...blamed].sort(([x], [y]) => x - y));
}

/** Whether an element has an item that is a body. */
export function hasBody({ links, linksAt, isA }: CheckedFile, product: number): boolean {
  const seen = new Set([product]);
  const open = [product];
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    if (BODIES.some(base => isA(record!, base))) return true;
    for (let i = linksAt[record]; i < linksAt[record + 1]; i++) {
      const target = links[i];
      const isShape = [
        'IFCPRODUCTREPRESENTATION',
        'IFCREPRESENTATION',
        'IFCREPRESENTATIONMAP',
        'IFCREPRESENTATIONITEM',
      ].some(base => isA(target, base));
      if (!isShape || seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return false;
}

// For each record those that refer to it, in the form of `links`.
function sourcesOf({ file, links, linksAt }: CheckedFile): { at: Uint32Array; sources: Uint32Array } {
  const at = new Uint32Array(file.count + 2);
  const sources = new Uint32Array(linksAt[file.count]);
  for (let i = 0; i < sources.length; i++) at[links[i] + 2]++;
  for (let record = 0; record < file.count; record++) at[record + 2] += at[record + 1];
  for (let record = 0; record < file.count; record++) {
    for (let i = linksAt[record]; i < linksAt[record + 1]; i++) sources[at[links[i] + 1]++] = record;
  }
  return { at, sources };
}

// All products whose shape or place has to do with a record.
function reach(
  checked: CheckedFile,
  { at, sources }: { at: Uint32Array; sources: Uint32Array },
  from: number,
): number[] {
  const { isA } = checked;
  const seen = new Set([from]);
  const open = [from];
  const products: number[] = [];
  const visit = (record: number): void => {
    if (seen.has(record)) return;
    seen.add(record);
    open.push(record);
  };
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    if (isA(record, 'IFCPRODUCT')) products.push(record);
    if (isA(record, 'IFCRELVOIDSELEMENT'))
      linksOf(checked, record)
        .filter(target => isThing(checked, target))
        .forEach(visit);
    const isOpening = isA(record, 'IFCFEATUREELEMENTSUBTRACTION');
    const isElement = isA(record, 'IFCELEMENT');
    if (!isOpening && !isElement && APART.some(base => isA(record!, base))) continue;
    for (let i = at[record]; i < at[record + 1]; i++) {
      const source = sources[i];
      if (isOpening && isA(source, 'IFCRELVOIDSELEMENT')) visit(source);
      else if (isElement && isA(source, 'IFCRELAGGREGATES')) piecesOf(checked, source, record).forEach(visit);
      else if (!isElement && !isA(source, 'IFCRELATIONSHIP')) visit(source);
    }
  }
  return products;
}

const linksOf = ({ links, linksAt }: CheckedFile, record: number): number[] => [
  ...links.subarray(linksAt[record], linksAt[record + 1]),
];

// Holes in a whole are cut into its pieces, too.
function piecesOf({ file }: CheckedFile, relation: number, whole: number): number[] {
  const { kinds, values, count } = file.load(relation);
  if (kinds[4] !== REFERENCE || file.recordOf(values[4]) !== whole) return [];
  return pickReferences(file, 5, count);
}

function pickReferences(file: StepFile, from: number, to: number): number[] {
  const { kinds, values } = file.tokens;
  const found: number[] = [];
  for (let i = from; i < to; i++) {
    const record = kinds[i] === REFERENCE ? file.recordOf(values[i]) : -1;
    if (record >= 0) found.push(record);
  }
  return found;
}
