// Finds the first contact of two moving meshes. The trees of both meshes are descended together. For each pair
// of boxes, the time at which the moving boxes first overlap is computed. The search is depth first, and visits
// the child pairs of a pair in the order of these times. A pair whose boxes overlap only after a known contact
// is skipped.

import {
  Contact,
  ContactList,
  INTERSECT,
  LEAF_BIT,
  Leaf,
  MeshRecord,
  NOTHING,
  Node,
  PAIR_ENTRY_BYTES,
  REACHED,
  RotationPlan,
  START,
  SweepFeaturesJob,
  SweepQuery,
  SweptMesh,
  TOO_WIDE,
  TreeDescent,
} from '../records';
import { pushPair } from '../bvh/pairStack';
import { image } from '../simd/frames';
import { add, and, gt, le, max4, min4, mul, or, splat, splatAt, sub } from '../simd/lanes';
import { testPairs } from './featurePairs';
import { placeFace } from './findFacesInRegion';
import { pairFeatures } from './pairFeatures';
import { ABSOLUTE, center, extent, PLACED, placeTree } from './placedTree';
import { ROWS } from './placeRotated';
import { refineContacts } from './refineContacts';
import { addStartIfTouching } from './startPairs';

/**
 * TIME_SLACK, 2^-21: the boxes of a contact may begin to overlap later than the contact's toi, but by less than
 * this. The delay is at most the resolution, 2^-24 of the step. In rigid motion, the toi of the refined contact
 * counts. FLOAT_TIME_SLACK, 2^-22: more than the absolute rounding error of a time in floats. TIME_FACTOR,
 * 2^-20: bound on the relative rounding errors of a computed time.
 */
const TIME_SLACK: f64 = 4.76837158203125e-7;
const FLOAT_TIME_SLACK: f32 = 2.384185791015625e-7;
const TIME_FACTOR: f32 = 9.5367431640625e-7;
/** Bytes of the boxes of four children on one axis. */
const AXIS: usize = 64;

/**
 * Sweeps the two meshes of a TreeDescent. Its region, meshes and placements must be set. Every contact that may
 * be the first one is added to the list. The list's `earliest` is a time after which contacts are not needed;
 * it decreases when a contact is found. plan: the RotationPlan of a coarse substep, or 0 if points move
 * linearly. Returns false if the exact test cannot decide whether two faces intersect at the start (TOO_WIDE).
 */
export function descendTrees(sweepQuery: usize, list: usize, plan: usize, descent: usize): bool {
  const meshA: usize = load<u32>(descent, TreeDescent.meshA);
  const meshB: usize = load<u32>(descent, TreeDescent.meshB);
  const region = descent + TreeDescent.region;
  for (let end: usize = 0; end < 2; end++) {
    const rows = descent + TreeDescent.placements + end * ROWS;
    placeTree(meshA, rows, region, descent + TreeDescent.treeA + end * PLACED);
    placeTree(meshB, rows + 2 * ROWS, region, descent + TreeDescent.treeB + end * PLACED);
  }
  store<f32>(
    descent,
    <f32>(
      (load<f64>(sweepQuery, SweepQuery.margin) +
        load<f64>(sweepQuery + SweepQuery.faceOptions, SweepFeaturesJob.tolerance))
    ) * 1.000001,
    TreeDescent.reach,
  );
  store<u32>(descent, NOTHING, TreeDescent.startA);
  store<u32>(descent, NOTHING, TreeDescent.firstA);
  store<u32>(descent, load<u32>(sweepQuery, SweepQuery.isExact), TreeDescent.isExact);
  setEarliest(list, plan);
  const nodesA: usize = load<u32>(meshA, MeshRecord.nodesAt);
  const nodesB: usize = load<u32>(meshB, MeshRecord.nodesAt);
  const leavesA: usize = load<u32>(meshA, MeshRecord.leavesAt);
  const leavesB: usize = load<u32>(meshB, MeshRecord.leavesAt);
  const stack = descent + TreeDescent.SIZE;
  let end = pushPair(stack, stack, 0, 0, 0);
  let boundA: usize = 0;
  let boundB: usize = 0;
  while (end > stack) {
    end -= PAIR_ENTRY_BYTES;
    const latest = latestOf(list);
    if (load<f32>(end, 8) > latest) continue;
    const a = load<u32>(end);
    const b = load<u32>(end, 4);
    const isLeafA = (a & LEAF_BIT) != 0;
    const isLeafB = (b & LEAF_BIT) != 0;
    const itemA = isLeafA ? leavesA + <usize>(a & ~LEAF_BIT) * Leaf.SIZE : nodesA + <usize>a * Node.SIZE;
    const itemB = isLeafB ? leavesB + <usize>(b & ~LEAF_BIT) * Leaf.SIZE : nodesB + <usize>b * Node.SIZE;
    // Successive pairs often have a node in common.
    if (itemA != boundA) bound(itemA, isLeafA, descent + TreeDescent.treeA, descent + TreeDescent.boxesA);
    if (itemB != boundB) bound(itemB, isLeafB, descent + TreeDescent.treeB, descent + TreeDescent.boxesB);
    boundA = itemA;
    boundB = itemB;
    const childrenA = itemA + (isLeafA ? Leaf.id : Node.child);
    const childrenB = itemB + (isLeafB ? Leaf.id : Node.child);
    writeTimes(descent, childrenA, childrenB, latest);
    if (isLeafA && isLeafB) {
      if (!testLeaves(sweepQuery, list, plan, descent, childrenA, childrenB)) return false;
    } else end = pushPairs(end, descent, a, b, childrenA, childrenB);
  }
  return true;
}

