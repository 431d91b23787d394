// Layouts of the records of the linear octree: its octants, and the merge sort of keys.

import { record } from './record.js';

/**
 * The job of `countOctants`, `writeOctants`, `removeChangedOctants`, `findMovedOctants`, `selectOctants`,
 * `gatherOctants` and `scanOctants`: the boxes with the numbers from `first` to last - 1, and their octants. An
 * octant of a box is stored as two values: a key, which is made from the octal code of the octant, and the
 * number of the box.
 */
export const OctreeJob = /* @__PURE__ */ record({
  boxesAt: 'u32',
  first: 'u32',
  last: 'u32',
  sliceCount: 'u32',
  secondFrom: 'u32',
  passiveFrom: 'u32',
  /**
   * Where the finest cells of each axis begin: OCTREE_CELLS + 1 float32 per axis, of which the first and the
   * last are infinite.
   */
  startsAt: 'u32',
  /** origin: where the grid begins on each axis. scale: number of cells per unit of length on each axis. */
  origin: ['f32', 3],
  scale: ['f32', 3],
  /** Two words per box, which encode its octants; 0 for an empty box. */
  octantsAt: 'u32',
  /**
   * movedAt: address of one byte per box, 1 if the box has moved; the address is 0 if all boxes are new.
   * changedAt: address of one byte per box, 1 if the octants of the box have changed.
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
   * Output octants. `writeOctants` writes the octants of all boxes, or only of the changed boxes if changedAt
   * is not 0. `selectOctants` writes the octants that may contain a pair with a moved box.
   */
  toKeysAt: 'u32',
  toIdsAt: 'u32',
  /** blocksAt: OctantBlocks of the sorted octants. cursor: next octant that `scanOctants` has to process. */
  blocksAt: 'u32',
  cursor: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
});

/**
 * Counts of a slice. The first three fields are about the slice's boxes. now, before: number of octants of
 * the boxes whose octants have changed, after and before the change. all: number of octants of all boxes. The
 * other fields are about the slice's range of the sorted octants. kept: number of octants that are not
 * removed. firstMoved: index of the first octant of a moved box, or NOTHING. movedEnd: upper bound of the
 * keys of all octants that lie in an octant of a moved box. selected: number of octants that are selected.
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
   * Used by `sortRuns`, which sorts one run per slice. bordersAt: index of the first key of each run, and the
   * number of all keys. histogramsAt: RUN_DIGITS times DIGIT_BUCKETS words per run.
   */
  bordersAt: 'u32',
  histogramsAt: 'u32',
  /**
   * Used by `mergeRuns`. mergesAt: Merge records in the order of their output. count: number of output keys.
   */
  mergesAt: 'u32',
  mergeCount: 'u32',
  count: 'u32',
  sliceCount: 'u32',
});

/**
 * Two runs to merge: the keys with the indices from firstA to endA - 1, and from firstB to endB - 1. to: index
 * of the first key of the merged run.
 */
export const Merge = /* @__PURE__ */ record({
  firstA: 'u32',
  endA: 'u32',
  firstB: 'u32',
  endB: 'u32',
  to: 'u32',
});

/**
 * Four octants, each with the minimum corner of its box, as structure of arrays. start..stop: a range on each
 * axis, which follows from the octant and its box. A pair of this box and the box of an earlier octant is
 * reported only if the minimum corner of the earlier box lies in this range. This is one half of the overlap
 * test, and it also ensures that each pair is reported once.
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
