// Layouts of the records of contact segments: the point set that two triangles share.
import { record } from './record.js';

/** The job of `findSegments`: pairs are divided into sliceCount slices. */
export const SegmentJob = /* @__PURE__ */ record({
  /**
   * Pair i: triangles a[i] of mesh A and b[i] of mesh B. cornersAt: 18 f64 per pair, used instead of both
   * lists and both meshes; or 0.
   */
  aAt: 'u32',
  bAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  cornersAt: 'u32',
  /** MeshRecords, and placements of 12 f64; a placement of 0 is the identity. */
  meshA: 'u32',
  meshB: 'u32',
  placementA: 'u32',
  placementB: 'u32',
  /** One byte per pair. */
  kindsAt: 'u32',
  /** One word per pair: where its points begin among those of its slice. 0: only kinds are wanted. */
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
 * Output range of a slice, in points: the first one and the capacity. count: its points, including those that
 * did not fit. undecided: pairs that it could not decide.
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
  /** Scratch of a slice: whole cache lines. */
  SEGMENT_SCRATCH_BYTES: 28672,
} as const;
