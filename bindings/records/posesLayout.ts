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
  /**
   * 16 numbers per moving body and pose, float32 or, if isDouble is 1, float64. If there is a chain: the joint
   * values of each pose, float64.
   */
  posesAt: 'u32',
  isDouble: 'u32',
  poseCount: 'u32',
  /** WANT_ANY, WANT_FIRST, WANT_EACH or WANT_DISTANCE. */
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
  /**
   * Two bodies are a hit if their distance is at most `clearance`. If `clearance` is 0, they are a hit if they
   * share a point.
   */
  clearance: 'f64',
  /** A ChainRecord that places the moving bodies, or 0. */
  chainAt: 'u32',
  /** For `testEdges`: an EdgesRecord. */
  edgesAt: 'u32',
  /** For WANT_DISTANCE: an f64 per pose, the smallest distance of a pair. firstAt then has this pair. */
  distancesAt: 'u32',
  spare2: 'u32',
  /** For WANT_DISTANCE: distances beyond this are not searched. */
  max: 'f64',
  spare: ['u32', 8],
  /** Number of the next word of 32 poses, or of the next edge, on a cache line of its own. */
  cursor: 'u32',
  unused: ['u32', 15],
});

/**
 * The edges of `testEdges`, which also reads the bodies and pairs of a PosesJob. An edge is a motion along
 * which every joint value changes linearly from one pose to another.
 */
export const EdgesRecord = /* @__PURE__ */ record({
  /** Joint values at the start and at the end of each edge, float64. */
  fromAt: 'u32',
  toAt: 'u32',
  edgeCount: 'u32',
  /** 1: stop at any contact of an edge. 0: find the first contact. */
  wantsAny: 'u32',
  /**
   * leversAt: for each pair and each joint value, one f64, the lever. A point of either body moves by at most
   * this length relative to the other body for each unit of the joint value. travelsAt: for each lever and each
   * joint value, one f64, by which the lever grows for each unit of that value's magnitude. The address
   * travelsAt is 0 if no joint is prismatic.
   */
  leversAt: 'u32',
  travelsAt: 'u32',
  /**
   * Two f64 per pair. First, an upper bound of the sum of both bodies' largest coordinates, if all prismatic
   * joints have the value 0. Second, the max relative change of the distance between points of the two bodies
   * while only joints that carry both bodies move. It is 0 if the placements of these joints are rigid.
   */
  sizesAt: 'u32',
  /** Result for each edge. timesAt: an f64, the start of the interval of the first contact, or Infinity. */
  timesAt: 'u32',
  /** firstAt: a word, the pair of the first contact, NOTHING if there is none, or UNDECIDED_EDGE. */
  firstAt: 'u32',
  /**
   * One f64 per pair, a length. If points can move farther than this length and farther than the tolerance in
   * half an interval, the test with the enlarged clearance uses only the boxes of the bodies, not their trees.
   */
  treeReachesAt: 'u32',
  /** Intervals are divided until points move by at most this in half an interval. */
  tolerance: 'f64',
  /** Maximum growth of the sum of both bodies' coordinates per unit of a prismatic joint's value. */
  growth: 'f64',
});

/** One joint of a kinematic chain. Every joint comes after its parent. */
export const ChainJoint = /* @__PURE__ */ record({
  /** Number of the parent, or NOTHING if the joint is placed in the common frame. */
  parent: 'u32',
  /** JOINT_FIXED, JOINT_REVOLUTE or JOINT_PRISMATIC. */
  kind: 'u32',
  /** Index of the joint's value among the values of a pose. */
  valueIndex: 'u32',
  unused: 'u32',
  /** A vector of length 1 in the joint's frame. */
  axis: ['f64', 3],
  /** Placement in the parent's frame if the value is 0: three rows of four. */
  rows: ['f64', 12],
});

/** A body of a kinematic chain: a joint, and the placement of the body in the frame of this joint. */
export const ChainBody = /* @__PURE__ */ record({
  joint: 'u32',
  unused: ['u32', 3],
  rows: ['f64', 12],
});

/** A kinematic chain or tree. */
export const ChainRecord = /* @__PURE__ */ record({
  jointCount: 'u32',
  jointsAt: 'u32',
  bodyCount: 'u32',
  bodiesAt: 'u32',
  /** Number of joints that are not fixed. */
  valueCount: 'u32',
});

/** The job of `placeChain`. framesAt: space for the frames of all joints and one more frame. */
export const PlaceChainJob = /* @__PURE__ */ record({
  chainAt: 'u32',
  valuesAt: 'u32',
  framesAt: 'u32',
  matricesAt: 'u32',
  poseCount: 'u32',
});

/** Working memory of a slice of `testPoses` or `testEdges`. */
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
  /** Number of a pose or an edge with an invalid matrix, or NOTHING. */
  invalidPose: 'u32',
  /** How often the trees of two bodies were tested against each other. */
  near: 'f64',
  /** Number of poses that `testEdges` has tested. */
  poses: 'f64',
  /** For `testEdges`: the tolerance of the present edge, which covers rounding errors. */
  tolerance: 'f64',
  /** The Clearance that `widenPair` writes for the present pair. */
  limits: ['f64', Clearance.size / 8],
  /** For a chain: the frames of its joints and one more frame, and the placements of its bodies. */
  framesAt: 'u32',
  matricesAt: 'u32',
  /**
   * For `testEdges`. valuesAt: the joint values of a pose, and then the largest magnitudes of the joint values
   * of the edge. speedsAt: two f64 per pair. The first is the maximum length by which points move relative to
   * each other along the whole edge, the second a bound of rounding errors. listsAt: for each level of the
   * division of an edge, and then for each coarse interval, a number of pairs and then the pairs.
   */
  valuesAt: 'u32',
  speedsAt: 'u32',
  listsAt: 'u32',
  /**
   * For WANT_DISTANCE. distanceAt: a DistanceJob with one DistanceSearch. boundsAt: for each pair, an f64 and
   * the number of the pair.
   */
  distanceAt: 'u32',
  boundsAt: 'u32',
  spare: ['u32', 3],
});

/** Constants that are shared by TypeScript and the kernels. */
export const posesLimits = {
  /**
   * What is wanted for each pose. WANT_ANY: whether any pair intersects. WANT_FIRST: the first pair that
   * intersects. WANT_EACH: whether each pair intersects. WANT_DISTANCE: the smallest distance of a pair.
   */
  WANT_ANY: 0,
  WANT_FIRST: 1,
  WANT_EACH: 2,
  WANT_DISTANCE: 3,
  /** Bytes of a box: six floats, and padding, because four floats are loaded at once. */
  POSE_BOX_BYTES: 32,
  /** Kinds of joints. */
  JOINT_FIXED: 0,
  JOINT_REVOLUTE: 1,
  JOINT_PRISMATIC: 2,
  /** Bytes of the frame of a joint. */
  FRAME_BYTES: 96,
  /** The result of an edge for which the kernel could not decide a pair. */
  UNDECIDED_EDGE: 0xfffffffe,
  /** An edge is divided into at most 2^MAX_EDGE_LEVEL intervals. */
  MAX_EDGE_LEVEL: 28,
  /** The first levels of the division of an edge are searched breadth first if any contact is wanted. */
  COARSE_LEVELS: 4,
} as const;
