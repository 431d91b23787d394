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
 * The job of `countOctants`, `octalCodes`, `keepOctants`, `moverOctants`, `selectOctants`, `gatherOctants`
 * and `scanOctants`: boxes first <= i < last and their octants, an octal code and a box's number each.
 */
export const OctreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  bystandersFrom: 'u32',
  /**
   * Where the finest cells of each axis begin: OCTREE_CELLS + 1 float32 an axis, the first and the last
   * infinite.
   */
  startsAt: 'u32',
  /** Where the grid begins, and cells a unit, by axis. */
  origin: ['f32', 3],
  scale: ['f32', 3],
  /** Two words a box: its octants. */
  octantsAt: 'u32',
  /**
   * A byte a box: 1 where it has moved; and where its octants are others than before. 0: all boxes are new.
   */
  movedAt: 'u32',
  changedAt: 'u32',
  /** An OctantCounts a slice. */
  countsAt: 'u32',
  /** Octants in the order of their codes. */
  octantCount: 'u32',
  keysAt: 'u32',
  idsAt: 'u32',
  /**
   * Where octants go: of `keepOctants` those of boxes whose octants are the same, of `selectOctants` those
   * near a mover.
   */
  toKeysAt: 'u32',
  toIdsAt: 'u32',
  /** OctantBlocks of the sorted octants, and where the scan is. */
  blocksAt: 'u32',
  cursor: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * Of a slice's boxes: octants of those that changed, now and before, and octants of all. Of a slice of sorted
 * octants: those that stay; the first that is a mover's, and the greatest code within a mover's octant; those
 * selected.
 */
export const OctantCounts = /* @__PURE__ */ record({
  now: 'u32',
  before: 'u32',
  all: 'u32',
  kept: 'u32',
  firstMover: 'u32',
  moversEnd: 'u32',
  selected: 'u32',
});

/** The job of `sortRuns` and `mergeRuns`: keys and values that travel with them, in runs. */
export const RunJob = /* @__PURE__ */ record({
  keysAt: 'u32',
  valuesAt: 'u32',
  toKeysAt: 'u32',
  toValuesAt: 'u32',
  /**
   * `sortRuns`, a slice a run: index of each run's first key, and the end; RUN_DIGITS times DIGIT_BUCKETS
   * words a run.
   */
  bordersAt: 'u32',
  histogramsAt: 'u32',
  /** `mergeRuns`: Merges, in the order of what they write, and how many keys that is. */
  mergesAt: 'u32',
  mergeCount: 'u32',
  count: 'u32',
  sliceCount: 'u32',
});

/** Two runs, firstA <= i < endA and firstB <= i < endB, and where the first of their keys goes. */
export const Merge = /* @__PURE__ */ record({
  firstA: 'u32',
  endA: 'u32',
  firstB: 'u32',
  endB: 'u32',
  to: 'u32',
});

/**
 * Four octants with their boxes, structure of arrays. A pair with an earlier box counts here only when that
 * one's least corner lies within start..stop.
 */
export const OctantBlock = /* @__PURE__ */ record({
  key: ['u32', 4],
  id: ['u32', 4],
  flags: ['u32', 4],
  minX: ['f32', 4],
  minY: ['f32', 4],
  minZ: ['f32', 4],
  startX: ['f32', 4],
  startY: ['f32', 4],
  startZ: ['f32', 4],
  stopX: ['f32', 4],
  stopY: ['f32', 4],
  stopZ: ['f32', 4],
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

/** The job of `moveBoxes`: boxes that have new places, checked before any is written. */
export const MoveBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  idsAt: 'u32',
  placesAt: 'u32',
  count: 'u32',
  /** A byte a box that turns 1 when it moves. */
  movedAt: 'u32',
  /** What the places are like; the first id that has no box, or NOTHING. */
  surveyAt: 'u32',
  firstStray: 'u32',
  /** Boxes that must not be empty: `count`, or 0. */
  minCount: 'u32',
});

/**
 * The job of `movedPairs`: a word a pair for the places that are found, and one a slice for how many there
 * are.
 */
export const MovedPairsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  movedAt: 'u32',
  sliceCount: 'u32',
  placesAt: 'u32',
  countsAt: 'u32',
});

/**
 * The job of `pairEvents`: events as EndpointList has them, room for as many as there are places and added
 * pairs.
 */
export const PairEventsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  placesAt: 'u32',
  placeCount: 'u32',
  addedAAt: 'u32',
  addedBAt: 'u32',
  addedCount: 'u32',
  eventsAAt: 'u32',
  eventsBAt: 'u32',
  eventCount: 'u32',
});

/** The job of `replacePairs`: the lists have room for all that is added. */
export const ReplacePairsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  placesAt: 'u32',
  placeCount: 'u32',
  addedAAt: 'u32',
  addedBAt: 'u32',
  addedCount: 'u32',
});

