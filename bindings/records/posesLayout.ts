// Records of many poses of some bodies: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * The job of `askPoses`: words of 32 poses are dealt to whoever is free; slice i works with the PoseSlice i
 * of slicesAt. Bodies are numbered: those that move first, movingCount of them, whose records each slice has
 * for itself, then those that stay, whose BodyRecords and boxes are at stillAt.
 */
export const PosesJob = /* @__PURE__ */ record({
  stillAt: 'u32',
  stillBoxesAt: 'u32',
  movingCount: 'u32',
  /** Two words a pair: the bodies' numbers. */
  pairsAt: 'u32',
  pairCount: 'u32',
  /** 16 numbers a moving body and pose, float32 or, where isDouble is 1, float64. */
  posesAt: 'u32',
  isDouble: 'u32',
  poseCount: 'u32',
  /** WANT_ANY, WANT_FIRST or WANT_EACH. */
  want: 'u32',
  /** A bit a pose: whether two bodies meet; whether this kernel could not tell. */
  hitsAt: 'u32',
  openAt: 'u32',
  /**
   * WANT_FIRST: a word a pose, the first pair that meets, or NOTHING. WANT_EACH: a bit a pair and pose, pose
   * by pose.
   */
  firstAt: 'u32',
  eachAt: 'u32',
  slicesAt: 'u32',
  packTableAt: 'u32',
  /** 1: threads will share the records, so nothing of them is left for later. */
  areShared: 'u32',
  /** Next word of poses: on a cache line of its own. */
  cursor: 'u32',
  unused: ['u32', 15],
});

/** What a slice of `askPoses` works with. */
export const PoseSlice = /* @__PURE__ */ record({
  /**
   * A ListRecord; BodyRecords and boxes of the bodies that move; a PairRecord and an inverse of 12 f64; a
   * FrontNode, the roots.
   */
  listAt: 'u32',
  bodiesAt: 'u32',
  boxesAt: 'u32',
  pairAt: 'u32',
  frontAt: 'u32',
  /** A word a pair: their numbers, those that have met of late first. */
  orderAt: 'u32',
  hit: 'u32',
  /** A pose with a matrix that breaks the rule, or NOTHING. */
  bad: 'u32',
  /** Pairs whose boxes met. */
  near: 'f64',
  spare: ['u32', 6],
});

/** Numbers that both sides agree on. */
export const posesLimits = {
  /** Whether two bodies meet; which pair is the first that does; which pairs do. */
  WANT_ANY: 0,
  WANT_FIRST: 1,
  WANT_EACH: 2,
  /** Six floats a box, and room for loads of four. */
  POSE_BOX_BYTES: 32,
} as const;
