// Expands a pair of boxes in a distance search: writes the pairs of their children that may contain the
// nearest triangles.

import { DistanceSearch, LEAF_BIT, Node, NodePairEntry, PairRecord } from '../records';
import { handleOf, laneAt } from '../simd/access';
import { le, load4, maskBits, splat } from '../simd/lanes';
import { distanceBound16, distanceBoundLeafA, distanceBoundLeafB } from './distanceBounds';

export function writeNodePair(at: usize, slotA: u32, slotB: u32, squaredBound: f32): void {
  store<u32>(at, slotA, NodePairEntry.slotA);
  store<u32>(at, slotB, NodePairEntry.slotB);
  store<f32>(at, squaredBound, NodePairEntry.squaredBound);
}

/** Returns whether both boxes are leaves. */
export function areLeaves(pair: usize, slotA: u32, slotB: u32): bool {
  return (
    (handleOf(load<u32>(pair, PairRecord.nodesA), slotA) &
      handleOf(load<u32>(pair, PairRecord.nodesB), slotB) &
      LEAF_BIT) !=
    0
  );
}

/**
 * Writes to `out` the pairs of children (at most 16) for which the lower bound of the squared distance does not
 * exceed `limit`. If one of the boxes is a leaf, the leaf itself is paired with the children of the other box.
 * At least one of the boxes must not be a leaf. Returns the end of the written entries.
 */
export function writeNearChildren(
  job: usize,
  search: usize,
  pair: usize,
  slotA: u32,
  slotB: u32,
  limit: f32,
  out: usize,
): usize {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const handleA = handleOf(nodesA, slotA);
  const handleB = handleOf(nodesB, slotB);
  const isLeafA = (handleA & LEAF_BIT) != 0;
  const isLeafB = (handleB & LEAF_BIT) != 0;
  const bounds: usize = load<u32>(search, DistanceSearch.scratchAt);
  const nodeA = nodesA + <usize>handleA * Node.SIZE;
  const nodeB = nodesB + <usize>handleB * Node.SIZE;
  store<f64>(
    search,
    load<f64>(search, DistanceSearch.boxTests) + (isLeafA || isLeafB ? 4 : 16),
    DistanceSearch.boxTests,
  );
  if (isLeafA) {
    v128.store(bounds, distanceBoundLeafA(job, search, pair, laneAt(nodesA, slotA), nodeB));
    for (
      let near = maskBits(le(load4(bounds), splat(limit)));
      near != 0;
      near &= near - 1, out += NodePairEntry.SIZE
    ) {
      writeNodePair(
        out,
        slotA,
        (handleB << 2) + <u32>ctz(near),
        load<f32>(bounds + ((<usize>ctz(near)) << 2)),
      );
    }
  } else if (isLeafB) {
    v128.store(bounds, distanceBoundLeafB(job, search, pair, nodeA, laneAt(nodesB, slotB)));
    for (
      let near = maskBits(le(load4(bounds), splat(limit)));
      near != 0;
      near &= near - 1, out += NodePairEntry.SIZE
    ) {
      writeNodePair(
        out,
        (handleA << 2) + <u32>ctz(near),
        slotB,
        load<f32>(bounds + ((<usize>ctz(near)) << 2)),
      );
    }
  } else {
    distanceBound16(job, search, pair, nodeA, nodeB, bounds);
    for (let j: u32 = 0; j < 4; j++) {
      const four = bounds + ((<usize>j) << 4);
      for (
        let near = maskBits(le(load4(four), splat(limit)));
        near != 0;
        near &= near - 1, out += NodePairEntry.SIZE
      ) {
        writeNodePair(
          out,
          (handleA << 2) + <u32>ctz(near),
          (handleB << 2) + j,
          load<f32>(four + ((<usize>ctz(near)) << 2)),
        );
      }
    }
  }
  return out;
}
