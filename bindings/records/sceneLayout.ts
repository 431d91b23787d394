// Records of scenes: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/** A body of a scene: a mesh and where it is. */
export const BodyRecord = /* @__PURE__ */ record({
  /** Its placement, three rows of four. */
  rows: ['f64', 12],
  /**
   * Its mesh's box, placed: centre; half edges; normals of the faces, by columns of four, the last of which
   * are 0; how far the box reaches along them; greatest coordinate.
   */
  center: ['f64', 3],
  edges: ['f64', 9],
  normals: ['f64', 12],
  reach: ['f64', 4],
  size: 'f64',
  /** A PlacedMesh. */
  placed: ['f64', 22],
  /** The mesh's own box. */
  low: ['f32', 3],
  high: ['f32', 3],
  meshAt: 'u32',
  /** 0: the slot is empty, or its mesh has no triangle. */
  isThere: 'u32',
  /** Set when its placement or mesh changes; cleared when that was taken note of. */
  moved: 'u32',
  /** Bits of its groups, and of those that it may touch. */
  group: 'u32',
  mask: 'u32',
  /** Its mesh's table of supports; 0: it has none. */
  supportsAt: 'u32',
});

/** The job of `placeBodies`: bodies are dealt over sliceCount slices, which own a word each at badAt. */
export const PlaceBodiesJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  /** 16 numbers a body, float32 or, where isDouble is 1, float64; 0: placements stay, boxes are made anew. */
  matricesAt: 'u32',
  isDouble: 'u32',
  /** Six floats a body. */
  boxesAt: 'u32',
  /** First body of the slice with a matrix that breaks the rule, or NOTHING. */
  badAt: 'u32',
  /** 1: matrices are looked at, nothing is written. */
  isCheck: 'u32',
});

/** The job of `listSupports`: a mesh's vertices in, a table of SUPPORT_BYTES out. directions: scratch. */
export const SupportsJob = /* @__PURE__ */ record({
  positionsAt: 'u32',
  vertexCount: 'u32',
  tableAt: 'u32',
  spare: 'u32',
  directions: ['f32', 12],
});

/**
 * The job of `pruneBodyPairs`: pairs are dealt over sliceCount slices, which copy what they keep to the front
 * of their part and count it.
 */
export const PruneJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
  toAAt: 'u32',
  toBAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  keptAt: 'u32',
  /** 1: oriented boxes must meet, too. */ oriented: 'u32',
});

/**
 * The job of `placeBodyPairs`: PairRecords of pairs of bodies, dealt over sliceCount slices; an inverse, 12
 * f64, of scratch each.
 */
export const BodyPairsJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  pairsAt: 'u32',
  /** A word a pair: 1 where the meshes changed places. */
  swappedAt: 'u32',
  scratchAt: 'u32',
});

/** Numbers that both sides agree on. */
export const sceneLimits = {
  /**
   * Tables of supports: cells along an edge of an octant's square, corners along it, corners of an octant, of
   * all, and their bytes, one float more than these.
   */
  SUPPORT_CELLS: 16,
  SUPPORT_EDGE: 17,
  SUPPORT_OCTANT: 289,
  SUPPORT_ENTRIES: 2312,
  SUPPORT_BYTES: 9264,
} as const;
