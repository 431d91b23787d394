// Finds how the elements of an IFC file are linked to each other: which element fills a hole of another
// element, which elements are pieces of one assembly, and to which systems an element belongs.
import type { CheckedFile } from './ifcCheck.js';
import { AFTER_ROOT, pickReferences } from './ifcElements.js';
import { append } from './listsByKey.js';
import type { ElementLinks } from './part.js';

/**
 * Reads the links of a file once. Faulty records are skipped.
 *
 * @param nameOf - Returns the name of a record.
 * @returns A function that returns the links and the systems of an element, given as a record.
 */
export function readLinks(
  checked: CheckedFile,
  nameOf: (record: number) => string | undefined,
): (element: number) => { links: ElementLinks; system?: string } {
  const { isA } = checked;
  const { wallOf, openingOf, wholeOf, systemsOf } = collect(checked);
  const wholes = new Set(wholeOf.values());
  // Returns the outermost element that contains the element as a piece. If no element contains it, returns the
  // element itself if it has pieces, and undefined if it has none.
  const assemblyOf = (element: number): number | undefined => {
    let root = element;
    const visited = new Set([root]);
    for (let whole = wholeOf.get(root); whole !== undefined; whole = wholeOf.get(root)) {
      if (!isA(whole, 'IFCELEMENT') || visited.has(whole)) break;
      visited.add((root = whole));
    }
    return root !== element || wholes.has(element) ? root : undefined;
  };
  return element => {
    const opening = openingOf.get(element);
    const host = opening === undefined ? undefined : wallOf.get(opening);
    const assembly = assemblyOf(element);
    const names = (systemsOf.get(element) ?? []).map(nameOf).filter(name => name);
    const system = [...new Set(names)].sort().join(', ');
    return {
      links: {
        record: element,
        ...(host === undefined ? {} : { host }),
        ...(assembly === undefined ? {} : { assembly }),
      },
      ...(system ? { system } : {}),
    };
  };
}

// Returns four maps between records: from an opening to the element that has this hole, from an element to the
// opening that it fills, from a piece to its whole, and from an element to its systems.
function collect(checked: CheckedFile): {
  wallOf: Map<number, number>;
  openingOf: Map<number, number>;
  wholeOf: Map<number, number>;
  systemsOf: Map<number, number[]>;
} {
  const { file, faults, isA } = checked;
  const [wallOf, openingOf, wholeOf] = [0, 1, 2].map(() => new Map<number, number>());
  const systemsOf = new Map<number, number[]>();
  for (let record = 0; record < file.count; record++) {
    const isVoid = isA(record, 'IFCRELVOIDSELEMENT');
    const isFill = isA(record, 'IFCRELFILLSELEMENT');
    const isWhole = isA(record, 'IFCRELAGGREGATES');
    const isGroup = isA(record, 'IFCRELASSIGNSTOGROUP');
    if (!(isVoid || isFill || isWhole || isGroup) || faults.has(record)) continue;
    const references = pickReferences(file, AFTER_ROOT, file.load(record).count);
    // The group is the last reference of IfcRelAssignsToGroup. The first reference of the other relations is
    // the element, the opening or the whole.
    const one = isGroup ? references.pop() : references.shift();
    if (one === undefined || (isGroup && !isA(one, 'IFCSYSTEM'))) continue;
    for (const other of references) {
      if (isGroup) append(systemsOf, other, one);
      else (isVoid ? wallOf : isFill ? openingOf : wholeOf).set(other, one);
    }
  }
  return { wallOf, openingOf, wholeOf, systemsOf };
}
