// Layouts of the records of the broad phase, which finds overlapping boxes. Its kernels read and write these
// records. Field names that end in `At` are byte addresses.

import { record } from './record.js';

/**
 * A box in a slab, a range of space along one axis. `cells`: the box's bounds as six 15-bit cell numbers,
 * stored in 16 bits each: the minimum along the sweep axis, the slab axis and the column axis, then the
 * maximum. `tag`: the box's number among all boxes, and its flags in the five highest bits (see BEFORE_CELL in
 * boxLimits.ts). Two boxes of a slab that have a flag in common are not reported as a pair in this slab. When
 * the boxes of a slab are distributed to columns, each copy gets flags for its column, and the same rule holds
 * in the column.
 */
export const SapBox = /* @__PURE__ */ record({ cells: ['u32', 3], tag: 'u32' });

/**
 * The job of `computeSmallBoxStatistics`, `planSlabs`, `countSlabs`, `offsetSlabs`, `moveToSlabs`,
 * `distributeToSlabs` and `sweepSlabs`: divides boxes `first` to `last - 1` into slabs along one axis, and
 * each slab into columns along a second axis. Each column is swept along the third axis.
 */
export const SlabJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  planAt: 'u32',
  threads: 'u32',
  /**
   * A byte shuffle that puts the coordinates of a corner of a box in this order: sweep axis, slab axis, column
   * axis. Each coordinate is given by the offsets of its four bytes in the corner.
   */
  permutation: ['u32', 4],
  /**
   * The cell number of a coordinate is the nearest integer to (coordinate / 2 - origin) * scale. The coordinate
   * is halved so that the difference cannot overflow.
   */
  origin: ['f32', 4],
  scale: ['f32', 4],
  slabCount: 'u32',
  /**
   * If there are two sets of boxes, boxes i < secondFrom are the first set, and all others the second set.
   * NOTHING: there is one set, which is tested against itself.
   */
  secondFrom: 'u32',
  /** Boxes i >= passiveFrom are passive: a pair of two passive boxes is not reported. */
  passiveFrom: 'u32',
  /**
   * Each slice has slabCount + 1 counts. The counts of the next slice start `countsStride` bytes after the
   * start of this slice's counts, so that no two slices share a cache line (no false sharing).
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
   * A box is copied to every slab that it reaches. maxCopies: maximum number of copies in all slabs together.
   * isPlanned: 1 if maxCopies suffices or there is only one slab; otherwise `offsetSlabs` halves slabCount.
   * placeCount: number of copies in all slabs together. maxCount: number of copies in the largest slab.
   * usedCount: number of slabs with more than one box.
   */
  maxCopies: 'u32',
  isPlanned: 'u32',
  placeCount: 'u32',
  maxCount: 'u32',
  usedCount: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * The job of `splitCells`, `assignToCells` and `moveToCells`: divides boxes `first` to `last - 1` into 2^depth
 * cells of space with about the same number of boxes each.
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
   * For each axis, minBoxSize is added to the sum of the sizes of the sampled boxes. minBoxSize must not be
   * 0, because the spread of the boxes' centers is divided by the result.
   */
  minBoxSize: 'f32',
  /**
   * sampleAt: sampleSize SampledCenters. splitsAt: 2^depth CellSplits, a binary tree; the root is split 1,
   * the children of split i are 2 * i and 2 * i + 1, and split 0 is unused. cellsAt: 2^depth Cells.
   */
  sampleAt: 'u32',
  sampleSize: 'u32',
  splitsAt: 'u32',
  cellsAt: 'u32',
  /**
   * sharesAt: a CellShare for each slice. countsAt: 2^depth + 1 counts for each slice. countsStride: as in
   * SlabJob.
   */
  sharesAt: 'u32',
  countsAt: 'u32',
  countsStride: 'u32',
  sapBoxesAt: 'u32',
});

/** A box of the sample: its center and its size. */
export const SampledCenter = /* @__PURE__ */ record({ center: ['f32', 4], size: ['f32', 4] });

/**
 * A split of space into two sides. axis: byte offset of the split axis's coordinate in a corner of a box.
 * start: the second side begins at this coordinate.
 */
export const CellSplit = /* @__PURE__ */ record({ axis: 'u32', start: 'f32' });

/**
 * A cell of space. The lanes of its fields are in the order of CellJob.permutation: sweep axis, slab axis,
 * column axis. low: the cell's minimum corner. Within the cell, a coordinate is quantized to the nearest
 * integer to (coordinate / 2 - origin) * scale.
 */
export const Cell = /* @__PURE__ */ record({ low: ['f32', 4], origin: ['f32', 4], scale: ['f32', 4] });

