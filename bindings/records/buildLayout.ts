// Records of building, collapsing and refitting trees: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * The job of `boundPositions`: whole groups of four vertices and four indices, dealt over sliceCount slices.
 */
export const BoundPositionsJob = /* @__PURE__ */ record({
  positionsAt: 'u32',
  groupCount: 'u32',
  indicesAt: 'u32',
  indexGroupCount: 'u32',
  partsAt: 'u32',
  sliceCount: 'u32',
});

/** What one slice of `boundPositions` saw; lane k of low and high belongs to axis k % 3. */
export const BoundPart = /* @__PURE__ */ record({
  low: ['f32', 12],
  high: ['f32', 12],
  /** Bits of the least nonzero magnitude, less one. */
  tiny: ['u32', 4],
  /** Not zero where a value was not finite. */
  wild: ['u32', 4],
  greatestIndex: ['u32', 4],
});

/** A triangle while its tree is built: its normalised box, moved in place. */
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

/** A box: xyz and an unused lane, twice. */
export const BoxPart = /* @__PURE__ */ record({ low: ['f32', 4], high: ['f32', 4] });

/** Triangles begin <= i < end that wait to be split. */
export const OpenRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /** Binary node whose right child this is. */
  parent: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  /** Bounds of the doubled centroids. */
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
});

/** A range of triangles that is too large for one thread: `splitTop` finds its left count, axis and bin. */
export const TopRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  spare: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /** From doubled centroid to bin. */
  scale: ['f32', 4],
  firstChunk: 'u32',
  chunkCount: 'u32',
  left: 'u32',
  axis: 'u32',
  bin: 'u32',
});

/** Records begin <= i < end of a TopRange, and where those left and right of its split go. */
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
  /** BINS_BYTES for each chunk, and once more. */
  binsAt: 'u32',
  /** Two OpenRanges a range: its sides. */
  sidesAt: 'u32',
  sliceCount: 'u32',
});

/**
 * A part of the tree that one thread builds: triangles in; shape, then its place among all nodes and leaves
 * out.
 */
export const Subtree = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  depth: 'u32',
  /** Its records, counted from `begin` 0; its shape goes to the same range of shapesAt. */
  recordsAt: 'u32',
  low: ['f32', 4],
  high: ['f32', 4],
  centroidLow: ['f32', 4],
  centroidHigh: ['f32', 4],
  /**
   * 32 bytes a triangle: 4 words a leaf (triangle numbers) from the front, 4 words a node (children) from the
   * middle.
   */
  shapesAt: 'u32',
  /** Morton: triangle numbers beside the codes at recordsAt. */
  idsAt: 'u32',
  nodeCount: 'u32',
  leafCount: 'u32',
  nodeDepth: 'u32',
  /** Final index of its root node; its other nodes and its leaves follow in order from these. */
  root: 'u32',
  nodesFrom: 'u32',
  leavesFrom: 'u32',
});

/**
 * The job of `growSubtrees` and `growMortonSubtrees`: slice s builds orderAt[i] for listsAt[s] <= i <
 * listsAt[s + 1].
 */
export const GrowJob = /* @__PURE__ */ record({
  subtreesAt: 'u32',
  orderAt: 'u32',
  listsAt: 'u32',
  scratchAt: 'u32',
  scratchStride: 'u32',
  /** Most triangles of a subtree. */
  capacity: 'u32',
});

/** The job of `mortonCodes`: (doubled centroid - offset) * factor is a cell from 0 to 1023. */
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
 * The job of `countDigits` and `moveDigits`: one pass of a radix sort, by digitBits at most DIGIT_BITS;
 * DIGIT_BUCKETS words a slice at histogramsAt and placesAt.
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
 * Leaves firstLeaf <= i < lastLeaf, then nodes begin <= i < end from the last to the first; area: sum of the
 * half areas of these nodes' children.
 */
export const RefitRange = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  firstLeaf: 'u32',
  lastLeaf: 'u32',
  area: 'f32',
});
