// Finds pairs of overlapping boxes by the serial algorithm of Lucchesi's thesis (2002, sections 3.4 and
// 4.4.1). A recursive search of an octree gives each box the octal codes of the octants that it overlaps. The
// codes of all boxes are sorted. Boxes with codes on a common path of the octree are candidates. This is a
// baseline for the engine's linear octree.

/** The cube of the octree, from `low` to `low + side`. Parts of boxes outside it are ignored. */
export interface OctreeSpace {
  low: readonly [number, number, number];
  side: number;
  levels: number;
}

export interface RecursivePairs {
  /**
   * Pairs of box numbers a < b whose closed boxes overlap, in the order in which engine.boxPairs returns
   * them: by a, then b.
   */
  a: Uint32Array;
  b: Uint32Array;
  /** Total number of octal codes of all boxes. */
  codes: number;
  /**
   * Number of pairs of codes on one path. Two codes are on one path if the octant of one code contains the
   * octant of the other code. These pairs are the output of the thesis's algorithm.
   */
  commonPaths: number;
  milliseconds: { codes: number; sort: number; scan: number };
}

/**
 * Max number of levels. A code is a decimal number with one digit per level: digits 1 to 8 name a child; the
 * code of a larger octant ends with zeros. A code of 7 digits and the number of a box fit into one double.
 */
const MAX_LEVELS = 7;

/**
 * The octree, stored as an array that is built once (section 4.4.1). The cube of an octant is six doubles.
 * The eight children of an octant are adjacent.
 */
export class RecursiveOctree {
  private readonly levels: number;
  private readonly cubes: Float64Array;
  private readonly leafFrom: number;
  /** 10^(levels - 1 - level): the place of a level's digit. */
  private readonly placeValues: number[];
  // The box whose codes are being computed, and the list of these codes.
  private box = new Float64Array(6);
  private list: number[] = [];

  constructor({ low, side, levels }: OctreeSpace) {
    if (levels > MAX_LEVELS)
      throw new RangeError(
        `levels is ${levels}, but codes of more than ${MAX_LEVELS} levels do not fit a double`,
      );
    this.levels = levels;
    this.leafFrom = (8 ** levels - 1) / 7;
    this.cubes = new Float64Array((6 * (8 ** (levels + 1) - 1)) / 7);
    this.placeValues = Array.from({ length: levels }, (_, level) => 10 ** (levels - 1 - level));
    this.cubes.set([...low, ...low.map(value => value + side)]);
    for (let octant = 0; octant < this.leafFrom; octant++) this.divide(octant);
  }

  /**
   * Finds all pairs of overlapping boxes. Each pair occurs once. boxes: six floats per box, min x, y, z, then
   * max x, y, z.
   */
  search(boxes: Float32Array): RecursivePairs {
    const startedAt = performance.now();
    const codes: number[] = [];
    const owners: number[] = [];
    for (let i = 0; 6 * i < boxes.length; i++) {
      for (const code of this.resolve(boxes, i)) {
        codes.push(code);
        owners.push(i);
      }
    }
    const codedAt = performance.now();
    const count = boxes.length / 6;
    const list = Float64Array.from(codes, (code, k) => code * count + owners[k]).sort();
    const sortedAt = performance.now();
    const { keys, commonPaths } = scan(list, count, boxes);
    const milliseconds = {
      codes: codedAt - startedAt,
      sort: sortedAt - codedAt,
      scan: performance.now() - sortedAt,
    };
    const a = Uint32Array.from(keys, key => Math.floor(key / count));
    const b = Uint32Array.from(keys, key => key % count);
    return { a, b, codes: codes.length, commonPaths, milliseconds };
  }

