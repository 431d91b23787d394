// Layouts of the records of the linear octree: its octants, and the merge sort of keys.

import { record } from './record.js';

/**
 * The job of `countOctants`, `writeOctants`, `removeChangedOctants`, `findMovedOctants`, `selectOctants`,
 * `gatherOctants` and `scanOctants`: boxes first <= i < last and their octants. An octant is stored as a
 * key, made from its octal code, and a box number.
 */
export const OctreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  passiveFrom: 'u32',
  /**
   * Where the finest cells of each axis begin: OCTREE_CELLS + 1 float32 per axis, the first and the last
   * infinite.
   */
  startsAt: 'u32',
  /** Where the grid begins, and cells per unit, by axis. */
  origin: ['f32', 3],
  scale: ['f32', 3],
  /** Two words per box, which encode its octants; 0 for an empty box. */
  octantsAt: 'u32',
  /**
   * movedAt: one byte per box, 1 if it has moved; 0: all boxes are new. changedAt: one byte per box, 1 if its
   * octants have changed.
   */
  movedAt: 'u32',
  changedAt: 'u32',
  /** One OctantCounts per slice. */
  countsAt: 'u32',
  /** Octants in the order of their codes. */
  octantCount: 'u32',
  keysAt: 'u32',
  idsAt: 'u32',
  /**
   * Output octants: `removeChangedOctants` writes those of boxes whose octants are unchanged, `selectOctants`
   * those near a moved box.
   */
  toKeysAt: 'u32',
  toIdsAt: 'u32',
  /** blocksAt: OctantBlocks of the sorted octants. cursor: position of the scan. */
  blocksAt: 'u32',
  cursor: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * Counts of a slice. now, before: number of octants of its boxes whose octants have changed, now and before
 * the change. all: number of octants of all its boxes. The other fields are about its sorted octants. kept:
 * how many stay. firstMoved: index of the first one of a moved box, or NOTHING. movedEnd: the highest key in
 * an octant of a moved box. selected: how many are selected.
 */
export const OctantCounts = /* @__PURE__ */ record({
  now: 'u32',
  before: 'u32',
  all: 'u32',
  kept: 'u32',
  firstMoved: 'u32',
  movedEnd: 'u32',
  selected: 'u32',
});

/** The job of `sortRuns` and `mergeRuns`: keys with their values, in runs. */
export const RunJob = /* @__PURE__ */ record({
  keysAt: 'u32',
  valuesAt: 'u32',
  toKeysAt: 'u32',
  toValuesAt: 'u32',
  /**
   * `sortRuns`, one slice per run. bordersAt: index of each run's first key, and the end. histogramsAt:
   * RUN_DIGITS times DIGIT_BUCKETS words per run.
   */
  bordersAt: 'u32',
  histogramsAt: 'u32',
  /** `mergeRuns`: Merges in the order of their output, and the number of output keys. */
  mergesAt: 'u32',
  mergeCount: 'u32',
  count: 'u32',
  sliceCount: 'u32',
});

/** Two runs to merge, firstA <= i < endA and firstB <= i < endB, and where the first of their keys goes. */
export const Merge = /* @__PURE__ */ record({
  firstA: 'u32',
  endA: 'u32',
  firstB: 'u32',
  endB: 'u32',
  to: 'u32',
});

/**
 * Four octants with their boxes, as structure of arrays. A pair with an earlier box is reported here only if
 * that box's minimum corner lies within start..stop, so each pair is reported once.
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
