// Nodes with spheres beside their boxes -> one bit per pair of children that may meet: spheres first, then of
// each its box or its sphere.

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

// Spheres of the node at this address, or that a lane of it is at; of a lane, its own.
function beside(spheres: usize, nodes: usize, at: usize): usize {
  return spheres + ((nodeOf(at) - nodes) / Node.SIZE) * SphereNode.SIZE + (at & 12);
}

// The node that a lane is in.
function nodeOf(at: usize): usize {
  return at & ~(<usize>12);
}

// Of a lane all bits where it uses its box.
function usesBoxAt(lane: usize): i32 {
  return -((load<i32>(nodeOf(lane), BOXES) >> ((<i32>lane & 12) >> 2)) & 1);
}

/** As overlap16. counts: SphereCounts by level, or 0. */
export function hybrid16(pair: usize, nodeA: usize, nodeB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const ofA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (ofA == 0) return overlap16(pair, nodeA, nodeB);
  const a = beside(ofA, load<u32>(pair, PairRecord.nodesA), nodeA);
  const b = beside(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), nodeB);
  const met = spheres16(pair, spheres, a, b);
  const rows = load<i32>(nodeA, ROWS);
  const columns = load<i32>(nodeB, COLUMNS);
  const boxBox = met & rows & columns;
  const boxSphere = met & rows & ~columns;
  const sphereBox = met & ~rows & columns;
  if (counts != 0) count(counts, nodeA, nodeB, 16, met, boxBox, boxSphere, sphereBox);
  let hit = met & ~(rows | columns);
  if (boxBox != 0) hit |= boxBox & overlap16(pair, nodeA, nodeB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere16(pair, spheres, nodeA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox16(pair, spheres, a, nodeB);
  return hit;
}

/** As overlapLeafA. */
export function hybridLeafA(pair: usize, laneA: usize, nodeB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const ofA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (ofA == 0) return overlapLeafA(pair, laneA, nodeB);
  const a = beside(ofA, load<u32>(pair, PairRecord.nodesA), laneA);
  const b = beside(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), nodeB);
  const met = spheres4(true, false, pair, spheres, a, b);
  const usesBox = usesBoxAt(laneA);
  const boxes = load<i32>(nodeB, BOXES);
  const boxBox = met & usesBox & boxes;
  const boxSphere = met & usesBox & ~boxes;
  const sphereBox = met & ~usesBox & boxes;
  if (counts != 0) count(counts, nodeOf(laneA), nodeB, 4, met, boxBox, boxSphere, sphereBox);
  let hit = met & ~(usesBox | boxes);
  if (boxBox != 0) hit |= boxBox & overlapLeafA(pair, laneA, nodeB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere4(true, false, pair, spheres, laneA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox4(true, false, pair, spheres, a, nodeB);
  return hit;
}

/** As overlapLeafB. */
export function hybridLeafB(pair: usize, nodeA: usize, laneB: usize, counts: usize): i32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const ofA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (ofA == 0) return overlapLeafB(pair, nodeA, laneB);
  const a = beside(ofA, load<u32>(pair, PairRecord.nodesA), nodeA);
  const b = beside(load<u32>(spheres, SpherePair.spheresB), load<u32>(pair, PairRecord.nodesB), laneB);
  const met = spheres4(false, true, pair, spheres, a, b);
  const usesBox = usesBoxAt(laneB);
  const boxes = load<i32>(nodeA, BOXES);
  const boxBox = met & usesBox & boxes;
  const boxSphere = met & ~usesBox & boxes;
  const sphereBox = met & usesBox & ~boxes;
  if (counts != 0) count(counts, nodeA, nodeOf(laneB), 4, met, boxBox, boxSphere, sphereBox);
  let hit = met & ~(usesBox | boxes);
  if (boxBox != 0) hit |= boxBox & overlapLeafB(pair, nodeA, laneB);
  if (boxSphere != 0) hit |= boxSphere & boxSphere4(false, true, pair, spheres, nodeA, b);
  if (sphereBox != 0) hit |= sphereBox & sphereBox4(false, true, pair, spheres, a, laneB);
  return hit;
}

function count(
  counts: usize,
  a: usize,
  b: usize,
  tests: u32,
  met: i32,
  boxBox: i32,
  boxSphere: i32,
  sphereBox: i32,
): void {
  const at = counts + <usize>(max(load<u32>(a, BOXES), load<u32>(b, BOXES)) >> 4) * SphereCounts.SIZE;
  raise(at + SphereCounts.tests, tests);
  raise(at + SphereCounts.met, popcnt(met));
  raise(at + SphereCounts.boxBox, popcnt(boxBox));
  raise(at + SphereCounts.boxSphere, popcnt(boxSphere));
  raise(at + SphereCounts.sphereBox, popcnt(sphereBox));
}

function raise(at: usize, by: u32): void {
  store<u64>(at, load<u64>(at) + <u64>by);
}

/** Brings the spheres of two nodes nearer, as access.ts says; nothing where the pair has none. */
export function askForSpheres(pair: usize, a: u32, b: u32): u32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const ofA: usize = load<u32>(spheres, SpherePair.spheresA);
  if (ofA == 0) return 0;
  return (
    load<u32>(ofA + <usize>a * SphereNode.SIZE) |
    load<u32>(<usize>load<u32>(spheres, SpherePair.spheresB) + <usize>b * SphereNode.SIZE)
  );
}