/**
 * Output of a slice of `assignToCells`. An entry has two words: the first is 2^depth plus the number of a cell,
 * the second is the address of a box in that cell. missed: number of entries that did not fit. spareAt: two
 * scratch arrays of spareBytes each. Each of the two arrays has space for CELL_BATCH entries per cell, plus two
 * entries. Each thread writes to a record of its own; no two records share a cache line.
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

/** Scratch memory and output of `sweepSlabs` for one thread. */
export const BoxList = /* @__PURE__ */ record({
  /**
   * Scratch memory. sortedAt: the SapBox records of a slab, sorted. columnBoxesAt: these boxes, distributed
   * to columns. tileAt: a range of a column (a tile) as a structure of arrays, and its candidate pairs.
   * bucketsAt: the buckets of the sort. columnsAt: the start of each column.
   */
  sortedAt: 'u32',
  columnBoxesAt: 'u32',
  tileAt: 'u32',
  bucketsAt: 'u32',
  columnsAt: 'u32',
  /**
   * outputAt: address of the PairBlocks. next, end: indices of the next pair to write and of the end of the
   * current block. isFull: 1 if no free block was left, or if pairs are only counted.
   */
  outputAt: 'u32',
  next: 'u32',
  end: 'u32',
  isFull: 'u32',
  /**
   * found: number of pairs found, including pairs that did not fit into the output. tests: number of pairs of
   * boxes tested. entries: number of boxes in all columns; a box counts once for each column that it is in.
   */
  found: 'f64',
  tests: 'f64',
  entries: 'f64',
});

/**
 * The output pairs of all BoxLists: arrays aAt and bAt, divided into blocks of blockPairs pairs. Each list
 * takes one block after another. writtenAt: for each block in order, the number of pairs that were written to
 * it.
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
 * The job of `countPairs`, `movePairs` and `sortBuckets`: sorts the pairs (a, b) of many lists. Distributes
 * the pairs to buckets by the highest bits of `a`, and sorts each bucket.
 */
export const PairSortJob = /* @__PURE__ */ record({
  /**
   * Three words for each slice, which give its range of a list: the address of the first a, the address of
   * the first b, and the number of pairs.
   */
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
   * bitsB: number of bits of `b`. scratchAt: scratch memory of `sortBuckets`. keyBytes: size in bytes of the
   * sort keys of the largest bucket.
   */
  bitsB: 'u32',
  scratchAt: 'u32',
  keyBytes: 'u32',
  sortSliceCount: 'u32',
});

/**
 * A node of a box tree: four boxes as a structure of arrays. In a leaf they are the user's boxes; in an inner
 * node they bound its children. An empty lane has a minimum of Infinity, a maximum of -Infinity, and all
 * flags.
 */
export const BoxNode = /* @__PURE__ */ record({
  minX: ['f32', 4],
  minY: ['f32', 4],
  minZ: ['f32', 4],
  maxX: ['f32', 4],
  maxY: ['f32', 4],
  maxZ: ['f32', 4],
  /** In a leaf, the numbers of the user's boxes. In an inner node, the numbers of the children. */
  id: ['u32', 4],
  /**
   * Two boxes that have a flag in common are not a pair. The bounds of a node have the flags that all boxes
   * below the node have in common.
   */
  flags: ['u32', 4],
});

/**
 * The job of `computeBoxCodes`, `writeNextCodes`, `packBoxes`, `updateTreeBoxes`, `refitBoxNodes` and
 * `traverseBoxTree`: builds, updates or traverses a 4-wide tree over boxes `first` to `last - 1`. The leaves
 * of the tree hold the boxes in Morton order. The array of nodes begins with the leaves; each level is stored
 * after the level below it.
 */
export const BoxTreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  passiveFrom: 'u32',
  /**
   * The Morton code of a box is made from its cell on each axis: (minimum + maximum - origin) * scale, which
   * is one of 2^30 cells. shift: the lowest bit of the cell numbers that is used in the sort key.
   */
  origin: ['f64', 3],
  scale: 'f64',
  shift: 'u32',
  /**
   * keysAt, idsAt: sort keys and box numbers, in sorted order. A sort key is a Morton code of ten bits per
   * axis. To sort the boxes by all 30 bits per axis, three passes are made. The keys of the first pass are the
   * codes of the lowest ten bits. codesAt has two words for each box, which are the keys of the later passes:
   * the codes of the middle ten and of the highest ten bits.
   */
  keysAt: 'u32',
  idsAt: 'u32',
  codesAt: 'u32',
  nodesAt: 'u32',
  leafCount: 'u32',
  /**
   * Address of one word per box: the box's position, 4 * leaf + lane. The address 0 means that positions are
   * not stored.
   */
  placesAt: 'u32',
  /**
   * Input of `updateTreeBoxes`: the boxes that have moved, and the flags that they get. touchedAt: one byte
   * for each node, set to 1 if a box below the node has moved.
   */
  movedIdsAt: 'u32',
  movedCount: 'u32',
  movedFlags: 'u32',
  touchedAt: 'u32',
  /**
   * Input of `refitBoxNodes`: the range of nodes of one level, and the range of nodes of the level below it.
   */
  levelFirst: 'u32',
  levelCount: 'u32',
  belowFirst: 'u32',
  belowCount: 'u32',
  /**
   * Input of `traverseBoxTree`. It has one task for each node of a certain level: the pairs of this node with
   * itself and with all later nodes of the level. taskFirst, taskCount: the range of nodes of this level.
   * taskHullsFirst: the first node of the level above, whose lanes hold the bounds of these nodes. stacksAt:
   * stacks of pairs of nodes.
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
   * Output of `refitBoxNodes`: one f64 for each slice, the sum of the changes in size of all bounds that the
   * slice recomputed.
   */
  growthsAt: 'u32',
});
