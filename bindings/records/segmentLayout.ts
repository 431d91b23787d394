// Layouts of the records for the computation of contact segments, the sets of points that two triangles share.
import { record } from './record.js';

/** The job of `findSegments`: pairs are divided into sliceCount slices. */
export const SegmentJob = /* @__PURE__ */ record({
  /**
   * aAt, bAt: pair i is triangle a[i] of mesh A and triangle b[i] of mesh B. cornersAt: address of the corners
   * of all pairs, 18 f64 per pair. If it is not 0, these corners are used instead of aAt, bAt and the meshes.
   */
  aAt: 'u32',
  bAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  cornersAt: 'u32',
  /** Addresses of MeshRecords, and of placements (12 f64). Address 0 of a placement means the identity. */
  meshA: 'u32',
  meshB: 'u32',
  placementA: 'u32',
  placementB: 'u32',
  /** Output: one byte per pair, its kind (see segmentLimits). */
  kindsAt: 'u32',
  /**
   * Address of one word per pair: where the pair's points begin among the points of its slice. The address is
   * 0 if only kinds are wanted.
   */
  startsAt: 'u32',
  /**
   * pointsAt: points of all slices, 3 f64 each. slicesAt, scratchAt: one SegmentSlice and
   * SEGMENT_SCRATCH_BYTES per slice.
   */
  pointsAt: 'u32',
  slicesAt: 'u32',
  scratchAt: 'u32',
});

/**
 * Output range of a slice. first, capacity: index of its first point, and capacity in points. count: number
 * of points, including points that did not fit. undecided: number of pairs that the slice could not decide.
 */
export const SegmentSlice = /* @__PURE__ */ record({
  first: 'u32',
  capacity: 'u32',
  count: 'u32',
  undecided: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const segmentLimits = {
  /** Kinds of a pair of triangles. UNDECIDED: must be decided with intersectTrianglesExact. */
  DISJOINT: 0,
  CROSS: 1,
  TOUCH_POINT: 2,
  TOUCH_SEGMENT: 3,
  COPLANAR_SAME: 4,
  COPLANAR_OPPOSITE: 5,
  UNDECIDED: 6,
  /** Bytes of scratch memory per slice: a multiple of the size of a cache line. */
  SEGMENT_SCRATCH_BYTES: 28672,
} as const;
