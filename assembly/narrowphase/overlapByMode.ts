// Tests nodes of two trees for overlap, as the traversal mode requires (see traversalModes.ts). In a result, a
// bit is set for each pair of children that may intersect or, in mode NEAR, that may be within the clearance of
// each other. counts: in mode SPHERES, the address of the counters of tests; 0 if tests are not counted.

import { hybrid16, hybridLeafA, hybridLeafB } from '../hybrid/hybrid';
import { near16, nearLeafA, nearLeafB } from '../proximity/nearNodes';
import { overlap16, overlapLeafA, overlapLeafB } from '../simd/boxes';
import { NEAR, SPHERES } from './traversalModes';

/** Tests the children of two nodes, as overlap16 does for boxes. */
// @ts-ignore: decorator
@inline
export function overlapByMode16(mode: u32, pair: usize, nodeA: usize, nodeB: usize, counts: usize): i32 {
  return mode == SPHERES
    ? hybrid16(pair, nodeA, nodeB, counts)
    : mode == NEAR
      ? near16(pair, nodeA, nodeB)
      : overlap16(pair, nodeA, nodeB);
}

/** Tests a leaf of A against the children of a node of B, as overlapLeafA does for boxes. */
// @ts-ignore: decorator
@inline
export function overlapByModeLeafA(mode: u32, pair: usize, laneA: usize, nodeB: usize, counts: usize): i32 {
  return mode == SPHERES
    ? hybridLeafA(pair, laneA, nodeB, counts)
    : mode == NEAR
      ? nearLeafA(pair, laneA, nodeB)
      : overlapLeafA(pair, laneA, nodeB);
}

/** Tests the children of a node of A against a leaf of B, as overlapLeafB does for boxes. */
// @ts-ignore: decorator
@inline
export function overlapByModeLeafB(mode: u32, pair: usize, nodeA: usize, laneB: usize, counts: usize): i32 {
  return mode == SPHERES
    ? hybridLeafB(pair, nodeA, laneB, counts)
    : mode == NEAR
      ? nearLeafB(pair, nodeA, laneB)
      : overlapLeafB(pair, nodeA, laneB);
}
