// Indices into lists of points -> those that are beyond their list. web-ifc would read whatever lies behind
// it.
import type { StepFile } from './step.js';
import { CLOSE, INTEGER, OPEN, type Tokens } from './stepTokens.js';

const LISTS = /^IFCCARTESIANPOINTLIST[23]D$/;
const FACES = /^IFCINDEXEDPOLYGONALFACE(WITHVOIDS)?$/;
const FACE_SET = 'IFCPOLYGONALFACESET';
const INDEXED = ['IFCTRIANGULATEDFACESET', 'IFCINDEXEDPOLYCURVE', FACE_SET];

export class IndexCheck {
  private readonly pointCounts = new Map<number, number>();
  private readonly highest = new Map<number, number>();
  private readonly indexed: number[] = [];

  constructor(private readonly file: StepFile) {}

  /** Takes note of a record that has just been loaded. */
  see(record: number, name: string, tokens: Tokens): void {
    if (LISTS.test(name)) this.pointCounts.set(record, listLength(tokens));
    else if (FACES.test(name)) this.highest.set(record, highestOf(tokens));
    else if (INDEXED.includes(name)) {
      // A list of the points that indices count, at the end, is a rarity.
      const isDirect = tokens.kinds[tokens.count - 1] !== CLOSE || name !== INDEXED[0];
      this.indexed.push(record);
      this.highest.set(record, isDirect && name !== FACE_SET ? highestOf(tokens) : 0);
    }
  }

  /** links: what a record refers to, in the order of its attributes. */
  tell(faults: Map<number, string>, links: (record: number) => Uint32Array): void {
    for (const record of this.indexed) {
      const [list, ...faces] = links(record);
      const count = this.pointCounts.get(list);
      if (count === undefined || faults.has(record)) continue;
      const highest = faces.reduce(
        (most, face) => Math.max(most, this.highest.get(face) ?? 0),
        this.highest.get(record)!,
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

function highestOf({ kinds, values, count }: Tokens): number {
  let highest = 0;
  for (let i = 0; i < count; i++) if (kinds[i] === INTEGER) highest = Math.max(highest, values[i]);
  return highest;
}
