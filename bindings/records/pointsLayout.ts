// Layouts of the records of point queries: the closest point of a mesh to each of many points, and whether a
// solid contains each point.
import { record } from './record.js';

/**
 * The job of `closestPoints`, `listNearTriangles` and `classifyPoints`. Points are three f64 each, in the
 * frame of the mesh. Slice i of the job repeatedly takes the next block of points from the shared counter
 * `cursor`, and uses PointsSlice i of slicesAt. Points whose distance is above `limit` need no answer.
 */
export const PointsJob = /* @__PURE__ */ record({
  meshAt: 'u32',
  pointsAt: 'u32',
  pointCount: 'u32',
  /**
   * For each point: the nearest triangle (one u32) or NOTHING, the distance (one f64) and the nearest point
   * (three f64). If the kernel could not decide which triangle is nearest, the triangle is UNDECIDED_TRIANGLE,
   * and an upper bound is stored as the distance.
   */
  trianglesAt: 'u32',
  distancesAt: 'u32',
  nearestAt: 'u32',
  /** For each point, one byte: OUTSIDE, INSIDE or ON_SURFACE. */
  sidesAt: 'u32',
  slicesAt: 'u32',
  limit: 'f64',
  /** Output of `listNearTriangles`: NearTriangles, of which at most listCapacity are stored. */
  listAt: 'u32',
  listCapacity: 'u32',
  listCount: 'u32',
  unused: ['u32', 3],
  /** The bounds of the mesh, as `Mesh.bounds`. */
  bounds: ['f32', 6],
  spare: ['u32', 10],
  /** Number of the next block of points, on a cache line of its own. */
  cursor: 'u32',
  last: ['u32', 15],
});

/** Working memory of a slice: a stack of PointEntries, and POINT_SCRATCH_BYTES of scratch memory. */
export const PointsSlice = /* @__PURE__ */ record({
  stackAt: 'u32',
  scratchAt: 'u32',
  /** Number of points of this slice whose nearest triangle could not be decided. */
  undecidedCount: 'u32',
  spare: ['u32', 13],
});

/**
 * A triangle that may be the nearest one to a query point, its distance from the query point, and its point
 * that is nearest to the query point.
 */
export const NearTriangle = /* @__PURE__ */ record({
  triangle: 'u32',
  unused: 'u32',
  distance: 'f64',
  point: ['f64', 3],
});

/** Constants that are shared by TypeScript and the kernels. */
export const pointsLimits = {
  /** Bytes of an entry of the stack: the lower bound of a subtree, and its handle. */
  POINT_ENTRY_BYTES: 8,
  POINT_SCRATCH_BYTES: 8192,
  /** Number of points that a slice takes at a time. */
  POINT_BLOCK: 64,
  /**
   * Stored instead of the number of a triangle if the kernel could not decide which triangle is nearest. It
   * differs from NOTHING.
   */
  UNDECIDED_TRIANGLE: 0xfffffffe,
  OUTSIDE: 0,
  INSIDE: 1,
  ON_SURFACE: 2,
} as const;