// Converts the plan's earliest time, plus slack, to a time in its coarse substep, and stores it in the list.
// Does nothing if plan is 0.
function setEarliest(list: usize, plan: usize): void {
  if (plan == 0) return;
  const substeps = <f64>((<u32>1) << load<u32>(plan, RotationPlan.coarse));
  const earliest = load<f64>(plan, RotationPlan.earliest) + TIME_SLACK;
  store<f64>(list, earliest * substeps - <f64>load<u32>(plan, RotationPlan.substep), ContactList.earliest);
}

function latestOf(list: usize): f32 {
  return <f32>(load<f64>(list, ContactList.earliest) + TIME_SLACK);
}

// Pushes the pairs of children whose boxes overlap at some time up to `latest`. A leaf is not divided into its
// triangles here: it is paired as a whole with each child of a node.
function pushPairs(base: usize, descent: usize, a: u32, b: u32, childrenA: usize, childrenB: usize): usize {
  let end = base;
  const isLeafA = (a & LEAF_BIT) != 0;
  const isLeafB = (b & LEAF_BIT) != 0;
  const countA: usize = isLeafA ? 1 : 4;
  const countB: usize = isLeafB ? 1 : 4;
  for (let i: usize = 0; i < countA; i++) {
    for (let k: usize = 0; k < countB; k++) {
      const times = descent + TreeDescent.times + (i << 4) + (k << 2);
      const time = isLeafA
        ? min(min(load<f32>(times), load<f32>(times, 16)), min(load<f32>(times, 32), load<f32>(times, 48)))
        : isLeafB
          ? min(min(load<f32>(times), load<f32>(times, 4)), min(load<f32>(times, 8), load<f32>(times, 12)))
          : load<f32>(times);
      if (time == Infinity) continue;
      end = pushPair(
        base,
        end,
        isLeafA ? a : load<u32>(childrenA + (i << 2)),
        isLeafB ? b : load<u32>(childrenB + (k << 2)),
        time,
      );
    }
  }
  return end;
}

// Writes the bounds of four moving boxes: for each axis the minima and maxima at the start, then at the end.
// Between the two ends, a bound is interpolated linearly. item: a Node or, if isLeaf, a Leaf, whose triangles
// are bounded. tree: the placements of the tree at both ends.
function bound(item: usize, isLeaf: bool, tree: usize, to: usize): void {
  for (let axis: usize = 0; axis < 3; axis++) {
    for (let end: usize = 0; end < 2; end++) {
      const row = tree + end * PLACED + (axis << 4);
      const out = to + axis * AXIS + (end << 5);
      if (isLeaf) {
        const a = corner(item, Leaf.ax, row);
        const b = corner(item, Leaf.bx, row);
        const c = corner(item, Leaf.cx, row);
        const slack = splatAt(row, ABSOLUTE + 12);
        v128.store(out, sub(min4(min4(a, b), c), slack));
        v128.store(out, add(max4(max4(a, b), c), slack), 16);
      } else {
        const middle = center(item, row);
        const half = extent(item, row + ABSOLUTE);
        v128.store(out, sub(middle, half));
        v128.store(out, add(middle, half), 16);
      }
    }
  }
}

