// Layouts of the records of the kernels that build and refit the trees of meshes.
import { record } from './record.js';

/**
 * The job of `boundPositions`: computes the bounds of a mesh's positions, and data for checking positions and
 * indices. Groups of four vertices and groups of four indices are divided into sliceCount slices.
 */
export const BoundPositionsJob = /* @__PURE__ */ record({
  positionsAt: 'u32',
  groupCount: 'u32',
  indicesAt: 'u32',
  indexGroupCount: 'u32',
  boundsAt: 'u32',
  sliceCount: 'u32',
});

/** Result of a slice of `boundPositions`. Lane k of low and high belongs to axis k % 3. */
export const SliceBounds = /* @__PURE__ */ record({
  low: ['f32', 12],
  high: ['f32', 12],
  /**
   * The minimum, over all coordinates, of the bits of |coordinate|, read as an integer, minus 1. A zero wraps
   * around to 2^32 - 1, so that the minimum ignores it.
   */
  minMagnitude: ['u32', 4],
  /** Nonzero if a coordinate was not finite. */
  nonFinite: ['u32', 4],
  maxIndex: ['u32', 4],
});

/**
 * A triangle while its tree is built: its box in normalized coordinates, and its number. These records are
 * sorted in place.
 */
export const BuildRecord = /* @__PURE__ */ record({
  minX: 'f32',
  minY: 'f32',
  minZ: 'f32',
  id: 'u32',
  maxX: 'f32',
  maxY: 'f32',
  maxZ: 'f32',
  spare: 'f32',
});

/** The box of a slice of triangles: minimum and maximum x, y, z, each followed by an unused lane. */
export const SliceBox = /* @__PURE__ */ record({ low: ['f32', 4], high: ['f32', 4] });

/** A range of triangles that is still to be split: triangles `begin` to `end - 1`. */
export const OpenRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /** Number of the binary node that has this range as its right child. */
  parent: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  /** Bounds of the doubled centroids (min + max of each triangle's box). */
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
});

/**
 * A range of triangles that is too large for one thread. `splitTop` sets `left`, the number of triangles on
 * the left side of the split, and the split's axis and bin.
 */
export const TopRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  spare: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /** Factor that maps a doubled centroid to its bin. */
  scale: ['f32', 4],
  firstChunk: 'u32',
  chunkCount: 'u32',
  left: 'u32',
  axis: 'u32',
  bin: 'u32',
});

/**
 * A chunk of a TopRange: records `begin` to `end - 1`. The chunk's records on the left side of the split are
 * moved to consecutive places, starting at index leftTo. rightTo: the same for the right side.
 */
export const Chunk = /* @__PURE__ */ record({
  range: 'u32',
  begin: 'u32',
  end: 'u32',
  leftTo: 'u32',
  rightTo: 'u32',
});

/**
 * The job of `binChunks`, `splitTop` and `moveChunks`: one round, which splits all ranges that are still too
 * large for one thread.
 */
export const TopJob = /* @__PURE__ */ record({
  fromAt: 'u32',
  toAt: 'u32',
  rangesAt: 'u32',
  rangeCount: 'u32',
  chunksAt: 'u32',
  chunkCount: 'u32',
  /** Address of BINS_BYTES for each chunk. After the last chunk's bytes come BINS_BYTES of scratch memory. */
  binsAt: 'u32',
  /** Address of two OpenRanges for each range: the two sides of its split. */
  sidesAt: 'u32',
  sliceCount: 'u32',
});

/**
 * A subtree that one thread builds. Input: the range of its triangles. Output: its shape (nodes and leaves).
 * Its place among all nodes and leaves is set afterwards.
 */
export const Subtree = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /**
   * Address of an array with one entry per triangle: BuildRecords or, for the Morton builder, Morton codes.
   * `begin` and `end` are indices in this array. The shape is written to the same range of the array at
   * shapesAt.
   */
  recordsAt: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /**
   * Address of 32 bytes for each triangle. In the subtree's range, leaves of 4 words (triangle numbers) begin
   * at the start, and nodes of 4 words (children) begin in the middle.
   */
  shapesAt: 'u32',
  /** Morton builder: address of the triangle numbers. Entry i belongs to code i at recordsAt. */
  idsAt: 'u32',
  nodeCount: 'u32',
  leafCount: 'u32',
  nodeDepth: 'u32',
  /**
   * root: index of the subtree's root in the whole tree. nodesFrom: index of the first of its other nodes,
   * which are consecutive. leavesFrom: index of the first of its leaves, which are consecutive.
   */
  root: 'u32',
  nodesFrom: 'u32',
  leavesFrom: 'u32',
});

/**
 * The job of `growSubtrees` and `growMortonSubtrees`. Slice s builds the subtrees with the numbers orderAt[i],
 * where i goes from listsAt[s] up to, but not including, listsAt[s + 1].
 */
export const GrowJob = /* @__PURE__ */ record({
  subtreesAt: 'u32',
  orderAt: 'u32',
  listsAt: 'u32',
  scratchAt: 'u32',
  scratchStride: 'u32',
  /** Maximum number of triangles in a subtree. */
  capacity: 'u32',
});

/**
 * The job of `computeMortonCodes`. On each axis, a triangle's cell is (doubled centroid - offset) * factor,
 * from 0 to 1023. Its code interleaves the bits of the three cells.
 */
export const MortonJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  codesAt: 'u32',
  idsAt: 'u32',
  boxesAt: 'u32',
  offset: ['f32', 4],
  factor: 'f32',
  sliceCount: 'u32',
});

/**
 * The job of `countDigits` and `moveDigits`: one pass of a radix sort with digits of digitBits (at most
 * DIGIT_BITS) bits. histogramsAt and placesAt have DIGIT_BUCKETS words for each slice.
 */
export const DigitJob = /* @__PURE__ */ record({
  keysAt: 'u32',
  valuesAt: 'u32',
  keysToAt: 'u32',
  valuesToAt: 'u32',
  count: 'u32',
  shift: 'u32',
  histogramsAt: 'u32',
  placesAt: 'u32',
  sliceCount: 'u32',
  digitBits: 'u32',
});

/**
 * A range of the tree to refit: first leaves `firstLeaf` to `lastLeaf - 1`, then nodes `end - 1` down to
 * `begin`. area: sum of the half surface areas of the boxes of these nodes' children.
 */
export const RefitRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  firstLeaf: 'u32',
  lastLeaf: 'u32',
  area: 'f32',
});
