// A checked query of many edges: motions along which every joint value changes linearly.

import { lengthOf } from '../core/vectorLength.js';
import type { Chain } from './chain.js';
import { computeLevers, normOf } from './chainLevers.js';
import type { PosedBodies } from './poseMemory.js';

/** Default tolerance, relative to the largest coordinate that a moving body can reach. */
const RELATIVE_TOLERANCE = 2 ** -10;
/** Smallest tolerance, relative to the bound of the rounding errors of placed points. */
const MIN_TOLERANCE = 4;
/**
 * Up to this motion of its bodies, relative to the middle one of the three extents of the smaller body, the
 * trees of a pair are tested with the enlarged clearance.
 */
const TREE_REACH = 1 / 8;

export interface EdgeQuery {
  readonly bodies: PosedBodies & { readonly chain: Chain };
  readonly edgeCount: number;
  /** The joint values at both ends of each edge. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly want: 'any' | 'first';
  readonly clearance: number;
  readonly tolerance: number;
  /** See Levers. */
  readonly levers: Float64Array;
  readonly margin: number;
  /**
   * For each pair: if its bodies can move farther than this and farther than the tolerance in half an interval,
   * only their boxes are tested with the enlarged clearance.
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
  const { chain, meshes, movingCount, pairs } = bodies;
  const { valueCount } = chain;
  const largest = new Float64Array(valueCount);
  for (const values of [from, to])
    for (let i = 0; i < values.length; i++) {
      const value = i % valueCount;
      largest[value] = Math.max(largest[value], Math.abs(values[i]));
    }
  const { levers, margin, reach } = computeLevers(chain, meshes.slice(0, movingCount), pairs, largest);
  return {
    bodies,
    edgeCount: from.length / valueCount,
    from,
    to,
    want,
    clearance,
    tolerance: Math.max(tolerance ?? RELATIVE_TOLERANCE * reach, MIN_TOLERANCE * margin),
    levers,
    margin,
    treeReaches: treeReachesOf(bodies),
  };
}

/** Returns how far points of the bodies of a pair can move relative to each other along an edge, at most. */
export function longestMotion({ bodies, from, to, levers }: EdgeQuery, edge: number): number {
  const { valueCount } = bodies.chain;
  let longest = 0;
  for (let pair = 0; pair < bodies.pairCount; pair++) {
    let motion = 0;
    for (let i = 0; i < valueCount; i++) {
      const at = edge * valueCount + i;
      motion += Math.abs(to[at] - from[at]) * levers[pair * valueCount + i];
    }
    longest = Math.max(longest, motion);
  }
  return longest;
}

// Returns an eighth of the middle extent of the smaller body of each pair. This is the fastest for an arm of links:
// with half or twice as much, its edges take about a tenth longer.
function treeReachesOf({
  meshes,
  movingCount,
  pairs,
  pairCount,
  fixed,
  chain,
}: EdgeQuery['bodies']): Float64Array {
  const sizes = meshes.map(({ bounds }, body) => {
    const extents = [0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]).sort((a, b) => a - b);
    const matrix = fixed?.subarray(16 * (body - movingCount));
    const scale =
      body < movingCount
        ? normOf(chain.bodies[body].rows)
        : matrix
          ? lengthOf([...matrix.subarray(0, 3)])
          : 1;
    return scale * extents[1];
  });
  return Float64Array.from(
    { length: pairCount },
    (_, pair) => TREE_REACH * Math.min(sizes[pairs[2 * pair]], sizes[pairs[2 * pair + 1]]),
  );
}
