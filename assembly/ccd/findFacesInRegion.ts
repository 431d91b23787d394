// Finds the faces of a moving mesh that enter a region, by traversing the mesh's tree, and computes their
// points and boxes.
import { placeVertex } from '../exact/place';
import { LEAF_BIT, Leaf, MeshRecord, NOTHING, Node, OWN_BIT, SweptMesh } from '../records';
import { add, gt, load4, maskBits, mul, neg, or, splat, sub } from '../simd/lanes';
import { BOX_BYTES, FACE_BYTES } from './sweptFeatures';
import { boundThree, SWEPT_POINT } from './sweptPoints';

/**
 * PLACED: bytes of a placement of the tree. First come three rows of four floats, then the absolute values of
 * its linear part in the same layout. ABSOLUTE: byte offset of these absolute values.
 */
const PLACED: usize = 96;
const ABSOLUTE: usize = 48;
/** Relative error bound: far larger than the rounding errors of a placed tree box in floats. */
const SLACK: f64 = 1.9073486328125e-6;
/**
 * Coordinates stored in the tree are at most 1, unless the mesh is so large that the scale is limited to
 * MIN_SCALE, 2^-120. Then they are only at most 2^128 * scale, because positions are floats.
 */
const MIN_SCALE: f64 = 7.52316384526264e-37;
const MAX_COORDINATE: f64 = 3.402823669209385e38;
/** If the terms of a coordinate add up to this, 2^126, or more, sums in floats might overflow. */
const MAX_SUM: f64 = 8.507059173023462e37;

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

function middleOf(region: usize, axis: usize): f64 {
  return 0.5 * (<f64>load<f32>(region + axis) + <f64>load<f32>(region + axis, 12));
}
function halfOf(region: usize, axis: usize): f64 {
  return 0.5 * (<f64>load<f32>(region + axis, 12) - <f64>load<f32>(region + axis));
}

// Writes a placement of the tree in floats: the transform from the coordinates stored in the tree to
// coordinates relative to the center of the region. The last word of each row of absolute values is a bound
// of the rounding error. It is infinite if sums might overflow, so that all boxes overlap the region.
function placeTree(mesh: usize, rows: usize, region: usize, out: usize): void {
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  const size = 2 * (scale > MIN_SCALE ? 1 / scale : MAX_COORDINATE);
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = rows + (axis << 5);
    const to = out + (axis << 4);
    const absolute = out + ABSOLUTE + (axis << 4);
    const x = load<f64>(row);
    const y = load<f64>(row, 8);
    const z = load<f64>(row, 16);
    const cx = <f64>load<f32>(mesh, MeshRecord.centerX);
    const cy = <f64>load<f32>(mesh, MeshRecord.centerY);
    const cz = <f64>load<f32>(mesh, MeshRecord.centerZ);
    const shift = x * cx + y * cy + z * cz + load<f64>(row, 24);
    const middle = middleOf(region, axis << 2);
    store<f32>(to, <f32>(x / scale));
    store<f32>(to, <f32>(y / scale), 4);
    store<f32>(to, <f32>(z / scale), 8);
    store<f32>(to, <f32>(shift - middle), 12);
    store<f32>(absolute, <f32>(f64.abs(x) / scale));
    store<f32>(absolute, <f32>(f64.abs(y) / scale), 4);
    store<f32>(absolute, <f32>(f64.abs(z) / scale), 8);
    const sum =
      f64.abs(x) * (f64.abs(cx) + size) +
      f64.abs(y) * (f64.abs(cy) + size) +
      f64.abs(z) * (f64.abs(cz) + size) +
      f64.abs(load<f64>(row, 24)) +
      f64.abs(middle);
    store<f32>(absolute, sum < MAX_SUM ? <f32>(SLACK * sum + 1e-37) : Infinity, 12);
  }
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

function center(node: usize, row: usize): v128 {
  return add(
    add(
      mul(v128.load32_splat(row), load4(node, Node.centerX)),
      mul(v128.load32_splat(row, 4), load4(node, Node.centerY)),
    ),
    add(mul(v128.load32_splat(row, 8), load4(node, Node.centerZ)), v128.load32_splat(row, 12)),
  );
}

function extent(node: usize, row: usize): v128 {
  return add(
    add(
      mul(v128.load32_splat(row), load4(node, Node.halfX)),
      mul(v128.load32_splat(row, 4), load4(node, Node.halfY)),
    ),
    add(mul(v128.load32_splat(row, 8), load4(node, Node.halfZ)), v128.load32_splat(row, 12)),
  );
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
  const points: usize = load<u32>(swept, SweptMesh.pointsAt);
  const table: usize = load<u32>(swept, SweptMesh.facesAt);
  const boxes: usize = load<u32>(swept, SweptMesh.boxesAt);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const face = load<u32>(leaf + lane, Leaf.id);
    if (face == NOTHING) break;
    const corners = table + <usize>face * FACE_BYTES;
    const box = boxes + <usize>face * BOX_BYTES;
    const a = place(corners, 0, positions, from, to, points);
    const b = place(corners, 4, positions, from, to, points);
    const c = place(corners, 8, positions, from, to, points);
    boundThree(a, b, c, margin, box);
    store<u32>(faces + ((<usize>count) << 2), face);
    count += u32(boxesOverlap(box, region));
  }
  return count;
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
