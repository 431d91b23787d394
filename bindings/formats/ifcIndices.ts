// Finds shapes of an IFC file whose indices web-ifc would read wrongly. If an index is beyond the end of the
// list of points, web-ifc would read memory after the list. If a triangulated shape has the attribute PnIndex,
// which maps indices to points, web-ifc would ignore this attribute.
import { attributeStart } from './attributeCheck.js';
import type { StepFile } from './stepFile.js';
import { ABSENT, CLOSE, INTEGER, OPEN, type Tokens } from './stepTokens.js';

const LISTS = /^IFCCARTESIANPOINTLIST[23]D$/;
const FACES = /^IFCINDEXEDPOLYGONALFACE(WITHVOIDS)?$/;
const FACE_SET = 'IFCPOLYGONALFACESET';
const TRIANGULATED = ['IFCTRIANGULATEDFACESET', 'IFCTRIANGULATEDIRREGULARNETWORK'];
const INDEXED = [...TRIANGULATED, 'IFCINDEXEDPOLYCURVE', FACE_SET];

/** Compares the largest index of each shape with the length of its list of points. */
export class IndexCheck {
  private readonly pointCounts = new Map<number, number>();
  private readonly maxIndices = new Map<number, number>();
  private readonly indexed: number[] = [];
  /** The triangulated shapes that map their indices to points with PnIndex. */
  private readonly mapped = new Set<number>();

  constructor(private readonly file: StepFile) {}

  /**
   * Remembers the length of a list of points, or the largest index of a shape. tokens: the tokens of the
   * record.
   */
  addRecord(record: number, name: string, tokens: Tokens): void {
    if (LISTS.test(name)) this.pointCounts.set(record, listLength(tokens));
    else if (FACES.test(name)) this.maxIndices.set(record, maxIndexOf(tokens, 0, tokens.count));
    else if (INDEXED.includes(name)) {
      const isTriangulated = TRIANGULATED.includes(name);
      this.indexed.push(record);
      // The fourth attribute of a triangulated shape has its indices. The fifth, PnIndex, maps them to points.
      // In the first edition of IFC4, the fifth attribute is NormalIndex instead, a list of lists that has no
      // effect on the triangles.
      const [begin, end] = isTriangulated
        ? [attributeStart(tokens, 3), attributeStart(tokens, 4)]
        : [0, tokens.count];
      this.maxIndices.set(record, name === FACE_SET ? 0 : maxIndexOf(tokens, begin, end));
      if (
        isTriangulated &&
        tokens.kinds[end] !== ABSENT &&
        !(tokens.kinds[end] === OPEN && tokens.kinds[end + 1] === OPEN)
      )
        this.mapped.add(record);
    }
  }

  /**
   * Adds a fault for each record with an index out of range, or with a PnIndex.
   * @param links Returns the records to which a record refers, in the order of its attributes.
   */
  addFaults(faults: Map<number, string>, links: (record: number) => Uint32Array): void {
    for (const record of this.indexed) {
      const [list, ...faces] = links(record);
      const count = this.pointCounts.get(list);
      if (count === undefined || faults.has(record)) continue;
      if (this.mapped.has(record)) {
        faults.set(record, 'maps its indices to points with PnIndex, which web-ifc ignores');
        continue;
      }
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

function maxIndexOf({ kinds, values }: Tokens, begin: number, end: number): number {
  let highest = 0;
  for (let i = begin; i < end; i++) if (kinds[i] === INTEGER) highest = Math.max(highest, values[i]);
  return highest;
}
