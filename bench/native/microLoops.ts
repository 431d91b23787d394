// Kernels, each of which calls one function in a loop. In pfront's own kernels, the compiler inlines these
// functions, so `npm run bench -- micro` uses these loops to measure each function alone.
import { makePlane, sideOfPlane } from '../../assembly/exact/orient';
import { hybrid16 } from '../../assembly/hybrid/hybrid';
import { spheres16 } from '../../assembly/hybrid/spheres';
import { filterCandidates, gatherCandidates, testLeafPairs } from '../../assembly/narrowphase/testLeafPairs';
import { LEAF_CHUNK, ListRecord, Node, PairRecord, SphereNode, SpherePair } from '../../assembly/records';
import { overlap16 } from '../../assembly/simd/boxes';

export { gatherCandidates, overlap16 };

/**
 * Tests `count` pairs of nodes. `nodes`: for each pair, the addresses of its two nodes. Returns the number of
 * pairs of children whose boxes may overlap.
 */
export function overlapSteps(pair: usize, nodes: usize, count: usize): u32 {
  let found: u32 = 0;
  for (let at = nodes, end = nodes + (count << 3); at < end; at += 8)
    found += popcnt(overlap16(pair, load<u32>(at), load<u32>(at, 4)));
  return found;
}

/** Tests the same pairs of nodes as overlapSteps, but only their spheres. The trees must have spheres. */
export function sphereSteps(pair: usize, nodes: usize, count: usize): u32 {
  const spheres: usize = load<u32>(pair, PairRecord.pairingAt);
  const spheresA: usize = load<u32>(spheres, SpherePair.spheresA);
  const spheresB: usize = load<u32>(spheres, SpherePair.spheresB);
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  let found: u32 = 0;
  for (let at = nodes, end = nodes + (count << 3); at < end; at += 8) {
    const a = spheresA + ((<usize>load<u32>(at) - nodesA) / Node.SIZE) * SphereNode.SIZE;
    const b = spheresB + ((<usize>load<u32>(at, 4) - nodesB) / Node.SIZE) * SphereNode.SIZE;
    found += popcnt(spheres16(pair, spheres, a, b));
  }
  return found;
}

/** Tests the same pairs of nodes as overlapSteps: first their spheres and, if necessary, also their boxes. */
export function hybridSteps(pair: usize, nodes: usize, count: usize): u32 {
  let found: u32 = 0;
  for (let at = nodes, end = nodes + (count << 3); at < end; at += 8)
    found += popcnt(hybrid16(pair, load<u32>(at), load<u32>(at, 4), 0));
  return found;
}

/**
 * Tests pairs of leaves in chunks, as a traversal does. `leaves`: the handles of A's leaves, then the
 * handles of B's leaves. Returns the number of intersecting triangle pairs.
 */
export function leafTests(list: usize, pair: usize, table: usize, leaves: usize, count: usize): u32 {
  const buffer: usize = load<u32>(list, ListRecord.leavesAt);
  const stride: usize = load<u32>(list, ListRecord.leavesStride);
  let found: u32 = 0;
  for (let first: usize = 0; first < count; first += LEAF_CHUNK) {
    const chunk = min<usize>(LEAF_CHUNK, count - first);
    memory.copy(buffer, leaves + (first << 2), chunk << 2);
    memory.copy(buffer + stride, leaves + ((count + first) << 2), chunk << 2);
    store<u32>(list, 0, ListRecord.pairsCount);
    testLeafPairs(list, pair, 0, table, <u32>chunk);
    found += load<u32>(list, ListRecord.pairsCount);
  }
  return found;
}

/**
 * Filters the same candidates `iterations` times. Returns the number of candidates of one iteration that the
 * filter proves to intersect.
 */
export function filterTests(
  list: usize,
  pair: usize,
  table: usize,
  candidates: usize,
  count: u32,
  iterations: u32,
): u32 {
  for (let iteration: u32 = 0; iteration < iterations; iteration++) {
    store<u32>(list, 0, ListRecord.pairsCount);
    filterCandidates(false, list, pair, table, candidates, count);
  }
  return load<u32>(list, ListRecord.pairsCount);
}

/**
 * For each group of four points (3 f64 each), makes a plane through the first three points and computes on
 * which side of the plane the fourth point lies. `count`: the number of groups. Returns the number of fourth
 * points that lie on their plane.
 */
export function orientations(points: usize, count: usize, plane: usize, work: usize): i32 {
  let onPlane = <i32>count;
  for (let at = points, end = points + count * 96; at < end; at += 96) {
    makePlane(plane, at, at + 24, at + 48);
    onPlane -= abs(sideOfPlane(plane, at + 72, work));
  }
  return onPlane;
}