  /**
   * ResolveObject of the thesis: returns the codes of the octants that a box overlaps. The next call
   * overwrites the returned list.
   */
  private resolve(boxes: Float32Array, i: number): readonly number[] {
    this.list.length = 0;
    for (let k = 0; k < 6; k++) this.box[k] = boxes[6 * i + k];
    const { box } = this;
    if (box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5]) this.descend(0, 0, 0);
    return this.list;
  }

  // Adds the codes of the octants below `octant` that the box overlaps. Octants are closed, so two touching
  // boxes have a common octant. If an octant is entirely within the box, its code stands for all octants
  // below it.
  private descend(octant: number, level: number, code: number): void {
    for (let child = 0; child < 8; child++) {
      const at = 8 * octant + 1 + child;
      const digit = code + (child + 1) * this.placeValues[level];
      if (!this.overlaps(at)) continue;
      if (level + 1 === this.levels || this.isWithin(at)) this.list.push(digit);
      else this.descend(at, level + 1, digit);
    }
  }

  private overlaps(octant: number): boolean {
    const { cubes, box } = this;
    const at = 6 * octant;
    return (
      box[0] <= cubes[at + 3] &&
      cubes[at] <= box[3] &&
      box[1] <= cubes[at + 4] &&
      cubes[at + 1] <= box[4] &&
      box[2] <= cubes[at + 5] &&
      cubes[at + 2] <= box[5]
    );
  }

  private isWithin(octant: number): boolean {
    const { cubes, box } = this;
    const at = 6 * octant;
    return (
      box[0] <= cubes[at] &&
      cubes[at + 3] <= box[3] &&
      box[1] <= cubes[at + 1] &&
      cubes[at + 4] <= box[4] &&
      box[2] <= cubes[at + 2] &&
      cubes[at + 5] <= box[5]
    );
  }

  private divide(octant: number): void {
    const at = 6 * octant;
    const { cubes } = this;
    for (let child = 0; child < 8; child++) {
      const to = 6 * (8 * octant + 1 + child);
      for (let axis = 0; axis < 3; axis++) {
        const low = cubes[at + axis];
        const high = cubes[at + axis + 3];
        const middle = (low + high) / 2;
        const isUpper = (child >> axis) & 1;
        cubes[to + axis] = isUpper ? middle : low;
        cubes[to + axis + 3] = isUpper ? high : middle;
      }
    }
  }
}

// Step 7 of the thesis's algorithm: compares each code with the codes after it, up to the first code that is
// not on the same path. The thesis outputs all pairs of codes on one path. This function returns only the
// pairs of boxes that overlap, each once.
function scan(
  list: Float64Array,
  count: number,
  boxes: Float32Array,
): { keys: Float64Array; commonPaths: number } {
  const codes = Float64Array.from(list, entry => Math.floor(entry / count));
  const owners = Uint32Array.from(list, entry => entry % count);
  const placeValues = codes.map(lastPlaceValue);
  const found: number[] = [];
  let commonPaths = 0;
  for (let i = 0; i < codes.length; i++) {
    for (
      let j = i + 1;
      j < codes.length && haveCommonPath(codes[i], codes[j], Math.max(placeValues[i], placeValues[j]));
      j++
    ) {
      commonPaths++;
      const a = Math.min(owners[i], owners[j]);
      const b = Math.max(owners[i], owners[j]);
      if (a !== b && overlap(boxes, a, b)) found.push(a * count + b);
    }
  }
  const sorted = Float64Array.from(found).sort();
  return { keys: sorted.filter((key, k) => k === 0 || key !== sorted[k - 1]), commonPaths };
}

/** Returns the place value of a code's last nonzero digit: 100 for 12300. */
export function lastPlaceValue(code: number): number {
  let place = 1;
  while (code % (10 * place) === 0) place *= 10;
  return place;
}

/**
 * Returns whether codes `a` and `b` are on one path (CommonPath, section 3.4.2). Truncates both codes to the
 * digits of the shorter code, by modulus and subtraction, and compares them. placeValue: the place value of
 * the shorter code's last nonzero digit.
 */
export const haveCommonPath = (a: number, b: number, placeValue: number): boolean =>
  a - (a % placeValue) === b - (b % placeValue);

function overlap(boxes: Float32Array, a: number, b: number): boolean {
  const i = 6 * a;
  const j = 6 * b;
  return (
    boxes[i] <= boxes[j + 3] &&
    boxes[j] <= boxes[i + 3] &&
    boxes[i + 1] <= boxes[j + 4] &&
    boxes[j + 1] <= boxes[i + 4] &&
    boxes[i + 2] <= boxes[j + 5] &&
    boxes[j + 2] <= boxes[i + 5]
  );
}
