// Records of finding overlapping boxes: what bindings/records/layout.ts is for queries.

import { record } from './record.js';

/**
 * A box in a slab: six cells of 15 bits, least x, y, z, then greatest; its number among all boxes, and in the
 * five highest bits its flags, of which two boxes that share one are no pair here.
 */
export const SweptBox = /* @__PURE__ */ record({ cells: ['u32', 3], tag: 'u32' });

/**
 * The job of `surveyFew`, `aimSlabs`, `countSlabs`, `placeSlabs`, `moveToSlabs`, `cutSlabs` and `sweepSlabs`:
 * boxes first <= i < last, cut into slabs along one axis, each slab into columns along another, swept along
 * the third.
 */
export const SlabJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  planAt: 'u32',
  threads: 'u32',
  /** Bytes of a box's corner as the sweep has them: sweep axis, slab axis, column axis. */
  permutation: ['u32', 4],
  /** Half a coordinate less the origin, times the scale, is nearest to the number of its cell. */
  origin: ['f32', 4],
  scale: ['f32', 4],
  slabCount: 'u32',
  /** Boxes i < secondFrom are of the first set, others of the second; NOTHING: one set against itself. */
  secondFrom: 'u32',
  /** Pairs of two boxes i >= bystandersFrom are not wanted. */
  bystandersFrom: 'u32',
  /**
   * slabCount + 1 counts a slice, and from one slice's to the next one's: none shares a cache line with
   * another.
   */
  countsAt: 'u32',
  countsStride: 'u32',
  sweptAt: 'u32',
  /**
   * Index of each slab's first box, slabCount + 1 of them; the slabs in the order in which they are taken,
   * and the next.
   */
  slabsAt: 'u32',
  orderAt: 'u32',
  cursor: 'u32',
  /**
   * Places that boxes may be copied to; 1 where they are no more, or there is only one slab. Places in all
   * slabs, in the largest, and slabs that hold more than one.
   */
  mostPlaces: 'u32',
  isCut: 'u32',
  placeCount: 'u32',
  largest: 'u32',
  usedCount: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * The job of `splitCells`, `dealToCells` and `moveToCells`: boxes first <= i < last, cut into 2^depth cells
 * of about as many boxes each.
 */
export const CellJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  bystandersFrom: 'u32',
  depth: 'u32',
  /** Bounds of all boxes; bytes of a corner as the sweep has them. */
  low: ['f32', 4],
  high: ['f32', 4],
  permutation: ['u32', 4],
  /** Sizes in sum below which boxes count as points. */
  leastSize: 'f32',
  /**
   * As many SampledCentres; 2^depth CellSplits, the first one unused: those of node i are 2 i and 2 i + 1; as
   * many Cells.
   */
  sampleAt: 'u32',
  sampleSize: 'u32',
  splitsAt: 'u32',
  cellsAt: 'u32',
  /** A CellShare a slice; 2^depth + 1 counts a slice, and from one slice's to the next one's. */
  sharesAt: 'u32',
  countsAt: 'u32',
  countsStride: 'u32',
  sweptAt: 'u32',
});

/** A box of the sample: its centre and its sizes. */
export const SampledCentre = /* @__PURE__ */ record({ centre: ['f32', 4], size: ['f32', 4] });

/** Where space is cut: byte of the axis in a corner; a corner from `start` on is of the second part. */
export const CellSplit = /* @__PURE__ */ record({ axis: 'u32', start: 'f32' });

/**
 * A cell, axes as the sweep has them: its least corner; half a coordinate less the origin, times the scale,
 * is nearest to its number within the cell.
 */
export const Cell = /* @__PURE__ */ record({ low: ['f32', 4], origin: ['f32', 4], scale: ['f32', 4] });

/**
 * What a slice of `dealToCells` found: entries of two words, 2^depth and a cell's number, and where a box
 * lies; and those that had no room. Twice spareBytes: room for DEALT_BOXES in each cell, and one entry more.
 * Threads write to shares of their own: none shares a cache line with the next.
 */
export const CellShare = /* @__PURE__ */ record({
  entriesAt: 'u32',
  capacity: 'u32',
  count: 'u32',
  missed: 'u32',
  spareAt: 'u32',
  spareBytes: 'u32',
  spare: ['u32', 26],
});

