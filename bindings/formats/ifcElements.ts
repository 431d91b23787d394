// Finds the elements of an IFC file, such as walls and pipes, that cannot be read because of faulty records.
import type { CheckedFile } from './ifcCheck.js';
import type { StepFile } from './stepFile.js';
import { REFERENCE } from './stepTokens.js';

// Products that have a shape but cannot clash: holes, spaces, boundaries, drawings.
const NOT_ELEMENTS = [
  'IFCFEATUREELEMENTSUBTRACTION',
  'IFCSPACE',
  'IFCANNOTATION',
  'IFCGRID',
  'IFCVIRTUALELEMENT',
  'IFCSPATIALZONE',
  'IFCEXTERNALSPATIALSTRUCTUREELEMENT',
];
// References to these records do not affect shapes, so a fault in such a record does not spread to the
// records that refer to it.
const UNRELATED = ['IFCOWNERHISTORY', 'IFCREPRESENTATIONCONTEXT', 'IFCROOT'];
// Shape items for which web-ifc makes triangles. It makes none for curves, points and texts.
const BODIES = [
  'IFCSOLIDMODEL',
  'IFCCSGPRIMITIVE3D',
  'IFCBOOLEANRESULT',
  'IFCFACEBASEDSURFACEMODEL',
  'IFCSHELLBASEDSURFACEMODEL',
  'IFCTESSELLATEDFACESET',
  'IFCSECTIONEDSPINE',
];

/** Returns whether a record is an element that can clash. */
export function isElement({ isA }: CheckedFile, record: number): boolean {
  return isA(record, 'IFCPRODUCT') && !NOT_ELEMENTS.some(base => isA(record, base));
}

/**
 * Returns what is wrong with each element that cannot be read. A faulty record that affects no element gets an
 * entry itself if it is a product or if it affects no product at all. It gets no entry if it is not a product
 * and affects only products that cannot clash, such as spaces. The keys are records, in file order.
 */
export function unreadableElements(checked: CheckedFile): Map<number, string> {
  const { file, faults } = checked;
  if (faults.size === 0) return new Map();
  const sources = sourcesOf(checked);
  const reasons = new Map<number, string>();
  for (const [fault, reason] of faults) {
    const reached = dependentProducts(checked, sources, fault);
    const elements = reached.filter(record => isElement(checked, record));
    // A fault that affects only the shape of, for example, a space cannot hide a clash.
    if (elements.length === 0 && (reached.length === 0 || reached.includes(fault))) elements.push(fault);
    for (const record of elements) {
      if (!reasons.has(record))
        reasons.set(
          record,
          record === fault
            ? reason
            : `its ${file.names[file.entities[fault]]} #${file.numbers[fault]} ${reason}`,
        );
    }
  }
  return new Map([...reasons].sort(([x], [y]) => x - y));
}

/** Returns whether an element's shape has an item that is a body. */
export function hasBody({ links, linksAt, isA }: CheckedFile, product: number): boolean {
  const visited = new Set([product]);
  const stack = [product];
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
    if (BODIES.some(base => isA(record!, base))) return true;
    for (let i = linksAt[record]; i < linksAt[record + 1]; i++) {
      const target = links[i];
      const isShape = [
        'IFCPRODUCTREPRESENTATION',
        'IFCREPRESENTATION',
        'IFCREPRESENTATIONMAP',
        'IFCREPRESENTATIONITEM',
      ].some(base => isA(target, base));
      if (!isShape || visited.has(target)) continue;
      visited.add(target);
      stack.push(target);
    }
  }
  return false;
}

// Returns the records that refer to each record, in the form of `links` and `linksAt`.
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

// Returns all products whose shape or placement depends on a record.
function dependentProducts(
  checked: CheckedFile,
  { at, sources }: { at: Uint32Array; sources: Uint32Array },
  from: number,
): number[] {
  const { isA } = checked;
  const visited = new Set([from]);
  const stack = [from];
  const products: number[] = [];
  const visit = (record: number): void => {
    if (visited.has(record)) return;
    visited.add(record);
    stack.push(record);
  };
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
    if (isA(record, 'IFCPRODUCT')) products.push(record);
    if (isA(record, 'IFCRELVOIDSELEMENT'))
      linksOf(checked, record)
        .filter(target => isElement(checked, target))
        .forEach(visit);
    const isOpening = isA(record, 'IFCFEATUREELEMENTSUBTRACTION');
    const isIfcElement = isA(record, 'IFCELEMENT');
    if (!isOpening && !isIfcElement && UNRELATED.some(base => isA(record!, base))) continue;
    for (let i = at[record]; i < at[record + 1]; i++) {
      const source = sources[i];
      if (isOpening && isA(source, 'IFCRELVOIDSELEMENT')) visit(source);
      else if (isIfcElement && isA(source, 'IFCRELAGGREGATES'))
        piecesOf(checked, source, record).forEach(visit);
      else if (!isIfcElement && !isA(source, 'IFCRELATIONSHIP')) visit(source);
    }
  }
  return products;
}

const linksOf = ({ links, linksAt }: CheckedFile, record: number): number[] => [
  ...links.subarray(linksAt[record], linksAt[record + 1]),
];

// Returns the pieces of the aggregate `whole`. A fault in the aggregate affects its pieces, because the holes
// of the aggregate are also cut into the pieces. relation: an IFCRELAGGREGATES record. If `whole` is not the
// aggregate of this relation, the list is empty.
function piecesOf({ file }: CheckedFile, relation: number, whole: number): number[] {
  const { kinds, values, count } = file.load(relation);
  if (kinds[4] !== REFERENCE || file.recordOf(values[4]) !== whole) return [];
  return pickReferences(file, 5, count);
}

/** The position of the first attribute that is not inherited from IfcRoot. */
export const AFTER_ROOT = 4;

/** Returns the records to which the tokens `from` to `to - 1` of the loaded record refer. */
export function pickReferences(file: StepFile, from: number, to: number): number[] {
  const { kinds, values } = file.tokens;
  const found: number[] = [];
  for (let i = from; i < to; i++) {
    const record = kinds[i] === REFERENCE ? file.recordOf(values[i]) : -1;
    if (record >= 0) found.push(record);
  }
  return found;
}
