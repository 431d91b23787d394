// Finds the faces of a moving mesh that enter a region, by traversing the mesh's tree, and computes their
// points and boxes.
import { placeVertex } from '../exact/place';
import { LEAF_BIT, Leaf, MeshRecord, NOTHING, Node, OWN_BIT, SweptMesh } from '../records';
import { add, gt, load4, maskBits, neg, or, splat, sub } from '../simd/lanes';
import { ABSOLUTE, center, extent, PLACED, placeTree } from './placedTree';
import { boxOf, faceOf } from './sweptFeatures';
import { boundThree, SWEPT_POINT } from './sweptPoints';

/**
 * Finds the faces whose boxes over the whole motion, enlarged by margin, overlap the region. Writes their
 * numbers to `faces`, and returns how many there are. Also writes the points and boxes of all visited faces
 * to the SweptMesh. mesh: a MeshRecord. from, to: the placements at both ends of the motion, three rows of
 * four doubles each. region: a box of six floats. scratch: 208 bytes, followed by a stack of nodes.
 */
export function findFacesInRegion(
  mesh: usize,
  from: usize,
  to: usize,
  region: usize,
  margin: f64,
  swept: usize,
  faces: usize,
  scratch: usize,
): u32 {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  const stack = scratch + 2 * PLACED + 16;
  const reachX = halfOf(region, 0) + margin;
  const reachY = halfOf(region, 4) + margin;
  const reachZ = halfOf(region, 8) + margin;
  placeTree(mesh, from, region, scratch);
  placeTree(mesh, to, region, scratch + PLACED);
  let top = stack + 4;
  let count: u32 = 0;
  store<u32>(stack, 0);
  while (top > stack) {
    top -= 4;
    const node = nodes + <usize>load<u32>(top) * Node.SIZE;
    let mask =
      overlapsOnAxis(node, scratch, 0, reachX) &
      overlapsOnAxis(node, scratch, 1, reachY) &
      overlapsOnAxis(node, scratch, 2, reachZ);
    for (; mask != 0; mask &= mask - 1) {
      const child = load<u32>(node + ((<usize>ctz(mask)) << 2), Node.child);
      if (child == NOTHING) continue;
      if (child & LEAF_BIT)
        count = addLeafFaces(
          mesh,
          leaves + <usize>(child & ~LEAF_BIT) * Leaf.SIZE,
          from,
          to,
          region,
          margin,
          swept,
          faces,
          count,
        );
      else {
        store<u32>(top, child);
        top += 4;
      }
    }
  }
  return count;
}

function halfOf(region: usize, axis: usize): f64 {
  return 0.5 * (<f64>load<f32>(region + axis, 12) - <f64>load<f32>(region + axis));
}

// Returns a bit for each of a node's four boxes that overlaps the region on one axis during the motion. If the
// computation gives NaN, the box counts as overlapping.
// @ts-ignore: decorator
@inline
function overlapsOnAxis(node: usize, placed: usize, axis: usize, half: f64): i32 {
  const start = placed + (axis << 4);
  const end = start + PLACED;
  const centerA = center(node, start);
  const centerB = center(node, end);
  const halfA = extent(node, start + ABSOLUTE);
  const halfB = extent(node, end + ABSOLUTE);
  const reach = splat(<f32>half * 1.000001);
  const low = f32x4.min(sub(centerA, halfA), sub(centerB, halfB));
  const high = f32x4.max(add(centerA, halfA), add(centerB, halfB));
  return ~maskBits(or(gt(low, reach), gt(neg(reach), high))) & 15;
}

// Places a leaf's faces and appends those that enter the region.
function addLeafFaces(
  mesh: usize,
  leaf: usize,
  from: usize,
  to: usize,
  region: usize,
  margin: f64,
  swept: usize,
  faces: usize,
  count: u32,
): u32 {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const face = load<u32>(leaf + lane, Leaf.id);
    if (face == NOTHING) break;
    const box = placeFace(mesh, face, from, to, margin, swept);
    store<u32>(faces + ((<usize>count) << 2), face);
    count += u32(boxesOverlap(box, region));
  }
  return count;
}

/**
 * Writes the points of a face and its box over the motion, enlarged by margin, to the SweptMesh. Returns the
 * address of the box.
 */
export function placeFace(mesh: usize, face: u32, from: usize, to: usize, margin: f64, swept: usize): usize {
  const points: usize = load<u32>(swept, SweptMesh.pointsAt);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const corners = faceOf(swept, face);
  const box = boxOf(swept, face);
  const a = place(corners, 0, positions, from, to, points);
  const b = place(corners, 4, positions, from, to, points);
  const c = place(corners, 8, positions, from, to, points);
  boundThree(a, b, c, margin, box);
  return box;
}

/** Returns whether two boxes of six floats overlap. */
export function boxesOverlap(a: usize, b: usize): bool {
  return (
    (i32x4.bitmask(v128.or(f32x4.gt(load4(a), load4(b, 12)), f32x4.gt(load4(b), load4(a, 12)))) & 7) == 0
  );
}

// Places the vertex of a corner at both ends of the motion. Returns the address of its points.
// @ts-ignore: decorator
@inline
function place(
  corners: usize,
  corner: usize,
  positions: usize,
  from: usize,
  to: usize,
  points: usize,
): usize {
  const vertex = <usize>(load<u32>(corners + corner) & ~OWN_BIT);
  const point = points + vertex * SWEPT_POINT;
  placeVertex(positions + vertex * 12, from, point);
  placeVertex(positions + vertex * 12, to, point + SWEPT_POINT / 2);
  return point;
}
