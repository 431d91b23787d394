// Layouts of the records of the incremental broad phase, which keeps its pairs between frames: moved boxes,
// endpoints, events, and pairs that change.

import { record } from './record.js';

/**
 * The job of `moveBoxes`: checks all ids and bounds, and then gives boxes new bounds. idsAt: the ids of these
 * boxes. placesAt: their new bounds.
 */
export const MoveBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  idsAt: 'u32',
  placesAt: 'u32',
  count: 'u32',
  /** One byte per box, set to 1 when it moves. */
  movedAt: 'u32',
  /**
   * statisticsAt: statistics of the new bounds. firstInvalid: the index, in the list of ids, of the first id
   * that has no box; or NOTHING.
   */
  statisticsAt: 'u32',
  firstInvalid: 'u32',
  /** Minimum number of non-empty boxes among the new ones: `count` if empty boxes are refused, else 0. */
  minCount: 'u32',
});

/**
 * The job of `listMovedPairs`: finds the pairs of which at least one box has moved. placesAt: output, the
 * positions of these pairs in the list of pairs, with room for all pairs. countsAt: output, one count per
 * slice.
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
 * The job of `findPairEvents`: compares removed pairs, given by their places in the list of pairs, with added
 * pairs, and writes the events (see EndpointList). The output has capacity for one event for each place and
 * each added pair.
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

/**
 * The job of `replacePairs`: removes the pairs at the given places from an unsorted list, and inserts the
 * added pairs. The list has capacity for all added pairs.
 */
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
 * The job of `findNear`: lists the moved boxes, then the other boxes that may overlap a moved box. toBoxesAt:
 * copies of the listed boxes. toIdsAt: their numbers.
 */
export const NearMovedJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  /** NEAR_CELLS^2 words of 64 bits, one bit per cell. */
  gridAt: 'u32',
  origin: ['f32', 4],
  scale: ['f32', 4],
  /** low: minimum corner of all boxes. reach: a box that is larger than this on any axis is always listed. */
  low: ['f32', 4],
  reach: ['f32', 4],
  toBoxesAt: 'u32',
  toIdsAt: 'u32',
  movedCount: 'u32',
  count: 'u32',
});

/**
 * The job of `findBoxCells`, `listMovedBoxes`, `hashMovedBoxes` and `lookUpMovedBoxes`: enters moved boxes into
 * the cells of a hash grid, and tests each of them against the unmoved boxes that start in its cells.
 */
export const MovedHashJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  sliceCount: 'u32',
  /** One word per box: its cell (see cellOfBox in movedBoxCells.ts). */
  cellsAt: 'u32',
  spare: ['u32', 3],
  origin: ['f32', 4],
  scale: ['f32', 4],
  /**
   * low: minimum corner of the grid, which contains all boxes. reach: a box that is larger than this on any
   * axis is not looked up in cells.
   */
  low: ['f32', 4],
  reach: ['f32', 4],
  toBoxesAt: 'u32',
  toIdsAt: 'u32',
  movedCount: 'u32',
  /** Entries of moved boxes in cells: one word for the cell, one for the box. */
  entryCount: 'u32',
  entriesAt: 'u32',
  /** 2^(32 - hashShift) + 1 words: where each bucket's entries begin. */
  bucketsAt: 'u32',
  hashShift: 'u32',
  /**
   * Two mark bits per bucket. One more bit of a cell's hash selects one of the two as the mark of the cell. A
   * mark is 1 if any cell with this mark has entries.
   */
  marksAt: 'u32',
  /**
   * maxEntries: number of entries of the largest bucket. tests: an estimate of the number of tests: the sum of
   * the squares of the numbers of entries of all buckets. The estimate assumes that the number of unmoved boxes
   * that start in the cells of a bucket equals the bucket's number of entries.
   */
  maxEntries: 'u32',
  tests: 'f64',
  /**
   * Output lists of unmoved boxes, with room for all boxes. largeAt: boxes larger than `reach`. nearAt: boxes
   * that start in a marked cell. A slice whose first box is number i writes to each list from index i on.
   */
  largeAt: 'u32',
  nearAt: 'u32',
  listsAt: 'u32',
});

/**
 * Output of a slice of `lookUpMovedBoxes`. scratchAt: scratch for LOOKUP_BLOCK boxes with MAX_BUCKET_SIZE
 * entries each. found: number of pairs; it is more than pairsCapacity if some pairs did not fit.
 */
export const MovedHashList = /* @__PURE__ */ record({
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairsCapacity: 'u32',
  largeCount: 'u32',
  scratchAt: 'u32',
  found: 'f64',
  tests: 'f64',
  spare: ['u32', 6],
});

/** The job of `gatherBoxes`: copies the boxes with the given ids. */
export const GatherBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  idsAt: 'u32',
  count: 'u32',
  toBoxesAt: 'u32',
});

/**
 * The job of `mapPairIds`: converts pairs of positions in a list of ids to pairs of ids. In each pair, the
 * lower id comes first.
 */
export const MapPairIdsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  idsAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
});

/** The job of `listEndpoints` and `sortEndpoints`: each slice processes one axis. */
export const EndpointJob = /* @__PURE__ */ record({
  /** boxesAt: boxes now. formerAt: boxes in the last frame. movedAt: one byte per box, 1 if it moved. */
  boxesAt: 'u32',
  formerAt: 'u32',
  movedAt: 'u32',
  boxCount: 'u32',
  /** One EndpointList per axis. */
  listsAt: 'u32',
  /** Maximum number of swaps. If an axis needs more, its sort stops. */
  maxSwaps: 'f64',
});

/**
 * The endpoints of the boxes along one axis, in order. There are two endpoints per box, 8 bytes each. Eight
 * zero bytes precede them. The record also holds the output of the sort.
 */
export const EndpointList = /* @__PURE__ */ record({
  at: 'u32',
  /** Scratch of `listEndpoints`: room for a copy of all endpoints, then SORT_BUCKETS words. */
  spareAt: 'u32',
  /** Two words per box: the values of its endpoints, minimum and maximum. */
  valuesAt: 'u32',
  /**
   * Events: pairs of boxes that begin or cease to overlap. eventsAAt: the lower box number. eventsBAt: twice
   * the higher box number, plus 1 if the pair ceases to overlap.
   */
  eventsAAt: 'u32',
  eventsBAt: 'u32',
  eventCapacity: 'u32',
  eventCount: 'u32',
  /**
   * Pairs of endpoints that passed each other in the sort, eight bytes per pair, with room for MAX_PASSED
   * pairs and a spare one. The pairs from `passedFrom` on are still to be tested.
   */
  passedAt: 'u32',
  passedFrom: 'u32',
  passedEnd: 'u32',
  /** All endpoints before `next` are in order, except the endpoint at `hole`, which is being moved down. */
  next: 'u32',
  hole: 'u32',
  /**
   * SORTED: the sort is complete. FULL: there is no capacity for another event, and the sort can be
   * continued. OVER: the sort needed more than maxSwaps swaps.
   */
  state: 'u32',
  swaps: 'f64',
  tests: 'f64',
  /** Padding: each thread writes to its own list, which shares no cache line with the next one. */
  spare: ['u32', 14],
});

/** The job of `mergeEvents`: applies sorted events to sorted pairs, and writes the resulting sorted pairs. */
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
