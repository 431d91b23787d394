// The layout of a placed mesh. It has a file of its own, because among the scripts only ray and shape casts
// read its fields, and bundles without them should not contain it.
import { record } from './record.js';

/** Data of a mesh and its placement that does not depend on the other mesh of a pair. */
export const PlacedMesh = /* @__PURE__ */ record({
  /**
   * inverse: the inverse of the placement's linear part, in columns of four values, the last of which is 0.
   * condition: the condition number, infinite if there is no inverse.
   */
  inverse: ['f64', 12],
  condition: 'f64',
  /**
   * reach: for each coordinate of a placed point, an upper bound of the sum of the absolute values of its
   * terms. extent: an upper bound of the |coordinate| of a vertex.
   */
  reach: ['f64', 3],
  extent: 'f64',
  /**
   * sizes: maximum stored |coordinate| on each axis. size: the maximum of these and 1. leafSize: the side of
   * a leaf, estimated as if the leaves were equal squares that cover the surface of the mesh's box.
   */
  sizes: ['f64', 3],
  size: 'f64',
  leafSize: 'f64',
});
