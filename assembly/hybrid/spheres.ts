// Tests spheres against spheres and against boxes. In a result, the bit of each pair that may intersect is
// set. In functions for 16 pairs, bit 4 * j + i stands for sphere or box i of A and sphere or box j of B. In
// functions for four pairs, bit i stands for lane i of A and lane i of B. If isSingleA is set, only one sphere
// or box of A is tested, against all four lanes of B; the caller passes the address of the lane of this sphere
// or box. isSingleB means the same for B. The slack added to the radii covers all rounding errors (see
// computeSphereStretch.ts).

import { Node, PairRecord, SphereNode, SpherePair } from '../records';
import { image } from '../simd/frames';
import {
  abs,
  add,
  lane0,
  lane1,
  lane2,
  lane3,
  le,
  load4,
  maskBits,
  max4,
  mul,
  splat,
  splatAt,
  sub,
} from '../simd/lanes';

/**
 * Byte offsets of words of a Node. BOXES: bit i is set if the box of child i is also tested, after its sphere;
 * the level of the children is stored from bit 4 on. ROWS and COLUMNS expand the first four bits to the 16
 * pairs of children of two nodes, with bit 4 * j + i for child i of A and child j of B: ROWS for a node of A,
 * COLUMNS for a node of B.
 */
export const BOXES: usize = Node.sphereBoxes;
export const ROWS: usize = Node.sphereRows;
export const COLUMNS: usize = Node.sphereColumns;

const ROW: usize = 16;

/**
 * Returns the four lanes of a field, or, if isSingle is set, four copies of the lane whose address is `at`.
 */
export function loadLanes(isSingle: bool, at: usize, field: usize): v128 {
  return isSingle ? splatAt(at, field) : load4(at, field);
}

// Returns a lane mask of the vectors (x, y, z) that are at most `distance` long. A missing sphere is at
// Infinity, so in a test of two spheres, its vector has components of Infinity or NaN, and its lane is not set.
// A test of a sphere and a box may set the lane of a missing sphere. So the caller uses the result only for
// pairs whose spheres overlap.
function within(x: v128, y: v128, z: v128, distance: v128): v128 {
  return le(add(add(mul(x, x), mul(y, y)), mul(z, z)), mul(distance, distance));
}

// Returns by how much |a - b| exceeds `half`, a half extent; 0 if it does not.
function beyond(a: v128, b: v128, half: v128): v128 {
  return max4(splat(0), sub(abs(sub(a, b)), half));
}

/**
 * reachOf returns the radii of B's spheres in A's frame, including slack. backReachOf returns the radii of
 * A's spheres in B's frame, including slack.
 */
function reachOf(spheres: usize, radius: v128): v128 {
  return add(mul(splatAt(spheres, SpherePair.stretch), radius), splatAt(spheres, SpherePair.slack));
}
function backReachOf(spheres: usize, radius: v128): v128 {
  return add(mul(splatAt(spheres, SpherePair.backStretch), radius), splatAt(spheres, SpherePair.backSlack));
}

/** Tests four spheres of A against four spheres of B, in A's frame. Returns one bit per pair. */
// @ts-ignore: decorator
@inline
export function spheres16(pair: usize, spheres: usize, a: usize, b: usize): i32 {
  const bx = load4(b, SphereNode.centerX);
  const by = load4(b, SphereNode.centerY);
  const bz = load4(b, SphereNode.centerZ);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const reach = reachOf(spheres, load4(b, SphereNode.radius));
  const ax = load4(a, SphereNode.centerX);
  const ay = load4(a, SphereNode.centerY);
  const az = load4(a, SphereNode.centerZ);
  const radius = load4(a, SphereNode.radius);
  const overlap0 = within(
    sub(ax, lane0(px)),
    sub(ay, lane0(py)),
    sub(az, lane0(pz)),
    add(radius, lane0(reach)),
  );
  const overlap1 = within(
    sub(ax, lane1(px)),
    sub(ay, lane1(py)),
    sub(az, lane1(pz)),
    add(radius, lane1(reach)),
  );
  const overlap2 = within(
    sub(ax, lane2(px)),
    sub(ay, lane2(py)),
    sub(az, lane2(pz)),
    add(radius, lane2(reach)),
  );
  const overlap3 = within(
    sub(ax, lane3(px)),
    sub(ay, lane3(py)),
    sub(az, lane3(pz)),
    add(radius, lane3(reach)),
  );
  return (
    maskBits(overlap0) | (maskBits(overlap1) << 4) | (maskBits(overlap2) << 8) | (maskBits(overlap3) << 12)
  );
}

