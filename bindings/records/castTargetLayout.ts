// The layout of a mesh that rays or moving shapes may hit.
import { record } from './record.js';

/**
 * A mesh that rays or moving shapes may hit, and its placement. The record can also describe the tree over the
 * boxes of several bodies; meshAt is then 0.
 */
export const CastTarget = /* @__PURE__ */ record({
  /** Transform from the frame of the rays or shapes to the tree's normalized frame: three rows of four. */
  rows: ['f64', 12],
  /**
   * `rows` transforms each point of a placed triangle to the normalized frame. Because of rounding, the result
   * may lie slightly outside the triangle's stored box. frameError and originError bound how far outside it
   * lies. frameError: the bound for a ray that starts at the origin of its frame; Infinity if the placement
   * has no usable inverse. originError: the bound grows by originError times the largest |coordinate| of the
   * ray's start. size: an upper bound of all stored |coordinates|, at least 1.
   */
  frameError: 'f64',
  originError: 'f64',
  size: 'f64',
  meshAt: 'u32',
  /** Address of the placement (12 f64), or 0 for the identity. */
  placementAt: 'u32',
  nodesAt: 'u32',
  /**
   * The body's id; of two equal hits, the hit on the body with the lower id comes first. In the record of a
   * tree of bodies: the number of targets.
   */
  body: 'u32',
});
