// Layouts of the records of scenes: bodies, their placements and pairs of bodies.
import { record } from './record.js';

/** A body of a scene: a mesh and its placement. */
export const BodyRecord = /* @__PURE__ */ record({
  /** Its placement, three rows of four. */
  rows: ['f64', 12],
  /**
   * The placed oriented box of its mesh: center; half edges; normals of the faces, in columns of four whose
   * last value is 0; extent of the box along them; maximum |coordinate|.
   */
  center: ['f64', 3],
  edges: ['f64', 9],
  normals: ['f64', 12],
  reach: ['f64', 4],
  size: 'f64',
  /** A PlacedMesh. */
  placed: ['f64', 22],
  /** The mesh's box in its own frame. */
  low: ['f32', 3],
  high: ['f32', 3],
  meshAt: 'u32',
  /** 0 if the slot is empty, or if its mesh has no triangle. */
  isPresent: 'u32',
  /** Set when its placement or mesh changes; cleared when the scene has processed the change. */
  moved: 'u32',
  /** Bits of its groups, and of the groups that it may collide with. */
  group: 'u32',
  mask: 'u32',
  /** Its mesh's table of support values; 0: it has none. */
  supportsAt: 'u32',
});

/** The job of `placeBodies`: bodies are divided into sliceCount slices, each with its own word at firstInvalidAt. */
export const PlaceBodiesJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  /**
   * 16 numbers per body, float32 or, if isDouble is 1, float64. 0: placements stay, and only boxes are
   * recomputed.
   */
  matricesAt: 'u32',
  isDouble: 'u32',
  /** Six floats per body. */
  boxesAt: 'u32',
  /** First body of the slice with an invalid matrix, or NOTHING. */
  firstInvalidAt: 'u32',
  /** 1: matrices are only checked, nothing is written. */
  isCheck: 'u32',
});

/**
 * The job of `fillSupportTable`: fills a table of SUPPORT_BYTES from a mesh's vertices. directions: scratch.
 */
export const SupportsJob = /* @__PURE__ */ record({
  positionsAt: 'u32',
  vertexCount: 'u32',
  tableAt: 'u32',
  spare: 'u32',
  directions: ['f32', 12],
});

/**
 * The job of `pruneBodyPairs`: pairs are divided into sliceCount slices. Each slice copies the pairs that it
 * keeps to the start of its part, and counts them.
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
  /** 1: oriented boxes must overlap, too. */
  oriented: 'u32',
});

/**
 * The job of `placeBodyPairs`: writes PairRecords of pairs of bodies, which are divided into sliceCount
 * slices. Each slice has an inverse, 12 f64, as scratch.
 */
export const BodyPairsJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  pairsAt: 'u32',
  /** One word per pair: 1 if the meshes were swapped. */
  swappedAt: 'u32',
  scratchAt: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const sceneLimits = {
  /**
   * Tables of support values. Each octant of directions has a square grid. SUPPORT_CELLS, SUPPORT_EDGE: cells
   * and grid points along an edge of it. SUPPORT_OCTANT, SUPPORT_ENTRIES: grid points of one octant, and of
   * all octants. SUPPORT_BYTES: bytes of a table: one float per entry, one more float, and padding.
   */
  SUPPORT_CELLS: 16,
  SUPPORT_EDGE: 17,
  SUPPORT_OCTANT: 289,
  SUPPORT_ENTRIES: 2312,
  SUPPORT_BYTES: 9264,
} as const;