/**
 * The job of `findNear`: boxes that moved, and behind them those that share a cell with one of them; and
 * their numbers.
 */
export const FindNearJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  /** NEAR_CELLS^2 words of 64 cells each. */
  gridAt: 'u32',
  origin: ['f32', 4],
  scale: ['f32', 4],
  /** Least corner of all boxes; a box that is larger than this is taken to be near. */
  low: ['f32', 4],
  reach: ['f32', 4],
  toBoxesAt: 'u32',
  toIdsAt: 'u32',
  moverCount: 'u32',
  count: 'u32',
});

/**
 * The job of `listMovers`, `hashMovers` and `meetMovers`: movers in the cells that they fill, and who starts
 * there.
 */
export const MeetJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  sliceCount: 'u32',
  origin: ['f32', 4],
  scale: ['f32', 4],
  /** Least corner of all boxes; a box that is larger than `reach` is not looked for in cells. */
  low: ['f32', 4],
  reach: ['f32', 4],
  toBoxesAt: 'u32',
  toIdsAt: 'u32',
  moverCount: 'u32',
  /** Cells that movers fill, one by one: a word for the cell, one for the mover. */
  entryCount: 'u32',
  entriesAt: 'u32',
  /** 2^(32 - hashShift) words and one: where each bucket's entries begin. */
  bucketsAt: 'u32',
  hashShift: 'u32',
  /** Two bits a bucket, by one more bit of the hash: 1 where a cell is filled. */
  marksAt: 'u32',
  /** Of the largest bucket; and tests, if as many boxes as movers started in each. */
  mostEntries: 'u32',
  tests: 'f64',
  /**
   * A word a box: those that are larger, and those that start in a marked cell, each slice's from its first
   * box on.
   */
  largeAt: 'u32',
  nearAt: 'u32',
  listsAt: 'u32',
});

/**
 * What a slice of `meetMovers` found, in scratch for MEET_BLOCK boxes with MOST_CROWD entries each: more than
 * pairsCapacity when some had no room.
 */
export const MeetList = /* @__PURE__ */ record({
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairsCapacity: 'u32',
  largeCount: 'u32',
  scratchAt: 'u32',
  found: 'f64',
  tests: 'f64',
  spare: ['u32', 6],
});

/** The job of `gatherBoxes`. */
export const GatherBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  idsAt: 'u32',
  count: 'u32',
  toBoxesAt: 'u32',
});

/** The job of `renamePairs`: pairs of places in a list of ids -> pairs of ids, lesser first. */
export const RenamePairsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  idsAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
});

/** The job of `listEndpoints` and `sortEndpoints`: a slice an axis. */
export const EndpointJob = /* @__PURE__ */ record({
  /** Where boxes are now, where they were at the last frame, and a byte a box that says whether it moved. */
  boxesAt: 'u32',
  formerAt: 'u32',
  movedAt: 'u32',
  boxCount: 'u32',
  /** An EndpointList an axis. */
  listsAt: 'u32',
  /** An axis with more swaps than this is given up. */
  mostSwaps: 'f64',
});

/**
 * One axis: two endpoints a box, 8 bytes each, in order, and behind a word of eight zero bytes; and what
 * sorting them found.
 */
export const EndpointList = /* @__PURE__ */ record({
  at: 'u32',
  /** As many endpoints, then SORT_BUCKETS words: what `listEndpoints` works in. */
  spareAt: 'u32',
  /** Two words a box: its endpoints' values, least and greatest. */
  valuesAt: 'u32',
  /** Pairs that begin or end: lesser number; greater number twice, and one more where it ends. */
  eventsAAt: 'u32',
  eventsBAt: 'u32',
  eventCapacity: 'u32',
  eventCount: 'u32',
  /**
   * Endpoints that passed each other, eight bytes each, at most MOST_PASSED and one to spare; those from
   * `passedFrom` on are yet to be tested.
   */
  passedAt: 'u32',
  passedFrom: 'u32',
  passedEnd: 'u32',
  /** All endpoints before `next` are in order but for the one that is on its way down, at `hole`. */
  next: 'u32',
  hole: 'u32',
  /** SORTED, FULL: no room for an event, to be gone on with; or OVER mostSwaps. */
  state: 'u32',
  swaps: 'f64',
  tests: 'f64',
  /** Threads write to lists of their own: none shares a cache line with the next. */
  spare: ['u32', 14],
});

/** The job of `mergeEvents`: sorted pairs and sorted events of them -> the pairs after these. */
export const MergeEventsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  eventsAAt: 'u32',
  eventsBAt: 'u32',
  eventCount: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
  toCount: 'u32',
});
