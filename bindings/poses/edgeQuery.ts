// A checked query of many edges: motions along which every joint value changes linearly.

import type { Chain } from './chain.js';
import { computeLevers, type Levers, normOf, rowsOfBody, scaleAbove } from './chainLevers.js';
import type { PosedBodies } from './poseMemory.js';

/** Default tolerance, relative to the largest extent of a moving body. */
const RELATIVE_TOLERANCE = 2 ** -10;
/**
 * The value of `treeReaches` for a pair, as a fraction of the smaller of the two bodies' middle extents. Each
 * body has three extents.
 */
const TREE_REACH = 1 / 8;

export interface EdgeQuery extends Levers {
  readonly bodies: PosedBodies & { readonly chain: Chain };
  readonly edgeCount: number;
  /** The joint values at both ends of each edge. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly want: 'any' | 'first';
  readonly clearance: number;
  readonly tolerance: number;
  /**
   * For each pair, a length. An interval is tested with a clearance that is enlarged by the distance that the
   * bodies can move in half of the interval. If that distance exceeds both this length and the tolerance, only
   * the boxes of the bodies are tested with the enlarged clearance, not their trees.
   */
  readonly treeReaches: Float64Array;
}

/** @param tolerance undefined: the default */
export function makeEdgeQuery(
  bodies: EdgeQuery['bodies'],
  from: Float64Array,
  to: Float64Array,
  want: EdgeQuery['want'],
  clearance: number,
  tolerance: number | undefined,
): EdgeQuery {
  const { chain, movingCount } = bodies;
  const extents = extentsOf(bodies);
  return {
    bodies,
    edgeCount: from.length / chain.valueCount,
    from,
    to,
    want,
    clearance,
    tolerance:
      tolerance ??
      RELATIVE_TOLERANCE *
        extents.slice(0, movingCount).reduce((max, [, , last]) => Math.max(max, last), -Infinity),
    ...computeLevers(bodies),
    treeReaches: treeReachesOf(bodies, extents),
  };
}

// Returns the extents of each body, in ascending order. The extents of an empty body are 0.
function extentsOf({ meshes, movingCount, fixed, chain }: EdgeQuery['bodies']): number[][] {
  return meshes.map(({ bounds, triangleCount }, body) => {
    if (triangleCount === 0) return [0, 0, 0];
    const above = body < movingCount ? scaleAbove(chain.joints, chain.bodies[body].joint) : 1;
    const scale = normOf(rowsOfBody(chain, fixed, body)) * above;
    return [0, 1, 2].map(axis => scale * (bounds[axis + 3] - bounds[axis])).sort((a, b) => a - b);
  });
}

// Returns, for each pair, an eighth of the smaller of the two bodies' middle extents. Of the fractions that
// were measured, an eighth took the least time for edges of a robot arm.
function treeReachesOf(
  { pairs, pairCount }: EdgeQuery['bodies'],
  extents: readonly number[][],
): Float64Array {
  return Float64Array.from(
    { length: pairCount },
    (_, pair) => TREE_REACH * Math.min(extents[pairs[2 * pair]][1], extents[pairs[2 * pair + 1]][1]),
  );
}
