// Layouts of the records of scenes: bodies, their placements and pairs of bodies.
import { record } from './record.js';

/** A body of a scene: a mesh and its placement. */
export const BodyRecord = /* @__PURE__ */ record({
  /** Its placement, three rows of four. */
  rows: ['f64', 12],
  /**
   * The placed oriented box of the body's mesh. edges: three vectors along the edges of the box, each half as
   * long as an edge. normals: normals of the faces, in columns of four whose last value is 0. reach: how far
   * the box extends from its center along each normal. size: maximum |coordinate|.
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
  /** ABSENT: the slot has no body. HAS_TRIANGLES: the body's mesh has triangles. NO_TRIANGLES: it has none. */
  presence: 'u32',
  /** Set to 1 when the placement or the mesh changes; cleared when the scene has processed the change. */
  moved: 'u32',
  /** group: bits of the body's groups. mask: bits of the groups that the body may collide with. */
  group: 'u32',
  mask: 'u32',
  /** Address of the mesh's table of support values; 0 if the mesh has none. */
  supportsAt: 'u32',
});

/**
 * The job of `placeBodies`: writes the placements and boxes of bodies, which are divided into sliceCount
 * slices.
 */
export const PlaceBodiesJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  /**
   * matricesAt: address of 16 numbers per body, float32 or, if isDouble is 1, float64. If the address is 0,
   * the placements stay as they are, and only the boxes are recomputed.
   */
  matricesAt: 'u32',
  isDouble: 'u32',
  /** Six floats per body. */
  boxesAt: 'u32',
  /** One word per slice: the first body of the slice with an invalid matrix, or NOTHING. */
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
 * The job of `pruneBodyPairs`: removes pairs of bodies that their groups and masks exclude and, if `oriented`
 * is 1, pairs that cannot intersect. The pairs are divided into sliceCount slices. Each slice copies the pairs
 * that it keeps to the start of its range of the output, and writes their number to keptAt.
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
  /**
   * 1: also removes pairs that are separated by a plane or by a face of an oriented box. 0: compares only
   * groups and masks.
   */
  oriented: 'u32',
});

/**
 * The job of `placeBodyPairs`: writes the PairRecords of pairs of bodies. The pairs are divided into
 * sliceCount slices. scratchAt: 12 f64 per slice, for an inverse matrix.
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
   * Tables of support values. Each octant of directions has a square grid. SUPPORT_CELLS, SUPPORT_EDGE:
   * number of cells, and of grid points, along an edge of the grid. SUPPORT_OCTANT, SUPPORT_ENTRIES: number
   * of grid points of one octant, and of all octants. SUPPORT_BYTES: size of a table: one float per grid
   * point, one more float, and padding.
   */
  SUPPORT_CELLS: 16,
  SUPPORT_EDGE: 17,
  SUPPORT_OCTANT: 289,
  SUPPORT_ENTRIES: 2312,
  SUPPORT_BYTES: 9264,
} as const;
