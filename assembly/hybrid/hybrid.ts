// Tests the children of two nodes for overlap. Their trees have a sphere beside each box (S-AABB). Each pair of
// children is first tested sphere against sphere. fillSpheres.ts marks each child whose box is to be tested in
// addition to its sphere. If the spheres overlap and at least one of the two children is marked, a second test
// follows: box against box if both are marked, or else the box of the marked child against the sphere of the
// other. In a result, the bit of each pair of children that may intersect is set.

import { Node, PairRecord, SphereCounts, SphereNode, SpherePair } from '../records';
import { overlap16, overlapLeafA, overlapLeafB } from '../simd/boxes';
import {
  BOXES,
  boxSphere4,
  boxSphere16,
  COLUMNS,
  ROWS,
  sphereBox4,
  sphereBox16,
  spheres4,
  spheres16,
} from './spheres';

// Returns the address of a node's spheres if `at` is the node's address. Returns the address of sphere i of
// the node if `at` is the address of its lane i, which is the node's address plus 4 * i.
function spheresAt(spheres: usize, nodes: usize, at: usize): usize {
  return spheres + ((nodeOf(at) - nodes) / Node.SIZE) * SphereNode.SIZE + (at & 12);
}

// Returns the address of the node that contains the lane at address `at`.
function nodeOf(at: usize): usize {
  return at & ~(<usize>12);
}

// Returns -1 (all bits set) if the box of the child in this lane is tested in addition to its sphere,
// otherwise 0.
function usesBoxAt(lane: usize): i32 {
  return -((load<i32>(nodeOf(lane), BOXES) >> ((<i32>lane & 12) >> 2)) & 1);
}

/**
 * Tests the children of two nodes, as overlap16 does for boxes. counts: the address of an array with
 * one SphereCounts per tree level, to which the tests are added; 0 if tests are not counted.
 */
export function hybrid16(pair: usize, nodeA: usize, nodeB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const spheresA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (spheresA == 0) return overlap16(pair, nodeA, nodeB);
  const a = spheresAt(spheresA, load<u32>(pair, PairRecord.nodesA), nodeA);
  const b = spheresAt(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), nodeB);
  const passed = spheres16(pair, spheres, a, b);
  const rows = load<i32>(nodeA, ROWS);
  const columns = load<i32>(nodeB, COLUMNS);
  const boxBox = passed & rows & columns;
  const boxSphere = passed & rows & ~columns;
  const sphereBox = passed & ~rows & columns;
  if (counts != 0) count(counts, nodeA, nodeB, 16, passed, boxBox, boxSphere, sphereBox);
  let hit = passed & ~(rows | columns);
  if (boxBox != 0) hit |= boxBox & overlap16(pair, nodeA, nodeB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere16(pair, spheres, nodeA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox16(pair, spheres, a, nodeB);
  return hit;
}

/** Tests a leaf of A against the children of a node of B, as overlapLeafA does for boxes. */
export function hybridLeafA(pair: usize, laneA: usize, nodeB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const spheresA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (spheresA == 0) return overlapLeafA(pair, laneA, nodeB);
  const a = spheresAt(spheresA, load<u32>(pair, PairRecord.nodesA), laneA);
  const b = spheresAt(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), nodeB);
  const passed = spheres4(true, false, pair, spheres, a, b);
  const usesBox = usesBoxAt(laneA);
  const boxes = load<i32>(nodeB, BOXES);
  const boxBox = passed & usesBox & boxes;
  const boxSphere = passed & usesBox & ~boxes;
  const sphereBox = passed & ~usesBox & boxes;
  if (counts != 0) count(counts, nodeOf(laneA), nodeB, 4, passed, boxBox, boxSphere, sphereBox);
  let hit = passed & ~(usesBox | boxes);
  if (boxBox != 0) hit |= boxBox & overlapLeafA(pair, laneA, nodeB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere4(true, false, pair, spheres, laneA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox4(true, false, pair, spheres, a, nodeB);
  return hit;
}

/** Tests the children of a node of A against a leaf of B, as overlapLeafB does for boxes. */
export function hybridLeafB(pair: usize, nodeA: usize, laneB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const spheresA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (spheresA == 0) return overlapLeafB(pair, nodeA, laneB);
  const a = spheresAt(spheresA, load<u32>(pair, PairRecord.nodesA), nodeA);
  const b = spheresAt(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), laneB);
  const passed = spheres4(false, true, pair, spheres, a, b);
  const usesBox = usesBoxAt(laneB);
  const boxes = load<i32>(nodeA, BOXES);
  const boxBox = passed & usesBox & boxes;
  const boxSphere = passed & ~usesBox & boxes;
  const sphereBox = passed & usesBox & ~boxes;
  if (counts != 0) count(counts, nodeA, nodeOf(laneB), 4, passed, boxBox, boxSphere, sphereBox);
  let hit = passed & ~(usesBox | boxes);
  if (boxBox != 0) hit |= boxBox & overlapLeafB(pair, nodeA, laneB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere4(false, true, pair, spheres, nodeA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox4(false, true, pair, spheres, a, laneB);
  return hit;
}

// Adds tests to the counters of one tree level: the level of the deeper of nodes `a` and `b`.
function count(
  counts: usize,
  a: usize,
  b: usize,
  tests: u32,
  passed: i32,
  boxBox: i32,
  boxSphere: i32,
  sphereBox: i32,
): void {
  const at = counts + <usize>(max(load<u32>(a, BOXES), load<u32>(b, BOXES)) >> 4) * SphereCounts.SIZE;
  increment(at + SphereCounts.tests, tests);
  increment(at + SphereCounts.passed, popcnt(passed));
  increment(at + SphereCounts.boxBox, popcnt(boxBox));
  increment(at + SphereCounts.boxSphere, popcnt(boxSphere));
  increment(at + SphereCounts.sphereBox, popcnt(sphereBox));
}

function increment(at: usize, by: u32): void {
  store<u64>(at, load<u64>(at) + <u64>by);
}

/**
 * Prefetches the spheres of node `a` of A and node `b` of B; does nothing if the pair has no spheres. As with
 * `prefetch` in simd/access.ts, the caller must store the result.
 */
export function prefetchSpheres(pair: usize, a: u32, b: u32): u32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const spheresA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (spheresA == 0) return 0;
  return (
    load<u32>(spheresA + <usize>a * SphereNode.SIZE) |
    load<u32>(<usize>load<u32>(spheres, SpherePair.spheresB) + <usize>b * SphereNode.SIZE)
  );
}
