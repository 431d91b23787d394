// Layouts of the records of pose queries: many placements of some bodies in one call.
import { record } from './record.js';

/**
 * The job of `testPoses`: each slice takes words of 32 poses from the shared counter `cursor`. Slice i uses
 * PoseSlice i of slicesAt. The movingCount moving bodies are numbered first, then the fixed bodies. Each
 * slice has its own records of the moving bodies. The records and boxes of the fixed bodies are at fixedAt
 * and fixedBoxesAt.
 */
export const PosesJob = /* @__PURE__ */ record({
  fixedAt: 'u32',
  fixedBoxesAt: 'u32',
  movingCount: 'u32',
  /** Two words per pair: the bodies' numbers. */
  pairsAt: 'u32',
  pairCount: 'u32',
  /** 16 numbers per moving body and pose, float32 or, if isDouble is 1, float64. */
  posesAt: 'u32',
  isDouble: 'u32',
  poseCount: 'u32',
  /** WANT_ANY, WANT_FIRST or WANT_EACH. */
  want: 'u32',
  /**
   * One bit per pose. hitsAt: whether two bodies intersect. undecidedAt: whether this kernel could not
   * decide.
   */
  hitsAt: 'u32',
  undecidedAt: 'u32',
  /**
   * WANT_FIRST: one word per pose, the first pair that intersects, or NOTHING. WANT_EACH: one bit per pair
   * and pose, pose by pose.
   */
  firstAt: 'u32',
  eachAt: 'u32',
  slicesAt: 'u32',
  packTableAt: 'u32',
  /** 1: threads will share the records, so no part of them is computed lazily. */
  areShared: 'u32',
  /** Next word of poses, on a cache line of its own. */
  cursor: 'u32',
  unused: ['u32', 15],
});

/** Working memory of a slice of `testPoses`. */
export const PoseSlice = /* @__PURE__ */ record({
  /**
   * listAt: a ListRecord. bodiesAt, boxesAt: BodyRecords and boxes of the moving bodies. pairAt: a
   * PairRecord, then 12 f64 for an inverse matrix. frontAt: a FrontNode of the two roots.
   */
  listAt: 'u32',
  bodiesAt: 'u32',
  boxesAt: 'u32',
  pairAt: 'u32',
  frontAt: 'u32',
  /** Pair numbers, one word each. Pairs that intersected recently come first. */
  orderAt: 'u32',
  hit: 'u32',
  /** A pose with an invalid matrix, or NOTHING. */
  invalidPose: 'u32',
  /** Number of tested pairs whose boxes and oriented boxes overlapped. */
  near: 'f64',
  spare: ['u32', 6],
});

/** Constants that are shared by TypeScript and the kernels. */
export const posesLimits = {
  /**
   * Result of a pose: whether two bodies intersect; the first pair that intersects; all pairs that intersect.
   */
  WANT_ANY: 0,
  WANT_FIRST: 1,
  WANT_EACH: 2,
  /** Bytes of a box: six floats, and padding for loads of four. */
  POSE_BOX_BYTES: 32,
} as const;