// Returns one coordinate of a corner of a leaf's triangles.
// @ts-ignore: decorator
@inline
function corner(leaf: usize, offset: usize, row: usize): v128 {
  const x = add(v128.load(leaf + offset), splatAt(leaf, Leaf.originX));
  const y = add(v128.load(leaf + offset, 16), splatAt(leaf, Leaf.originY));
  const z = add(v128.load(leaf + offset, 32), splatAt(leaf, Leaf.originZ));
  return image(row, x, y, z);
}

// For each pair of children, writes a time that is not later than the first time at which their boxes overlap.
// For each child of A, the times for the four children of B are stored together. A time is Infinity if the
// boxes never overlap, or only after `latest`.
function writeTimes(descent: usize, childrenA: usize, childrenB: usize, latest: f32): void {
  const never = splat(Infinity);
  const isUnused = i32x4.eq(v128.load(childrenB), i32x4.splat(NOTHING));
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const times = descent + TreeDescent.times + (lane << 2);
    v128.store(
      times,
      load<u32>(childrenA + lane) == NOTHING
        ? never
        : v128.bitselect(
            never,
            overlapTimes(
              descent + TreeDescent.boxesA + lane,
              descent + TreeDescent.boxesB,
              splatAt(descent, TreeDescent.reach),
              latest,
            ),
            isUnused,
          ),
    );
  }
}

// Returns the times at which a box of A begins to overlap each of four boxes of B. On each axis, two boxes
// overlap while the gaps on both sides are at most 0. Gaps change linearly. If a computation gives NaN, the
// gap counts as closed all the time.
function overlapTimes(own: usize, others: usize, reach: v128, latest: f32): v128 {
  const zero = splat(0);
  const one = splat(1);
  let enter = zero;
  let exit = one;
  let areApart = zero;
  for (let axis: usize = 0; axis < 3 * AXIS; axis += AXIS) {
    const box = own + axis;
    const other = others + axis;
    let start = sub(sub(v128.load(other), splatAt(box, 16)), reach);
    let end = sub(sub(v128.load(other, 32), splatAt(box, 48)), reach);
    let isOpen = gt(start, zero);
    let opens = gt(end, zero);
    let time = f32x4.div(start, sub(start, end));
    areApart = or(areApart, and(isOpen, opens));
    enter = max4(enter, and(time, isOpen));
    exit = min4(exit, v128.bitselect(time, one, opens));
    start = sub(sub(splatAt(box, 0), v128.load(other, 16)), reach);
    end = sub(sub(splatAt(box, 32), v128.load(other, 48)), reach);
    isOpen = gt(start, zero);
    opens = gt(end, zero);
    time = f32x4.div(start, sub(start, end));
    areApart = or(areApart, and(isOpen, opens));
    enter = max4(enter, and(time, isOpen));
    exit = min4(exit, v128.bitselect(time, one, opens));
  }
  const slack = splat(FLOAT_TIME_SLACK);
  enter = sub(mul(enter, splat(1 - TIME_FACTOR)), slack);
  exit = add(mul(exit, splat(1 + TIME_FACTOR)), slack);
  const overlap = v128.andnot(and(le(enter, exit), le(enter, splat(latest))), areApart);
  return v128.bitselect(enter, splat(Infinity), overlap);
}

