// Layouts of the records of shape casts and overlap tests: the shape, its motion, and the hits.
import { record } from './record.js';

/**
 * The job of `castShape`: a shape, its motion, the meshes that it may hit, and the result. Lengths are in the
 * user's units, coordinates in the frame in which the meshes are placed.
 */
export const ShapeJob = /* @__PURE__ */ record({
  /**
   * SHAPE_CAPSULE: all points within `radius` of the segment from start to start + segment; a sphere has the
   * segment 0, 0, 0. SHAPE_BOX: all points start + x axes[0] + y axes[1] + z axes[2] with |x|, |y|, |z| <= 1.
   * For SHAPE_MESH, the fields of SHAPE_BOX describe a box that contains the placed mesh.
   */
  start: ['f64', 3],
  segment: ['f64', 3],
  radius: 'f64',
  motion: ['f64', 3],
  axes: ['f64', 9],
  /**
   * The first contact so far. At bestTime, the shape has moved by bestTime * motion. bestSeparation: the
   * distance of the shape from the triangle at that time. If they overlap, it is negative for SHAPE_CAPSULE
   * and 0 for SHAPE_MESH. bestPoint: the point of the triangle that is nearest to the segment or to the
   * triangle of the moving mesh. bestNormal: unit vector from bestPoint toward the segment or the moving
   * triangle. If the two are too close to give a direction, bestNormal is the direction of the last step of the
   * search, or the normal of a triangle.
   */
  bestTime: 'f64',
  bestSeparation: 'f64',
  bestPoint: ['f64', 3],
  bestNormal: ['f64', 3],
  /** Working memory of the tests of a triangle. */
  work: ['f64', 96],
  kind: 'u32',
  /** SHAPE_FIRST: the first contact of the motion. SHAPE_ANY, SHAPE_ALL: triangles that overlap the shape. */
  want: 'u32',
  /** 1: ignore triangles that the shape touches at the start, if the motion separates it from them. */
  ignoresSeparating: 'u32',
  /** CastTargets. */
  targetsAt: 'u32',
  targetCount: 'u32',
  /** The triangle of the first contact, or NOTHING, and the number of its target. */
  bestTriangle: 'u32',
  bestTarget: 'u32',
  /**
   * For SHAPE_MESH: the moving mesh, its placement (12 f64) or 0, one MovingFrame per target, and the triangle
   * of the moving mesh at the first contact.
   */
  movingAt: 'u32',
  movingPlacementAt: 'u32',
  framesAt: 'u32',
  bestMoving: 'u32',
  /** A LocalShape, and the stack of the traversal. */
  localAt: 'u32',
  stackAt: 'u32',
  /**
   * Pairs of words (target, triangle): triangles that overlap the shape. The count includes pairs that did not
   * fit.
   */
  hitsAt: 'u32',
  hitCapacity: 'u32',
  hitCount: 'u32',
  /** The same for triangles for which arithmetic in doubles cannot decide whether they overlap the shape. */
  undecidedAt: 'u32',
  undecidedCapacity: 'u32',
  undecidedCount: 'u32',
  unused: 'u32',
});

/**
 * The box of a shape and its motion, in the normalized frame of a tree. The parameter u runs from 0 to 1 while
 * the box is near the tree. At the time t of the motion, u is (t - begin) * rate.
 */
export const LocalShape = /* @__PURE__ */ record({
  /** Center of the box at u = 0. shift: how far the shape has moved at u = 0. */
  origin: ['f64', 3],
  shift: ['f64', 3],
  /** motion: the whole motion. extent: half the extents of the shape, without bounds of rounding errors. */
  motion: ['f64', 3],
  extent: ['f64', 3],
  /** Bound of the errors that `half` includes. */
  slack: 'f64',
  begin: 'f64',
  rate: 'f64',
  /** Half the sides of the box, plus a bound of all rounding errors. */
  half: ['f32', 3],
  /**
   * floatOrigin: the origin as floats. inverse: 1 / displacement, limited to 2^40, where the displacement is
   * the motion of the box from u = 0 to u = 1. absInverse: the absolute values of `inverse`.
   */
  floatOrigin: ['f32', 3],
  inverse: ['f32', 3],
  absInverse: ['f32', 3],
});

/**
 * Transform from the normalized frame of a moving mesh, before it moves, to the normalized frame of a target:
 * three rows of four. error: bound of the errors of a transformed point, in the frame of the target.
 */
export const MovingFrame = /* @__PURE__ */ record({
  rows: ['f64', 12],
  error: 'f64',
});

/** The job of `listShapeBodies`: finds the bodies of a scene whose boxes a moving shape may meet. */
export const ShapeBodiesJob = /* @__PURE__ */ record({
  /** The box of all points that the shape passes: minimum x, y, z, then maximum x, y, z. */
  box: ['f64', 6],
  /** BodyRecords, and six f32 per body at boxesAt: minimum x, y, z, then maximum x, y, z. */
  recordsAt: 'u32',
  boxesAt: 'u32',
  slotCount: 'u32',
  group: 'u32',
  mask: 'u32',
  /** Output: the slots of the chosen bodies, one word each. There is room for slotCount words. */
  slotsAt: 'u32',
  chosenCount: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const shapeLimits = {
  SHAPE_CAPSULE: 0,
  SHAPE_BOX: 1,
  SHAPE_MESH: 2,
  SHAPE_FIRST: 0,
  SHAPE_ANY: 1,
  SHAPE_ALL: 2,
  /** Bytes of an entry of a stack: a handle, and the parameter at which the shape reaches the box. */
  SHAPE_STACK_BYTES: 8,
} as const;