/** One worker's scratch and output of `sweepSlabs`. */
export const BoxList = /* @__PURE__ */ record({
  /**
   * A slab's SweptBoxes in order; the same dealt to columns; a tile of a column, structure of arrays, and who
   * may overlap whom.
   */
  sortedAt: 'u32',
  columnBoxesAt: 'u32',
  tileAt: 'u32',
  bucketsAt: 'u32',
  columnsAt: 'u32',
  /**
   * PairBlocks; where the next pair goes, and where the block ends; 1 where no block was left, or none is
   * wanted: pairs are only counted.
   */
  outputAt: 'u32',
  next: 'u32',
  end: 'u32',
  isFull: 'u32',
  /** Pairs found, those that had no room, too; pairs of boxes tested; boxes in columns. */
  found: 'f64',
  tests: 'f64',
  entries: 'f64',
});

/**
 * Pairs of all lists: two arrays, of which each list takes block after block; how many pairs of each block,
 * in order, a list has written before it took another.
 */
export const PairBlocks = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  blockPairs: 'u32',
  capacity: 'u32',
  taken: 'u32',
  writtenAt: 'u32',
});

/**
 * The job of `countPairs`, `movePairs` and `sortBuckets`: pairs of many lists -> buckets of equal leading
 * bits of a, each sorted.
 */
export const PairSortJob = /* @__PURE__ */ record({
  /** A slice's range of one list: a's address, b's address, count (three words). */
  slicesAt: 'u32',
  shift: 'u32',
  bucketCount: 'u32',
  /** bucketCount counts a slice, and bucketCount + 1 offsets. */
  countsAt: 'u32',
  bucketsAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
  /** Bits that b needs; scratch of sortBuckets, and bytes of the keys of its largest bucket. */
  bitsB: 'u32',
  scratchAt: 'u32',
  keyBytes: 'u32',
  sortSliceCount: 'u32',
});

/**
 * Four boxes of a tree, structure of arrays: user's boxes, or hulls of nodes. No box: least infinite,
 * greatest -infinite, all flags.
 */
export const BoxNode = /* @__PURE__ */ record({
  minX: ['f32', 4],
  minY: ['f32', 4],
  minZ: ['f32', 4],
  maxX: ['f32', 4],
  maxY: ['f32', 4],
  maxZ: ['f32', 4],
  /** The boxes' numbers, or the nodes that they are the hulls of. */
  id: ['u32', 4],
  /** Two boxes that share one are no pair; of a hull those that all its boxes have. */
  flags: ['u32', 4],
});

/**
 * The job of `boxCodes`, `nextCodes`, `packBoxes`, `placeBoxes`, `joinBoxes` and `pairBoxes`: boxes first <=
 * i < last in the leaves of a 4-wide tree, in the order of their codes; leaves are its first nodes, each
 * level stands behind the one below it.
 */
export const BoxTreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  bystandersFrom: 'u32',
  /**
   * The sum of a box's corners less the origin, times the scale, lies in its cell of 2^30 an axis; bits below
   * those of the code.
   */
  origin: ['f64', 3],
  scale: 'f64',
  shift: 'u32',
  /**
   * Keys and box numbers in order; where there are lower bits, two words a box: codes of the middle and of
   * the highest ones.
   */
  keysAt: 'u32',
  idsAt: 'u32',
  codesAt: 'u32',
  nodesAt: 'u32',
  leafCount: 'u32',
  /** Place of each box among the leaves' lanes, or 0. */
  placesAt: 'u32',
  /**
   * `placeBoxes`: boxes that have moved, and the flags that they get; a byte a node that turns 1 where a box
   * below it has.
   */
  movedIdsAt: 'u32',
  movedCount: 'u32',
  movedFlags: 'u32',
  touchedAt: 'u32',
  /** `joinBoxes`: the nodes of a level and of the one below it. */
  levelFirst: 'u32',
  levelCount: 'u32',
  belowFirst: 'u32',
  belowCount: 'u32',
  /**
   * `pairBoxes`: nodes of the level whose pairs are dealt out, and the first that holds their boxes; stacks
   * of pairs of nodes.
   */
  taskFirst: 'u32',
  taskCount: 'u32',
  taskHullsFirst: 'u32',
  stacksAt: 'u32',
  stackCapacity: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
  cursor: 'u32',
  /**
   * `joinBoxes`: an f64 a slice, sums of the sizes of the hulls that were joined, less what they were before.
   */
  growthsAt: 'u32',
});