/** Tests four boxes of A against four spheres of B, in A's frame. Returns one bit per pair. */
export function boxSphere16(pair: usize, spheres: usize, nodeA: usize, b: usize): i32 {
  const bx = load4(b, SphereNode.centerX);
  const by = load4(b, SphereNode.centerY);
  const bz = load4(b, SphereNode.centerZ);
  const px = image(pair + PairRecord.toA, bx, by, bz);
  const py = image(pair + PairRecord.toA + ROW, bx, by, bz);
  const pz = image(pair + PairRecord.toA + 2 * ROW, bx, by, bz);
  const reach = reachOf(spheres, load4(b, SphereNode.radius));
  const ax = load4(nodeA, Node.centerX);
  const ay = load4(nodeA, Node.centerY);
  const az = load4(nodeA, Node.centerZ);
  const hx = load4(nodeA, Node.halfX);
  const hy = load4(nodeA, Node.halfY);
  const hz = load4(nodeA, Node.halfZ);
  const overlap0 = within(
    beyond(ax, lane0(px), hx),
    beyond(ay, lane0(py), hy),
    beyond(az, lane0(pz), hz),
    lane0(reach),
  );
  const overlap1 = within(
    beyond(ax, lane1(px), hx),
    beyond(ay, lane1(py), hy),
    beyond(az, lane1(pz), hz),
    lane1(reach),
  );
  const overlap2 = within(
    beyond(ax, lane2(px), hx),
    beyond(ay, lane2(py), hy),
    beyond(az, lane2(pz), hz),
    lane2(reach),
  );
  const overlap3 = within(
    beyond(ax, lane3(px), hx),
    beyond(ay, lane3(py), hy),
    beyond(az, lane3(pz), hz),
    lane3(reach),
  );
  return (
    maskBits(overlap0) | (maskBits(overlap1) << 4) | (maskBits(overlap2) << 8) | (maskBits(overlap3) << 12)
  );
}

/** Tests four spheres of A against four boxes of B, in B's frame. Returns one bit per pair. */
export function sphereBox16(pair: usize, spheres: usize, a: usize, nodeB: usize): i32 {
  const ax = load4(a, SphereNode.centerX);
  const ay = load4(a, SphereNode.centerY);
  const az = load4(a, SphereNode.centerZ);
  const px = image(pair + PairRecord.toB, ax, ay, az);
  const py = image(pair + PairRecord.toB + ROW, ax, ay, az);
  const pz = image(pair + PairRecord.toB + 2 * ROW, ax, ay, az);
  const reach = backReachOf(spheres, load4(a, SphereNode.radius));
  return (
    maskBits(overlapBox(px, py, pz, reach, nodeB)) |
    (maskBits(overlapBox(px, py, pz, reach, nodeB + 4)) << 4) |
    (maskBits(overlapBox(px, py, pz, reach, nodeB + 8)) << 8) |
    (maskBits(overlapBox(px, py, pz, reach, nodeB + 12)) << 12)
  );
}

function overlapBox(x: v128, y: v128, z: v128, reach: v128, lane: usize): v128 {
  return within(
    beyond(x, splatAt(lane, Node.centerX), splatAt(lane, Node.halfX)),
    beyond(y, splatAt(lane, Node.centerY), splatAt(lane, Node.halfY)),
    beyond(z, splatAt(lane, Node.centerZ), splatAt(lane, Node.halfZ)),
    reach,
  );
}

