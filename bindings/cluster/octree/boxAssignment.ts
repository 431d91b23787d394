// Distributes boxes over nodes by position. Octants (cells of an octree) have Morton codes, and each node
// gets a range of these codes. A box is given to the node whose range contains the minimum corner of the box,
// and stays with this node until the boxes are distributed again.
import { boxLimits } from '../../records/boxLimits.js';
import type { Grid } from './pairScan.js';

/** The octree level at which boxes are counted per cell. Every range begins at a cell of this level. */
const LEVEL = 6;
const CELLS = 2 ** LEVEL;

/** Ranges of codes and the boxes that belong to each. */
export interface BoxAssignment {
  /** The minimum and maximum of all boxes. */
  grid: Grid;
  /** The keys at which the second and later ranges begin. A key is an octant's code and level. */
  borders: Uint32Array;
  /** For each box: its range, and its position in boxesOf[range]. */
  rangeOf: Uint16Array;
  placeOf: Uint32Array;
  /** The boxes of each range, in ascending order. */
  boxesOf: readonly Uint32Array[];
}

/**
 * For each coordinate of a cell: a number that has the bits of the coordinate at every third place, as in a
 * Morton code.
 */
const spread = Uint32Array.from({ length: CELLS }, (_, cell) => {
  let bits = 0;
  for (let level = 0; level < LEVEL; level++) bits |= ((cell >>> level) & 1) << (3 * level);
  return bits;
});

/** Splits boxes into `rangeCount` ranges of codes with about equal numbers of boxes. */
export function distribute(boxes: Float32Array, rangeCount: number): BoxAssignment {
  const count = boxes.length / 6;
  const grid = boundsOf(boxes);
  const cells = new Uint32Array(count);
  const counts = new Uint32Array(CELLS ** 3);
  const scale = grid.low.map((low, axis) => (grid.high[axis] > low ? CELLS / (grid.high[axis] - low) : 0));
  for (let i = 0; i < count; i++) {
    let code = 0;
    for (let axis = 0; axis < 3; axis++) {
      const cell = Math.min(CELLS - 1, Math.floor((boxes[6 * i + axis] - grid.low[axis]) * scale[axis]));
      code = (code << 1) | spread[cell];
    }
    cells[i] = code;
    counts[code]++;
  }
  const borders = new Uint32Array(rangeCount - 1);
  const rangeOfCell = new Uint16Array(CELLS ** 3);
  let range = 0;
  let before = 0;
  for (let code = 0; code < rangeOfCell.length; code++) {
    while (range < rangeCount - 1 && before >= ((range + 1) * count) / rangeCount)
      borders[range++] = keyOfCell(code);
    rangeOfCell[code] = range;
    before += counts[code];
  }
  // The remaining ranges have no boxes.
  borders.fill(0xffffffff, range);
  const rangeOf = Uint16Array.from(cells, code => rangeOfCell[code]);
  const placeOf = new Uint32Array(count);
  const sizes = new Uint32Array(rangeCount);
  for (let i = 0; i < count; i++) placeOf[i] = sizes[rangeOf[i]]++;
  const boxesOf = Array.from(sizes, size => new Uint32Array(size));
  for (let i = 0; i < count; i++) boxesOf[rangeOf[i]][placeOf[i]] = i;
  return { grid, borders, rangeOf, placeOf, boxesOf };
}

// Returns the key of a cell. Larger octants with the same minimum corner have smaller keys. So if a range
// begins at the cell, these larger octants belong to an earlier range.
const keyOfCell = (code: number): number =>
  code * 2 ** (3 * (boxLimits.OCTREE_LEVELS - LEVEL) + boxLimits.LEVEL_BITS) + LEVEL;

/** Returns the minimum and maximum of all boxes. */
export function boundsOf(boxes: Float32Array): Grid {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < boxes.length; i += 6) {
    for (let axis = 0; axis < 3; axis++) {
      if (boxes[i + axis] < low[axis]) low[axis] = boxes[i + axis];
      if (boxes[i + axis + 3] > high[axis]) high[axis] = boxes[i + axis + 3];
    }
  }
  return { low, high };
}
