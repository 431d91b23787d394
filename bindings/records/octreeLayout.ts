// Records of the linear octree: its octants, and the merge sort of keys.

import { record } from './record.js';

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
