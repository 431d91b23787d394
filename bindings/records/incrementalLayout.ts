// Records of box pairs that are kept between frames: moved boxes, endpoints, events, pairs that change.

import { record } from './record.js';

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
