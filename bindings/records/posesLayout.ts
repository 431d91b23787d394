// Layouts of the records of pose queries: many placements of some bodies in one call.
import { Clearance } from './distanceLayout.js';
import { record } from './record.js';

/**
 * The job of `testPoses`. A slice repeatedly takes the next 32 poses, one word of output bits, from the
 * shared counter `cursor`. Slice i uses PoseSlice i of slicesAt. The moving bodies have the numbers 0 to
 * movingCount - 1; the numbers of the fixed bodies follow. Each slice has its own records of the moving
 * bodies. All slices share the records and boxes of the fixed bodies, at fixedAt and fixedBoxesAt.
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
   * One bit per pose. hitsAt: 1 if the bodies of any pair intersect. undecidedAt: 1 if this kernel could not
   * decide the pose.
   */
  hitsAt: 'u32',
  undecidedAt: 'u32',
  /**
   * firstAt (for WANT_FIRST): one word per pose, the first pair that intersects, or NOTHING. eachAt (for
   * WANT_EACH): for each pose one bit per pair.
   */
  firstAt: 'u32',
  eachAt: 'u32',
  slicesAt: 'u32',
  packTableAt: 'u32',
  /**
   * 1: threads will share the records of the moving bodies later, so these records are computed completely
   * when the bodies are placed. 0: some of their fields are computed only when they are needed.
   */
  areShared: 'u32',
  /** Two bodies are a hit if their distance is at most `clearance`, or, if that is 0, if they share a point. */
  clearance: 'f64',
  spare: ['u32', 14],
  /** Number of the next word of 32 poses, on a cache line of its own. */
  cursor: 'u32',
  unused: ['u32', 15],
});

/** Working memory of a slice of `testPoses`. */
export const PoseSlice = /* @__PURE__ */ record({
  /**
   * listAt: a ListRecord. bodiesAt, boxesAt: BodyRecords and boxes of the moving bodies. pairAt: a
   * PairRecord, then 12 f64 for an inverse matrix. frontAt: the FrontNode of the roots of both trees.
   */
  listAt: 'u32',
  bodiesAt: 'u32',
  boxesAt: 'u32',
  pairAt: 'u32',
  frontAt: 'u32',
  /** Pair numbers, one word each. Pairs that intersected recently come first. */
  orderAt: 'u32',
  hit: 'u32',
  /** Number of a pose with an invalid matrix, or NOTHING. */
  invalidPose: 'u32',
  /** How often the trees of two bodies were tested against each other. */
  near: 'f64',
  /** The Clearance that `widenPair` writes for the present pair. */
  limits: ['f64', Clearance.size / 8],
  spare: ['u32', 14],
});

/** Constants that are shared by TypeScript and the kernels. */
export const posesLimits = {
  /**
   * What is wanted for each pose. WANT_ANY: whether any pair intersects. WANT_FIRST: the first pair that
   * intersects. WANT_EACH: whether each pair intersects.
   */
  WANT_ANY: 0,
  WANT_FIRST: 1,
  WANT_EACH: 2,
  /** Bytes of a box: six floats, and padding, because four floats are loaded at once. */
  POSE_BOX_BYTES: 32,
} as const;
