// Nodes of two trees, by what they are walked with -> one bit per pair of children that may meet. at: where
// tests are counted, or 0.

import { hybrid16, hybridLeafA, hybridLeafB } from '../hybrid/hybrid';
import { near16, nearLeafA, nearLeafB } from '../proximity/nearNodes';
import { overlap16, overlapLeafA, overlapLeafB } from '../simd/boxes';
import { NEAR, SPHERES } from './kinds';

/** As overlap16. */
// @ts-ignore: decorator
@inline
export function meet16(kind: u32, pair: usize, nodeA: usize, nodeB: usize, counts: usize): i32 {
  return kind == SPHERES
    ? hybrid16(pair, nodeA, nodeB, counts)
    : kind == NEAR
      ? near16(pair, nodeA, nodeB)
      : overlap16(pair, nodeA, nodeB);
}

/** As overlapLeafA. */
// @ts-ignore: decorator
@inline
export function meetLeafA(kind: u32, pair: usize, laneA: usize, nodeB: usize, counts: usize): i32 {
  return kind == SPHERES
    ? hybridLeafA(pair, laneA, nodeB, counts)
    : kind == NEAR
      ? nearLeafA(pair, laneA, nodeB)
      : overlapLeafA(pair, laneA, nodeB);
}

/** As overlapLeafB. */
// @ts-ignore: decorator
@inline
export function meetLeafB(kind: u32, pair: usize, nodeA: usize, laneB: usize, counts: usize): i32 {
  return kind == SPHERES
    ? hybridLeafB(pair, nodeA, laneB, counts)
    : kind == NEAR
      ? nearLeafB(pair, nodeA, laneB)
      : overlapLeafB(pair, nodeA, laneB);
}
