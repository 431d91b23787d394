// Finds shapes of an IFC file with indices beyond the end of their list of points. For such an index, web-ifc
// would read memory after the list.
import type { StepFile } from './stepFile.js';
import { CLOSE, INTEGER, OPEN, type Tokens } from './stepTokens.js';

const LISTS = /^IFCCARTESIANPOINTLIST[23]D$/;
const FACES = /^IFCINDEXEDPOLYGONALFACE(WITHVOIDS)?$/;
const FACE_SET = 'IFCPOLYGONALFACESET';
const INDEXED = ['IFCTRIANGULATEDFACESET', 'IFCINDEXEDPOLYCURVE', FACE_SET];

/** Compares the largest index of each shape with the length of its list of points. */
export class IndexCheck {
  private readonly pointCounts = new Map<number, number>();
  private readonly maxIndices = new Map<number, number>();
  private readonly indexed: number[] = [];

  constructor(private readonly file: StepFile) {}

  /**
   * Remembers the length of a list of points, or the largest index of a shape. tokens: the tokens of the
   * record.
   */
  addRecord(record: number, name: string, tokens: Tokens): void {
    if (LISTS.test(name)) this.pointCounts.set(record, listLength(tokens));
    else if (FACES.test(name)) this.maxIndices.set(record, maxIndexOf(tokens));
    else if (INDEXED.includes(name)) {
      // If the last attribute of a triangulated face set is a list that maps indices to points (PnIndex,
      // which is rare), the indices of that face set are not checked.
      const isDirect = tokens.kinds[tokens.count - 1] !== CLOSE || name !== INDEXED[0];
      this.indexed.push(record);
      this.maxIndices.set(record, isDirect && name !== FACE_SET ? maxIndexOf(tokens) : 0);
    }
  }

  /**
   * Adds a fault for each record with an index out of range.
   * @param links Returns the records to which a record refers, in the order of its attributes.
   */
  addFaults(faults: Map<number, string>, links: (record: number) => Uint32Array): void {
    for (const record of this.indexed) {
      const [list, ...faces] = links(record);
      const count = this.pointCounts.get(list);
      if (count === undefined || faults.has(record)) continue;
      const highest = faces.reduce(
        (max, face) => Math.max(max, this.maxIndices.get(face) ?? 0),
        this.maxIndices.get(record)!,
      );
      if (highest > count)
        faults.set(record, `has the index ${highest}, but #${this.file.numbers[list]} has ${count} points`);
    }
  }
}

function listLength({ kinds, count }: Tokens): number {
  let length = 0;
  let depth = 0;
  for (let i = 0; i < count; i++) {
    if (kinds[i] === OPEN && depth++ === 1) length++;
    if (kinds[i] === CLOSE && --depth === 0) break;
  }
  return length;
}

function maxIndexOf({ kinds, values, count }: Tokens): number {
  let highest = 0;
  for (let i = 0; i < count; i++) if (kinds[i] === INTEGER) highest = Math.max(highest, values[i]);
  return highest;
}
