// Layouts of the records of the broad phase: kernels that find overlapping boxes read and write them.

import { record } from './record.js';

/**
 * A box in a slab. `cells`: six cell numbers of 15 bits, in 16 bits each: its minimum along the sweep axis,
 * the slab axis and the column axis, then its maximum. `tag`: its number among all boxes, and in the five
 * highest bits its flags. Two boxes that share a flag are not a pair in this slab.
 */
export const SapBox = /* @__PURE__ */ record({ cells: ['u32', 3], tag: 'u32' });

/**
 * The job of `computeSmallBoxStatistics`, `planSlabs`, `countSlabs`, `offsetSlabs`, `moveToSlabs`,
 * `distributeToSlabs` and `sweepSlabs`: boxes first <= i < last are divided into slabs along one axis.
 * Each slab is divided into columns along a second axis, and swept along the third.
 */
export const SlabJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  planAt: 'u32',
  threads: 'u32',
  /**
   * Byte offsets in a box's corner of the coordinates in the order of the sweep: sweep axis, slab axis,
   * column axis.
   */
  permutation: ['u32', 4],
  /** A coordinate's cell is the nearest integer to (coordinate / 2 - origin) * scale. */
  origin: ['f32', 4],
  scale: ['f32', 4],
  slabCount: 'u32',
  /**
   * Boxes i < secondFrom are the first set, the others the second set. NOTHING: one set, tested against
   * itself.
   */
  secondFrom: 'u32',
  /** Pairs of two boxes i >= passiveFrom (passive boxes) are not reported. */
  passiveFrom: 'u32',
  /**
   * Each slice has slabCount + 1 counts, `countsStride` bytes apart. The stride keeps slices on separate
   * cache lines (no false sharing).
   */
  countsAt: 'u32',
  countsStride: 'u32',
  sapBoxesAt: 'u32',
  /**
   * slabsAt: index of each slab's first box, slabCount + 1 entries. orderAt: the slabs in the order in which
   * threads take them. cursor: the next slab to take.
   */
  slabsAt: 'u32',
  orderAt: 'u32',
  cursor: 'u32',
  /**
   * maxCopies: maximum number of box copies in all slabs. isPlanned: 1 if this suffices, or there is only one
   * slab; else `offsetSlabs` halves slabCount. placeCount, largest: box copies in all slabs, and in the
   * largest one. usedCount: slabs with more than one box.
   */
  maxCopies: 'u32',
  isPlanned: 'u32',
  placeCount: 'u32',
  largest: 'u32',
  usedCount: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * The job of `splitCells`, `assignToCells` and `moveToCells`: boxes first <= i < last are divided into
 * 2^depth cells with about the same number of boxes each.
 */
export const CellJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  passiveFrom: 'u32',
  depth: 'u32',
  /** low, high: bounds of all boxes. permutation: as in SlabJob. */
  low: ['f32', 4],
  high: ['f32', 4],
  permutation: ['u32', 4],
  /**
   * Added to the sum of the sizes of the sampled boxes along each axis. It must not be 0, because the spread
   * of the centers is divided by this sum.
   */
  minBoxSize: 'f32',
  /**
   * sampleAt: sampleSize SampledCenters. splitsAt: 2^depth CellSplits, of which the first is unused; the
   * children of node i are 2 i and 2 i + 1. cellsAt: 2^depth Cells.
   */
  sampleAt: 'u32',
  sampleSize: 'u32',
  splitsAt: 'u32',
  cellsAt: 'u32',
  /**
   * sharesAt: a CellShare for each slice. countsAt: 2^depth + 1 counts for each slice, `countsStride` bytes
   * apart.
   */
  sharesAt: 'u32',
  countsAt: 'u32',
  countsStride: 'u32',
  sapBoxesAt: 'u32',
});

/** A box of the sample: its center and its size. */
export const SampledCenter = /* @__PURE__ */ record({ center: ['f32', 4], size: ['f32', 4] });

/**
 * A split of space. axis: byte offset of the axis in a corner. start: corners from here on belong to the
 * second side.
 */
export const CellSplit = /* @__PURE__ */ record({ axis: 'u32', start: 'f32' });

/**
 * A cell, with axes in the order of the sweep. low: its minimum corner. A coordinate's number within the cell
 * is the nearest integer to (coordinate / 2 - origin) * scale.
 */
export const Cell = /* @__PURE__ */ record({ low: ['f32', 4], origin: ['f32', 4], scale: ['f32', 4] });

