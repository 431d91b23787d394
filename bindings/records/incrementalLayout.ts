// Layouts of the records of the incremental broad phase, which keeps its pairs between frames: moved boxes,
// endpoints, events, and pairs that change.

import { record } from './record.js';

/** The job of `moveBoxes`: writes the new bounds of boxes, after all of them have been checked. */
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
 * The job of `listMovedPairs`: lists the positions, in the list of pairs, of the pairs with a box that has
 * moved. placesAt has one word per pair, countsAt one word per slice.
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
 * The job of `findPairEvents`: writes events as described at EndpointList. The output has capacity for one
 * event for each place and each added pair.
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

/** The job of `replacePairs`. The lists have capacity for all added pairs. */
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
 * The job of `findNear`: lists the boxes that moved, then the boxes that share a cell with one of them, and
 * the numbers of all.
 */
export const NearMovedJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  /** NEAR_CELLS^2 words of 64 bits, one bit per cell. */
  gridAt: 'u32',
  origin: ['f32', 4],
  scale: ['f32', 4],
  /** low: minimum corner of all boxes. reach: a box that is larger than this is always listed. */
  low: ['f32', 4],
  reach: ['f32', 4],
  toBoxesAt: 'u32',
  toIdsAt: 'u32',
  movedCount: 'u32',
  count: 'u32',
});

/**
 * The job of `listMovedBoxes`, `hashMovedBoxes` and `lookUpMovedBoxes`: enters moved boxes into the cells of
 * a hash grid, and pairs them with the boxes that start there.
 */
export const MovedHashJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  boxCount: 'u32',
  movedAt: 'u32',
  sliceCount: 'u32',
  origin: ['f32', 4],
  scale: ['f32', 4],
  /** low: minimum corner of all boxes. reach: a box that is larger than this is not looked up in cells. */
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
   * Two bits per bucket. One more bit of a cell's hash selects one of the two. The bit is 1 if one of the
   * cells that select it has entries.
   */
  marksAt: 'u32',
  /**
   * maxEntries: entries in the largest bucket. tests: estimated number of tests, if as many boxes started in
   * the cells of each bucket as the bucket has entries.
   */
  maxEntries: 'u32',
  tests: 'f64',
  /**
   * One word per box: boxes larger than `reach`, and boxes that start in a marked cell. Each slice writes
   * from its first box on.
   */
  largeAt: 'u32',
  nearAt: 'u32',
  listsAt: 'u32',
});

/**
 * Output of a slice of `lookUpMovedBoxes`; scratch for LOOKUP_BLOCK boxes with MAX_BUCKET_SIZE entries each.
 * `found` is more than pairsCapacity if some pairs did not fit.
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

/** The job of `gatherBoxes`. */
export const GatherBoxesJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  idsAt: 'u32',
  count: 'u32',
  toBoxesAt: 'u32',
});

/** The job of `mapPairIds`: replaces positions in a list of ids by the ids, the lower id first. */
export const MapPairIdsJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  count: 'u32',
  idsAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
});

/** The job of `listEndpoints` and `sortEndpoints`: one slice per axis. */
export const EndpointJob = /* @__PURE__ */ record({
  /** boxesAt: boxes now. formerAt: boxes in the last frame. movedAt: one byte per box, 1 if it moved. */
  boxesAt: 'u32',
  formerAt: 'u32',
  movedAt: 'u32',
  boxCount: 'u32',
  /** One EndpointList per axis. */
  listsAt: 'u32',
  /** Maximum number of swaps; an axis with more is not sorted further. */
  maxSwaps: 'f64',
});

/**
 * One axis: two endpoints per box, 8 bytes each, in order, preceded by eight zero bytes; and the output of
 * sorting them.
 */
export const EndpointList = /* @__PURE__ */ record({
  at: 'u32',
  /** Scratch of `listEndpoints`: as many endpoints, then SORT_BUCKETS words. */
  spareAt: 'u32',
  /** Two words per box: the values of its endpoints, minimum and maximum. */
  valuesAt: 'u32',
  /**
   * Events, which are pairs that begin or cease to overlap: the lower number, and twice the higher number,
   * plus 1 if the pair ends.
   */
  eventsAAt: 'u32',
  eventsBAt: 'u32',
  eventCapacity: 'u32',
  eventCount: 'u32',
  /**
   * Endpoints that passed each other, eight bytes each, at most MAX_PASSED and one spare; those from
   * `passedFrom` on are still to be tested.
   */
  passedAt: 'u32',
  passedFrom: 'u32',
  passedEnd: 'u32',
  /** All endpoints before `next` are in order, except the one that is being moved down, at `hole`. */
  next: 'u32',
  hole: 'u32',
  /** SORTED; FULL: no capacity for another event, to be continued; or OVER: more than maxSwaps. */
  state: 'u32',
  swaps: 'f64',
  tests: 'f64',
  /** Padding: each thread writes to its own list, which shares no cache line with the next one. */
  spare: ['u32', 14],
});

/** The job of `mergeEvents`: merges sorted pairs and sorted events into the pairs after these events. */
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
