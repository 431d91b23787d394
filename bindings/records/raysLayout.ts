// Layouts of the records of ray casts: rays and their hits.
import { record } from './record.js';

/**
 * A ray in the normalized frame of a tree. Its origin is the point of its line that is nearest to the frame's
 * origin, and the largest |coordinate| of its direction is 1, so that floats suffice.
 */
export const LocalRay = /* @__PURE__ */ record({
  origin: ['f64', 3],
  direction: ['f64', 3],
  /** 1 / (direction . direction). */
  inverseSquare: 'f64',
  /** The point at parameter t of the given ray has the parameter (t - shift) * rate on the LocalRay. */
  shift: 'f64',
  rate: 'f64',
  /**
   * error: like CastTarget.frameError, but for the origin of this ray. slack: error plus a bound of the
   * rounding errors of the box test.
   */
  error: 'f64',
  slack: 'f64',
  /** The same numbers as floats. inverse: 1 / direction, limited to 2^40. absInverse: its absolute values. */
  floatOrigin: ['f32', 3],
  inverse: ['f32', 3],
  absInverse: ['f32', 3],
  floatSlack: 'f32',
  floatDirection: ['f32', 3],
  /** Lower bound of the parameter of any hit. */
  near: 'f32',
});

/** The job of `castRays`. A slice repeatedly takes the next RAY_BLOCK rays from the counter `cursor`. */
export const RayJob = /* @__PURE__ */ record({
  /** Three f64 per ray. maxAt: one f64 per ray, the maximum parameter. */
  originsAt: 'u32',
  directionsAt: 'u32',
  maxAt: 'u32',
  rayCount: 'u32',
  /** RAY_CLOSEST, RAY_ANY, RAY_COUNT or RAY_ALL. */
  want: 'u32',
  /** RAY_BOTH, RAY_FRONT or RAY_BACK: the sides of triangles on which hits count. */
  side: 'u32',
  /**
   * CastTargets. topAt: the CastTarget of the tree over the boxes of all bodies, or 0 if there is one target.
   */
  targetsAt: 'u32',
  topAt: 'u32',
  /**
   * One word per ray; at timesAt, one f64 per ray. triangleAt: the closest triangle, or NOTHING. bodyAt: the
   * number of its target. countAt: number of hits that this kernel has decided; for RAY_ANY, 0 or 1.
   */
  triangleAt: 'u32',
  bodyAt: 'u32',
  timesAt: 'u32',
  countAt: 'u32',
  /** For RAY_ALL, two words per block: the slice that wrote its hits, and the index of the first hit. */
  blocksAt: 'u32',
  /** One RaySlice per slice. */
  slicesAt: 'u32',
  unused: ['u32', 2],
  /** Number of the next block, on a cache line of its own. */
  cursor: 'u32',
  spare: ['u32', 15],
});

/** The working memory and the output of a slice of `castRays`. */
export const RaySlice = /* @__PURE__ */ record({
  /** The present ray: origin, direction and maximum parameter, and a null vector after them. */
  ray: ['f64', 6],
  max: 'f64',
  zero: ['f64', 3],
  /**
   * The parameter of the closest hit so far differs from bestTime by at most bestError. bestUpper: no hit with
   * a greater parameter is wanted.
   */
  bestTime: 'f64',
  bestError: 'f64',
  bestUpper: 'f64',
  /** The vertices of the closest triangle and of the tested triangle, 9 f64 each, and padding. */
  bestCorners: ['f64', 10],
  corners: ['f64', 10],
  bestTriangle: 'u32',
  bestTarget: 'u32',
  count: 'u32',
  isDone: 'u32',
  /**
   * Addresses of two LocalRays (one for the tree of bodies, then one for the tree of a mesh), of their two
   * stacks, and of RAY_WORK_BYTES bytes of working memory.
   */
  localsAt: 'u32',
  topStackAt: 'u32',
  stackAt: 'u32',
  workAt: 'u32',
  /** Hits of RAY_ALL: RayHit records. The count includes hits that did not fit. */
  hitsAt: 'u32',
  hitCapacity: 'u32',
  hitCount: 'u32',
  /**
   * Triples of words (ray, target, triangle) that this kernel cannot decide. A triple may occur more than once.
   */
  undecidedAt: 'u32',
  undecidedCapacity: 'u32',
  undecidedCount: 'u32',
  /** Number of an invalid ray, or NOTHING. */
  invalidRay: 'u32',
  rayNumber: 'u32',
  spare: ['u32', 14],
});

/** A hit of a ray. */
export const RayHit = /* @__PURE__ */ record({ time: 'f64', triangle: 'u32', target: 'u32' });

/** Constants that are shared by TypeScript and the kernels. */
export const raysLimits = {
  RAY_CLOSEST: 0,
  RAY_ANY: 1,
  RAY_COUNT: 2,
  RAY_ALL: 3,
  RAY_BOTH: 0,
  RAY_FRONT: 1,
  RAY_BACK: 2,
  /** Number of rays that a slice takes at a time. */
  RAY_BLOCK: 64,
  /** Bytes of an entry of a stack: a handle and the parameter at which the ray enters the box. */
  RAY_STACK_BYTES: 8,
  /** Bytes of working memory for exact arithmetic; see `assembly/rays/exactRay.ts`. */
  RAY_WORK_BYTES: 65536,
} as const;
