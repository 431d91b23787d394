// The layout of a mesh that rays or moving shapes may hit.
import { record } from './record.js';

/**
 * A mesh that rays or moving shapes may hit, and its placement. Also describes the tree over the boxes of
 * several bodies, whose meshAt is 0.
 */
export const CastTarget = /* @__PURE__ */ record({
  /** Transform from the frame of the rays or shapes to the tree's normalized frame: three rows of four. */
  rows: ['f64', 12],
  /**
   * Bounds, in the normalized frame, of how far a transformed point of a placed triangle lies outside the
   * triangle's stored box. frameError: for a ray from the origin; Infinity if the placement has no usable
   * inverse. originError: to be added for each unit of the largest |coordinate| of the ray's origin. size:
   * upper bound of all stored |coordinates|, at least 1.
   */
  frameError: 'f64',
  originError: 'f64',
  size: 'f64',
  meshAt: 'u32',
  /** Address of the placement (12 f64), or 0 for the identity. */
  placementAt: 'u32',
  nodesAt: 'u32',
  /** The body's id; it decides ties. */
  body: 'u32',
});
