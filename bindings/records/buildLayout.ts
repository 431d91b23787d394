// Layouts of the records that kernels build, collapse and refit trees with.
import { record } from './record.js';

/**
 * The job of `boundPositions`: groups of four vertices and of four indices, divided into sliceCount slices.
 */
export const BoundPositionsJob = /* @__PURE__ */ record({
  positionsAt: 'u32',
  groupCount: 'u32',
  indicesAt: 'u32',
  indexGroupCount: 'u32',
  partsAt: 'u32',
  sliceCount: 'u32',
});

/** Result of a slice of `boundPositions`. Lane k of low and high belongs to axis k % 3. */
export const BoundPart = /* @__PURE__ */ record({
  low: ['f32', 12],
  high: ['f32', 12],
  /** Bits of the smallest nonzero magnitude, minus 1. */
  minMagnitude: ['u32', 4],
  /** Nonzero if a value was not finite. */
  nonFinite: ['u32', 4],
  maxIndex: ['u32', 4],
});

/**
 * A triangle during the build of its tree: its normalized box and its number. Records are sorted in place.
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

/** A box: minimum and maximum xyz, each with an unused lane. */
export const BoxPart = /* @__PURE__ */ record({ low: ['f32', 4], high: ['f32', 4] });

/** A range of triangles begin <= i < end that is still to be split. */
export const OpenRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /** The binary node whose right child this range is. */
  parent: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  /** Bounds of the doubled centroids. */
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
});

/** A range of triangles that is too large for one thread. `splitTop` sets left (count), axis and bin. */
export const TopRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  spare: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /** Factor from doubled centroid to bin. */
  scale: ['f32', 4],
  firstChunk: 'u32',
  chunkCount: 'u32',
  left: 'u32',
  axis: 'u32',
  bin: 'u32',
});

/** Records begin <= i < end of a TopRange, and where the records left and right of its split go. */
export const Chunk = /* @__PURE__ */ record({
  range: 'u32',
  begin: 'u32',
  end: 'u32',
  leftTo: 'u32',
  rightTo: 'u32',
});

/**
 * The job of `binChunks`, `splitTop` and `moveChunks`: one round over all ranges that are still too large.
 */
export const TopJob = /* @__PURE__ */ record({
  fromAt: 'u32',
  toAt: 'u32',
  rangesAt: 'u32',
  rangeCount: 'u32',
  chunksAt: 'u32',
  chunkCount: 'u32',
  /** BINS_BYTES for each chunk, and BINS_BYTES of scratch. */
  binsAt: 'u32',
  /** Two OpenRanges for each range: its sides. */
  sidesAt: 'u32',
  sliceCount: 'u32',
});

/**
 * A subtree that one thread builds. Input: its triangles. Output: its shape, then its place among all nodes
 * and leaves.
 */
export const Subtree = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /** Address of record 0; `begin` is an index from there. The shape goes to the same range of shapesAt. */
  recordsAt: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /**
   * 32 bytes for each triangle: leaves of 4 words (triangle numbers) from the start, nodes of 4 words
   * (children) from the middle.
   */
  shapesAt: 'u32',
  /** Morton builder: triangle numbers, parallel to the codes at recordsAt. */
  idsAt: 'u32',
  nodeCount: 'u32',
  leafCount: 'u32',
  nodeDepth: 'u32',
  /**
   * root: final index of its root node. nodesFrom, leavesFrom: first index of its other nodes and of its
   * leaves, which are consecutive.
   */
  root: 'u32',
  nodesFrom: 'u32',
  leavesFrom: 'u32',
});

/**
 * The job of `growSubtrees` and `growMortonSubtrees`: slice s builds the subtrees orderAt[i] for listsAt[s]
 * <= i < listsAt[s + 1].
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

/** The job of `computeMortonCodes`: (doubled centroid - offset) * factor is a cell from 0 to 1023. */
export const MortonJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  codesAt: 'u32',
  idsAt: 'u32',
  partsAt: 'u32',
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
 * A range of the tree to refit: leaves firstLeaf <= i < lastLeaf, then nodes begin <= i < end in descending
 * order. area: sum of the half areas of the children of these nodes.
 */
export const RefitRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  firstLeaf: 'u32',
  lastLeaf: 'u32',
  area: 'f32',
});