/** Tests each sphere of A against the sphere of B in the same lane, in A's frame. */
// @ts-ignore: decorator
@inline
export function spheres4(
  isSingleA: bool,
  isSingleB: bool,
  pair: usize,
  spheres: usize,
  a: usize,
  b: usize,
): i32 {
  const bx = loadLanes(isSingleB, b, SphereNode.centerX);
  const by = loadLanes(isSingleB, b, SphereNode.centerY);
  const bz = loadLanes(isSingleB, b, SphereNode.centerZ);
  const toA = pair + PairRecord.toA;
  const x = sub(loadLanes(isSingleA, a, SphereNode.centerX), image(toA, bx, by, bz));
  const y = sub(loadLanes(isSingleA, a, SphereNode.centerY), image(toA + ROW, bx, by, bz));
  const z = sub(loadLanes(isSingleA, a, SphereNode.centerZ), image(toA + 2 * ROW, bx, by, bz));
  return maskBits(
    within(
      x,
      y,
      z,
      add(
        loadLanes(isSingleA, a, SphereNode.radius),
        reachOf(spheres, loadLanes(isSingleB, b, SphereNode.radius)),
      ),
    ),
  );
}

/** Tests each box of A against the sphere of B in the same lane, in A's frame. */
// @ts-ignore: decorator
@inline
export function boxSphere4(
  isSingleA: bool,
  isSingleB: bool,
  pair: usize,
  spheres: usize,
  boxA: usize,
  b: usize,
): i32 {
  const bx = loadLanes(isSingleB, b, SphereNode.centerX);
  const by = loadLanes(isSingleB, b, SphereNode.centerY);
  const bz = loadLanes(isSingleB, b, SphereNode.centerZ);
  const toA = pair + PairRecord.toA;
  const x = beyond(
    loadLanes(isSingleA, boxA, Node.centerX),
    image(toA, bx, by, bz),
    loadLanes(isSingleA, boxA, Node.halfX),
  );
  const y = beyond(
    loadLanes(isSingleA, boxA, Node.centerY),
    image(toA + ROW, bx, by, bz),
    loadLanes(isSingleA, boxA, Node.halfY),
  );
  const z = beyond(
    loadLanes(isSingleA, boxA, Node.centerZ),
    image(toA + 2 * ROW, bx, by, bz),
    loadLanes(isSingleA, boxA, Node.halfZ),
  );
  return maskBits(within(x, y, z, reachOf(spheres, loadLanes(isSingleB, b, SphereNode.radius))));
}

/** Tests each sphere of A against the box of B in the same lane, in B's frame. */
// @ts-ignore: decorator
@inline
export function sphereBox4(
  isSingleA: bool,
  isSingleB: bool,
  pair: usize,
  spheres: usize,
  a: usize,
  boxB: usize,
): i32 {
  const ax = loadLanes(isSingleA, a, SphereNode.centerX);
  const ay = loadLanes(isSingleA, a, SphereNode.centerY);
  const az = loadLanes(isSingleA, a, SphereNode.centerZ);
  const toB = pair + PairRecord.toB;
  const x = beyond(
    image(toB, ax, ay, az),
    loadLanes(isSingleB, boxB, Node.centerX),
    loadLanes(isSingleB, boxB, Node.halfX),
  );
  const y = beyond(
    image(toB + ROW, ax, ay, az),
    loadLanes(isSingleB, boxB, Node.centerY),
    loadLanes(isSingleB, boxB, Node.halfY),
  );
  const z = beyond(
    image(toB + 2 * ROW, ax, ay, az),
    loadLanes(isSingleB, boxB, Node.centerZ),
    loadLanes(isSingleB, boxB, Node.halfZ),
  );
  return maskBits(within(x, y, z, backReachOf(spheres, loadLanes(isSingleA, a, SphereNode.radius))));
}