/**
 * Output of a slice of `assignToCells`. Entries have two words: 2^depth plus the cell's number, and the
 * address of the box. `missed` counts entries beyond the capacity. There are two spare arrays of spareBytes
 * each, with capacity for CELL_BATCH entries in each cell and one more entry. Each thread writes to its own
 * record, which shares no cache line with the next one.
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

/** Scratch and output of `sweepSlabs` for one worker. */
export const BoxList = /* @__PURE__ */ record({
  /**
   * Scratch: the SapBox records of a slab, sorted; the same boxes distributed to columns; a tile of a column
   * as structure of arrays, with its candidates; the buckets of the sort; and the start of each column.
   */
  sortedAt: 'u32',
  columnBoxesAt: 'u32',
  tileAt: 'u32',
  bucketsAt: 'u32',
  columnsAt: 'u32',
  /**
   * outputAt: PairBlocks. next, end: indices of the next pair and of the end of the block. isFull: 1 if no
   * block was left, or if pairs are only counted.
   */
  outputAt: 'u32',
  next: 'u32',
  end: 'u32',
  isFull: 'u32',
  /**
   * found: pairs found, including those that did not fit. tests: pairs of boxes tested. entries: boxes in
   * columns.
   */
  found: 'f64',
  tests: 'f64',
  entries: 'f64',
});

/**
 * Output pairs of all lists: two arrays, from which each list takes one block after another. writtenAt: the
 * number of pairs that were written to each block, in order.
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
 * The job of `countPairs`, `movePairs` and `sortBuckets`: distributes the pairs of many lists to buckets by
 * the leading bits of a, and sorts each bucket.
 */
export const PairSortJob = /* @__PURE__ */ record({
  /** For each slice a range of one list: address of a, address of b, count (three words). */
  slicesAt: 'u32',
  shift: 'u32',
  bucketCount: 'u32',
  /** countsAt: bucketCount counts for each slice. bucketsAt: bucketCount + 1 offsets. */
  countsAt: 'u32',
  bucketsAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
  /**
   * bitsB: number of bits of b. scratchAt: scratch of sortBuckets. keyBytes: bytes of the keys of the largest
   * bucket.
   */
  bitsB: 'u32',
  scratchAt: 'u32',
  keyBytes: 'u32',
  sortSliceCount: 'u32',
});

/**
 * Four boxes of a tree as structure of arrays: the user's boxes, or bounds of nodes. An empty lane has a
 * minimum of Infinity, a maximum of -Infinity, and all flags.
 */
export const BoxNode = /* @__PURE__ */ record({
  minX: ['f32', 4],
  minY: ['f32', 4],
  minZ: ['f32', 4],
  maxX: ['f32', 4],
  maxY: ['f32', 4],
  maxZ: ['f32', 4],
  /** The numbers of the boxes, or of the nodes that they bound. */
  id: ['u32', 4],
  /**
   * Two boxes that share a flag are not a pair. A node's bounds have the flags that all boxes below it share.
   */
  flags: ['u32', 4],
});

/**
 * The job of `computeBoxCodes`, `writeNextCodes`, `packBoxes`, `updateTreeBoxes`, `refitBoxNodes` and
 * `traverseBoxTree`: a 4-wide tree over boxes first <= i < last, whose leaves hold the boxes in Morton order.
 * Leaves are its first nodes, and each level is stored after the one below it.
 */
export const BoxTreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  passiveFrom: 'u32',
  /**
   * (sum of a box's corners - origin) * scale is its cell, one of 2^30 along each axis. shift: number of low
   * bits of the cell that are not part of the code.
   */
  origin: ['f64', 3],
  scale: 'f64',
  shift: 'u32',
  /**
   * keysAt, idsAt: sort keys and box numbers, in order. codesAt: if there are lower bits, two words for each
   * box: the codes of the middle and of the highest bits.
   */
  keysAt: 'u32',
  idsAt: 'u32',
  codesAt: 'u32',
  nodesAt: 'u32',
  leafCount: 'u32',
  /** One word per box: its position among the lanes of the leaves. 0: positions are not stored. */
  placesAt: 'u32',
  /**
   * `updateTreeBoxes`: boxes that have moved, and the flags that they get. touchedAt: one byte for each node,
   * set to 1 if a box below it has moved.
   */
  movedIdsAt: 'u32',
  movedCount: 'u32',
  movedFlags: 'u32',
  touchedAt: 'u32',
  /** `refitBoxNodes`: the nodes of a level, and of the level below it. */
  levelFirst: 'u32',
  levelCount: 'u32',
  belowFirst: 'u32',
  belowCount: 'u32',
  /**
   * `traverseBoxTree`: its tasks are the pairs of nodes of one level. taskFirst, taskCount: the nodes of this
   * level. taskHullsFirst: the first of the nodes that hold the bounds of these nodes. stacksAt: stacks of
   * pairs of nodes.
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
   * `refitBoxNodes`: one f64 for each slice, the total change of the sizes of the bounds that were
   * recomputed.
   */
  growthsAt: 'u32',
});
