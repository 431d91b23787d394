// Records of what pairs of triangles share: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/** The job of `findSegments`: pairs are dealt over sliceCount slices. */
export const SegmentJob = /* @__PURE__ */ record({
  /**
   * Pair i: triangles a[i] of mesh A and b[i] of mesh B. cornersAt: 18 f64 a pair, which stand for both lists
   * and both meshes; or 0.
   */
  aAt: 'u32',
  bAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  cornersAt: 'u32',
  /** MeshRecords, and placements of 12 f64, 0 where there is none. */
  meshA: 'u32',
  meshB: 'u32',
  placementA: 'u32',
  placementB: 'u32',
  /** A byte a pair. */
  kindsAt: 'u32',
  /** A word a pair: where its points begin among those of its slice. 0: kinds only. */
  startsAt: 'u32',
  /** Points of all slices, 3 f64 each; a SegmentSlice and SEGMENT_SCRATCH_BYTES a slice. */
  pointsAt: 'u32',
  slicesAt: 'u32',
  scratchAt: 'u32',
});

/**
 * Room of a slice in points: its first one and how many it may write; how many it has, those without room
 * counted; pairs that it left unsettled.
 */
export const SegmentSlice = /* @__PURE__ */ record({
  first: 'u32',
  capacity: 'u32',
  count: 'u32',
  unsettled: 'u32',
});

/** Numbers that both sides agree on. */
export const segmentLimits = {
  /** Kinds of a pair of triangles; UNSETTLED: settle it with commonSetExact. */
  NOTHING_SHARED: 0,
  CROSS: 1,
  TOUCH_POINT: 2,
  TOUCH_SEGMENT: 3,
  COPLANAR_SAME: 4,
  COPLANAR_OPPOSITE: 5,
  UNSETTLED: 6,
  /** Scratch of a slice: whole cache lines. */
  SEGMENT_SCRATCH_BYTES: 28672,
} as const;