// Tests the pairs of faces of two leaves whose boxes overlap at some time up to `latest`. Returns false if the
// exact test cannot decide whether two faces intersect at the start (TOO_WIDE).
function testLeaves(
  sweepQuery: usize,
  list: usize,
  plan: usize,
  descent: usize,
  facesA: usize,
  facesB: usize,
): bool {
  const sweptA: usize = load<u32>(list, ContactList.bodiesAt);
  const sweptB = sweptA + SweptMesh.SIZE;
  const rows = descent + TreeDescent.placements;
  const margin = load<f64>(sweepQuery, SweepQuery.margin);
  const before = <u32>load<f64>(list, ContactList.found);
  let placed: u32 = 0;
  let facePairs: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const times = descent + TreeDescent.times + (i << 4);
    let near = i32x4.bitmask(f32x4.lt(v128.load(times), splat(Infinity)));
    if (near == 0) continue;
    const face = load<u32>(facesA + (i << 2));
    // startA is NOTHING, the largest number, if no faces are known to intersect at the start.
    if (face > load<u32>(descent, TreeDescent.startA)) continue;
    placeFace(load<u32>(descent, TreeDescent.meshA), face, rows, rows + ROWS, margin, sweptA);
    for (; near != 0; near &= near - 1) {
      const k: u32 = ctz(near);
      const other = load<u32>(facesB + ((<usize>k) << 2));
      if ((placed & (1 << k)) == 0)
        placeFace(
          load<u32>(descent, TreeDescent.meshB),
          other,
          rows + 2 * ROWS,
          rows + 3 * ROWS,
          margin,
          sweptB,
        );
      placed |= 1 << k;
      facePairs++;
      const isTouching = load<f32>(times + ((<usize>k) << 2)) <= 0;
      if (isTouching && load<u32>(sweepQuery, SweepQuery.atStart) != 0) {
        const verdict = testStart(list, descent, sweptA, face, sweptB, other);
        if (verdict == TOO_WIDE) {
          store<u32>(list, 0, ContactList.candidateCount);
          return false;
        }
      }
      // A contact at the start comes before all others. At equal times, smaller face numbers come first.
      if (load<u32>(descent, TreeDescent.startA) == NOTHING && face <= load<u32>(descent, TreeDescent.firstA))
        pairFeatures(sweepQuery, list, sweptA, face, sweptB, other);
    }
  }
  store<f64>(list, load<f64>(list, ContactList.facePairs) + <f64>facePairs, ContactList.facePairs);
  testPairs(sweepQuery, list);
  if (plan != 0) {
    if (load<f64>(list, ContactList.found) > <f64>before) refineContacts(plan, list, before, sweptA, sweptB);
    setEarliest(list, plan);
  }
  keepFirstFace(list, descent, before);
  return true;
}

// Lowers `firstA` to the smallest face of A that has a contact at time 0 of a kind other than START. Considers
// the list's contacts from index `before` on; in an exact query, only the proven ones.
// Many contacts may have time 0 if the meshes are within the minimum separation at the start.
function keepFirstFace(list: usize, descent: usize, before: u32): void {
  const stored = min(<u32>load<f64>(list, ContactList.found), load<u32>(list, ContactList.capacity));
  for (let i = before; i < stored; i++) {
    const contact = <usize>load<u32>(list, ContactList.contactsAt) + <usize>i * Contact.SIZE;
    if (load<f64>(contact, Contact.toi) != 0 || load<u32>(contact, Contact.kind) == START) continue;
    if (load<u32>(contact, Contact.verdict) != REACHED && load<u32>(descent, TreeDescent.isExact) != 0)
      continue;
    const face = load<u32>(contact, Contact.faceA);
    if (face < load<u32>(descent, TreeDescent.firstA)) store<u32>(descent, face, TreeDescent.firstA);
  }
}

// Tests two faces at the start, and returns the verdict. Returns INTERSECT without a test if an earlier pair of
// faces is known to intersect.
function testStart(list: usize, descent: usize, sweptA: usize, a: u32, sweptB: usize, b: u32): u32 {
  const knownA = load<u32>(descent, TreeDescent.startA);
  if (knownA < a || (knownA == a && load<u32>(descent, TreeDescent.startB) < b)) return INTERSECT;
  const verdict = addStartIfTouching(list, sweptA, a, sweptB, b);
  if (verdict != INTERSECT) return verdict;
  store<u32>(descent, a, TreeDescent.startA);
  store<u32>(descent, b, TreeDescent.startB);
  store<f64>(list, 0, ContactList.earliest);
  return verdict;
}
